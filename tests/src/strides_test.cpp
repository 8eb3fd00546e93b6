// SPDX-License-Identifier: BSD-3-Clause
// Strides of 0 and negative ones, and empty groups of indices: plans, checks of overlap, copies, lists and chains.
#include <tessera/batch.hpp>
#include <tessera/chain.hpp>
#include <tessera/copy.hpp>
#include <tessera/executor.hpp>
#include <tessera/group.hpp>
#include <tessera/indexed.hpp>
#include <tessera/plan.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "testing/definition.hpp"
#include "testing/failure.hpp"
#include "testing/skip.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const contraction strided_product("ik,kj->ij");

// By a plan on every target, over operands that are filled with integers first.
template <class A, class B, class C>
void check_strided(const char* text, const A& a, const B& b, const C& c) {
  using T = typename C::value_type;
  for (const target where : cpu_targets()) {
    INFO(text << " on " << name_of(where));
    fill_integers(a, 1);
    fill_integers(b, 2);
    fill_integers(c, 3);
    const contraction what(text, {2, -1});
    const wanted_result wanted = by_definition<T>(what, {read(a), read(b)}, read(c));
    make_plan(what, a, b, c, on(where)).run(a, b, c);
    CHECK(count_different(read(c), wanted) == 0);
  }
}

template <class T>
void check_reversed() {
  std::vector<T> a(40), b(60), c(80);
  // Rows, columns or both backwards; entry (0, 0) is behind the others.
  check_strided("ik,kj->ij", view(a.data() + 4, strided(of_size(5, 7), -1, 5)), view(b.data(), of_size(7, 6)),
                view(c.data() + 29, strided(of_size(5, 6), -1, -5)));
  check_strided("ik,kj->ij", view(a.data() + 34, strided(of_size(5, 7), -1, -5)),
                view(b.data() + 41, strided(of_size(7, 6), -1, -7)), view(c.data(), of_size(5, 6)));
  check_strided("ki,kj->ij", view(a.data() + 6, strided(of_size(7, 5), -1, 7)),
                view(b.data(), strided(of_size(7, 6), 6, 1)), view(c.data() + 4, strided(of_size(5, 6), -1, 5)));
  check_strided("ab,ab->ab", view(a.data() + 4, strided(of_size(5, 7), -1, 5)), view(b.data(), of_size(5, 7)),
                view(c.data() + 34, strided(of_size(5, 7), -1, -5)));
}

template <class T>
void check_repeated() {
  std::vector<T> a(40), b(60), c(80);
  check_strided("ik,kj->ij", view(a.data(), strided(of_size(5, 7), 0, 1)), view(b.data(), of_size(7, 6)),
                view(c.data(), of_size(5, 6)));
  check_strided("ik,kj->ij", view(a.data(), strided(of_size(5, 7), 1, 0)), view(b.data(), strided(of_size(7, 6), 0, 0)),
                view(c.data(), of_size(5, 6)));
  check_strided("ab,ab->ab", view(a.data(), strided(of_size(5, 7), 1, 0)), view(b.data(), strided(of_size(5, 7), 0, 0)),
                view(c.data(), of_size(5, 7)));
}

}  // namespace

TEST_CASE("reversed axes of inputs and outputs", "[plan][strides]") {
  check_reversed<double>();
  check_reversed<float>();
}

TEST_CASE("inputs that repeat along an axis", "[plan][strides]") {
  check_repeated<double>();
  check_repeated<float>();
}

