// SPDX-License-Identifier: BSD-3-Clause
// A user's program that only contracts: C = A B of 3 x 3 matrices, and right. It is not to carry element kernels.
#include <tessera/tessera.hpp>

#include <cstdio>

int main() {
  using namespace tessera;
  auto a = make_tensor<double>(of_size(3, 3));
  auto x = make_batch<double>(of_size(3, 3), 20), y = make_batch<double>(of_size(3, 3), 20);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      a(i, j) = i == j ? 2 : 0;
      x(19)(i, j) = i + 3 * j;
    }
  const plan product = make_plan(contraction("ij,jk->ik"), a, x, y);
  product.run(a, x, y);
  std::puts(product.describe().c_str());
  // Linking Tessera leaves OpenMP's pragmas in a user's files as they are without it: off.
  int times = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  ++times;
  return y(19)(2, 1) == 10 && times == 1 ? 0 : 1;
}
