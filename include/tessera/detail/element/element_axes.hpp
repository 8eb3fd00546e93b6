// SPDX-License-Identifier: BSD-3-Clause
// The axes of element_tuning, by which records and tuners know its numbers: every field, in order. The build reads the
// names and initial values from here.
#pragma once

#include <type_traits>

#include <tessera/detail/element/element_tuning.hpp>

namespace tessera {

struct element_axis {
  const char* name;
  int initial;  // as in the struct
  int (*get)(const element_tuning&);
  void (*set)(element_tuning&, int);
};

namespace detail {

template <auto field>
constexpr element_axis axis_over(const char* name, int initial) {
  using number = std::remove_cvref_t<decltype(element_tuning{}.*field)>;
  return {name, initial, [](const element_tuning& t) { return int(t.*field); },
          [](element_tuning& t, int value) { t.*field = number(value); }};
}
template <int which>
constexpr element_axis pitch_axis(const char* name, int initial) {
  return {name, initial, [](const element_tuning& t) { return t.pitch[which]; },
          [](element_tuning& t, int value) { t.pitch[which] = value; }};
}

}  // namespace detail

inline constexpr element_axis element_axes[] = {
    detail::axis_over<&element_tuning::elements>("elements", 1),
    detail::axis_over<&element_tuning::threads>("threads", 32),
    detail::axis_over<&element_tuning::blocks>("blocks", 1),
    detail::axis_over<&element_tuning::last>("last", 0),
    detail::axis_over<&element_tuning::prefetch>("prefetch", 0),
    detail::axis_over<&element_tuning::even_odd>("even_odd", 1),
    detail::axis_over<&element_tuning::direct>("direct", 0),
    detail::axis_over<&element_tuning::staged>("staged", 0),
    detail::axis_over<&element_tuning::by_warp>("by_warp", 0),
    detail::pitch_axis<0>("pitch_line", 1),
    detail::pitch_axis<1>("pitch_plane", 1),
    detail::axis_over<&element_tuning::pitch_element>("pitch_element", 1),
    detail::axis_over<&element_tuning::packed>("packed", 0),
    detail::axis_over<&element_tuning::together>("together", 1),
    detail::axis_over<&element_tuning::batches>("batches", 1),
    detail::axis_over<&element_tuning::by_plane>("by_plane", 0),
};

/// Values of axes in record files: from 0 to this.
inline constexpr int largest_element_axis = 99999;

}  // namespace tessera
