// SPDX-License-Identifier: BSD-3-Clause
// A tensor of another static size pushed into a group.
// expect: tessera: the tensor's extents are not the group's
// expect: extents<5,? ?3>
// expect: extents<5,? ?4>
#include <tessera/group.hpp>

int main() {
  using namespace tessera;
  auto g = make_group<float>(of_size(5_c, 3_c));
  auto t = make_tensor<float>(of_size(5_c, 3_c));
  auto other = make_tensor<float>(of_size(5_c, 4_c));
  g.push_back(t);
  g.push_back(other);  // fails
}
