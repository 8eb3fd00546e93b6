// SPDX-License-Identifier: BSD-3-Clause
// Every compiled GPU row and the generic ones against the reference, over sizes, layouts, scalings and batch counts.
#include "testing/catch.hpp"
#include "testing/gpu.hpp"

#include <tessera/detail/gpu_records.hpp>

#include "gpu/products.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T>
void check(const product& p, unsigned seed = 1, bool generic = false) {
  arranged_product<T> a(p, seed);
  const verdict v = judge(a, run_product(a, generic));
  INFO((sizeof(T) == 4 ? "f32 " : "f64 ") << text_of(p) << (generic ? " by the generic row" : ""));
  CHECK(v.error <= 1.0);
  CHECK_FALSE(v.wrote_elsewhere);
}

void check_both(const product& p, unsigned seed = 1, bool generic = false) {
  check<float>(p, seed, generic);
  check<double>(p, seed, generic);
}

product square(index_t n, index_t batch) {
  product p;
  p.m = p.n = p.k = n;
  p.batch = batch;
  return p;
}

product drawn(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return index_t(random() % n); };
  product p;
  p.m = 1 + below(random() % 8 == 0 ? 70 : 20);
  p.n = 1 + below(random() % 8 == 0 ? 70 : 20);
  p.k = 1 + below(random() % 8 == 0 ? 70 : 20);
  if (random() % 4 == 0) p.m = p.n = p.k = 1 + below(32);
  p.loops = random() % 3 == 0 ? 1 + below(5) : 1;
  p.batch = 1 + below(40);
  p.trans_left = random() % 2 == 0;
  p.trans_right = random() % 2 == 0;
  p.trans_out = random() % 4 == 0;
  p.pad = random() % 2 == 0 ? below(5) : 0;
  p.gap = random() % 2 == 0 ? below(9) : 0;
  p.shift = below(4);
  const index_t widths[] = {1, 1, 1, 2, 4, 8, 32};
  p.lanes = widths[random() % 7];
  p.shared_left = random() % 4 == 0;
  p.shared_right = random() % 4 == 0;
  p.tables = random() % 5 == 0;
  p.left_factors = random() % 8 == 0 ? 2 : 1;
  p.right_factors = random() % 8 == 0 ? 2 : 1;
  const double scales[] = {1, 1, -2.5, 0.75};
  p.alpha = scales[random() % 4];
  const double betas[] = {0, 0, 1, -1.5};
  p.beta = betas[random() % 4];
  return p;
}

}  // namespace

TEST_CASE("gpu gemm: a record's row computes its squares", "[gpu]") {
  if (no_gpu()) return;
  for (index_t n = 1; n <= 32; ++n)
    for (const double beta : {0.0, 1.0}) {
      product p = square(n, n <= 4 ? 1501 : 101);
      p.beta = beta;
      check_both(p);
      check_both(p, 1, true);
    }
}

TEST_CASE("gpu gemm: every batch count from 1 to two blocks", "[gpu]") {
  if (no_gpu()) return;
  for (index_t n : {1, 3, 5, 8, 17})
    for (index_t batch = 1; batch <= 50; ++batch) check_both(square(n, batch), unsigned(batch));
}

TEST_CASE("gpu gemm: views moved by one to three entries, alpha and beta", "[gpu]") {
  if (no_gpu()) return;
  for (index_t n = 1; n <= 32; ++n)
    for (index_t shift = 1; shift <= 3; ++shift) {
      product p = square(n, 37);
      p.shift = shift;
      p.alpha = -1.25;
      p.beta = shift == 2 ? 0.5 : 0.0;
      check_both(p, unsigned(n));
    }
}

TEST_CASE("gpu gemm: 200 seeded draws of sizes and layouts", "[gpu]") {
  if (no_gpu()) return;
  for (unsigned seed = 1; seed <= 200; ++seed) check_both(drawn(seed), seed);
}

