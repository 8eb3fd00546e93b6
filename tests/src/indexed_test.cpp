// SPDX-License-Identifier: BSD-3-Clause
// Index notation on exact integers: figure 2 of paper 004, statements drawn at random, batches, groups, what is
// refused.
#include <tessera/batch.hpp>
#include <tessera/group.hpp>
#include <tessera/indexed.hpp>

#include <algorithm>

#include "testing/failure.hpp"
#include "testing/indexed_statement.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::index_names;
using namespace tessera::testing;

namespace {

// Of the tile layout in figure 2, with integers.
std::vector<double> entries_of_tiles(index_t n, index_t rows, index_t cols) {
  std::vector<double> made(std::size_t(n * n * rows * cols));
  int state = 5;
  for (double& each : made) {
    state = (state * 37 + 11) % 101;
    each = state % 9 - 4;
  }
  return made;
}

tensor<double, cpu, extents<dynamic, dynamic, dynamic, dynamic>> tile_matrix(index_t n, index_t rows, index_t cols) {
  auto made = make_tensor<double>(of_size(n, n, rows, cols));
  const std::vector<double> from = entries_of_tiles(n, rows, cols);
  std::copy(from.begin(), from.end(), made.begin());
  return made;
}

}  // namespace

TEST_CASE("index notation: the update of figure 2, in integers", "[indexed]") {
  const index_t size = 64, rows = 9, cols = 8;
  auto tensor = tile_matrix(size, rows, cols);
  const auto A = indexed(tensor);
  A(i, j, m(1, 8), n(1, 7)) -= A(i, k, m, 0) * A(k, j, 0, n);

  std::vector<double> wanted = entries_of_tiles(size, rows, cols);
  const auto at = [&](index_t r, index_t c, index_t tile_row, index_t tile_col) {
    return std::size_t(r + size * (c + size * (tile_row + rows * tile_col)));
  };
  const std::vector<double> before = wanted;
  for (index_t y = 1; y < cols; ++y)
    for (index_t x = 1; x < rows; ++x)
      for (index_t c = 0; c < size; ++c)
        for (index_t s = 0; s < size; ++s)
          for (index_t r = 0; r < size; ++r) wanted[at(r, c, x, y)] -= before[at(r, s, x, 0)] * before[at(s, c, 0, y)];
  CHECK(std::equal(tensor.begin(), tensor.end(), wanted.begin()));
}

TEST_CASE("index notation: statements drawn at random are those of plain loops", "[indexed]") {
  int sums = 0, shared = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    indexed_statement s = drawn_statement(seed, 2 + int(seed % 4));
    for (const target where : cpu_targets()) {
      INFO("seed " << seed << " on " << name_of(where));
      std::vector<double> memory = s.memory;
      run_statement(s, memory.data(), {.plan = on(where)});
      CHECK((memory == s.after()));
    }
    sums += s.beta == 1;
    shared += s.left.at.size() > 3;
  }
  CHECK(sums > 100);
  CHECK(shared > 100);
}

TEST_CASE("index notation: factors, complex ones, and the types of entries", "[indexed]") {
  auto x = make_tensor<complex<double>>(of_size(3, 2)), y = make_tensor<complex<double>>(of_size(2, 3));
  auto z = make_tensor<complex<double>>(of_size(3, 3));
  for (index_t at = 0; at < 6; ++at) x.data()[at] = {double(at), 1}, y.data()[at] = {1, double(at)};
  std::fill(z.begin(), z.end(), complex<double>{1, 1});
  const auto X = indexed(x), Y = indexed(y), Z = indexed(z);
  const complex<double> unit{0, 1};
  Z(i, j) += unit * X(i, k) * Y(k, j);
  Z(i, j) = -(2.0 * (X(i, k) * Y(k, j)));
  for (index_t r = 0; r < 3; ++r)
    for (index_t c = 0; c < 3; ++c) {
      const complex<double> sum = x(r, 0) * y(0, c) + x(r, 1) * y(1, c);
      CHECK(z(r, c).re == -2 * sum.re);
      CHECK(z(r, c).im == -2 * sum.im);
    }
  auto f = make_tensor<float>(of_size<3, 2>());
  auto g = make_tensor<float>(of_size<2, 3>());
  auto h = make_tensor<float>(of_size<3, 3>());
  std::fill(f.begin(), f.end(), 2.0f);
  std::fill(g.begin(), g.end(), 3.0f);
  indexed(h)(i, j) = indexed(f)(i, k) * indexed(g)(k, j);
  CHECK(h(2, 2) == 12);
}

