// SPDX-License-Identifier: BSD-3-Clause
// Table 1, the contractions of tensor-product elements, as data: sizes along three different axes, canonical forms.
#pragma once

#include <array>

#include <tessera/core/chain.hpp>

namespace tessera::table1 {

/// Unequal on purpose, so that no two axes can be mistaken for each other.
inline constexpr index_t nd[3] = {2, 3, 4};
inline constexpr index_t nq[3] = {3, 2, 5};

struct tensor_shape {
  int rank = 0;
  index_t extent[max_rank]{};

  constexpr tensor_shape() = default;
  template <class... E>
  constexpr explicit tensor_shape(E... e) : rank(int(sizeof...(E))), extent{index_t(e)...} {}
  constexpr index_t size() const {
    index_t product = 1;
    for (int d = 0; d < rank; ++d) product *= extent[d];
    return product;
  }
  /// Packed column-major.
  constexpr operand_facts facts() const {
    operand_facts f{.rank = rank};
    index_t stride = 1;
    for (int d = 0; d < rank; ++d) {
      f.extent[d] = extent[d];
      f.stride[d] = stride;
      stride *= extent[d];
    }
    return f;
  }
};

constexpr operand_facts packed_facts(auto... e) { return tensor_shape(e...).facts(); }

/// One row: inputs in the einsum's order, then the output. `kernel` gives the same data reshaped for the canonical
/// kernel (8a), (8b) or (9), in that kernel's operand order.
struct row {
  const char* name;
  const char* text;
  canonical form;
  tensor_shape input[3];
  tensor_shape out;
  const char* kernel;            // the canonical kernel's own einsum
  int kernel_input[3];           // which input of the row each kernel operand is
  tensor_shape kernel_shape[3];  // and how it is reshaped
};

inline constexpr tensor_shape b1{nq[0], nd[0]}, b2{nq[1], nd[1]}, b3{nq[2], nd[2]};
inline constexpr const char* k8a = "isj,ksl->ijkl";
inline constexpr const char* k8b = "isj,ksl->iklj";
inline constexpr const char* k9 = "si,sj,ksl->kilj";

// Sizes by name, as the table prints them.
inline constexpr index_t d1 = nd[0], d2 = nd[1], d3 = nd[2], q1 = nq[0], q2 = nq[1], q3 = nq[2];

// One row a line, as the table is printed.
// clang-format off
inline constexpr row rows[] = {
    {"1a", "ki,kj,kl->ilj", canonical::eq9, {b1, b1, tensor_shape(q1, q2)}, tensor_shape(d1, q2, d1), k9, {0, 1, 2}, {b1, b1, tensor_shape(1, q1, q2)}},
    {"1b", "ki,kj,akb->aibj", canonical::eq9, {b2, b2, tensor_shape(d1, q2, d1)}, tensor_shape(d1, d2, d1, d2), k9, {0, 1, 2}, {b2, b2, tensor_shape(d1, q2, d1)}},
    {"2a", "ki,kj,klm->ilmj", canonical::eq9, {b1, b1, tensor_shape(q1, q2, q3)}, tensor_shape(d1, q2, q3, d1), k9, {0, 1, 2}, {b1, b1, tensor_shape(1, q1, q2 * q3)}},
    {"2b", "ki,kj,akmb->aimbj", canonical::eq9, {b2, b2, tensor_shape(d1, q2, q3, d1)}, tensor_shape(d1, d2, q3, d1, d2), k9, {0, 1, 2}, {b2, b2, tensor_shape(d1, q2, q3 * d1)}},
    {"2c", "ki,kj,abkcd->abicdj", canonical::eq9, {b3, b3, tensor_shape(d1, d2, q3, d1, d2)}, tensor_shape(d1, d2, d3, d1, d2, d3), k9, {0, 1, 2}, {b3, b3, tensor_shape(d1 * d2, q3, d1 * d2)}},
    {"3a", "kj,ij->ik", canonical::eq8a, {b2, tensor_shape(d1, d2)}, tensor_shape(d1, q2), k8a, {1, 0, -1}, {tensor_shape(d1, d2, 1), tensor_shape(q2, d2, 1)}},
    {"3b", "kj,jl->kl", canonical::eq8a, {b1, tensor_shape(d1, q2)}, tensor_shape(q1, q2), k8a, {0, 1, -1}, {tensor_shape(q1, d1, 1), tensor_shape(1, d1, q2)}},
    {"D2", "kl,kl->kl", canonical::pointwise, {tensor_shape(q1, q2), tensor_shape(q1, q2)}, tensor_shape(q1, q2), nullptr, {}, {}},
    {"3c", "li,kl->ki", canonical::eq8a, {b2, tensor_shape(q1, q2)}, tensor_shape(q1, d2), k8a, {1, 0, -1}, {tensor_shape(q1, q2, 1), tensor_shape(1, q2, d2)}},
    {"3d", "ki,kj->ij", canonical::eq8a, {b1, tensor_shape(q1, d2)}, tensor_shape(d1, d2), k8a, {0, 1, -1}, {tensor_shape(1, q1, d1), tensor_shape(1, q1, d2)}},
    {"4a", "kj,abj->abk", canonical::eq8a, {b3, tensor_shape(d1, d2, d3)}, tensor_shape(d1, d2, q3), k8a, {1, 0, -1}, {tensor_shape(d1 * d2, d3, 1), tensor_shape(q3, d3, 1)}},
    {"4b", "kj,ajc->akc", canonical::eq8b, {b2, tensor_shape(d1, d2, q3)}, tensor_shape(d1, q2, q3), k8b, {1, 0, -1}, {tensor_shape(d1, d2, q3), tensor_shape(q2, d2, 1)}},
    {"4c", "kj,jbc->kbc", canonical::eq8a, {b1, tensor_shape(d1, q2, q3)}, tensor_shape(q1, q2, q3), k8a, {0, 1, -1}, {tensor_shape(q1, d1, 1), tensor_shape(1, d1, q2 * q3)}},
    {"D3", "abc,abc->abc", canonical::pointwise, {tensor_shape(q1, q2, q3), tensor_shape(q1, q2, q3)}, tensor_shape(q1, q2, q3), nullptr, {}, {}},
    {"4d", "ki,abk->abi", canonical::eq8a, {b3, tensor_shape(q1, q2, q3)}, tensor_shape(q1, q2, d3), k8a, {1, 0, -1}, {tensor_shape(q1 * q2, q3, 1), tensor_shape(1, q3, d3)}},
    {"4e", "ki,akc->aic", canonical::eq8b, {b2, tensor_shape(q1, q2, d3)}, tensor_shape(q1, d2, d3), k8b, {1, 0, -1}, {tensor_shape(q1, q2, d3), tensor_shape(1, q2, d2)}},
    {"4f", "ki,kbc->ibc", canonical::eq8a, {b1, tensor_shape(q1, d2, d3)}, tensor_shape(d1, d2, d3), k8a, {0, 1, -1}, {tensor_shape(1, q1, d1), tensor_shape(1, q1, d2 * d3)}},
};
// clang-format on

/// Integer data of a row's operand, the same everywhere: values in -4..4 from a little generator.
template <class T, int Size>
constexpr std::array<T, Size> integers(unsigned seed, index_t used = Size) {
  std::array<T, Size> data{};
  unsigned state = seed * 2654435761u + 12345u;
  for (index_t i = 0; i < used; ++i) {
    state = state * 1664525u + 1013904223u;
    data[std::size_t(i)] = T(int(state >> 16) % 9 - 4);
  }
  return data;
}

/// Largest operand of the table.
inline constexpr int capacity = int(d1 * d2 * d3 * d1 * d2 * d3);

/// The definition: sums over all letters, any number of inputs, packed column-major integers. Nothing is lowered here.
template <class T>
constexpr std::array<T, capacity> brute_force(const einsum& e, const tensor_shape* shapes,
                                              const std::array<T, capacity>* data, const tensor_shape& out) {
  modes letters = e.out();
  for (int o = 0; o < e.inputs; ++o)
    for (int d = 0; d < e.operand[o].rank; ++d)
      if (!letters.has(e.operand[o].letter[d])) letters.append(e.operand[o].letter[d]);
  index_t extent[max_rank]{}, total = 1;
  for (int i = 0; i < letters.rank; ++i) {
    for (int o = 0; o < e.inputs; ++o)
      if (const int at = e.operand[o].find(letters.letter[i]); at >= 0) extent[i] = shapes[o].extent[at];
    total *= extent[i];
  }
  // Stride of every letter in every operand, the output last; 0 where it is absent.
  index_t stride[max_inputs + 1][max_rank]{};
  for (int o = 0; o <= e.inputs; ++o) {
    const modes& operand = o < e.inputs ? e.operand[o] : e.out();
    index_t step = 1;
    for (int d = 0; d < operand.rank; ++d) {
      stride[o][letters.find(operand.letter[d])] = step;
      step *= (o < e.inputs ? shapes[o] : out).extent[d];
    }
  }
  std::array<T, capacity> result{};
  for (index_t step = 0; step < total; ++step) {
    index_t at[max_inputs + 1]{}, rest = step;
    for (int i = 0; i < letters.rank; ++i) {
      const index_t value = rest % extent[i];
      rest /= extent[i];
      for (int o = 0; o <= e.inputs; ++o) at[o] += value * stride[o][i];
    }
    T term = 1;
    for (int o = 0; o < e.inputs; ++o) term *= data[o][std::size_t(at[o])];
    result[std::size_t(at[e.inputs])] += term;
  }
  return result;
}

}  // namespace tessera::table1
