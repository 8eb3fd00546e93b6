// SPDX-License-Identifier: BSD-3-Clause
// A general contraction with the tile of its kernel, and its tensors.
#pragma once

#include "testing/drawn_any.hpp"

#include <tessera/detail/general_tile.hpp>

#include "src/function_text.hpp"

namespace tessera::testing {

struct kernel_case {
  any_case of;  // with what loops make of it
  tessera::detail::general_kind kind;
  tessera::detail::general_tile tile;
  bool adds_one = false;     // the right tensor has entries less 1, which the kernel adds again
  bool many_digits = false;  // entries of the left tensor have more than TF32 keeps
  /// Of a kind with a matrix behind the sum: it, and the right tensor without it, which the kernel is given.
  any_memory second{}, given{};
};

/// Small integers, and halves of them: sums are exact.
class kernel_case_drawer {
 public:
  explicit kernel_case_drawer(unsigned seed) : random_(seed) {}

  int drawn(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  bool once_in(int times) { return drawn(1, times) == 1; }

  /// Makes the kind's text of functions, and tensors of the form's strides.
  void complete(kernel_case& made, int batch = 1) {
    any_case& of = made.of;
    of.types = device::any_types_of(made.kind);
    of.batch = batch;
    if (!made.kind.reads_out && !made.kind.addend) of.beta = 0;
    set_functions(made);
    of.left = memory_of(of.types.left, of.form, &general_digit::left, batch, true, made.many_digits ? 9999 : 6);
    of.right = memory_of(of.types.right, of.form, &general_digit::right, batch, true);
    of.out = memory_of(of.types.out, of.form, &general_digit::out, batch, false);
    if (made.kind.second.extent > 0) multiply_right(made);
    if (of.types.addend) of.addend = memory_of(*of.types.addend, of.form, &general_digit::addend, batch, true);
  }
  std::mt19937& random() { return random_; }

 private:
  // The kernel gets `given` and the matrix, loops their product as the right tensor: its vectors are multiplied first.
  void multiply_right(kernel_case& made) {
    any_case& of = made.of;
    const tessera::detail::general_second& second = made.kind.second;
    general_form matrix;
    matrix.rows = {1, {{second.extent, second.row, 0, 0}}};
    matrix.cols = {1, {{second.extent, second.column, 0, 0}}};
    made.second = memory_of(of.types.left, matrix, &general_digit::left, 1, true);
    made.given = of.right;
    std::vector<index_t> places{0};
    const auto times = [&](index_t extent, index_t stride) {
      const std::vector<index_t> before = std::exchange(places, {});
      for (index_t i = 0; i < extent; ++i)
        for (const index_t at : before) places.push_back(at + i * stride);
    };
    for (int i = 0; i < of.form.inner.count; ++i) times(of.form.inner.at[i].extent, of.form.inner.at[i].right);
    for (int i = 0; i < of.form.cols.count; ++i)
      if (i != second.digit) times(of.form.cols.at[i].extent, of.form.cols.at[i].right);
    for (int i = 0; i < of.form.batch.count; ++i) times(of.form.batch.at[i].extent, of.form.batch.at[i].right);
    if (of.right.batch_stride != 0) times(of.batch, of.right.batch_stride);
    const index_t apart = of.form.cols.at[second.digit].right;
    for (const index_t at : places)
      for (index_t p = 0; p < second.extent; ++p) {
        any_value sum = 0;
        for (index_t q = 0; q < second.extent; ++q)
          sum += made.second.read(p * second.row + q * second.column) * made.given.read(at + q * apart);
        write_any(of.right.type, sum, of.right.at(of.right.bytes.data(), at + p * apart));
      }
  }

  static entry_function function_of(const device::any_function& f) {
    using kind = device::any_function_kind;
    switch (f.kind) {
      case kind::relu: return relu;
      case kind::leaky_relu: return leaky_relu(f.parameter);
      case kind::elu: return elu(f.parameter);
      case kind::conj: return conjugate;
      case kind::identity: break;
    }
    return {};
  }
  static void set_functions(kernel_case& made) {
    const device::any_functions& of = made.of.functions;
    const operations pairs[] = {plus_times, min_plus, max_plus, max_times, or_and};
    const operations& pair = pairs[int(of.pair)];
    const contraction_functions functions{function_of(of.left), function_of(of.right), function_of(of.addend),
                                          function_of(of.result)};
    made.kind.functions = tessera::detail::function_text(functions, pair);
    made.kind.functions_name = tessera::detail::function_name(functions, pair);
    made.kind.scales = of.pair == device::any_pair::plus_times;
    made.kind.zero_adds_nothing = of.pair == device::any_pair::plus_times;
    if (!made.adds_one) return;
    made.kind.zero_adds_nothing = false;
    made.kind.functions_name = "one more";
    made.kind.functions = R"(
struct general_functions : tessera::device::plain_functions {
  static constexpr bool right_is_plain = false;
  template <class T>
  __device__ static T right(const T& x) { return x + T(1); }
};
)";
  }

  any_memory memory_of(device::any_type type, const general_form& form, index_t general_digit::*in, int batch,
                       bool may_repeat, int most = 6) {
    index_t lowest = 0, highest = 0;
    for (const general_digits* list : {&form.rows, &form.cols, &form.inner, &form.batch})
      for (int i = 0; i < list->count; ++i) {
        const index_t reach = (list->at[i].extent - 1) * list->at[i].*in;
        (reach < 0 ? lowest : highest) += reach;
      }
    const index_t entries = highest - lowest + 1;
    any_memory made{.type = type, .bytes = {}, .start = -lowest};
    if (batch > 1) made.batch_stride = may_repeat && once_in(4) ? 0 : once_in(2) ? (entries + 7) / 8 * 8 : entries + 1;
    const int size = device::size_of(type);
    made.bytes.resize(std::size_t((entries + (batch - 1) * made.batch_stride) * index_t(size)));
    const bool whole = device::is_integer_type(type);
    const auto number = [&] { return whole ? drawn(-4, 4) : drawn(-most, most) / 2.0L; };
    for (std::size_t i = 0; i < made.bytes.size(); i += std::size_t(size))
      write_any(type, {number(), is_complex_type(type) ? number() : 0}, made.bytes.data() + i);
    return made;
  }

  std::mt19937 random_;
};

}  // namespace tessera::testing