TEST_CASE("reversed batches, interleaved and as groups", "[plan][strides]") {
  std::vector<double> a(200), b(300), c(400);
  const auto a_layout = strided(of_size(5, 7), -1, -5), c_layout = strided(of_size(5, 6), 6, -1);
  check_strided("ik,kj->ij", view_batch(a.data() + 34, a_layout, 5, 36), view_batch(b.data(), of_size(7, 6), 5),
                view_batch(c.data() + 5, c_layout, 5, 30));
  const auto lanes = interleave<4>(strided(of_size(3, 4), -1, 3));
  check_strided("ik,kj->ij", view_batch(a.data() + 8, lanes, 8, 48),
                view_batch(b.data(), interleave<4>(of_size(4, 5)), 8),
                view_batch(c.data() + 8, interleave<4>(strided(of_size(3, 5), -1, 3)), 8, 60));

  std::vector<double*> as, bs, cs;
  for (index_t e = 0; e < 3; ++e) {
    as.push_back(a.data() + 34 + 40 * (2 - e)), bs.push_back(b.data() + 42 * e);
    cs.push_back(c.data() + 5 + 31 * e);
  }
  const auto ga = view_group(as.data(), a_layout, 3), gc = view_group(cs.data(), c_layout, 3);
  const auto gb = view_group(bs.data(), of_size(7, 6), 3);
  std::iota(a.begin(), a.end(), -50), std::iota(b.begin(), b.end(), -99);
  for (const target where : cpu_targets()) {
    std::fill(c.begin(), c.end(), 0.0);
    make_plan(strided_product, ga, gb, gc, on(where)).run(ga, gb, gc);
    index_t wrong = 0;
    for (index_t e = 0; e < 3; ++e)
      for (index_t i = 0; i < 5; ++i)
        for (index_t j = 0; j < 6; ++j) {
          double sum = 0;
          for (index_t k = 0; k < 7; ++k) sum += ga(e)(i, k) * gb(e)(k, j);
          wrong += gc(e)(i, j) != sum;
        }
    INFO(name_of(where));
    CHECK(wrong == 0);
  }
}

TEST_CASE("overlap is found where strides are negative", "[overlap][strides]") {
  std::vector<double> memory(200);
  double* const p = memory.data();
  const auto a = view(p + 150, of_size(3, 3));
  // The output's entries are p[80], p[79], ..., p[72].
  const auto out = view(p + 80, strided(of_size(3, 3), -1, -3));
  const auto run = [&](const double* b) {
    make_plan(strided_product, a, view(b, of_size(3, 3)), out).run(a, view(b, of_size(3, 3)), out);
  };
  CHECK(failure_of([&] { run(p + 81); }).code == status::ok);
  CHECK(failure_of([&] { run(p + 63); }).code == status::ok);
  check_failure(status::overlap, {"the output overlaps input 2"}, [&] { run(p + 80); });
  check_failure(status::overlap, {"the output overlaps input 2"}, [&] { run(p + 64); });
  // Every second entry, read backwards between those that are written.
  const auto odd = view(p + 97, strided(of_size(3, 3), -2, -6)), even = view(p + 80, strided(of_size(3, 3), 2, 6));
  CHECK(failure_of([&] { make_plan(strided_product, a, odd, even).run(a, odd, even); }).code == status::ok);
  const auto same = view(p + 96, strided(of_size(3, 3), -2, -6));
  check_failure(status::overlap, {"the output overlaps input 2"},
                [&] { make_plan(strided_product, a, same, even).run(a, same, even); });
  // Two entries of one output, by opposite directions.
  check_failure(status::overlap, {"two entries of the output share one address"},
                [&] { make_plan(strided_product, a, a, view(p + 80, strided(of_size(3, 3), 1, -1))); });
  // In place, but for the direction.
  const contraction entrywise("ab,ab->ab");
  const auto forward = view(p, of_size(3, 3));
  const auto backward = view(p + 8, strided(of_size(3, 3), -1, -3));
  CHECK(failure_of([&] { make_plan(entrywise, forward, a, forward).run(forward, a, forward); }).code == status::ok);
  check_failure(status::overlap, {"the output overlaps input 1"},
                [&] { make_plan(entrywise, forward, a, backward).run(forward, a, backward); });
}

TEST_CASE("batches of reversed tensors may not overlap", "[overlap][strides]") {
  std::vector<double> memory(200);
  const auto a = view(memory.data() + 150, of_size(3, 3));
  const auto layout = strided(of_size(3, 3), -1, -3);
  const auto run = [&](index_t stride) {
    const auto out = view_batch(memory.data() + 8, layout, 4, stride);
    make_plan(strided_product, a, a, out).run(a, a, out);
  };
  CHECK(failure_of([&] { run(9); }).code == status::ok);
  check_failure(status::overlap, {"batch entries of the output overlap, stride 8"}, [&] { run(8); });
  std::vector<double*> members{memory.data() + 8, memory.data() + 17};
  const auto apart = view_group(members.data(), layout, 2);
  CHECK(failure_of([&] { make_plan(strided_product, a, a, apart).run(a, a, apart); }).code == status::ok);
  members[1] = memory.data() + 16;
  const auto clash = view_group(members.data(), layout, 2);
  check_failure(status::overlap, {"members 0 and 1"},
                [&] { make_plan(strided_product, a, a, clash).run(a, a, clash); });
}

