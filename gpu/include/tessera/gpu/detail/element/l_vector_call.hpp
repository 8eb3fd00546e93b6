// SPDX-License-Identifier: BSD-3-Clause
// An application from and to L-vectors, before the type of its codes is known.
#pragma once

#include <cstdint>

#include <tessera/gpu/detail/element/arguments.hpp>
#include <tessera/gpu/detail/element/l_vector_layout.hpp>

namespace tessera::device {

/// Codes of x or y in device memory, of 32 or 64 bits.
struct code_place {
  const void* codes = nullptr;
  index_t component = 0;
  int entries = 0, lists = 1;
};

/// To elements first, first + 1, ... of the order.
template <class T>
struct l_vector_call {
  const T* x = nullptr;
  T* y = nullptr;
  const void* D = nullptr;
  node_arguments<T> nodes{};
  index_t first = 0, count = 0;
  int repeats = 1;
  bool add = false;
  bool wide = false;    // codes of 64 bits
  bool atomic = false;  // terms are added to y at once
  code_place of_x, of_y;
  const int* places = nullptr;
  T* terms = nullptr;
  double* dots = nullptr;  // x.y of each element
  index_t component_terms = 0;
  int element_terms = 0;
};

/// What its kernel is launched with.
template <class Code, class T>
auto arguments_of(const l_vector_call<T>& call) {
  const auto codes = [&](const code_place& of) {
    return l_vector_codes<Code>{static_cast<const Code*>(of.codes), of.component, of.entries, of.lists};
  };
  element_arguments<T, l_vector_codes<Code>, l_vector_target<T, Code>> a{
      .x = call.x, .y = call.y, .D = call.D, .x_layout = codes(call.of_x)};
  a.y_layout = {codes(call.of_y), call.places, call.terms, call.component_terms, call.element_terms};
  a.first = call.first;
  a.count = call.count;
  a.repeats = call.repeats;
  a.add = call.add;
  a.dots = call.dots;
  a.nodes = call.nodes;
  return a;
}

/// run(the arguments, with codes of 32 or 64 bits).
template <class T, class Run>
void with_arguments_of(const l_vector_call<T>& call, const Run& run) {
  if (call.wide)
    run(arguments_of<std::uint64_t>(call));
  else
    run(arguments_of<std::uint32_t>(call));
}

}  // namespace tessera::device
