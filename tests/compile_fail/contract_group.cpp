// SPDX-License-Identifier: BSD-3-Clause
// A contraction over a group of tensors of another static size: 4 against 5 for the letter j.
// expect: tessera: .*
// expect: 3,? ?4
// expect: 5,? ?6
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

int main() {
  using namespace tessera;
  auto a = make_group<double>(of_size<3, 4>());
  auto x = make_group<double>(of_size<5, 6>());
  auto good = make_group<double>(of_size<4, 6>());
  auto y = make_group<double>(of_size<3, 6>());
  contract<"ij,jk->ik">(a, x, y);  // fails
  contract<"ij,jk->ik">(a, good, y);
}
