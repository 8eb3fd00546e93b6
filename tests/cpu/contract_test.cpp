// SPDX-License-Identifier: BSD-3-Clause
// What contract<> promises besides results: one tensor, NaN, threads, empty batches, errors before any
// write.
#include <omp.h>

#include <cmath>
#include <cstring>

#include "contract_case.hpp"
#include "testing/catch.hpp"
#include "wide.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

std::vector<double> numbers(std::size_t count, int seed) {
  std::vector<double> x(count);
  unsigned state = unsigned(seed);
  for (double& v : x) v = double((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
  return x;
}

// The status and text of what f throws.
template <class F>
error caught(F f) {
  try {
    f();
  } catch (const error& e) {
    return e;
  }
  return error("nothing was thrown", status::ok);
}

// Entries (i, j) and (j, i) are one.
struct symmetric {
  constexpr tessera::extents<4, 4> extents() const { return {}; }
  constexpr index_t offset(index_t i, index_t j) const { return i < j ? i + j * (j + 1) / 2 : j + i * (i + 1) / 2; }
};

}  // namespace

TEST_CASE("one tensor, no batch", "[cpu][contract]") {
  const auto a = numbers(15, 1), b = numbers(6, 2);
  std::vector<double> c(10, std::nan("")), wanted(10);
  contract<"ik,kj->ij">(view(a.data(), of_size<5, 3>()), view(b.data(), of_size<3, 2>()),
                        view(c.data(), of_size<5, 2>()));
  each_reference<wide>(
      parse_einsum("ik,kj->ij"), assign,
      [&](double& entry, const reference_value<wide>& r) { CHECK(is_close(entry, r, 3 + 2)); },
      view(c.data(), of_size<5, 2>()), view(a.data(), of_size<5, 3>()), view(b.data(), of_size<3, 2>()));
}

TEST_CASE("all inputs shared, the output a batch", "[cpu][contract]") {
  const auto a = numbers(6, 1), b = numbers(6, 2);
  std::vector<double> c(9 * 4);
  contract<"ik,kj->ij">(view(a.data(), of_size<3, 2>()), view(b.data(), of_size<2, 3>()),
                        view_batch(c.data(), of_size<3, 3>(), 4));
  for (std::size_t i = 9; i < c.size(); ++i) CHECK(c[i] == c[i % 9]);
}

TEST_CASE("beta = 0 never reads the output; long double works", "[cpu][contract]") {
  std::vector<long double> a(6, 2), b(6, 3), c(9, std::nanl(""));
  contract<"ik,kj->ij">(view(a.data(), of_size(3, 2)), view(b.data(), of_size(2, 3)), view(c.data(), of_size(3, 3)));
  for (long double x : c) CHECK(x == 12);
}

TEST_CASE("one and two threads give the same bits", "[cpu][contract]") {
  const index_t count = 601;
  const auto a = numbers(25 * count, 1), b = numbers(25 * count, 2);
  std::vector<double> one(25 * count), two(25 * count);
  const auto run = [&](std::vector<double>& c, int threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    contract<"ik,kj->ij">(view_batch(a.data(), of_size<5, 5>(), count), view_batch(b.data(), of_size<5, 5>(), count),
                          view_batch(c.data(), of_size<5, 5>(), count));
    omp_set_num_threads(before);
  };
  run(one, 1);
  run(two, 2);
  CHECK(std::memcmp(one.data(), two.data(), one.size() * sizeof(double)) == 0);
}

TEST_CASE("empty batches and zero extents write nothing", "[cpu][contract]") {
  std::vector<double> a(6, 1), c(9, 7);
  contract<"ik,kj->ij">(view(a.data(), of_size(3, 2)), view(a.data(), of_size(2, 3)),
                        view_batch(c.data(), of_size(3, 3), 0));
  contract<"ik,kj->ij">(view(a.data(), of_size(0, 2)), view(a.data(), of_size(2, 3)), view(c.data(), of_size(0, 3)));
  for (double x : c) CHECK(x == 7);
  contract<"ik,kj->ij">(view(a.data(), of_size(3, 0)), view(a.data(), of_size(0, 3)), view(c.data(), of_size(3, 3)),
                        scaling{1, 2});
  for (double x : c) CHECK(x == 14);
}

TEST_CASE("mistakes throw before anything is written", "[cpu][contract]") {
  std::vector<double> a(64, 1), b(64, 2), c(64, 7);
  const auto mat = [](std::vector<double>& x, index_t m, index_t n) { return view(x.data(), of_size(m, n)); };
  const auto bat = [](std::vector<double>& x, index_t m, index_t n, index_t count) {
    return view_batch(x.data(), of_size(m, n), count);
  };

  const error extents = caught([&] { contract<"ik,kj->ij">(mat(a, 5, 3), mat(b, 5, 3), mat(c, 5, 3)); });
  CHECK(extents.code() == status::shape_mismatch);
  CHECK(std::string(extents.what()).find("5x3, 5x3 -> 5x3") != std::string::npos);
  CHECK(std::string(extents.what()).find("'k'") != std::string::npos);

  CHECK(caught([&] { contract<"ik,kj->ij">(bat(a, 3, 2, 4), bat(b, 2, 3, 5), bat(c, 3, 3, 5)); }).code() ==
        status::shape_mismatch);
  CHECK(caught([&] { contract<"ik,kj->ij">(bat(a, 3, 2, 4), mat(b, 2, 3), mat(c, 3, 3)); }).code() ==
        status::shape_mismatch);
  CHECK(caught([&] {
          contract<"ik,kj->ij">(view_batch(a.data(), of_size(3, 2), 4, 0), bat(b, 2, 3, 5), bat(c, 3, 3, 5));
        }).code() == status::shape_mismatch);
  CHECK(caught([&] { contract<"ik,kj->ij">(mat(c, 3, 3), mat(b, 3, 3), mat(c, 3, 3)); }).code() == status::overlap);
  CHECK(caught([&] {
          contract<"ik,kj->ij">(mat(a, 3, 3), mat(b, 3, 3), view_batch(c.data(), of_size(3, 3), 4, 5));
        }).code() == status::overlap);
  CHECK(caught([&] {
          contract<"ik,kj->ij">(mat(a, 3, 3), mat(b, 3, 3),
                                tensor_view<double, cpu, column_major<tessera::extents<dynamic, dynamic>>>(
                                    nullptr, column_major(of_size(3, 3))));
        }).code() == status::null_pointer);
  // Blocks of interleaved tensors that reach into each other; two entries at one address, by strides and by a layout.
  CHECK(caught([&] {
          contract<"ik,kj->ij">(mat(a, 2, 2), mat(b, 2, 2),
                                view_batch(c.data(), interleave<4>(of_size<2, 2>()), 8, 13));
        }).code() == status::overlap);
  CHECK(caught([&] {
          contract<"ik,kj->ij">(mat(a, 5, 3), mat(b, 3, 4), view(c.data(), strided(of_size<5, 4>(), 0, 1)));
        }).code() == status::overlap);
  CHECK(caught([&] { contract<"ik,kj->ij">(mat(a, 4, 4), mat(b, 4, 4), view(c.data(), symmetric{})); }).code() ==
        status::overlap);
  for (double x : c) CHECK(x == 7);

  // Component 1 of 3 is a batch whose tensors interleave without meeting.
  contract<"ik,kj->ij">(mat(a, 2, 2), mat(b, 2, 2), view_batch(c.data() + 1, strided(of_size<2, 2>(), 6, 12), 2, 3));
  for (int i : {0, 1, 2, 3}) {
    CHECK(c[std::size_t(1 + 6 * i)] == 4);
    CHECK(c[std::size_t(4 + 6 * i)] == 4);
    CHECK(c[std::size_t(2 + 6 * i)] == 7);
  }
}

TEST_CASE("a pointwise product may be in place, in one layout", "[cpu][contract]") {
  std::vector<double> a(20, 3), b(20, 2);
  const auto x = view_batch(a.data(), of_size<5>(), 4);
  contract<"i,i->i">(x, view_batch(b.data(), of_size<5>(), 4), x);
  for (double v : a) CHECK(v == 6);

  std::vector<double> square(16, 1);
  const auto columns = view(square.data(), of_size<4, 4>());
  const auto rows = view(square.data(), row_major(of_size<4, 4>()));
  CHECK(caught([&] { contract<"ij,ij->ij">(rows, columns, columns); }).code() == status::overlap);
}
