// SPDX-License-Identifier: BSD-3-Clause
// Listing 3: many tensors of one size, as a batch in one allocation, as a group, and in memory of the caller's.
#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <vector>

int main() {
  using namespace tessera;
  // snippet batches
  // 15 tensors of 5 x 3 x 6 in one allocation; make_batch<float>(gpu, ...) puts them on the GPU.
  auto b = make_batch<float>(of_size(5_c, 3_c, 6_c), 15);

  // A tensor of the batch is a view: nothing is copied.
  auto view_b = b(0);
  view_b(4, 2, 5) = 1;

  // A group collects tensors that keep their own memory. Another size does not compile, or throws where it is known
  // at run time only.
  auto g = make_group<float>(of_size(5_c, 3_c));
  auto ts = make_tensor<float>(of_size(5_c, 3_c));
  g.push_back(ts);
  // end snippet

  // snippet groups
  // A group stands where a batch does, beside batches and shared tensors. One of gpu tensors keeps its addresses on the
  // device too. No two members of a result may share entries.
  auto table = make_tensor<double>(of_size<3, 2>());
  auto x = make_batch<double>(of_size<2, 4>(), 2);
  auto y0 = make_tensor<double>(of_size<3, 4>()), y1 = make_tensor<double>(of_size<3, 4>());
  std::fill(table.begin(), table.end(), 0.5);
  std::fill(x.begin(), x.end(), 2.0);
  auto y = make_group<double>(of_size<3, 4>());
  y.push_back(y0);
  y.push_back(y1);
  contract<"ij,jk->ik">(table, x, y);

  // Or over an array of pointers that the program has: of the host, or view_group(gpu, ...) of the device.
  double* pointers[] = {y1.data(), y0.data()};
  contract<"ij,jk->ik">(table, x, view_group(pointers, of_size<3, 4>(), 2), add);
  // end snippet

  // snippet views
  // What a finite element code has: its own array, here 100 elements of 4 x 4 x 4 values, 70 apart.
  std::vector<double> field(100 * 70);
  const auto u = view_batch(field.data(), of_size<4, 4, 4>(), 100, 70);

  // Stride 0 is one tensor seen by every element. Reshape looks at the same memory under other sizes.
  const auto shared = view_batch(field.data(), of_size<4, 4, 4>(), 100, 0);
  const auto matrices = agglomerate<1, 2>(u);  // 4 x 16
  // end snippet
  u(3)(1, 2, 3) = 8;
  const bool right = b(0)(4, 2, 5) == 1 && g.count() == 1 && y0(2, 3) == 4 && y1(0, 0) == 4;
  return right && &shared(99)(0, 0, 0) == field.data() && matrices(3)(1, 14) == 8 ? 0 : 1;
}
