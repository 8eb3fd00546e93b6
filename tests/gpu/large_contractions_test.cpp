// SPDX-License-Identifier: BSD-3-Clause
// The listings of docs/how_to/large_contractions.md.
#include <tessera/explain.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <string>

#include "testing/catch.hpp"
#include "testing/jit.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Every entry of A is 1 and of B 2.
template <class Tensor>
void fill_with(Tensor& entries, double value) {
  auto host = make_tensor<double>(entries.extents());
  std::fill(host.begin(), host.end(), value);
  copy(host, entries);
}

template <class Tensor>
bool holds(const Tensor& entries, double value) {
  auto host = make_tensor<double>(entries.extents());
  copy(entries, host);
  return std::all_of(host.begin(), host.end(), [&](double x) { return x == value; });
}

}  // namespace

TEST_CASE("gpu large contractions: plans of three inputs name networks, where these are large",
          "[gpu][plan][general]") {
  if (absent()) return;
  const auto description_of = [](index_t n) {
    const auto a = make_tensor<double>(gpu, of_size(n, n)), b = make_tensor<double>(gpu, of_size(n, n));
    const auto c = make_tensor<double>(gpu, of_size(n, n, n));
    auto out = make_tensor<double>(gpu, of_size(n, n, n, n));
    return make_plan(contraction("si,sj,ksl->kilj"), a, b, c, out).describe();
  };
  CHECK(description_of(40).find("make_network") != std::string::npos);
  CHECK(description_of(4).find("make_network") == std::string::npos);
}

TEST_CASE("gpu large contractions: the listings", "[gpu][plan][general]") {
  if (absent()) return;
  // snippet plan
  auto A = make_tensor<double>(gpu, of_size(72, 40, 32, 24));
  auto B = make_tensor<double>(gpu, of_size(48, 24, 64, 40));
  auto C = make_tensor<double>(gpu, of_size(72, 32, 64, 48));
  const contraction what("aebf,dfce->abcd");  // C(a,b,c,d) = sum over e and f of A(a,e,b,f) B(d,f,c,e)
  const plan product = make_plan(what, A, B, C);
  product.run(A, B, C);
  // end snippet
  fill_with(A, 1);
  fill_with(B, 2);
  product.run(A, B, C);
  CHECK(holds(C, 2 * 40 * 24));

  int steps = 0;
  const auto next_step = [&] { return ++steps <= 3; };
  // snippet at_once
  plan now = make_plan(what, A, B, C, plan_options{.wait = false});
  bool is_compiled = now.is_ready();
  while (next_step()) {
    if (!is_compiled && now.is_ready()) {
      now = make_plan(what, A, B, C);  // at once: its kernel is there
      is_compiled = true;
    }
    now.run(A, B, C);
  }
  // end snippet
  CHECK(holds(C, 2 * 40 * 24));

  // snippet explain
  const operand operands[] = {operand_of(A), operand_of(B), operand_of(C)};
  const std::string text = explain(what, operands, 3);
  // end snippet
  CHECK(text.find("a general contraction: products of 2304x3072x960") != std::string::npos);
}
