// SPDX-License-Identifier: BSD-3-Clause
// The pointwise GPU kernel against the reference: packed, strided, interleaved and tabled operands, also in place.
#include "testing/catch.hpp"
#include "testing/gpu.hpp"

#include "gpu/products.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T>
void check(const product& p) {
  arranged_product<T> a(p, 5);
  const verdict v = judge(a, run_product(a));
  INFO((sizeof(T) == 4 ? "f32 " : "f64 ") << text_of(p));
  CHECK(v.error <= 1.0);
  CHECK_FALSE(v.wrote_elsewhere);
}

product entries(index_t m, index_t loops, index_t batch) {
  product p;
  p.form = canonical::pointwise;
  p.m = m;
  p.loops = loops;
  p.batch = batch;
  return p;
}

}  // namespace

TEST_CASE("gpu pointwise: sizes, scalings and layouts", "[gpu][sanitize]") {
  if (no_gpu()) return;
  for (index_t m : {1, 2, 27, 64, 1000})
    for (index_t loops : {1, 3})
      for (index_t batch : {1, 7, 300})
        for (int layout = 0; layout < 5; ++layout) {
          product p = entries(m, loops, batch);
          if (layout == 1) p.gap = 3, p.alpha = 2.5;
          if (layout == 2) p.lanes = 8, p.beta = 1;
          if (layout == 3) p.shared_left = true, p.shift = 1, p.beta = -0.5;
          if (layout == 4) p.tables = true;
          check<float>(p);
          check<double>(p);
        }
}

TEST_CASE("gpu pointwise: the output may be an input", "[gpu]") {
  if (no_gpu()) return;
  product p = entries(100, 1, 33);
  p.integers = true;
  p.beta = 3;
  arranged_product<double> a(p, 6);
  device_entries<double> right(a.entries(2)), out(a.entries(4));
  double* const data[5] = {nullptr, nullptr, right.data(), nullptr, out.data()};
  problem<double> q = a.on(data, true);
  q.left[0] = {q.out.data, q.out.batch_stride, 1, q.out.map};
  device::launch(q, {}, nullptr);
  const std::vector<double> result = out.read();
  bool right_everywhere = true;
  for (std::size_t i = 0; i < 3300; ++i) {
    const double old = a.entries(4)[std::size_t(canary) + i];
    right_everywhere = right_everywhere && result[std::size_t(canary) + i] == old * a.entries(2)[i] + 3 * old;
  }
  CHECK(right_everywhere);
}