TEST_CASE("gpu gemm: shapes far from square, and large ones", "[gpu]") {
  if (no_gpu()) return;
  const index_t shapes[][3] = {{243, 81, 33}, {1, 1, 1000}, {1, 300, 1},   {300, 1, 1},   {1, 1, 5000}, {33, 33, 33},
                               {64, 64, 64},  {9, 64, 8},   {64, 9, 8},    {100, 3, 100}, {3, 100, 3},  {31, 32, 33},
                               {2, 1000, 2},  {1000, 2, 2}, {1, 2000, 40}, {2000, 1, 40}, {130, 130, 5}};
  for (const auto& s : shapes)
    for (const bool transposed : {false, true}) {
      product p;
      p.m = s[0];
      p.n = s[1];
      p.k = s[2];
      p.batch = 3;
      p.trans_left = p.trans_right = transposed;
      p.beta = transposed ? 1.0 : 0.0;
      check_both(p);
    }
}

TEST_CASE("gpu gemm: one axis of a tensor at a time, with a shared table", "[gpu]") {
  if (no_gpu()) return;
  for (index_t d = 2; d <= 9; ++d)
    for (index_t q : {d + 1, d + 2}) {
      product x;  // "qj,jbc->qbc"
      x.m = q, x.k = d, x.n = d * d, x.batch = 29, x.shared_left = true;
      check_both(x);
      product y;  // "qj,bjc->bqc"
      y.m = d, y.k = d, y.n = q, y.loops = d, y.batch = 29, y.beta = 1;
      check_both(y);
      product z;  // "qj,bcj->bcq"
      z.m = d * d, z.k = d, z.n = q, z.batch = 29, z.shared_right = true, z.trans_right = true;
      check_both(z);
    }
}

TEST_CASE("gpu gemm: sides of two factors", "[gpu]") {
  if (no_gpu()) return;
  for (index_t n : {1, 4, 7, 33, 64, 130})  // from 64 on, several chunks of k and more tiles than threads
    for (int which = 1; which <= 3; ++which) {
      product p = square(n, 21);
      p.m = n + 1;
      p.left_factors = which & 1 ? 2 : 1;
      p.right_factors = which & 2 ? 2 : 1;
      p.shared_left = which == 1;
      check_both(p);
    }
}

TEST_CASE("gpu gemm: tables of offsets, interleaved batches", "[gpu]") {
  if (no_gpu()) return;
  for (index_t n : {1, 2, 5, 16, 40, 70})
    for (index_t lanes : {1, 2, 4, 16, 32}) {
      product p = square(n, 67);
      p.lanes = lanes;
      p.loops = n == 5 ? 3 : 1;
      check_both(p);
      p.tables = true;
      p.beta = 1;
      check_both(p);
    }
}

TEST_CASE("gpu gemm: integer entries give exact results", "[gpu]") {
  if (no_gpu()) return;
  for (index_t n : {2, 5, 9, 16, 32}) {
    product p = square(n, 33);
    p.m = n + 1;
    p.integers = true;
    p.beta = 2;
    arranged_product<double> a(p, 3);
    CHECK(judge(a, run_product(a)).error == 0.0);
  }
}

TEST_CASE("gpu gemm: no inner extent leaves beta out; empty products and batches do nothing", "[gpu]") {
  if (no_gpu()) return;
  product p = square(4, 9);
  p.k = 0;
  p.beta = 2;
  check_both(p);
  p.beta = 0;
  check_both(p);
  for (int which = 0; which < 4; ++which) {
    product q = square(4, 9);
    (which == 0 ? q.m : which == 1 ? q.n : which == 2 ? q.batch : q.loops) = 0;
    check_both(q);
  }
}

TEST_CASE("gpu gemm: the same bits at every batch position and in every run", "[gpu]") {
  if (no_gpu()) return;
  for (index_t n : {3, 5, 8, 13, 17, 31})
    for (const bool generic : {false, true}) {
      product p = square(n, 1);
      arranged_product<double> one(p, 9);
      p.batch = 101;
      p.gap = generic ? 3 : 0;
      arranged_product<double> many(p, 10);
      const index_t stride = n * n + p.gap;
      for (int o : {0, 2})
        for (index_t b = 0; b < p.batch; ++b)
          for (index_t i = 0; i < n * n; ++i)
            many.entries(o)[std::size_t(b * stride + i)] = one.entries(o)[std::size_t(i)];
      const std::vector<double> alone = run_product(one, generic), together = run_product(many, generic);
      INFO("n = " << n << (generic ? " generic" : ""));
      const std::vector<double> again = run_product(many, generic);
      bool repeats = true;
      for (index_t b = 0; b < p.batch; ++b)
        for (index_t i = 0; i < n * n; ++i)
          repeats =
              repeats && again[std::size_t(canary + b * stride + i)] == together[std::size_t(canary + b * stride + i)];
      CHECK(repeats);
      CHECK(alone[std::size_t(canary)] == together[std::size_t(canary)]);
      bool position_free = true;
      for (index_t b = 0; b < p.batch; ++b)
        for (index_t i = 0; i < n * n; ++i)
          position_free =
              position_free && together[std::size_t(canary + b * stride + i)] == alone[std::size_t(canary + i)];
      CHECK(position_free);
    }
}

