// SPDX-License-Identifier: BSD-3-Clause
// One contraction by contract<> and by a plan: static sizes, and sizes at run time.
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cstdio>

int main() {
  using namespace tessera;
  // snippet contraction
  // y(k,b,c) = sum over j of B(k,j) x(j,b,c) in each of 1000 elements; they share the table B.
  auto B = make_tensor<double>(of_size<5, 4>());
  auto x = make_batch<double>(of_size<4, 4, 4>(), 1000);
  auto y = make_batch<double>(of_size<5, 4, 4>(), 1000);
  std::fill(B.begin(), B.end(), 0.25);
  std::fill(x.begin(), x.end(), 2.0);

  contract<"kj,jbc->kbc">(B, x, y);  // checked and specialised by the compiler

  const plan later = make_plan(contraction("kj,jbc->kbc"), B, x, y);  // the same, checked and chosen now
  later.run(B, x, y);
  // end snippet
  std::printf("%s\ny(999) at (4,3,3) is %g\n", later.describe().c_str(), y(999)(4, 3, 3));
}
