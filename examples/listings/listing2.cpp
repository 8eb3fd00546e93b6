// SPDX-License-Identifier: BSD-3-Clause
// Listing 2 on the host: tensors, algorithms over them, copies. listing2.cu has the same with device memory.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <numeric>

int main() {
  using namespace tessera;
  // snippet tensors
  // Sizes 5 x 3 in the type; cpu is where a tensor lives unless another space is named.
  auto t = make_tensor<float>(of_size<5, 3>());
  static_assert(std::is_same_v<decltype(t), tensor<float, cpu, extents<5, 3>>>);

  // The papers' spelling keeps rank and sizes at run time.
  tensor<float> ts(of_size<5, 3>());

  // Standard algorithms run over either; copy checks the sizes and takes any two layouts.
  std::fill(t.begin(), t.end(), 9.0f);
  copy(t, ts);
  auto by_rows = make_tensor<float>(row_major(of_size<5, 3>()));
  copy(ts, by_rows);
  // end snippet
  return std::accumulate(by_rows.begin(), by_rows.end(), 0.0f) == 135.0f && ts(4, 2) == 9 ? 0 : 1;
}
