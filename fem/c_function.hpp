// SPDX-License-Identifier: BSD-3-Clause
// A pointwise function from C for the C++ interface: a callback on a CPU, text on a GPU.
#pragma once

#include <tessera/fem/tessera_fem.h>
#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace tessera::fem::detail {

inline void check(const tessera_element_function& f, int dim_of_options) {
  const auto refuse = [&](const std::string& why, status code = status::invalid_argument) {
    throw error("element operator: function" + (f.name != nullptr ? " " + std::string(f.name) : "") + ": " + why, code);
  };
  const auto in_range = [&](const char* what, int number) {
    constexpr int most = 1024;
    if (number < 1 || number > most) refuse(std::to_string(number) + " " + what + ", not 1.." + std::to_string(most));
  };
  if (f.dim < 1 || f.dim > 3) refuse("dimension " + std::to_string(f.dim) + " is not 1, 2 or 3");
  if (f.dim != dim_of_options)
    refuse(
        "it is for " + std::to_string(f.dim) + " dimensions, and the options are for " + std::to_string(dim_of_options),
        status::shape_mismatch);
  in_range("components", f.components);
  in_range("test components", f.test_components);
  in_range("factors", f.factors);
  if (f.takes_value == 0 && f.takes_gradient == 0) refuse("it takes neither the value nor the gradient of u");
  if (f.gives_value == 0 && f.gives_gradient == 0) refuse("it gives neither a value nor a gradient to test functions");
  if ((f.source == nullptr) != (f.source_type == nullptr))
    refuse(std::string("its source has ") + (f.source == nullptr ? "a type, but no text" : "a text, but no type"),
           status::null_pointer);
  if (f.state == nullptr && f.state_bytes > 0)
    refuse("null for " + std::to_string(f.state_bytes) + " bytes of state", status::null_pointer);
}

/// What the callback and its context become.
struct c_callback {
  tessera_point_function call;
  void* context;

  template <class T>
  static void at_points(const points_block<T>& b, const void* state) {
    const c_callback& self = *static_cast<const c_callback*>(state);
    const tessera_point_block given{b.count, b.value, b.gradient, b.D, b.value_out, b.gradient_out};
    self.call(&given, self.context);
  }
};

/// A copy of the state with padding behind it: a launch reads as many bytes as the struct has, which the text says.
inline std::shared_ptr<const void> state_of(const tessera_element_function& f) {
  constexpr std::size_t most_of_launch = 32768;
  const std::size_t bytes = std::max(f.state_bytes, most_of_launch);
  const auto memory = std::make_shared<std::vector<std::max_align_t>>(bytes / sizeof(std::max_align_t) + 1);
  if (f.state_bytes > 0) std::memcpy(memory->data(), f.state, f.state_bytes);
  return {memory, memory->data()};
}

/// For an operator of `dim` dimensions on that target.
template <class T>
compiled_function<T> function_from(const tessera_element_function& f, int dim, bool on_gpu) {
  check(f, dim);
  compiled_function<T> made{.dim = f.dim,
                            .trial_components = f.components,
                            .test_components = f.test_components,
                            .slopes = f.takes_gradient != 0 || f.gives_gradient != 0,
                            .factors = f.factors,
                            .trial = {f.components, f.takes_value != 0, f.takes_gradient != 0},
                            .test = {f.test_components, f.gives_value != 0, f.gives_gradient != 0}};
  if (f.name != nullptr) made.name = f.name;
  if (on_gpu) {
    if (f.source == nullptr)
      throw error("element operator: " + made.name + ": a GPU needs the function's source", status::no_target);
    made.source = {f.source_type, f.source};
    made.state = state_of(f);
    return made;
  }
  if (f.at_points == nullptr)
    throw error("element operator: " + made.name + ": a CPU needs at_points, which is null", status::null_pointer);
  made.at_points = &c_callback::at_points<T>;
  made.state = std::make_shared<const c_callback>(c_callback{f.at_points, f.context});
  return made;
}

}  // namespace tessera::fem::detail