TEST_CASE("gpu gemm: a record is chosen for packed squares and the generic row for the rest", "[gpu]") {
  if (no_gpu()) return;
  const auto chosen = [](const product& p) {
    arranged_product<double> a(p, 1);
    double* const data[5] = {a.entries(0).data(), a.entries(1).data(), a.entries(2).data(), a.entries(3).data(),
                             a.entries(4).data()};
    return device::choose(a.on(data, false));
  };
  const device::gemm_choice row = chosen(square(5, 9));
  REQUIRE(row.record >= 0);
  CHECK(gpu_gemm_records[row.record].m == 5);
  CHECK(device::describe(row, scalar_type::f64).find("5x5x5") != std::string::npos);
  product p = square(5, 9);
  p.trans_left = true;
  CHECK(chosen(p).record == device::gemm_choice::generic);
  p = square(5, 9);
  p.gap = 1;
  CHECK(chosen(p).record == device::gemm_choice::generic);
  CHECK(device::describe({}, scalar_type::f32).find("generic") != std::string::npos);
}

TEST_CASE("gpu gemm: more than 2^31 products", "[gpu][.big]") {
  if (no_gpu()) return;
  problem<float> p;
  p.batch = (index_t(1) << 31) + 77;
  p.left[0].data = p.right[0].data = nullptr;
  const std::vector<float> one(1, 3.0f);
  device_entries<float> a(one);
  p.left[0] = {a.data(), 0, 1, {.row = 1, .col = 1}};
  p.right[0] = p.left[0];
  float* out = static_cast<float*>(device::allocate(std::size_t(p.batch) * sizeof(float)));
  p.out = {out, 1, 1, {.row = 1, .col = 1}};
  for (int form = 0; form < 2; ++form) {
    p.form = form == 0 ? canonical::general : canonical::pointwise;
    p.alpha = float(1 + form);
    device::launch(p, {}, nullptr);
    float tail[100], head[3];
    device::copy(tail, out + p.batch - 100, sizeof tail, device::direction::device_to_host);
    device::copy(head, out, sizeof head, device::direction::device_to_host);
    bool right = true;
    for (float x : tail) right = right && x == 9.0f * p.alpha;
    for (float x : head) right = right && x == 9.0f * p.alpha;
    CHECK(right);
  }
  device::deallocate(out);
}

TEST_CASE("gpu gemm: all triples 1..32", "[gpu][.long]") {
  if (no_gpu()) return;
  for (index_t m = 1; m <= 32; ++m)
    for (index_t n = 1; n <= 32; ++n)
      for (index_t k = 1; k <= 32; ++k) {
        product p;
        p.m = m, p.n = n, p.k = k, p.batch = 3;
        p.trans_left = (m + n) % 2 == 0;
        p.trans_right = (n + k) % 3 == 0;
        p.beta = (m + n + k) % 2 == 0 ? 1.0 : 0.0;
        check_both(p, unsigned(m * 1024 + n * 32 + k));
      }
}

TEST_CASE("gpu gemm: each kernel and path once, small", "[gpu][sanitize]") {
  if (no_gpu()) return;
  for (index_t n : {1, 2, 3, 5, 8, 16, 17, 32})
    for (const double beta : {0.0, 1.0}) {
      product p = square(n, n < 4 ? 300 : 11);
      p.beta = beta;
      p.shift = beta == 0 ? 0 : 1;
      check_both(p);
      check_both(p, 1, true);
    }
  for (unsigned seed = 300; seed < 330; ++seed) check_both(drawn(seed), seed);
  product p = square(40, 2);
  p.trans_left = true;
  check_both(p);
}
