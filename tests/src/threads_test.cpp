// SPDX-License-Identifier: BSD-3-Clause
// Numbers of threads that no machine has: what runs takes as many as are useful. A ctest runs these cases with
// OMP_NUM_THREADS=100000 as well.
#include <tessera/batch.hpp>
#include <tessera/chain.hpp>
#include <tessera/plan.hpp>

#include "testing/definition.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Enough work for a region of several threads.
struct large_product {
  static constexpr index_t count = 4000;
  tensor<double, cpu, extents<dynamic, dynamic>> a = make_tensor<double>(of_size(5, 3));
  batch<double, cpu, extents<dynamic, dynamic>> x = make_batch<double>(of_size(3, 4), count);
  batch<double, cpu, extents<dynamic, dynamic>> y = make_batch<double>(of_size(5, 4), count);
  batch<double, cpu, extents<dynamic, dynamic>> wanted = make_batch<double>(of_size(5, 4), count);

  large_product() {
    fill_integers(a.view(), 1);
    fill_integers(x.view(), 2);
    make_plan(product(), a, x, wanted, {.threads = 1}).run(a, x, wanted);
  }
  static contraction product() { return contraction("ij,jk->ik"); }
  bool holds() const { return std::equal(wanted.begin(), wanted.end(), y.begin()); }
};

}  // namespace

TEST_CASE("a plan on absurdly many threads", "[plan][threads]") {
  for (const int threads : {0, 1000, 100'000, 2'000'000'000}) {
    large_product p;
    INFO(threads << " threads");
    make_plan(p.product(), p.a, p.x, p.y, {.threads = threads}).run(p.a, p.x, p.y);
    CHECK(p.holds());
  }
}

TEST_CASE("a chain on absurdly many threads", "[chain][threads]") {
  for (const int threads : {0, 100'000, 2'000'000'000}) {
    large_product p;
    auto twice = make_tensor<double>(of_size(5, 5));
    for (index_t i = 0; i < 5; ++i) twice(i, i) = 2;
    const chain c({{p.product(), {operand_of(p.a)}}, {p.product(), {operand_of(twice)}}}, operand_of(p.x),
                  operand_of(p.y), {.threads = threads});
    buffer workspace(space_kind::cpu, c.workspace_bytes(p.count));
    c.run(p.x, p.y, workspace);
    for (double& value : p.wanted) value *= 2;
    INFO(threads << " threads");
    CHECK(p.holds());
  }
}

TEST_CASE("memory that is touched by absurdly many threads is zeroed", "[memory][threads]") {
  const buffer memory(space_kind::cpu, (std::size_t{8} << 20) + 5);
  const char* const data = static_cast<const char*>(memory.data());
  CHECK(std::all_of(data, data + memory.bytes(), [](char c) { return c == 0; }));
}

TEST_CASE("fewer threads than none are an error", "[plan][threads][errors]") {
  large_product p;
  check_failure(status::invalid_argument, {"plan \"ij,jk->ik\"", "5x3, 3x4 -> 5x4", "-5 threads"},
                [&] { make_plan(p.product(), p.a, p.x, p.y, {.threads = -5}); });
  check_failure(status::invalid_argument, {"-5 threads"}, [&] {
    chain({{p.product(), {operand_of(p.a)}}}, operand_of(p.x), operand_of(p.y), {.threads = -5});
  });
}
