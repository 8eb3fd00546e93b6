// SPDX-License-Identifier: BSD-3-Clause
// A contraction by transposition, one product of matrices by OpenBLAS, and transposition of the result (TTGT).
#include <limits>
#include <memory>
#include <vector>

#include <tessera/memory.hpp>

#include "entry_types.hpp"
#include "peers/openblas.hpp"
#include "peers/peer.hpp"
#include "peers/permute.hpp"

namespace tessera::bench {

namespace {

// The orders of letters of the three matrices. Which tensors are already matrices of these, as they are or transposed,
// costs no copy.
struct matrix_orders {
  std::string a, b, c;
  bool copies_a = false, copies_b = false, copies_c = false, trans_a = false, trans_b = false, swapped = false;
  index_t copied = std::numeric_limits<index_t>::max();  // entries
};

std::string those_in(const std::string& letters, const std::string& other, bool there) {
  std::string some;
  for (char letter : letters)
    if ((other.find(letter) != std::string::npos) == there) some += letter;
  return some;
}

// With rows, columns and terms in these orders.
matrix_orders orders_with(const contraction_call& call, const std::string& rows, const std::string& cols,
                          const std::string& terms, bool swapped) {
  matrix_orders o{.a = rows + terms, .b = terms + cols, .c = rows + cols};
  // The left matrix is A, or B where the product is that of the transposed result.
  const int left = swapped ? 1 : 0, right = 1 - left;
  o.swapped = swapped;
  o.trans_a = call.letters[left] == terms + rows;
  o.trans_b = call.letters[right] == cols + terms;
  o.copies_a = call.letters[left] != o.a && !o.trans_a;
  o.copies_b = call.letters[right] != o.b && !o.trans_b;
  o.copies_c = call.letters[2] != o.c;
  o.copied = o.copies_a * call.entries(left) + o.copies_b * call.entries(right) + o.copies_c * call.entries(2);
  return o;
}

// The orders, among those of the three tensors, with the fewest entries to copy.
matrix_orders best_orders(const contraction_call& call) {
  matrix_orders best;
  for (const bool swapped : {false, true}) {
    const std::string &left = call.letters[swapped], &right = call.letters[!swapped], &out = call.letters[2];
    for (const auto& rows : {those_in(out, left, true), those_in(left, out, true)})
      for (const auto& cols : {those_in(out, right, true), those_in(right, out, true)})
        for (const auto& terms : {those_in(left, out, false), those_in(right, out, false)})
          if (const matrix_orders o = orders_with(call, rows, cols, terms, swapped); o.copied < best.copied) best = o;
  }
  return best;
}

template <class T>
contraction_pass by_transposition(const contraction_call& call) {
  const matrix_orders o = best_orders(call);
  const int left = o.swapped, right = 1 - left;
  const lettered tensor[] = {
      {call.letters[0], call.extents[0]}, {call.letters[1], call.extents[1]}, {call.letters[2], call.extents[2]}};
  matrix_shape s = matrix_shape_of(call);
  if (o.swapped) std::swap(s.m, s.n);
  // What the product adds to is in the tensor's own order only where the result is not copied.
  const auto product = by_openblas({.type = call.type.in,
                                    .m = s.m,
                                    .n = s.n,
                                    .k = s.k,
                                    .trans_a = o.trans_a,
                                    .trans_b = o.trans_b,
                                    .beta = o.copies_c ? 0 : call.beta,
                                    .threads = call.threads});
  if (!product) return {};
  const auto memory = [](bool is_needed, index_t entries) {
    return std::make_shared<buffer>(space_kind::cpu, is_needed ? std::size_t(entries) * sizeof(T) : 0);
  };
  const auto a = memory(o.copies_a, call.entries(left)), b = memory(o.copies_b, call.entries(right)),
             c = memory(o.copies_c, call.entries(2));
  const auto run = [=, matrix_c = tensor[2].in_order(o.c), tensor_a = tensor[left], tensor_b = tensor[right]] {
    const void* const from[] = {call.a, call.b};
    const auto copy = [](T& to, const T& value) { to = value; };
    const auto matrix = [&](const lettered& is, const std::string& order, const void* given, const buffer& to) {
      if (to.bytes() == 0) return given;
      permute(static_cast<T*>(to.data()), order, static_cast<const T*>(given), is, call.threads, copy);
      return static_cast<const void*>(to.data());
    };
    const void* const x = matrix(tensor_a, o.a, from[left], *a);
    const void* const y = matrix(tensor_b, o.b, from[right], *b);
    product(x, y, o.copies_c ? c->data() : call.c);
    if (!o.copies_c) return;
    auto* const out = static_cast<T*>(call.c);
    const auto* const result = static_cast<const T*>(c->data());
    if (call.beta == 0) return permute(out, call.letters[2], result, matrix_c, call.threads, copy);
    permute(out, call.letters[2], result, matrix_c, call.threads,
            [beta = entry_of<T>(call.beta, 0)](T& to, const T& value) { to = value + beta * to; });
  };
  std::string copied;
  if (o.copies_a) copied += o.swapped ? " B" : " A";
  if (o.copies_b) copied += o.swapped ? " A" : " B";
  if (o.copies_c) copied += " C";
  return {run, openblas_version() + ", transposed:" + (copied.empty() ? " none" : copied)};
}

contraction_pass prepare_transposing(const contraction_call& call) {
  if (call.type.in != call.type.out || call.type.in != call.type.sum) return {};
  switch (call.type.in) {
    case scalar_type::f32: return by_transposition<float>(call);
    case scalar_type::f64: return by_transposition<double>(call);
    case scalar_type::c32: return by_transposition<complex<float>>(call);
    case scalar_type::c64: return by_transposition<complex<double>>(call);
    default: return {};
  }
}

}  // namespace

std::vector<peer> transposing_peers() {
  const std::string version = openblas_version();
  peer ttgt{"ttgt-openblas",
            version.empty() ? "its shared library was not found" : version,
            !version.empty(),
            space_kind::cpu,
            {}};
  ttgt.prepare_contraction = prepare_transposing;
  return {ttgt};
}

}  // namespace tessera::bench
