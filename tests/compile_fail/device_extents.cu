// SPDX-License-Identifier: BSD-3-Clause
// Device-side contractions that cannot be: 4 against 5 for the letter j, and a whole batch in place of a tensor.
// expect: tessera: contract: the two shapes above disagree on the extent of the letter above
// expect: extents<3LL, 4LL>
// expect: extents<5LL, 6LL>
// expect: tessera: device::contract: takes tensors
// expect: tessera: device::load and store: the two shapes above differ
#include <tessera/gpu/device.cuh>
#include <tessera/view.hpp>

using namespace tessera;

__global__ void kernel(const double* table, batch_view<const double, gpu, column_major<extents<4, 6>>> x, double* y) {
  const device::warp g;
  const device::view a(table, of_size<3, 4>());
  const device::view wrong(x.data(), of_size<5, 6>());
  const device::view out(y, of_size<3, 6>());
  device::contract<"ij,jk->ik">(g, a, wrong, out);  // fails
  device::contract<"ij,jk->ik">(g, a, x, out);      // fails
  device::load(g, wrong, out);                      // fails
  device::contract<"ij,jk->ik">(g, a, x(0), out);
}
