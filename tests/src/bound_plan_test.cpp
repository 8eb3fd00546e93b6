// SPDX-License-Identifier: BSD-3-Clause
// Plans with their operands: parts of a batch, also from a caller's own parallel loop, are the whole one.
#include <tessera/batch.hpp>
#include <tessera/copy.hpp>
#include <tessera/group.hpp>
#include <tessera/plan.hpp>

#include <omp.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "testing/definition.hpp"
#include "testing/failure.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr index_t count = 203;

contraction product() { return contraction("kj,jc->kc", {2, 0.5}); }

// Results of parts that begin at 0, 1, 8, 64, ...
template <class Table, class X, class Y>
void run_parts(const plan& p, Table& table, X& x, Y& y) {
  const bound_plan bound = p.bind(table, x, y);
  CHECK(bound.count() == count);
  constexpr index_t parts[] = {0, 1, 8, 13, 64, 100, count};
  for (std::size_t i = 0; i + 1 < std::size(parts); ++i) bound.run(parts[i], parts[i + 1] - parts[i]);
}

template <class T, class Shape>
void check_parts(const Shape& in, const Shape& out) {
  auto table = make_tensor<T>(of_size(5, 3));
  auto x = make_batch<T>(in, count);
  auto whole = make_batch<T>(out, count), parts = make_batch<T>(out, count);
  fill_integers(table.view(), 1);
  fill_integers(x.view(), 2);
  for (const target where : cpu_targets()) {
    INFO(name_of(where));
    fill_integers(whole.view(), 3);
    fill_integers(parts.view(), 3);
    const plan p = make_plan(product(), table, x, whole, on(where));
    p.run(table, x, whole);
    run_parts(p, table, x, parts);
    CHECK(read(parts.view()).value == read(whole.view()).value);
    // Again: the operands stay.
    fill_integers(parts.view(), 3);
    const bound_plan again = p.bind(table, x, parts);
    again.run(100, count - 100);
    again.run(0, 100);
    CHECK(read(parts.view()).value == read(whole.view()).value);
  }
}

}  // namespace

TEST_CASE("parts of a batch are the whole one", "[plan][bound]") {
  check_parts<double>(of_size(3, 4), of_size(5, 4));
  check_parts<float>(of_size(3, 4), of_size(5, 4));
  check_parts<complex<double>>(of_size(3, 4), of_size(5, 4));
}

TEST_CASE("parts may begin inside a block of interleaved entries", "[plan][bound]") {
  check_parts<double>(interleave<8>(of_size(3, 4)), interleave<8>(of_size(5, 4)));
  check_parts<float>(interleave<6>(of_size(3, 4)), interleave<6>(of_size(5, 4)));
}

TEST_CASE("parts of groups", "[plan][bound]") {
  auto table = make_tensor<double>(of_size(5, 3));
  auto x = make_batch<double>(of_size(3, 4), count);
  auto whole = make_batch<double>(of_size(5, 4), count), parts = make_batch<double>(of_size(5, 4), count);
  fill_integers(table.view(), 1);
  fill_integers(x.view(), 2);
  std::vector<const double*> starts;
  for (index_t e = 0; e < count; ++e) starts.push_back(x.data() + 12 * (count - 1 - e));
  const auto group = view_group(starts.data(), of_size(3, 4), count);
  for (const target where : cpu_targets()) {
    fill_integers(whole.view(), 3);
    fill_integers(parts.view(), 3);
    const plan p = make_plan(product(), table, group, whole, on(where));
    p.run(table, group, whole);
    run_parts(p, table, group, parts);
    CHECK(read(parts.view()).value == read(whole.view()).value);
  }
}

