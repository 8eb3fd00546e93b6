// SPDX-License-Identifier: BSD-3-Clause
// Groups in plans: the batch's bits on every CPU target, chains, copies, and what is refused.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cmath>

#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/failure.hpp"
#include "testing/scattered.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T, class Shape>
auto filled(const Shape& sizes, index_t count, unsigned seed) {
  auto b = make_batch<T>(sizes, count);
  fill_fractions(b.view(), seed);
  return b;
}

/// Every mixture of groups and batches, by plans made for groups and by one made for batches. Rows that write past the
/// caches are another choice for batches, so the bits are those of the plan that is asked.
template <class T, class A, class B, class Out>
void check_mixtures(const contraction& what, const A& a_sizes, const B& b_sizes, const Out& out_sizes) {
  const index_t count = 7;
  auto a = filled<T>(a_sizes, count, 1);
  auto b = filled<T>(b_sizes, count, 2);
  auto before = filled<T>(out_sizes, count, 3);
  scattered a_apart(a.view());
  scattered b_apart(b.view());
  const wanted_result definition = by_definition<T>(what, {read(a.view()), read(b.view())}, read(before.view()));
  for (const target where : cpu_targets()) {
    INFO(what.text() << " on " << name_of(where));
    const plan of_batches = make_plan(what, a, b, before, on(where));
    auto wanted = filled<T>(out_sizes, count, 3);
    of_batches.run(a, b, wanted);
    const auto run = [&](const auto& x, const auto& y) {
      scattered result(before.view()), own(before.view());
      of_batches.run(x, y, result.group());
      CHECK(result.equals(wanted.view()));
      const plan of_groups = make_plan(what, x, y, own.group(), on(where));
      of_groups.run(x, y, own.group());
      CHECK(count_wrong(read(own.group()), definition) == 0);
      auto in_batch = filled<T>(out_sizes, count, 3);
      of_batches.run(x, y, in_batch);
      CHECK(std::equal(in_batch.begin(), in_batch.end(), wanted.begin()));
    };
    run(a, b);
    run(a_apart.group(), b);
    run(a, b_apart.group());
    run(a_apart.group(), b_apart.group());
  }
}

}  // namespace

TEST_CASE("plan: threads share the members of a group", "[plan][group]") {
  const contraction what("ik,kj->ij");
  const index_t count = 401;
  auto a = filled<double>(of_size(8, 8), count, 1), b = filled<double>(of_size(8, 8), count, 2);
  auto wanted = filled<double>(of_size(8, 8), count, 3);
  make_plan(what, a, b, wanted, plan_options{.threads = 1}).run(a, b, wanted);
  scattered x(a.view()), y(b.view());
  for (const int threads : {1, 2, 3}) {
    INFO(threads << " threads");
    auto before = filled<double>(of_size(8, 8), count, 4);
    scattered result(before.view());
    const plan shared = make_plan(what, x.group(), y.group(), result.group(), plan_options{.threads = threads});
    shared.run(x.group(), y.group(), result.group());
    CHECK(result.equals(wanted.view()));
  }
}

TEST_CASE("plan: a group gives the batch's bits, wherever it stands", "[plan][group]") {
  for (const scaling s : {assign, scaling{2, -0.5}}) {
    check_mixtures<double>(contraction("ik,kj->ij", s), of_size(5, 5), of_size(5, 5), of_size(5, 5));
    check_mixtures<float>(contraction("ik,kj->ij", s), of_size(4, 4), of_size(4, 4), of_size(4, 4));
    check_mixtures<double>(contraction("ik,kj->ij", s), of_size<5, 3>(), of_size<3, 4>(), of_size<5, 4>());
    check_mixtures<double>(contraction("kj,ajc->akc", s), of_size(4, 3), of_size(2, 3, 2), of_size(2, 4, 2));
    check_mixtures<double>(contraction("ki,jk->ji", s), row_major(of_size(3, 4)), tile_by<2, 2>(of_size(5, 3)),
                           column_major(of_size(5, 4), 6));
    check_mixtures<double>(contraction("ij,ij->ij", s), of_size(5, 3), of_size(5, 3), of_size(5, 3));
  }
}