TEST_CASE("index notation: three tensors, as in kernel (9)", "[indexed]") {
  auto b = make_tensor<double>(of_size(3, 2));
  auto c = make_tensor<double>(of_size(4, 3, 2));
  auto a = make_tensor<double>(of_size(4, 2, 2, 2));
  for (index_t at = 0; at < 6; ++at) b.data()[at] = double(at - 2);
  for (index_t at = 0; at < 24; ++at) c.data()[at] = double(at % 5);
  const auto B = indexed(b), C = indexed(c);
  indexed(a)(k, i, l, j) = B(s, i) * B(s, j) * C(k, s, l);
  double sum = 0;
  for (index_t at = 0; at < 3; ++at) sum += b(at, 1) * b(at, 0) * c(3, at, 1);
  CHECK(a(3, 1, 1, 0) == sum);
}

TEST_CASE("index notation: batches, groups and layouts that are tables", "[indexed]") {
  auto x = make_batch<double>(of_size(4, 3, 2), 5);
  auto z = make_batch<double>(of_size(4, 4), 5);
  auto t = make_tensor<double>(of_size(3, 4));
  for (index_t at = 0; at < 120; ++at) x.data()[at] = double(at % 7);
  for (index_t at = 0; at < 12; ++at) t.data()[at] = double(at % 5 - 2);
  std::fill(z.begin(), z.end(), 1.0);
  indexed(z)(i(1, 3), j) += indexed(x)(i, k, 1) * indexed(t)(k, j);
  auto group = make_group<double>(of_size(4, 3, 2));
  std::vector<tensor<double, cpu, extents<dynamic, dynamic, dynamic>>> members;
  for (index_t e = 0; e < 5; ++e) {
    members.push_back(make_tensor<double>(of_size(4, 3, 2)));
    std::copy_n(x.data() + 24 * e, 24, members.back().data());
  }
  for (auto& member : members) group.push_back(member);
  auto of_group = make_batch<double>(of_size(4, 4), 5);
  std::fill(of_group.begin(), of_group.end(), 1.0);
  indexed(of_group)(i(1, 3), j) += indexed(group)(i, k, 1) * indexed(t)(k, j);
  for (index_t e = 0; e < 5; ++e)
    for (index_t r = 0; r < 4; ++r)
      for (index_t c = 0; c < 4; ++c) {
        double sum = 1;
        if (r > 0)
          for (index_t q = 0; q < 3; ++q) sum += x(e)(r, q, 1) * t(q, c);
        CHECK(z(e)(r, c) == sum);
        CHECK(of_group(e)(r, c) == sum);
      }
  // Parts from the first entry on keep their strides.
  indexed(of_group)(i(0, 2), j) = indexed(group)(i, k, 0) * indexed(t)(k, j);
  CHECK(of_group(4)(2, 3) == x(4)(2, 0, 0) * t(0, 3) + x(4)(2, 1, 0) * t(1, 3) + x(4)(2, 2, 0) * t(2, 3));
}

