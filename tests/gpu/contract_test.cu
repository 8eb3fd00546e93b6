// SPDX-License-Identifier: BSD-3-Clause
// contract<> on the GPU: contractions of tensor-product elements, unequal extents, packed products, what it refuses.
#include "gpu/contract_case.cuh"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;

constexpr auto b2 = of_size<2, 3>();  // (q,d) of the second axis, likewise the third
constexpr auto b3 = of_size<5, 4>();

template <class T>
void table_1() {
  auto x = fill<T>(of_size<2, 3, 4>(), elements, 1);
  auto first = fill<T>(b1, 1, 2);
  auto second = fill<T>(b2, 1, 3);
  auto third = fill<T>(b3, 1, 4);
  auto y1 = fill<T>(of_size<3, 3, 4>(), elements, 5);
  check<"ai,ijk->ajk", false, true>(first, x, y1);
  auto y2 = fill<T>(of_size<2, 2, 4>(), elements, 6);
  check<"bj,ijk->ibk", false, true>(second, x, y2);
  auto y3 = fill<T>(of_size<2, 3, 5>(), elements, 7);
  check<"ck,ijk->ijc", false, true>(third, x, y3);
  auto z1 = fill<T>(of_size<3, 4, 3>(), elements, 8);  // the contracted axis moved to the end
  check<"ai,ijk->jka", false, true>(first, x, z1);
  auto back = fill<T>(of_size<2, 3, 4>(), elements, 9);
  y1.device.write(y1.host);
  check<"ai,ajk->ijk", false, true>(first, y1, back);
}

/// Entries that are wrong after C = A B and C += A B, A shared or not, with all operands moved by `shift` entries
/// inside allocations that end where they end; those in front of C count too.
template <class T, index_t M, index_t N, index_t K>
int wrong_entries(index_t count, index_t shift) {
  int wrong = 0;
  for (const bool shared : {false, true})
    for (const double beta : {0.0, 1.0}) {
      const auto a = small_integers<T>(shift + M * K * (shared ? 1 : count), 1);
      const auto b = small_integers<T>(shift + K * N * count, 2), c = small_integers<T>(shift + M * N * count, 3);
      device_entries<T> left(a), right(b), out(c);
      const auto rights = view_batch(gpu, right.data() + shift, of_size<K, N>(), count);
      const auto outs = view_batch(gpu, out.data() + shift, of_size<M, N>(), count);
      const scaling s{1, beta};
      if (shared)
        contract<"ik,kj->ij">(view(gpu, left.data() + shift, of_size<M, K>()), rights, outs, s);
      else
        contract<"ik,kj->ij">(view_batch(gpu, left.data() + shift, of_size<M, K>(), count), rights, outs, s);
      const std::vector<T> got = out.read();
      for (index_t i = 0; i < shift; ++i) wrong += got[std::size_t(i)] != c[std::size_t(i)];
      for (index_t e = 0; e < M * N * count; ++e) {
        const index_t p = e / (M * N), row = e % M, col = e / M % N;
        T sum = T(beta) * c[std::size_t(shift + e)];
        for (index_t k = 0; k < K; ++k)
          sum += a[std::size_t(shift + (shared ? 0 : p * M * K) + k * M + row)] *
                 b[std::size_t(shift + p * K * N + col * K + k)];
        wrong += got[std::size_t(shift + e)] != sum;
      }
    }
  return wrong;
}

}  // namespace

TEST_CASE("gpu contract: one axis at a time, exact in integers", "[gpu][sanitize]") {
  if (no_gpu()) return;
  table_1<double>();
  table_1<float>();
}

TEST_CASE("gpu contract: kernel (9), two factors on one side", "[gpu][sanitize]") {
  if (no_gpu()) return;
  auto b = fill<double>(of_size<5, 4>(), 1, 1);
  auto d = fill<double>(of_size<3, 5, 2>(), elements, 2);
  auto out = fill<double>(of_size<3, 4, 2, 4>(), elements, 3);
  for (const scaling s : {assign, scaling{-1, 1}}) {
    out.device.write(out.host);
    contract<"si,sj,ksl->kilj">(b.one(), b.one(), d.all(), out.all(), s);
    CHECK(out.device.read() == expected<"si,sj,ksl->kilj">(s, elements, {false, false, true}, out, b, b, d));
  }
  auto rows_first = fill<double>(of_size<4, 3, 4, 2>(), elements, 4);
  contract<"si,sj,ksl->ikjl">(b.one(), b.one(), d.all(), rows_first.all());
  CHECK(rows_first.device.read() ==
        expected<"si,sj,ksl->ikjl">(assign, elements, {false, false, true}, rows_first, b, b, d));
}

