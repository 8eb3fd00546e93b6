// SPDX-License-Identifier: BSD-3-Clause
// Pieces of large contractions: they cover the output once, and results have the same bits for any number of threads.
#include <tessera/batch.hpp>
#include <tessera/bound_plan.hpp>
#include <tessera/group.hpp>
#include <tessera/plan.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "src/pieces.hpp"
#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::piece_grid;
using tessera::detail::piece_of;
using tessera::detail::pieces_of;

namespace {

struct cut_sizes {
  index_t m, n;
  std::vector<index_t> loops;
};

problem<double> problem_to_cut(const cut_sizes& of, std::vector<double>& out) {
  problem<double> p;
  p.m = of.m, p.n = of.n, p.k = 1;
  index_t stride = of.m * of.n;
  for (const index_t extent : of.loops) {
    for (run_time_map* map : {&p.left[0].map, &p.right[0].map, &p.out.map}) {
      map->loop_extent[map->loop_rank] = extent;
      map->loop_stride[map->loop_rank++] = stride;
    }
    p.loops *= extent;
    stride *= extent;
  }
  p.out.map.row = 1, p.out.map.col = of.m;
  p.out.map.rows = of.m, p.out.map.cols = of.n;
  p.left[0].map.row = 1, p.right[0].map.col = of.m;
  out.assign(std::size_t(stride), 0);
  p.out.data = out.data();
  p.left[0].data = p.right[0].data = out.data();
  return p;
}

// Counts in `out` how often an entry is in a piece; and whether its place in the inputs is that of the whole.
index_t wrong_places(const problem<double>& whole, const piece_grid& grid, std::vector<double>& out) {
  index_t wrong = 0;
  for (index_t number = 0; number < grid.count; ++number) {
    const problem<double> p = piece_of(whole, grid, number);
    for (index_t l = 0; l < p.loops; ++l)
      for (index_t c = 0; c < p.n; ++c)
        for (index_t r = 0; r < p.m; ++r) {
          const index_t at = p.out.data + p.out.map.offset(r, c, l) - out.data();
          const index_t left = p.left[0].data + p.left[0].map.offset(r, 0, l) - out.data();
          const index_t right = p.right[0].data + p.right[0].map.offset(0, c, l) - out.data();
          const index_t matrix = whole.m * whole.n;
          wrong += left != at / matrix * matrix + at % whole.m;
          wrong += right != at / matrix * matrix + at % matrix / whole.m * whole.m;
          ++out[std::size_t(at)];
        }
  }
  return wrong + std::count_if(out.begin(), out.end(), [](double times) { return times != 1; });
}

template <class T>
bool equal_in_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Large enough for several pieces, by rows, columns, loop steps or all of them.
template <class T>
void check_bits(const char* text, auto a_sizes, auto b_sizes, auto c_sizes) {
  auto a = make_tensor<T>(a_sizes);
  auto b = make_tensor<T>(b_sizes);
  auto c = make_tensor<T>(c_sizes);
  fill_fractions(a.view(), 1);
  fill_fractions(b.view(), 2);
  for (const target where : cpu_targets()) {
    if (where == target::reference) continue;
    INFO(text << " on " << name_of(where));
    std::vector<std::vector<T>> results;
    for (const int threads : {1, 2, 3, 7, 0}) {
      fill_fractions(c.view(), 3);
      const plan made = make_plan(contraction(text, {1.25, 0.5}), a, b, c, on(where, threads));
      CHECK(made.describe().find(" pieces") != std::string::npos);
      made.run(a, b, c);
      results.emplace_back(c.begin(), c.end());
    }
    for (const auto& result : results) CHECK(equal_in_bits(result, results[0]));
    fill_fractions(c.view(), 3);
    make_plan(contraction(text, {1.25, 0.5}), a, b, c, on(where, 2)).bind(a, b, c).run(0, 1);
    CHECK(equal_in_bits(std::vector<T>(c.begin(), c.end()), results[0]));
  }
}

}  // namespace