TEST_CASE("plan: interleaved batches and shared tables beside groups, kernel (9)", "[plan][group]") {
  auto table = make_tensor<double>(of_size(4, 3));
  fill_fractions(table.view(), 1);
  auto d = filled<double>(interleave<4>(of_size(3, 4, 2)), 7, 2);
  auto out = make_batch<double>(of_size(3, 3, 2, 3), 7);
  const contraction what("si,sj,ksl->kilj");
  for (const target where : cpu_targets()) {
    const plan p = make_plan(what, table, table, d, out, on(where));
    p.run(table, table, d, out);
    scattered<double, std::remove_cvref_t<decltype(out.layout())>> apart(out.layout(), 7);
    p.run(table, table, d, apart.group());
    CHECK(apart.equals(out.view()));
    const std::vector<double*> tables(7, table.data());
    const auto many = view_group(tables.data(), of_size(4, 3), 7);
    scattered<double, std::remove_cvref_t<decltype(out.layout())>> again(out.layout(), 7);
    p.run(many, table, d, again.group());
    CHECK(again.equals(out.view()));
  }
}

TEST_CASE("plan: a run over groups allocates nothing and says how it runs", "[plan][group]") {
  auto a = filled<double>(of_size(5, 3), 9, 1), b = filled<double>(of_size(3, 5), 9, 2);
  auto c = make_batch<double>(of_size(5, 5), 9);
  auto out = make_group<double>(of_size(5, 5));
  for (index_t i = 0; i < 9; ++i) out.push_back(c(i));
  const plan p = make_plan(contraction("ik,kj->ij"), a, b, out);
  CHECK(p.describe().find("members of groups one by one") != std::string::npos);
  CHECK(make_plan(contraction("ik,kj->ij"), a, b, c).describe().find("group") == std::string::npos);
  const std::size_t before = allocation_count();
  p.run(a, b, out);
  CHECK(allocation_count() == before);
  // One more member: the same group, the same plan.
  auto more = make_tensor<double>(of_size(5, 5));
  out.push_back(more);
  auto a10 = filled<double>(of_size(5, 3), 10, 1), b10 = filled<double>(of_size(3, 5), 10, 2);
  p.run(a10, b10, out);
  const auto product = a10 * b10;
  CHECK(std::equal(more.begin(), more.end(), product(9).data()));
}

TEST_CASE("plan: beta = 0 never reads a group, and an empty one is a no-op", "[plan][group]") {
  auto a = filled<double>(of_size(5, 3), 3, 1), b = filled<double>(of_size(3, 5), 3, 2);
  auto c = make_batch<double>(of_size(5, 5), 3);
  const auto none = make_group<double>(of_size(5, 5));
  for (const target where : cpu_targets()) {
    std::fill(c.begin(), c.end(), std::nan(""));
    auto out = make_group<double>(of_size(5, 5));
    for (index_t i = 0; i < 3; ++i) out.push_back(c(i));
    const plan p = make_plan(contraction("ik,kj->ij"), a, b, none, on(where));
    p.run(view_batch(a.data(), of_size(5, 3), 0), view_batch(b.data(), of_size(3, 5), 0), none);
    CHECK(std::all_of(c.begin(), c.end(), [](double x) { return std::isnan(x); }));
    p.run(a, b, out);
    CHECK(std::none_of(c.begin(), c.end(), [](double x) { return std::isnan(x); }));
  }
}