TEST_CASE("parts in a caller's parallel loop, each on the thread that asks for it", "[plan][bound]") {
  auto table = make_tensor<double>(of_size(5, 3));
  auto x = make_batch<double>(of_size(3, 4), count);
  auto whole = make_batch<double>(of_size(5, 4), count), parts = make_batch<double>(of_size(5, 4), count);
  fill_integers(table.view(), 1);
  fill_integers(x.view(), 2);
  fill_integers(whole.view(), 3);
  fill_integers(parts.view(), 3);
  const plan p = make_plan(product(), table, x, whole, on(default_cpu_target()));
  p.run(table, x, whole);
  std::vector<int> others(count);
  const auto work_on = [&](index_t first, index_t entries) {
    for (index_t e = first; e < first + entries; ++e) ++others[std::size_t(e)];
  };
  // snippet parts
  const bound_plan bound = p.bind(table, x, parts);  // checks the operands
#pragma omp parallel for schedule(static)
  for (index_t first = 0; first < count; first += 10) {
    const index_t entries = std::min<index_t>(10, count - first);
    bound.run(first, entries);  // on this thread
    work_on(first, entries);
  }
  // end snippet
  CHECK(std::count(others.begin(), others.end(), 1) == count);
  CHECK(std::equal(whole.begin(), whole.end(), parts.begin()));
}

TEST_CASE("a plan without a number of threads takes none of its own inside a parallel region", "[plan][bound]") {
  const index_t many = 5000;
  auto table = make_tensor<double>(of_size(5, 3));
  auto x = make_batch<double>(of_size(3, 4), many), y = make_batch<double>(of_size(5, 4), many);
  auto wanted = make_batch<double>(of_size(5, 4), many);
  fill_integers(table.view(), 1);
  fill_integers(x.view(), 2);
  const plan p = make_plan(contraction("kj,jc->kc"), table, x, y, on(default_cpu_target()));
  p.run(table, x, wanted);
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(2);  // so that a region in the region would have threads
#pragma omp parallel num_threads(2)
#pragma omp single
  p.run(table, x, y);
  omp_set_max_active_levels(levels);
  CHECK(std::equal(wanted.begin(), wanted.end(), y.begin()));
}

TEST_CASE("single tensors and results without entries", "[plan][bound]") {
  auto table = make_tensor<double>(of_size(5, 3)), x = make_tensor<double>(of_size(3, 4)),
       y = make_tensor<double>(of_size(5, 4)), wanted = make_tensor<double>(of_size(5, 4));
  fill_integers(table.view(), 1);
  fill_integers(x.view(), 2);
  const plan p = make_plan(contraction("kj,jc->kc"), table, x, y, on(default_cpu_target()));
  p.run(table, x, wanted);
  const bound_plan bound = p.bind(table, x, y);
  CHECK(bound.count() == 1);
  bound.run(0, 0);
  CHECK(y(0, 0) == 0);
  bound.run(0, 1);
  CHECK(std::equal(wanted.begin(), wanted.end(), y.begin()));

  auto none = make_tensor<double>(of_size(0, 3));
  auto nothing = make_batch<double>(of_size(0, 4), count), batch_x = make_batch<double>(of_size(3, 4), count);
  make_plan(contraction("kj,jc->kc"), none, batch_x, nothing, on(default_cpu_target()))
      .bind(none, batch_x, nothing)
      .run(3, 5);
}

TEST_CASE("ranges outside of the batch, and wrong operands, are errors", "[plan][bound]") {
  auto table = make_tensor<double>(of_size(5, 3));
  auto x = make_batch<double>(of_size(3, 4), count), other = make_batch<double>(of_size(3, 4), count - 1);
  auto y = make_batch<double>(of_size(5, 4), count);
  const plan p = make_plan(contraction("kj,jc->kc"), table, x, y, on(default_cpu_target()));
  const bound_plan bound = p.bind(table, x, y);
  constexpr index_t most = std::numeric_limits<index_t>::max();
  for (const auto& [first, part] :
       {std::pair<index_t, index_t>{-1, 2}, {0, count + 1}, {count, 1}, {5, -1}, {5, most}, {most, most}})
    check_failure(status::invalid_argument, {"kj,jc->kc", "of a batch of 203"},
                  [&, first = first, part = part] { bound.run(first, part); });
  bound.run(count, 0);
  check_failure(status::shape_mismatch, {"batch of 202"}, [&] { p.bind(table, other, y); });
}
