// SPDX-License-Identifier: BSD-3-Clause
// The launch of the packed gemm kernel: the variant that a problem needs.
#pragma once

#include <cstdint>

#include <tessera/detail/problem.hpp>
#include <tessera/gpu/detail/packed.cuh>
#include <tessera/gpu/detail/queue.cuh>

namespace tessera::device {

/// The operands of a packed problem. Types: the kernel's, which may be the problem's scalar.
template <class Types, class In, class Out, class Sum>
packed_arguments<Types> arguments_as(const problem<In, Out, Sum>& p) {
  return {p.left[0].data, p.right[0].data, p.out.data, p.alpha, p.beta, p.batch * p.loops};
}

template <class T>
packed_arguments<T> arguments_of(const problem<T>& p) {
  return arguments_as<T>(p);
}

/// Sizes of a kernel's entries.
template <class Types>
constexpr packed_words words_of() {
  return {int(sizeof(typename elements_of<Types>::in)), int(sizeof(typename elements_of<Types>::out))};
}

/// True if an operand is not aligned to 16 bytes.
template <class Types>
bool starts_inside_a_piece(const packed_arguments<Types>& a) {
  const auto inside = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 != 0; };
  return inside(a.left) || inside(a.right) || inside(a.out);
}

template <class Types, class Form, class Tuning, bool Adds, bool Phased>
void launch_variant(const packed_arguments<Types>& a, const kernel_name& name, cudaStream_t stream) {
  constexpr packed_plan plan(Form::sizes, words_of<Types>(), Tuning{}, {Adds, Phased});
  const auto kernel = reinterpret_cast<const void*>(&packed_gemm<Types, Form, Tuning, Adds, Phased>);
  static const bool early = comes_early(kernel);
  void* arguments[] = {const_cast<packed_arguments<Types>*>(&a)};
  queue(name, kernel, shape_for(a.products, Tuning::matrices, Tuning::threads, plan.bytes), arguments, stream, early);
}

/// Queues the kernel.
template <class Types, class Form, class Tuning>
void launch_packed(const packed_arguments<Types>& a, const kernel_name& name, cudaStream_t stream) {
  constexpr bool may_start_on_pieces = starts_on_pieces(Form::sizes, words_of<Types>(), Tuning::matrices);
  const bool adds = a.beta != typename elements_of<Types>::sum(0);
  if constexpr (may_start_on_pieces)
    if (!starts_inside_a_piece(a)) {
      if (adds) return launch_variant<Types, Form, Tuning, true, false>(a, name, stream);
      return launch_variant<Types, Form, Tuning, false, false>(a, name, stream);
    }
  if (adds) return launch_variant<Types, Form, Tuning, true, true>(a, name, stream);
  launch_variant<Types, Form, Tuning, false, true>(a, name, stream);
}

}  // namespace tessera::device
