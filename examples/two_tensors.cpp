// SPDX-License-Identifier: BSD-3-Clause
// A contraction of two tensors of any letters, of sizes known at run time, as quantum chemistry has them.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cstdio>

int main() {
  using namespace tessera;
  // snippet contraction
  // C(a,b,c) = sum over d of A(b,d,a) B(d,c), the first row of the TCCG benchmark, at smaller extents.
  const index_t na = 31, nb = 31, nc = 24, nd = 32;
  auto A = make_tensor<double>(of_size(nb, nd, na));
  auto B = make_tensor<double>(of_size(nd, nc));
  auto C = make_tensor<double>(of_size(na, nb, nc));
  std::fill(A.begin(), A.end(), 0.5);
  std::fill(B.begin(), B.end(), 2.0);

  const plan contracted = make_plan(contraction("bda,dc->abc"), A, B, C);  // also of tensors in a GPU's memory
  contracted.run(A, B, C);
  // end snippet
  std::printf("%s\nC(30,30,23) is %g\n", contracted.describe().c_str(), C(30, 30, 23));
}
