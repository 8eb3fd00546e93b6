// SPDX-License-Identifier: BSD-3-Clause
// Index notation on a GPU, on exact integers: figure 2 of paper 004, statements drawn at random, streams.
#include <tessera/copy.hpp>
#include <tessera/indexed.hpp>
#include <tessera/memory.hpp>

#include <algorithm>

#include "testing/catch.hpp"
#include "testing/gpu.hpp"
#include "testing/indexed_statement.hpp"

using namespace tessera;
using namespace tessera::index_names;
using namespace tessera::testing;

namespace {

void check_statements(unsigned first, unsigned last) {
  for (unsigned seed = first; seed < last; ++seed) {
    INFO("seed " << seed);
    const indexed_statement s = drawn_statement(seed, 2 + int(seed % 4));
    const std::size_t bytes = s.memory.size() * sizeof(double);
    const buffer memory(space_kind::gpu, bytes);
    copy_memory(memory.data(), s.memory.data(), bytes);
    run_statement(s, static_cast<double*>(memory.data()), {}, space_kind::gpu);
    std::vector<double> found(s.memory.size());
    copy_memory(found.data(), memory.data(), bytes);
    CHECK((found == s.after()));
  }
}

}  // namespace

TEST_CASE("gpu index notation: the update of figure 2, in integers", "[gpu][indexed]") {
  if (no_gpu()) return;
  auto here = make_tensor<double>(of_size<64, 64, 9, 8>());
  int state = 5;
  for (double& each : here) {
    state = (state * 37 + 11) % 101;
    each = state % 9 - 4;
  }
  auto there = make_tensor<double>(gpu, of_size<64, 64, 9, 8>());
  copy(here, there);
  const auto A = indexed(there), B = indexed(here);
  A(i, j, m(1, 8), n(1, 7)) -= A(i, k, m, 0) * A(k, j, 0, n);
  auto found = make_tensor<double>(of_size<64, 64, 9, 8>());
  copy(there, found);
  CHECK_FALSE(std::equal(found.begin(), found.end(), here.begin()));
  B(i, j, m(1, 8), n(1, 7)) -= B(i, k, m, 0) * B(k, j, 0, n);
  CHECK(std::equal(found.begin(), found.end(), here.begin()));
  CHECK_THROWS(A(i, j, m(0, 8), n(1, 7)) -= A(i, k, m, 0) * A(k, j, 0, n));
  CHECK_THROWS(A(i, j, m(1, 8), n(1, 7)) -= A(i, k, m, 0) * B(k, j, 0, n));  // in two memories
}

TEST_CASE("gpu index notation: statements drawn at random are those of plain loops", "[gpu][indexed]") {
  if (no_gpu()) return;
  check_statements(0, 300);
}

TEST_CASE("gpu index notation: a few statements", "[gpu][indexed][sanitize]") {
  if (no_gpu()) return;
  check_statements(300, 310);
}