TEST_CASE("index notation: empty ranges write nothing, empty sums are 0", "[indexed]") {
  auto tensor = tile_matrix(4, 3, 3);
  const auto A = indexed(tensor);
  const std::vector<double> before(tensor.begin(), tensor.end());
  A(i, j, m(1, 0), n(1, 2)) -= A(i, k, m, 0) * A(k, j, 0, n);
  A(i, j, m(3, 2), n(1, 2)) = A(i, k, m, 0) * A(k, j, 0, n);
  A(i, j, m(1, 2), n(1, 2)) += A(i, k(2, 1), m, 0) * A(k, j, 0, n);
  CHECK(std::equal(tensor.begin(), tensor.end(), before.begin()));
  A(i, j, m(1, 2), n(1, 2)) = A(i, k(2, 1), m, 0) * A(k, j, 0, n);
  CHECK(tensor(1, 2, 2, 1) == 0);
  CHECK(tensor(1, 2, 0, 1) == before[std::size_t(1 + 4 * (2 + 4 * (0 + 3)))]);
}

TEST_CASE("index notation: what is refused, before anything is written", "[indexed]") {
  auto tensor = tile_matrix(4, 3, 3);
  const auto A = indexed(tensor);
  const std::vector<double> before(tensor.begin(), tensor.end());
  const auto refused = [&](status code, std::initializer_list<std::string_view> words, const auto& statement) {
    check_failure(code, words, statement);
    CHECK(std::equal(tensor.begin(), tensor.end(), before.begin()));
  };
  refused(status::overlap, {"overlaps input 1"}, [&] { A(i, j, m(0, 2), n) -= A(i, k, m, 0) * A(k, j, 0, n); });
  refused(status::overlap, {"overlaps input 2"}, [&] { A(i, j, m, n(1, 2)) -= A(i, k, m, 0) * A(k, j, 0, n); });
  refused(status::shape_mismatch, {"(i, k, m, 3) of 4x4x3x3", "3 is outside of dimension 3, which has 3"},
          [&] { A(i, j, m(1, 2), n(1, 2)) = A(i, k, m, 3) * A(k, j, 0, n); });
  refused(status::shape_mismatch, {"m(1, 3)", "dimension 2, which has 3"},
          [&] { A(i, j, m(1, 3), n(1, 2)) = A(i, k, m, 0) * A(k, j, 0, n); });
  refused(status::shape_mismatch, {"-1 is outside"},
          [&] { A(i, j, m(1, 2), n(1, 2)) = A(i, k, m, -1) * A(k, j, 0, n); });
  refused(status::shape_mismatch, {"m(2, 0) ends before"},
          [&] { A(i, j, m(2, 0), n(1, 2)) = A(i, k, m, 0) * A(k, j, 0, n); });
  refused(status::shape_mismatch, {"(i, k, m(0, 1), 0)", "another place has m(1, 2)"},
          [&] { A(i, j, m(1, 2), n(1, 2)) = A(i, k, m(0, 1), 0) * A(k, j, 0, n); });
  refused(status::shape_mismatch, {"3 subscripts of 4 dimensions"},
          [&] { A(i, j, m(1, 2), n(1, 2)) = A(i, k, m) * A(k, j, 0, n); });
  refused(status::bad_einsum, {"index i stands twice"},
          [&] { A(i, j, m(1, 2), n(1, 2)) = A(i, i, m, 0) * A(k, j, 0, n); });
  refused(status::bad_einsum, {"'b'"}, [&] { A(i, j, m(1, 2), b(1, 2)) = A(i, k, m, 0) * A(k, j, 0, 0); });
  refused(status::shape_mismatch, {"k"}, [&] { A(i, j, m(1, 2), n(1, 2)) = A(i, 0, m, k) * A(k, j, 0, n); });
  refused(status::bad_einsum, {"a product of 1 tensors"}, [&] { A(i, j, 1, 1) = 2.0 * A(i, j, 0, 0); });
  CHECK_THROWS_WITH(index_name('0'), Catch::Contains("a to z or A to Z"));
  const auto& constant = tensor;
  refused(status::invalid_argument, {"the output is const"},
          [&] { indexed(constant)(i, j, 1, 1) = A(i, k, 0, 0) * A(k, j, 0, 0); });
}
