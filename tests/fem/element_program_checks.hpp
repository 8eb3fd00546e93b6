// SPDX-License-Identifier: BSD-3-Clause
// Checks of the phases of the GPU's element kernels on the host, of one size each: whole ranges, lists, pieces.
#pragma once

#include "element_program_case.hpp"
#include "testing/catch.hpp"

#include <tessera/element/pointwise.hpp>

#include <numeric>

namespace tessera::testing {

template <class T, class Function, program_sizes s, class Stored = T>
void check_program() {
  using sample = program_case<T, Stored, Function, s>;
  std::vector<index_t> some(5);
  std::iota(some.begin(), some.end(), index_t(1));
  INFO(Function::dim << "-D p " << s.p << " q " << s.q << (s.nodal ? " nodal" : "") << " last " << s.last << ", "
                     << s.elements << " elements a block");
  CHECK(sample::worst(7, some, false, false) <= 1);
  CHECK(sample::worst(7, {6, 0, 3}, true, true) <= 1);
}

// x, y and D in pieces that begin anywhere: ranges alone.
template <class T, class Function, program_sizes s, class Stored = T>
void check_program_pieces() {
  using sample = program_case<T, Stored, Function, s>;
  INFO(Function::dim << "-D p " << s.p << " q " << s.q << " packed " << s.packed << ", " << s.elements << " elements, "
                     << s.batches << " batches, " << s.together << " together");
  for (const index_t first : {0, 1, 3}) {
    std::vector<index_t> some(std::size_t(9 - first));
    std::iota(some.begin(), some.end(), first);
    CHECK(sample::worst(10, some, false, false) <= 1);
    CHECK(sample::worst(10, some, false, true) <= 1);
  }
  CHECK(sample::worst(3, {2}, false, false) <= 1);
}

}  // namespace tessera::testing