TEST_CASE("memory of a tensor's own is not reversed", "[strides][errors]") {
  check_failure(status::invalid_argument, {"tensor", "stride -1 over extents 5x3 is negative"},
                [] { make_tensor<double>(strided(of_size(5, 3), -1, 5)); });
  check_failure(status::invalid_argument, {"batch", "stride -5 over extents 5x3 is negative"},
                [] { make_batch<double>(strided(of_size(5, 3), 1, -5), 2); });
}

TEST_CASE("copies of reversed and repeated tensors", "[copy][strides]") {
  std::vector<double> from(100), to(100);
  std::iota(from.begin(), from.end(), 1);
  const auto source = view(from.data() + 14, strided(of_size(5, 3), -1, -5));
  copy(source, view(to.data(), of_size(5, 3)));
  for (index_t i = 0; i < 15; ++i) CHECK(to[std::size_t(i)] == double(15 - i));
  // The same layout on both sides: a block of memory.
  std::fill(to.begin(), to.end(), 0);
  copy(source, view(to.data() + 14, strided(of_size(5, 3), -1, -5)));
  CHECK(std::equal(to.begin(), to.begin() + 15, from.begin()));
  CHECK(to[15] == 0);
  copy(view(from.data(), strided(of_size(5, 3), 0, 1)), view(to.data(), of_size(5, 3)));
  for (index_t i = 0; i < 15; ++i) CHECK(to[std::size_t(i)] == double(i / 5 + 1));
  check_failure(status::overlap, {"copy", "entries of the destination share addresses", "dimension 0 of extent 5"},
                [&] { copy(source, view(to.data(), strided(of_size(5, 3), 0, 1))); });
}

TEST_CASE("lists of reversed items run in their order", "[executor][strides]") {
  std::vector<double> x(64);
  std::iota(x.begin(), x.end(), 0);
  auto a = make_tensor<double>(of_size(4, 4));
  for (index_t i = 0; i < 4; ++i) a(i, i) = 2;
  // The second item reads what the first one wrote, from the other end.
  const auto first = view(x.data() + 31, strided(of_size(4, 4), -1, -4));
  const auto second = view(x.data() + 16, of_size(4, 4));
  const auto last = view(x.data() + 63, strided(of_size(4, 4), -1, -4));
  const auto in = view(x.data(), of_size(4, 4));
  const std::vector<executor_item> items{{strided_product, {operand_of(a), operand_of(in), operand_of(first)}},
                                         {strided_product, {operand_of(a), operand_of(second), operand_of(last)}}};
  executor(items).run();
  for (index_t i = 0; i < 16; ++i) CHECK(x[std::size_t(31 - i)] == 2.0 * double(i));
  for (index_t i = 0; i < 16; ++i) CHECK(x[std::size_t(63 - i)] == 2 * x[std::size_t(16 + i)]);
}

TEST_CASE("chains over reversed tensors", "[chain][strides]") {
  const index_t count = 20;
  auto a = make_tensor<double>(of_size(3, 3)), b = make_tensor<double>(of_size(3, 3));
  fill_integers(a.view(), 1);
  fill_integers(b.view(), 2);
  std::vector<double> x(std::size_t(9 * count)), y(std::size_t(9 * count));
  std::iota(x.begin(), x.end(), -30);
  const auto layout = strided(of_size(3, 3), -1, -3);
  const auto in = view_batch(x.data() + 8, layout, count, 9), out = view_batch(y.data() + 8, layout, count, 9);
  for (const target where : cpu_targets()) {
    std::fill(y.begin(), y.end(), 0);
    const chain c({{strided_product, {operand_of(a)}}, {strided_product, {operand_of(b)}}}, operand_of(in),
                  operand_of(out), on(where));
    buffer workspace(space_kind::cpu, c.workspace_bytes(count));
    c.run(in, out, workspace);
    index_t wrong = 0;
    for (index_t e = 0; e < count; ++e)
      for (index_t i = 0; i < 3; ++i)
        for (index_t j = 0; j < 3; ++j) {
          double sum = 0;
          for (index_t k = 0; k < 3; ++k)
            for (index_t l = 0; l < 3; ++l) sum += b(i, k) * a(k, l) * in(e)(l, j);
          wrong += out(e)(i, j) != sum;
        }
    INFO(name_of(where));
    CHECK(wrong == 0);
  }
}

