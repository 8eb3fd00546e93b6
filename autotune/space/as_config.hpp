// SPDX-License-Identifier: BSD-3-Clause
// Conversion of a tuning struct to a point of a space and back, by its axes, for every kernel family.
#pragma once

#include <tessera/detail/axes.hpp>

#include "family.hpp"

namespace tessera::tune {

template <class Tuning>
config as_config(const Tuning& t) {
  static_assert(axes_of<Tuning>().size() <= max_axes);
  config c;
  int at = 0;
  for (const axis<Tuning>& a : axes_of<Tuning>()) c.value[at++] = t.*a.field;
  return c;
}

template <class Tuning>
Tuning as_tuning(const config& c) {
  Tuning t;
  int at = 0;
  for (const axis<Tuning>& a : axes_of<Tuning>()) t.*a.field = c.value[at++];
  return t;
}

}  // namespace tessera::tune
