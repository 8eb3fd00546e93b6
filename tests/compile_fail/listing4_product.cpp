// SPDX-License-Identifier: BSD-3-Clause
// The product of two batches of 5 x 3 matrices: not conformable, and both shapes must appear in the diagnostic.
// expect: tessera: the left matrix has as many columns as the right one has rows
// expect: extents<5,? ?3>.*extents<5,? ?3>
#include <tessera/tessera.hpp>

int main() {
  using namespace tessera;
  auto b = make_batch<float>(of_size(5_c, 3_c), 15);
  auto b1 = make_batch<float>(of_size(5_c, 3_c), 15);
  auto c = b * b1;         // fails
  auto d = trans(b) * b1;  // 3 x 5 times 5 x 3
}
