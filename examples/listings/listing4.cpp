// SPDX-License-Identifier: BSD-3-Clause
// Listing 4: products of batches, and the general contraction behind them.
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <iostream>

using namespace tessera;

namespace {

bool products() {
  // snippet products
  auto b = make_batch<float>(of_size(5_c, 3_c), 15);
  auto b1 = make_batch<float>(of_size(5_c, 3_c), 15);
  std::fill(b.begin(), b.end(), 1.0f);
  std::fill(b1.begin(), b1.end(), 2.0f);

  // 3 x 5 times 5 x 3. The listing's b * b1 is 5 x 3 times 5 x 3: it does not compile, and the message shows both
  // sizes.
  auto c = trans(b) * b1;
  static_assert(std::is_same_v<decltype(c), batch<float, cpu, extents<3, 3>>>);

  // The function form; also with alpha and beta: c = 2 b^T b1 - c.
  auto same = batch_gemm(trans(b), b1);
  batch_gemm(trans(b), b1, c, {2, -1});
  // end snippet
  return same(14)(2, 2) == 10 && c(14)(2, 2) == 10;
}

bool contractions() {
  // snippet contractions
  // A general contraction: along the second axis of each element, the 1-D table shared by all of them.
  auto b1d = make_tensor<double>(of_size<4, 3>());       // B(k,j)
  auto v = make_batch<double>(of_size<3, 3, 3>(), 100);  // V(a,j,c) of 100 elements
  auto u = make_batch<double>(of_size<3, 4, 3>(), 100);  // U(a,k,c)
  std::fill(b1d.begin(), b1d.end(), 0.5);
  std::fill(v.begin(), v.end(), 2.0);

  // Sizes and einsum known to the compiler: checked, lowered and inlined there.
  contract<"kj,ajc->akc">(b1d, v, u);

  // Known at run time only: a plan, made once and run many times. describe() says what runs, and why.
  const plan p = make_plan(contraction("kj,ajc->akc", add), b1d, v, u);
  p.run(b1d, v, u);
  std::cout << p.describe() << '\n';
  // end snippet
  return std::all_of(u.begin(), u.end(), [](double x) { return x == 6; });
}

}  // namespace

int main() { return products() && contractions() ? 0 : 1; }
