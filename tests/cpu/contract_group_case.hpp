// SPDX-License-Identifier: BSD-3-Clause
// Runs a contraction of groups by contract<> and compares it with that of the batches, bit for bit.
#pragma once

#include <algorithm>

#include <tessera/batch.hpp>
#include <tessera/cpu/contract.hpp>
#include <tessera/group.hpp>

#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/scattered.hpp"

namespace tessera::testing {

template <class T, class Shape>
auto filled(const Shape& sizes, index_t count, unsigned seed) {
  auto b = make_batch<T>(sizes, count);
  fill_fractions(b.view(), seed);
  return b;
}

enum class mixtures { all, groups_alone };

/// Groups in each place and in all, or in all alone, against the batches.
template <fixed_string text, class T, mixtures which = mixtures::all, class A, class B, class Out>
void check_mixtures(const A& a_sizes, const B& b_sizes, const Out& out_sizes, scaling s, index_t count = 5) {
  auto a = filled<T>(a_sizes, count, 1);
  auto b = filled<T>(b_sizes, count, 2);
  auto before = filled<T>(out_sizes, count, 3), wanted = filled<T>(out_sizes, count, 3);
  contract<text>(a, b, wanted, s);
  scattered a_apart(a.view());
  scattered b_apart(b.view());
  INFO(text.text << ", beta " << s.beta.re);
  const auto in_group = [&](const auto& x, const auto& y) {
    scattered result(before.view());
    contract<text>(x, y, result.group(), s);
    return result.equals(wanted.view());
  };
  CHECK(in_group(a_apart.group(), b_apart.group()));
  if constexpr (which == mixtures::all) {
    CHECK(in_group(a, b));
    CHECK(in_group(a, b_apart.group()));
    contract<text>(a_apart.group(), b, before, s);
    CHECK(std::equal(before.begin(), before.end(), wanted.begin()));
  }
}

}  // namespace tessera::testing