TEST_CASE("gpu contract: pointwise, matrices and their transposes", "[gpu]") {
  if (no_gpu()) return;
  auto a = fill<float>(of_size<5, 4>(), elements, 1);
  auto b = fill<float>(of_size<5, 4>(), elements, 2);
  auto c = fill<float>(of_size<5, 4>(), elements, 3);
  check<"ij,ij->ij", true, true>(a, b, c);
  check<"ij,ij->ij", true, false>(a, b, c);
  auto square = fill<float>(of_size<5, 5>(), elements, 4);
  check<"ik,jk->ij", true, true>(a, b, square);
  auto inner = fill<float>(of_size<4, 4>(), elements, 5);
  check<"ki,kj->ij", true, true>(a, b, inner);
  check<"ki,kj->ji", true, true>(a, b, inner);
  auto five = fill<double>(of_size<5, 5>(), 101, 6);
  auto six = fill<double>(of_size<5, 5>(), 101, 7);
  auto seven = fill<double>(of_size<5, 5>(), 101, 8);
  check<"ik,kj->ij", true, true>(five, six, seven);
  auto i1 = fill<int>(of_size<3, 2>(), 9, 1);
  auto i2 = fill<int>(of_size<2, 4>(), 9, 2);
  auto i3 = fill<int>(of_size<3, 4>(), 9, 3);
  check<"ik,kj->ij", true, true>(i1, i2, i3);
}

TEST_CASE("gpu contract: packed products that start anywhere, for counts up to several blocks", "[gpu][sanitize]") {
  if (no_gpu()) return;
  for (index_t shift = 0; shift < 4; ++shift)
    for (const index_t count : {1, 2, 3, 5, 8, 37, 101}) {
      CHECK(wrong_entries<double, 3, 5, 7>(count, shift) == 0);
      CHECK(wrong_entries<double, 4, 4, 4>(count, shift) == 0);
      CHECK(wrong_entries<float, 3, 3, 3>(count, shift) == 0);
      CHECK(wrong_entries<float, 8, 2, 6>(count, shift) == 0);
    }
  // Sizes whose records multiply on tensor cores.
  for (const index_t count : {1, 5, 9}) CHECK(wrong_entries<double, 31, 31, 31>(count, count % 2) == 0);
}

TEST_CASE("gpu contract: a batch of stride 0 is shared, other strides are honoured", "[gpu]") {
  if (no_gpu()) return;
  auto a = fill<double>(of_size<4, 4>(), 12, 1);
  auto b = fill<double>(of_size<4, 4>(), 12, 2);
  auto c = fill<double>(of_size<4, 4>(), 12, 3);
  contract<"ik,kj->ij">(view_batch(gpu, a.device.data(), a.layout, 12, 0), b.all(), c.all());
  CHECK(c.device.read() == expected<"ik,kj->ij">(assign, 12, {false, true}, c, a, b));
  c.device.write(c.host);
  contract<"ik,kj->ij">(a.one(), view_batch(gpu, b.device.data(), b.layout, 6, 32),
                        view_batch(gpu, c.device.data(), c.layout, 6, 32));
  const auto every = expected<"ik,kj->ij">(assign, 12, {false, true}, c, a, b), got = c.device.read();
  bool right = true;
  for (std::size_t i = 0; i < got.size(); ++i) right = right && got[i] == (i / 16 % 2 == 0 ? every[i] : c.host[i]);
  CHECK(right);
}

TEST_CASE("gpu contract: what is refused, with nothing written", "[gpu]") {
  if (no_gpu()) return;
  auto a = fill<double>(of_size(4, 3), 5, 1);
  auto b = fill<double>(of_size(3, 4), 5, 2);
  auto c = fill<double>(of_size(4, 4), 5, 3);
  auto wrong = fill<double>(of_size(5, 4), 5, 4);
  check_failure(status::shape_mismatch, {"ik,kj->ij", "4x3", "5x4"},
                [&] { contract<"ik,kj->ij">(a.all(), wrong.all(), c.all()); });
  check_failure(status::shape_mismatch, {"ik,kj->ij"},
                [&] { contract<"ik,kj->ij">(view_batch(gpu, a.device.data(), a.layout, 4), b.all(), c.all()); });
  check_failure(status::shape_mismatch, {"ik,kj->ij", "batch of 4"},
                [&] { contract<"ik,kj->ij">(view_batch(gpu, a.device.data(), a.layout, 4, 0), b.all(), c.all()); });
  check_failure(status::overlap, {"ik,kj->ij"},
                [&] { contract<"ik,kj->ij">(a.all(), b.all(), view_batch(gpu, a.device.data(), c.layout, 5)); });
  check_failure(status::wrong_space, {"ik,kj->ij", "input 1"},
                [&] { contract<"ik,kj->ij">(view_batch(gpu, a.host.data(), a.layout, 5), b.all(), c.all()); });
  CHECK(c.device.read() == c.host);
}
