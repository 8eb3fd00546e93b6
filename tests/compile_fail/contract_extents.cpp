// SPDX-License-Identifier: BSD-3-Clause
// A contraction over axes of different static size: 4 against 5 for the letter j.
// expect: tessera: .*
// expect: 3,? ?4
// expect: 5,? ?6
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

int main() {
  using namespace tessera;
  auto a = make_tensor<double>(of_size<3, 4>());
  auto x = make_batch<double>(of_size<5, 6>(), 10);
  auto good = make_batch<double>(of_size<4, 6>(), 10);
  auto y = make_batch<double>(of_size<3, 6>(), 10);
  contract<"ij,jk->ik">(a, x, y);  // fails
  contract<"ij,jk->ik">(a, good, y);
}
