// SPDX-License-Identifier: BSD-3-Clause
// The facts of other operators than one, which its records do not hold for.
#pragma once

#include <tessera/detail/element/element_tuning.hpp>

#include <vector>

namespace tessera::testing {

/// Of operators that differ from `f` in one thing each.
inline std::vector<element_kernel_facts> other_facts(const element_kernel_facts& f) {
  std::vector<element_kernel_facts> all;
  const auto with = [&](auto change) { change(all.emplace_back(f)); };
  with([](element_kernel_facts& o) { o.several = true; });
  with([](element_kernel_facts& o) { o.unit = false; });
  with([](element_kernel_facts& o) { o.stored_bytes = 4; });
  with([](element_kernel_facts& o) { o.entry_bytes = o.stored_bytes = 4; });
  with([](element_kernel_facts& o) { o.mirrors = false; });
  with([](element_kernel_facts& o) { o.nodal = true; });
  with([](element_kernel_facts& o) { o.test = 4; });
  with([](element_kernel_facts& o) { o.points = 11; });
  with([](element_kernel_facts& o) { o.dim = 2; });
  with([](element_kernel_facts& o) { o.factors = 2; });
  with([](element_kernel_facts& o) { o.of_test.gradient = true; });
  with([](element_kernel_facts& o) { o.own_slopes = true; });
  return all;
}

}  // namespace tessera::testing
