// SPDX-License-Identifier: BSD-3-Clause
// A copy between tensors of different static size.
// expect: tessera: copy needs equal extents
// expect: extents<5,? ?3>
// expect: extents<3,? ?5>
#include <tessera/copy.hpp>

int main() {
  using namespace tessera;
  auto from = make_tensor<double>(of_size<5, 3>());
  auto to = make_tensor<double>(of_size<3, 5>());
  auto same = make_tensor<double>(of_size<5, 3>());
  copy(from, to);  // fails
  copy(from, same);
}
