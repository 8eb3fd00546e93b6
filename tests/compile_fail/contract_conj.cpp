// SPDX-License-Identifier: BSD-3-Clause
// A conjugated view is for reading: it is no output.
// expect: tessera: contract: the output is const
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

int main() {
  using namespace tessera;
  auto a = make_tensor<complex<double>>(of_size<3, 3>());
  auto b = make_tensor<complex<double>>(of_size<3, 3>());
  auto c = make_tensor<complex<double>>(of_size<3, 3>());
  contract<"ij,jk->ik">(conj(a), b, conj(c));  // fails
  contract<"ij,jk->ik">(conj(a), b, c);
}
