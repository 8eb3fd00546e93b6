// SPDX-License-Identifier: BSD-3-Clause
// A reshape to a static size with another number of entries.
// expect: tessera: reshape needs the same number of entries
// expect: extents<5,? ?6>
// expect: extents<4,? ?7>
#include <tessera/reshape.hpp>

int main() {
  using namespace tessera;
  double memory[30] = {};
  const auto v = view(memory, of_size<5, 6>());
  reshape(v, of_size<3, 10>());
  reshape(v, of_size<4, 7>());  // fails
}
