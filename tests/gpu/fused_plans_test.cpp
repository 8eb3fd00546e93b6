// SPDX-License-Identifier: BSD-3-Clause
// Plans on a GPU of contractions with addends, functions and pairs: which kernel each has, empty sums, no waiting.
#include <tessera/copy.hpp>
#include <tessera/memory.hpp>
#include <tessera/plan.hpp>
#include <tessera/tensor.hpp>

#include <algorithm>
#include <limits>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class Shape>
auto filled(Shape shape, double first) {
  auto there = make_tensor<double>(gpu, shape);
  auto here = make_tensor<double>(shape);
  for (index_t i = 0; i < here.storage(); ++i) here.data()[i] = first + double(i);
  copy(here, there);
  return there;
}
template <class Tensor>
double first_entry(const Tensor& from) {
  double first = 0;
  copy_memory(&first, from.data(), sizeof first);
  return first;
}

// The largest sum, and the larger of that and the addend 5, which no stride tells of.
void check_with_and_without_addend(const char* plain, const char* with_addend, const auto& a, const auto& b,
                                   const auto& d, auto& out, double sum, bool plain_first) {
  INFO(plain << ", " << with_addend << (plain_first ? "" : ", that one first"));
  const auto run_plain = [&] {
    make_plan(contraction(plain).over(max_plus), a, b, out).run(a, b, out);
    CHECK(first_entry(out) == sum);
  };
  const auto run_other = [&] {
    make_plan(contraction(with_addend, {1, 1}).over(max_plus), a, b, d, out).run(a, b, d, out);
    CHECK(first_entry(out) == std::max(sum, 5.0));
  };
  if (plain_first) run_plain();
  run_other();
  if (!plain_first) run_plain();
}

}  // namespace

TEST_CASE("gpu fused plans: an addend that no digit tells of has a kernel of its own", "[gpu][plan][fused]") {
  if (absent()) return;
  // The extents make the kernels new in each order.
  for (const index_t n : {40, 41}) {
    const auto a = filled(of_size(n), -50), b = filled(of_size(n), -50);
    const auto d = filled(of_size(), 5);
    auto out = filled(of_size(), 0);
    check_with_and_without_addend("k,k->", "k,k+->", a, b, d, out, 2 * double(n - 51), n == 40);
    const auto row = filled(of_size(1, n), -50), column = filled(of_size(n, 1), -50);
    const auto one = filled(of_size(1, 1), 5);
    auto result = filled(of_size(1, 1), 0);
    check_with_and_without_addend("ik,kj->ij", "ik,kj+ij->ij", row, column, one, result, 2 * double(n - 51), n == 41);
  }
}

TEST_CASE("gpu fused plans: sums of nothing read no input, which has no memory", "[gpu][plan][fused]") {
  if (absent()) return;
  const auto a = make_tensor<double>(gpu, of_size(5, 0)), b = make_tensor<double>(gpu, of_size(0, 4));
  const auto d = filled(of_size(5, 4), 3);
  auto out = filled(of_size(5, 4), 1);
  const contraction sum("ik,kj+ij->ij", {1, 2});
  make_plan(sum, a, b, d, out).run(a, b, d, out);
  CHECK(first_entry(out) == 6);
  const contraction longest = contraction("ik,kj->ij").over(max_plus);
  make_plan(longest, a, b, out).run(a, b, out);
  CHECK(first_entry(out) == -std::numeric_limits<double>::infinity());
  const contraction positive = contraction("ik,kj->ij").with({.result = relu});
  make_plan(positive, a, b, out).run(a, b, out);
  CHECK(first_entry(out) == 0);
}

TEST_CASE("gpu fused plans: code of one's own is waited for in any case", "[gpu][plan][fused]") {
  if (absent()) return;
  const auto a = filled(of_size(3, 4), 1), b = filled(of_size(4, 2), 1);
  auto out = filled(of_size(3, 2), 0);
  const contraction what =
      contraction("ik,kj->ij").with({.result = entry_function::own("less_one_of_a_wait", "x - 1")});
  const plan made = make_plan(what, a, b, out, plan_options{.wait = false});
  CHECK(made.is_ready());
  made.run(a, b, out);
  CHECK(first_entry(out) == 1 * 1 + 4 * 2 + 7 * 3 + 10 * 4 - 1);
}

TEST_CASE("gpu fused plans: a result's function of one's own gets results only", "[gpu][plan][fused][sanitize]") {
  if (absent()) return;
  // Tiles are larger than 37 x 41: what is beyond is infinity, as sums of the pair begin, which would end the kernel.
  constexpr index_t m = 37, n = 41, sum = 33;
  const auto a = filled(of_size(m, sum), 1), b = filled(of_size(sum, n), 1);
  auto out = filled(of_size(m, n), 0);
  const contraction nearest = contraction("ik,kj->ij").over(min_plus);
  const contraction what =
      nearest.with({.result = entry_function::own("half_of_finite", "x < 1e30 ? x / 2 : (__trap(), x)")});
  const plan made = make_plan(what, a, b, out);
  made.run(a, b, out);
  CHECK(first_entry(out) == (1 + 1) / 2.0);
}