TEST_CASE("plan: what is wrong with a group is said with its member, before anything is written", "[plan][group]") {
  auto a = filled<double>(of_size(3, 2), 4, 1), b = filled<double>(of_size(2, 3), 4, 2);
  const auto c = filled<double>(of_size(3, 3), 4, 3);
  scattered a_apart(a.view()), out(c.view());
  const auto sizes = of_size(3, 3);
  const plan p = make_plan(contraction("ik,kj->ij"), a_apart.group(), b, out.group());
  const auto refused = [&](status code, std::initializer_list<std::string_view> words, const auto& x, const auto& y,
                           const auto& z) {
    check_failure(code, words, [&] { p.run(x, y, z); });
    CHECK(out.equals(c.view()));
  };
  refused(status::shape_mismatch, {"run \"ik,kj->ij\"", "3x2, 2x3 -> 3x3", "input 1 is a group of 3", "of 4"},
          view_group(a_apart.pointers().data(), of_size(3, 2), 3), b, out.group());
  refused(status::shape_mismatch, {"input 2 is a batch of 4", "of 3"},
          view_group(a_apart.pointers().data(), of_size(3, 2), 3), b, view_group(out.pointers().data(), sizes, 3));
  refused(status::shape_mismatch, {"input 1 has extents 2x3", "made for 3x2"},
          view_group(a_apart.pointers().data(), of_size(2, 3), 4), b, out.group());
  refused(status::shape_mismatch, {"input 1 is a group of 4", "one tensor"}, a_apart.group(),
          view(b.data(), of_size(2, 3)), view(out.pointers()[0], sizes));
  refused(status::wrong_space, {"the output is in gpu memory"}, a, b, view_group(gpu, out.pointers().data(), sizes, 4));

  std::vector<double*> twice = out.pointers();
  twice[3] = twice[1];
  refused(status::overlap, {"3x2, 2x3 -> 3x3", "members 1 and 3 of the output's group"}, a, b,
          view_group(twice.data(), sizes, 4));
  std::vector<double*> inside = a_apart.pointers();
  inside[2] = out.pointers()[1] + 8;
  refused(status::overlap, {"overlaps input 1 (member 1 of the output's group, member 2 of the input's)"},
          view_group(inside.data(), of_size(3, 2), 4), b, out.group());
  refused(status::overlap, {"overlaps input 2 (member 3 of the output's group)"}, a,
          view(out.pointers()[3], of_size(2, 3)), out.group());
  refused(status::invalid_argument, {"the output is const"}, a, b,
          view_group(const_cast<const double* const*>(out.pointers().data()), sizes, 4));

  operand unknown = operand_of(out.group());
  unknown.list = nullptr;
  refused(status::invalid_argument, {"the output", "without a list"}, a, b, unknown);
}

TEST_CASE("chain: groups of elements, block by block", "[plan][group]") {
  auto table = make_tensor<double>(of_size(4, 3));
  fill_fractions(table.view(), 1);
  const index_t count = 50;
  auto x = filled<double>(of_size(3, 3), count, 2);
  auto y = make_batch<double>(of_size(4, 4), count);
  const contraction second("kj,ij->ik"), first("kj,jl->kl");
  const std::vector<chain_step> steps{{second, {operand_of(table)}}, {first, {operand_of(table)}}};
  const chain of_batches(steps, operand_of(x), operand_of(y));
  buffer work(space_kind::cpu, of_batches.workspace_bytes(count));
  of_batches.run(x, y, work);
  scattered x_apart(x.view());
  scattered<double, std::remove_cvref_t<decltype(y.layout())>> y_apart(y.layout(), count);
  const chain of_groups(steps, operand_of(x_apart.group()), operand_of(y_apart.group()));
  of_groups.run(x_apart.group(), y_apart.group(), work);
  CHECK(y_apart.equals(y.view()));
  // A part of a group is its members from there on.
  const operand part = slice(operand_of(x_apart.group()), 10, 3);
  CHECK(part.count == 3);
  CHECK(part.member(0) == x_apart.pointers()[10]);
  CHECK(part.members == x_apart.pointers().data() + 10);
}
