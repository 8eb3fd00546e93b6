// SPDX-License-Identifier: BSD-3-Clause
// Types of entries and sums that no kernel has: inputs of two types, an output of another one, sums narrower than data.
// expect: tessera: contract: there are no kernels
// expect: kernels_of_types<tessera::half, float, float, float, false>
// expect: kernels_of_types<tessera::complex<double>, tessera::complex<double>, double, tessera::complex<double>, false>
// expect: kernels_of_types<double, double, double, float, false>
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

int main() {
  using namespace tessera;
  auto h = make_tensor<half>(of_size<3, 3>());
  auto f = make_tensor<float>(of_size<3, 3>());
  auto d = make_tensor<double>(of_size<3, 3>());
  auto z = make_tensor<complex<double>>(of_size<3, 3>());
  auto y = make_tensor<float>(of_size<3, 3>());
  auto w = make_tensor<double>(of_size<3, 3>());
  contract<"ij,jk->ik">(h, f, y);                    // fails
  contract<"ij,jk->ik">(z, z, w);                    // fails
  contract<"ij,jk->ik">(d, d, w, sums_in<float>());  // fails
  contract<"ij,jk->ik">(h, h, y);
  contract<"ij,jk->ik">(d, d, w);
  contract<"ij,jk->ik">(f, f, y, sums_in<double>());
  z(0, 0) = 1;
}
