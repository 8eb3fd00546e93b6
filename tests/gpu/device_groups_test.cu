// SPDX-License-Identifier: BSD-3-Clause
// Device-side operations beyond packed tensors: operands in registers, layouts of every kind, groups of
// cooperative_groups, blocks of several dimensions.
#include "testing/gpu.hpp"

#include "gpu/device_elements.cuh"

#include <cooperative_groups.h>

namespace {

using namespace tessera;
using namespace tessera::testing;

/// What is wrong with a result on the device: how many entries differ from the definition.
template <class OutLayout, class... InLayout>
index_t wrong_entries(const char* text, scaling s, const std::vector<double>& got, const std::vector<double>& before,
                      const std::vector<double>& a, const std::vector<double>& b, OutLayout out, InLayout... in) {
  const double* const data[] = {a.data(), b.data()};
  int at = 0;
  std::vector<entries<double>> inputs;
  (inputs.push_back(read(view(data[at++], in))), ...);
  return count_different(read(view(got.data(), out)),
                         by_definition<double>(contraction(text, s), inputs, read(view(before.data(), out))));
}

/// Each of several threads contracts two axes of its own 3 x 3 tensor in its registers.
__global__ void contract_alone(const double* table, const double* x, double* y, int elements) {
  const int e = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (e >= elements) return;
  const device::this_thread me;
  double own[9], half[12], whole[16];
  for (int i = 0; i < 9; ++i) own[i] = x[e * 9 + i];
  const device::view b(table, of_size<4, 3>());
  const device::view t(half, of_size<4, 3>());
  device::contract<"kj,jb->kb">(me, b, device::view(own, of_size<3, 3>()), t);
  device::contract<"kj,aj->ak">(me, b, t, device::view(whole, of_size<4, 4>()));
  for (int i = 0; i < 16; ++i) y[e * 16 + i] = whole[i];
}

/// A tensor through a row-major table and a padded copy in shared memory; rows of the result come first in memory.
__global__ void contract_layouts(const double* table, const double* x, double* y) {
  __shared__ double b[12], u[4 * 4 * 4], v[6 * 4];
  const device::block<64> g;
  const device::view B(b, row_major(of_size<3, 4>()));
  const device::view X(u, pad_to<4>(of_size<3, 4, 4>()));
  const device::view Y(v, tile_by<2, 2>(of_size<3, 5>()));
  device::load(g, device::view(table, of_size<3, 4>()), B);
  device::load(g, device::view(x, of_size<4, 5>()), device::view(u, row_major(of_size<4, 5>())));
  g.sync();
  device::contract<"kj,jb->kb">(g, B, device::view(u, row_major(of_size<4, 5>())), Y);
  g.sync();
  device::store(g, Y, device::view(y, row_major(of_size<3, 5>())));
  g.sync();
  device::load(g, device::view(x, of_size<3, 4, 4>()), X);
  g.sync();
  device::contract<"kj,ajc->akc">(g, B, X, device::view(y + 15, of_size<3, 3, 4>()));
}

/// The same product by a tile and by a block of cooperative_groups, whatever the block's shape.
__global__ void contract_cooperatively(const double* a, const double* b, double* by_tiles, double* by_block) {
  namespace cg = cooperative_groups;
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  static_assert(device::counted_by_type<std::remove_const_t<decltype(tile)>>);
  const device::view A(a, of_size<5, 6>());
  const device::view B(b, of_size<6, 7>());
  device::contract<"ik,kj->ij">(tile, A, B, device::view(by_tiles + 35 * tile.meta_group_rank(), of_size<5, 7>()));
  device::contract<"ik,kj->ij">(block, A, B, device::view(by_block, of_size<5, 7>()), scaling{2, 1});
}

/// Ranks and indices of all groups of a block, as entries 8 t .. 8 t + 7 for thread number t.
__global__ void number_threads(int* to) {
  const int t = device::number_in_block();
  const int found[] = {device::lanes<4>::rank(),    device::lanes<4>::index(),   device::warp::rank(),
                       device::warp::index(),       device::block<>::rank(),     device::block<>::size(),
                       device::this_thread::rank(), device::this_thread::index()};
  for (int i = 0; i < 8; ++i) to[8 * t + i] = found[i];
}

void finish() {
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

}  // namespace

TEST_CASE("gpu device: a thread alone, operands in registers", "[gpu][sanitize]") {
  if (no_gpu()) return;
  constexpr int elements = 70;
  const auto b = integers<double>(12, 1), x = integers<double>(9 * elements, 2);
  device_entries<double> table(b), in(x), out(std::vector<double>(16 * elements, -1));
  contract_alone<<<2, 64>>>(table.data(), in.data(), out.data(), elements);
  finish();
  const auto y = out.read();
  int wrong = 0;
  for (int e = 0; e < elements; ++e)
    for (int k = 0; k < 4; ++k)
      for (int l = 0; l < 4; ++l) {
        double sum = 0;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            sum += b[std::size_t(k + 4 * i)] * b[std::size_t(l + 4 * j)] * x[std::size_t(e * 9 + i + 3 * j)];
        wrong += y[std::size_t(e * 16 + k + 4 * l)] != sum;
      }
  CHECK(wrong == 0);
}

TEST_CASE("gpu device: row-major, padded and tiled tensors, moved between layouts", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const auto b = integers<double>(12, 1), x = integers<double>(48, 2);
  device_entries<double> table(b), in(x), out(std::vector<double>(15 + 36, -1));
  contract_layouts<<<1, 64>>>(table.data(), in.data(), out.data());
  finish();
  const auto y = out.read();
  const std::vector<double> first(y.begin(), y.begin() + 15), second(y.begin() + 15, y.end());
  CHECK(wrong_entries("kj,jb->kb", assign, first, first, b, x, row_major(of_size<3, 5>()), of_size<3, 4>(),
                      of_size<4, 5>()) == 0);
  CHECK(wrong_entries("kj,ajc->akc", assign, second, second, b, x, of_size<3, 3, 4>(), of_size<3, 4>(),
                      of_size<3, 4, 4>()) == 0);
}

TEST_CASE("gpu device: groups of cooperative_groups", "[gpu]") {
  if (no_gpu()) return;
  const auto a = integers<double>(30, 1), b = integers<double>(42, 2), old = integers<double>(35, 3);
  device_entries<double> left(a), right(b), by_tiles(std::vector<double>(35 * 6, -1)), by_block(old);
  contract_cooperatively<<<1, dim3(8, 4, 3)>>>(left.data(), right.data(), by_tiles.data(), by_block.data());
  finish();
  const auto tiles = by_tiles.read();
  for (int t = 0; t < 6; ++t) {
    const std::vector<double> one(tiles.begin() + 35 * t, tiles.begin() + 35 * (t + 1));
    CHECK(wrong_entries("ik,kj->ij", assign, one, one, a, b, of_size<5, 7>(), of_size<5, 6>(), of_size<6, 7>()) == 0);
  }
  CHECK(wrong_entries("ik,kj->ij", {2, 1}, by_block.read(), old, a, b, of_size<5, 7>(), of_size<5, 6>(),
                      of_size<6, 7>()) == 0);
}

TEST_CASE("gpu device: threads are numbered alike in blocks of any shape", "[gpu]") {
  if (no_gpu()) return;
  device_entries<int> out(std::vector<int>(8 * 96, -1));
  number_threads<<<1, dim3(8, 4, 3)>>>(out.data());
  finish();
  const auto found = out.read();
  bool right = true;
  for (int t = 0; t < 96; ++t) {
    const int wanted[] = {t % 4, t / 4, t % 32, t / 32, t, 96, 0, t};
    for (int i = 0; i < 8; ++i) right = right && found[std::size_t(8 * t + i)] == wanted[i];
  }
  CHECK(right);
}