TEST_CASE("pieces cover the output once", "[pieces]") {
  for (const cut_sizes& of :
       {cut_sizes{300, 200, {}}, cut_sizes{300, 1, {}}, cut_sizes{1, 300, {}}, cut_sizes{7, 3, {50}},
        cut_sizes{7, 3, {5, 10, 4}}, cut_sizes{64, 40, {2, 3}}, cut_sizes{5, 5, {1, 7, 1, 31}}})
    for (const double flops : {1.0, 7.9e6, 8e6, 1.3e7, 1e8, 7.7e8, 1e12}) {
      std::vector<double> out;
      const problem<double> p = problem_to_cut(of, out);
      const piece_grid grid = pieces_of(p.m, p.n, p.out.map, flops, {});
      INFO(of.m << " x " << of.n << ", " << p.loops << " steps, " << flops << " flops: " << grid.count << " pieces");
      CHECK((grid.count > 1) == (flops >= 8e6));
      CHECK(double(grid.count) <= std::max(1.0, flops / 4e6));
      CHECK(wrong_places(p, grid, out) == 0);
    }
}

TEST_CASE("rows and columns of compiled rows stay whole", "[pieces]") {
  std::vector<double> out;
  const problem<double> p = problem_to_cut({200, 300, {3}}, out);
  const piece_grid neither = pieces_of(p.m, p.n, p.out.map, 1e9, {.rows = false, .cols = false});
  CHECK(neither.count == 3);
  CHECK((neither.rows == 200 && neither.cols == 300));
  const piece_grid columns = pieces_of(p.m, p.n, p.out.map, 1e9, {.rows = false, .cols = true});
  CHECK(columns.rows == 200);
  CHECK(columns.count > 3);
}

TEST_CASE("pieces of operands addressed by tables", "[pieces]") {
  std::vector<double> out;
  problem<double> p = problem_to_cut({40, 30, {3, 5}}, out);
  std::vector<index_t> table(out.size());
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = index_t(i * 7 % table.size());
  p.out.map.table = table.data();
  const piece_grid grid = pieces_of(p.m, p.n, p.out.map, 1e9, {});
  CHECK(grid.count > 15);
  for (index_t number = 0; number < grid.count; ++number) {
    const problem<double> piece = piece_of(p, grid, number);
    for (index_t l = 0; l < piece.loops; ++l)
      for (index_t c = 0; c < piece.n; ++c)
        for (index_t r = 0; r < piece.m; ++r) ++out[std::size_t(piece.out.map.offset(r, c, l))];
  }
  CHECK(std::all_of(out.begin(), out.end(), [](double times) { return times == 1; }));
}

TEST_CASE("large contractions have the same bits for any number of threads", "[pieces][determinism]") {
  check_bits<double>("ik,kj->ij", of_size(301, 150), of_size(150, 203), of_size(301, 203));
  check_bits<float>("ki,kj->ij", of_size(150, 301), of_size(150, 203), of_size(301, 203));
  check_bits<double>("aibj,bk->ikaj", of_size(20, 13, 70, 11), of_size(70, 30), of_size(13, 30, 20, 11));
  check_bits<double>("acd,dbc->ab", of_size(90, 19, 61), of_size(61, 90, 19), of_size(90, 90));  // two summed indices
  check_bits<float>("acd,dbc->ab", of_size(90, 19, 61), of_size(61, 90, 19), of_size(90, 90));
  check_bits<double>("ik,kj->ij", tile_by<4, 4>(of_size(150, 140)), of_size(140, 230), of_size(150, 230));  // a table
  check_bits<double>("jk,k->j", of_size(3000, 1500), of_size(1500), of_size(3000));
  check_bits<double>("a,b->ab", of_size(2500), of_size(2000), of_size(2500, 2000));
  check_bits<double>("ab,ab->ab", of_size(3000, 2000), of_size(3000, 2000), of_size(3000, 2000));
}

