// SPDX-License-Identifier: BSD-3-Clause
// contract<> on the GPU: layouts of every kind, sizes known only when it runs.
#include "gpu/contract_case.cuh"
#include "testing/gpu.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

/// Offsets that no strides describe: columns are rotated against each other. The kernels see it for the first time
/// here.
template <sizes Extents>
struct rotated {
  constexpr Extents extents() const { return {}; }
  constexpr index_t offset(index_t i, index_t j, index_t k) const {
    const Extents e{};
    return ((i + j + k) % e(0)) + e(0) * (j + e(1) * k);
  }
};

}  // namespace

TEST_CASE("gpu contract: padded, row-major, tiled, interleaved and a user's layout", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const auto shape = of_size<2, 3, 4>();
  auto table = fill<double>(row_major(b1), 1, 1);
  auto padded_in = fill<double>(pad_to<8>(shape), elements, 2);
  auto rows_out = fill<double>(row_major(of_size<3, 3, 4>()), elements, 3);
  check<"ai,ijk->ajk", false, true>(table, padded_in, rows_out);
  auto mixed_in = fill<double>(interleave<4>(shape), elements, 4);
  auto mixed_out = fill<double>(interleave<8>(of_size<3, 3, 4>()), elements, 5);
  check<"ai,ijk->ajk", false, true>(table, mixed_in, mixed_out);
  auto own_in = fill<double>(rotated<extents<2, 3, 4>>{}, elements, 6);
  auto own_out = fill<double>(rotated<extents<3, 3, 4>>{}, elements, 7);
  check<"ai,ijk->ajk", false, true>(table, own_in, own_out);
  check<"ai,ijk->ajk", false, true>(table, own_in, mixed_out);
  auto tiles = fill<double>(tile_by<2, 2>(of_size<3, 5>()), elements, 8);
  auto tiled_out = fill<double>(tile_by<2, 4>(of_size<3, 3>()), elements, 9);
  check<"ik,jk->ij", true, true>(tiles, tiles, tiled_out);
}

TEST_CASE("gpu contract: run-time sizes, products larger than a block, one tensor, empty batches", "[gpu]") {
  if (no_gpu()) return;
  auto table = fill<double>(of_size(3, 2), 1, 1);
  auto x = fill<double>(of_size(2, 3_c, 4), elements, 2);
  auto y = fill<double>(of_size(3, 3, 4), elements, 3);
  check<"ai,ijk->ajk", false, true>(table, x, y);
  auto own = fill<double>(rotated<extents<2, 3, 4>>{}, elements, 4);
  check<"ai,ijk->ajk", false, true>(table, own, y);
  auto apart = fill<double>(pad_to<8>(of_size(2, 3, 4)), elements, 5);
  check<"ai,ijk->ajk", false, true>(table, apart, y);
  auto a = fill<float>(of_size<70, 65>(), 3, 1);
  auto b = fill<float>(of_size<65, 90>(), 3, 2);
  auto c = fill<float>(of_size<70, 90>(), 3, 3);
  check<"ik,kj->ij", true, true>(a, b, c);
  auto m = fill<double>(b1, 1, 1);
  auto v = fill<double>(of_size<2, 4>(), 1, 2);
  auto r = fill<double>(of_size<3, 4>(), 1, 3);
  contract<"ik,kj->ij">(m.one(), v.one(), r.one());
  CHECK(r.device.read() == expected<"ik,kj->ij">(assign, 1, {false, false}, r, m, v));
  contract<"ik,kj->ij">(m.one(), view_batch(gpu, v.device.data(), v.layout, 0),
                        view_batch(gpu, r.device.data(), r.layout, 0), add);
  CHECK(r.device.read() == expected<"ik,kj->ij">(assign, 1, {false, false}, r, m, v));
}