TEST_CASE("empty groups of indices", "[plan][strides]") {
  std::vector<double> a(400), b(400), c(400);
  const auto scalar = of_size();
  check_strided("ab,ab->", view(a.data(), of_size(9, 7)), view(b.data(), of_size(9, 7)), view(c.data(), scalar));
  check_strided("ab,ba->", view(a.data(), of_size(9, 7)), view(b.data(), of_size(7, 9)), view(c.data(), scalar));
  check_strided("abc,cba->", view(a.data() + 3, strided(of_size(4, 7, 5), -1, 4, 28)), view(b.data(), of_size(5, 7, 4)),
                view(c.data(), scalar));
  check_strided(",->", view(a.data(), scalar), view(b.data(), scalar), view(c.data(), scalar));
  check_strided("a,->a", view(a.data(), of_size(9)), view(b.data(), scalar),
                view(c.data() + 8, strided(of_size(9), -1)));
  check_strided("a,b->ab", view(a.data(), of_size(9)), view(b.data(), of_size(7)), view(c.data(), of_size(9, 7)));
  check_strided("a,b->ba", view(a.data() + 8, strided(of_size(9), -1)), view(b.data(), strided(of_size(7), 0)),
                view(c.data(), of_size(7, 9)));
  check_strided("ab,b->a", view(a.data(), of_size(9, 7)), view(b.data(), of_size(7)), view(c.data(), of_size(9)));
  check_strided("b,ab->a", view(b.data(), of_size(7)), view(a.data(), of_size(9, 7)), view(c.data(), of_size(9)));
  check_strided("abc,abc->cab", view(a.data(), of_size(5, 3, 7)), view(b.data(), of_size(5, 3, 7)),
                view(c.data(), of_size(7, 5, 3)));
  check_strided("abc,cab->abc", view(a.data(), of_size(1, 3, 7)), view(b.data(), of_size(7, 1, 3)),
                view(c.data(), of_size(1, 3, 7)));
  check_strided("ab,bc->ac", view(a.data(), of_size(5, 0)), view(b.data(), of_size(0, 4)),
                view(c.data(), of_size(5, 4)));
  check_strided("ab,bc->ac", view(a.data(), strided(of_size(5, 0), -1, -5)), view(b.data(), of_size(0, 0)),
                view(c.data(), of_size(5, 0)));
}

TEST_CASE("index notation over reversed axes", "[indexed][strides]") {
  std::vector<double> a(30), b(30), c(30);
  const auto A = view(a.data() + 5, strided(of_size(6, 5), -1, 6));
  const auto B = view(b.data(), of_size(5, 6));
  const auto C = view(c.data() + 29, strided(of_size(6, 5), -1, -6));
  fill_integers(A, 1);
  fill_integers(B, 2);
  namespace name = index_names;
  indexed(C)(name::i(1, 4), name::j(0, 2)) = indexed(A)(name::i(1, 4), name::k) * indexed(B)(name::k, name::j(0, 2));
  for (index_t i = 0; i < 6; ++i)
    for (index_t j = 0; j < 5; ++j) {
      double sum = 0;
      const bool is_written = 1 <= i && i <= 4 && j <= 2;
      for (index_t k = 0; is_written && k < 5; ++k) sum += A(i, k) * B(k, j);
      CHECK(C(i, j) == sum);
    }
  // Of a group, whose addresses stay, such a part would be in front of them.
  std::vector<double*> members{a.data() + 5};
  const auto group = view_group(members.data(), A.layout(), 1);
  check_failure(status::shape_mismatch, {"group", "negative"}, [&] {
    indexed(C)(name::i(1, 2), name::j(0, 1)) =
        indexed(group)(name::i(1, 2), name::k) * indexed(B)(name::k, name::j(0, 1));
  });
}

TEST_CASE("offsets beyond 32 bits, in both directions", "[plan][strides]") {
  const index_t far = index_t{3} << 31;  // entries: 48 GiB
  const std::size_t bytes = std::size_t(4 * far) * sizeof(double);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return skip("no address space");
  auto* const p = static_cast<double*>(memory);
  std::vector<double> b(16);
  const auto A = view(p + far + 2, strided(of_size(3, 2), -1, -far));
  const auto B = view(b.data(), of_size(2, 4));
  const auto C = view(p + 3 * far + 9, strided(of_size(3, 4), -far / 2, -1));
  check_strided("ik,kj->ij", A, B, C);
  CHECK(munmap(memory, bytes) == 0);
}