TEST_CASE("large entries of batches and groups have the bits that they have alone", "[pieces][determinism]") {
  const index_t count = 3;
  const auto a_sizes = of_size(130, 17, 21), b_sizes = of_size(21, 110, 17);
  const auto c_sizes = of_size(130, 110);
  const contraction what("acd,dbc->ab");
  for (const target where : cpu_targets()) {
    if (where == target::reference) continue;
    INFO(name_of(where));
    auto a = make_batch<double>(a_sizes, count), b = make_batch<double>(b_sizes, count);
    auto c = make_batch<double>(c_sizes, count);
    fill_fractions(a.view(), 1);
    fill_fractions(b.view(), 2);
    const plan made = make_plan(what, a, b, c, on(where, 2));
    CHECK(made.describe().find(" pieces") != std::string::npos);
    made.run(a, b, c);
    const std::vector<double> wanted = read(c.view()).value;
    std::vector<double> alone;
    for (index_t e = 0; e < count; ++e) {
      auto one = make_batch<double>(c_sizes, 1);
      made.run(view_batch(a(e).data(), a_sizes, 1), view_batch(b(e).data(), b_sizes, 1), one);
      alone.insert(alone.end(), one.begin(), one.end());
    }
    CHECK(equal_in_bits(alone, wanted));
    // The same tensors in another order.
    std::vector<double*> members[3];
    auto results = make_batch<double>(c_sizes, count);
    for (index_t e = count; e-- > 0;) {
      members[0].push_back(a(e).data()), members[1].push_back(b(e).data());
      members[2].push_back(results(e).data());
    }
    const auto ga = view_group(members[0].data(), a_sizes, count), gb = view_group(members[1].data(), b_sizes, count);
    const auto gc = view_group(members[2].data(), c_sizes, count);
    make_plan(what, ga, gb, gc, on(where, 3)).run(ga, gb, gc);
    CHECK(equal_in_bits(read(results.view()).value, wanted));
  }
}

TEST_CASE("large interleaved tensors run in pieces", "[pieces]") {
  const index_t count = 6;
  auto a = make_batch<double>(interleave<4>(of_size(200, 120)), count);
  auto b = make_batch<double>(interleave<4>(of_size(120, 180)), count);
  auto c = make_batch<double>(interleave<4>(of_size(200, 180)), count);
  fill_integers(a.view(), 1);
  fill_integers(b.view(), 2);
  const plan made = make_plan(contraction("ik,kj->ij"), a, b, c, {.threads = 2});
  CHECK(made.describe().find(" pieces") != std::string::npos);
  made.run(a, b, c);
  index_t wrong = 0;
  for (index_t e = 0; e < count; ++e)
    for (index_t j = 0; j < 180; ++j)
      for (index_t i = 0; i < 200; ++i) {
        double sum = 0;
        for (index_t k = 0; k < 120; ++k) sum += a(e)(i, k) * b(e)(k, j);
        wrong += c(e)(i, j) != sum;
      }
  CHECK(wrong == 0);
}

TEST_CASE("large contractions of other types run in pieces", "[pieces]") {
  auto a = make_tensor<complex<float>>(of_size(150, 13, 9));
  auto b = make_tensor<complex<float>>(of_size(9, 300, 13));
  auto c = make_tensor<complex<float>>(of_size(150, 300)), wanted = make_tensor<complex<float>>(of_size(150, 300));
  integer_source next(5);
  for (auto* t : {&a, &b})
    for (auto& entry : *t) entry = {float(next()), float(next())};
  const contraction what("acd,dbc->ab", {complex<double>(1, 2), complex<double>(0, 0)});
  make_plan(what, a, b, wanted, on(target::reference, 1)).run(a, b, wanted);
  for (const target where : cpu_targets()) {
    const plan made = make_plan(what, a, b, c, on(where, 3));
    INFO(made.describe());
    CHECK(made.describe().find(" pieces") != std::string::npos);
    made.run(a, b, c);
    CHECK(std::equal(c.begin(), c.end(), wanted.begin()));
  }
}
