// SPDX-License-Identifier: BSD-3-Clause
// Plans of few results of long sums on a GPU: dot products, matrices by vectors and thin products of all types and
// pairs of operations against the plan of a CPU, exact in integers; the same bits in every run, in graphs and streams.
#include <tessera/gpu/detail/graph.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/tessera.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "testing/gpu.hpp"
#include "testing/jit.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// So long that sums get parts on every GPU, and no power of two.
constexpr index_t terms = 60007;

bool absent_or_old() {
  if (absent()) return true;
  if (device::info().major >= 8) return false;
  skip("a GPU without kernels of general contractions");
  return true;
}

struct sized_contraction {
  const char* text;
  std::vector<index_t> left, right, out;
};
// The sum nearest in both, in one and in none; several indices of it that do not merge.
std::vector<sized_contraction> long_sums_of(index_t k) {
  return {{"k,k->", {k}, {k}, {}},
          {"akb,kab->", {5, k / 35, 7}, {k / 35, 5, 7}, {}},
          {"ak,k->a", {70, k}, {k}, {70}},
          {"k,ka->a", {k}, {k, 21}, {21}},
          {"ki,kj->ij", {k, 4}, {k, 3}, {4, 3}},
          {"ik,jk->ji", {8, k}, {8, k}, {8, 8}},
          {"ki,jk->ij", {k, 24}, {33, k}, {24, 33}},
          {"kib,kb->ib", {k, 2, 3}, {k, 3}, {2, 3}}};
}

template <class T>
T small_integer(index_t i) {
  const int number = int(i * 7919 % 5) - 2;
  if constexpr (is_complex<T>)
    return {decltype(T::re)(number), decltype(T::re)(int(i * 104729 % 3) - 1)};
  else
    return T(float(number));
}
template <class T>
T rounding_number(index_t i) {
  const double number = std::sqrt(2 + double(i * 7919 % 1000));
  if constexpr (is_complex<T>)
    return {decltype(T::re)(number), decltype(T::re)(1 - number)};
  else
    return T(float(number));
}

template <class T>
class numbers_in_both {
 public:
  numbers_in_both(const std::vector<index_t>& extents, index_t count, T (*number)(index_t)) {
    operand_.type = scalar_of<T>;
    operand_.entry_bytes = sizeof(T);
    operand_.batched = count > 1;
    index_t size = 1;
    for (const index_t extent : extents) {
      operand_.facts.extent[operand_.facts.rank] = extent;
      operand_.facts.stride[operand_.facts.rank++] = size;
      size *= extent;
    }
    operand_.span = size;
    operand_.stride = count > 1 ? size : 0;
    operand_.count = count;
    for (index_t i = 0; i < size * count; ++i) host_.push_back(number(i));
    there_ = buffer(space_kind::gpu, bytes());
    write();
  }

  operand in(space_kind space) {
    operand o = operand_;
    o.space = space;
    o.data = space == space_kind::gpu ? there_.data() : host_.data();
    return o;
  }
  void write() { copy_memory(there_.data(), host_.data(), bytes()); }
  /// Numbers that differ; 0 and -0 do not.
  index_t wrong() const {
    const std::vector<T> found = read();
    index_t count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) count += !(found[i] == host_[i]);
    return count;
  }
  std::vector<char> bits() const {
    const std::vector<T> found = read();
    std::vector<char> all(bytes());
    std::memcpy(all.data(), found.data(), all.size());
    return all;
  }

 private:
  std::size_t bytes() const { return host_.size() * sizeof(T); }
  std::vector<T> read() const {
    std::vector<T> found(host_.size());
    copy_memory(found.data(), there_.data(), bytes());
    return found;
  }

  operand operand_{};
  std::vector<T> host_;
  buffer there_;
};

template <class In, class Out>
struct in_both_spaces {
  numbers_in_both<In> left, right;
  numbers_in_both<Out> out;

  in_both_spaces(const sized_contraction& c, index_t count, In (*entry)(index_t), Out (*before)(index_t))
      : left(c.left, count, entry), right(c.right, count, entry), out(c.out, count, before) {}
  std::array<operand, 3> in(space_kind space) { return {left.in(space), right.in(space), out.in(space)}; }
  plan make(const contraction& what, space_kind space, const plan_options& options = {}) {
    return make_plan_of(what, in(space).data(), 3, options);
  }
  void run(const plan& by, space_kind space, stream_view on = {}) { by.run_operands(in(space).data(), 3, on); }
};

bool has_parts(const plan& made) { return made.workspace_bytes() > 0; }

// On both, with exact sums.
template <class In, class Out = In>
void check_exact(const sized_contraction& c, const contraction& what, index_t count = 1) {
  in_both_spaces<In, Out> data(c, count, &small_integer<In>, &small_integer<Out>);
  const plan made = data.make(what, space_kind::gpu);
  INFO(made.describe());
  CHECK(made.row().starts_with("general "));
  CHECK(has_parts(made));
  CHECK(made.describe().find(" parts, which a second kernel adds up in their order; " +
                             std::to_string(made.workspace_bytes()) + " bytes of workspace") != std::string::npos);
  data.run(made, space_kind::gpu);
  data.run(data.make(what, space_kind::cpu), space_kind::cpu);
  CHECK(data.out.wrong() == 0);
}

// All shapes by one type.
template <class In, class Out = In, class Sum = Out>
void check_shapes(index_t k) {
  for (const sized_contraction& c : long_sums_of(k))
    check_exact<In, Out>(c, contraction(c.text, {2, -1}, scalar_of<Sum>));
}

}  // namespace

TEST_CASE("gpu long sums: every shape, in double, float and half", "[gpu][plan][general]") {
  if (absent_or_old()) return;
  check_shapes<double>(terms);
  check_shapes<float>(terms);
  check_shapes<half, float, float>(terms);
  check_shapes<bfloat16, float, float>(terms);
}

TEST_CASE("gpu long sums: every shape, of complex numbers and integers", "[gpu][plan][general]") {
  if (absent_or_old()) return;
  check_shapes<complex<float>>(terms);
  check_shapes<complex<double>>(terms);
  check_shapes<int>(terms);
  check_shapes<long long>(terms);
  check_shapes<short, int, long long>(terms);
}

TEST_CASE("gpu long sums: pairs of operations, functions and an addend of its own", "[gpu][plan][general]") {
  if (absent_or_old()) return;
  for (const sized_contraction& c : long_sums_of(terms)) {
    for (const operations& pair : {min_plus, max_plus, max_times, or_and}) {
      check_exact<float>(c, contraction(c.text).over(pair));
      check_exact<int>(c, contraction(c.text).over(pair));
    }
    check_exact<double>(c, contraction(c.text, {2, 1}).with({.a = leaky_relu(0.5), .b = relu, .result = relu}));
  }
  // An addend whose indices lie the other way round.
  const sized_contraction thin{"ki,kj+ji->ij", {terms, 6}, {terms, 9}, {6, 9}};
  in_both_spaces<double, double> data(thin, 1, &small_integer<double>, &small_integer<double>);
  numbers_in_both<double> addend({9, 6}, 1, &small_integer<double>);
  const contraction what = contraction(thin.text, {2, 3}).with({.addend = relu});
  for (const space_kind space : {space_kind::gpu, space_kind::cpu}) {
    const operand all[] = {data.left.in(space), data.right.in(space), addend.in(space), data.out.in(space)};
    const plan made = make_plan_of(what, all, 4, {});
    CHECK(has_parts(made) == (space == space_kind::gpu));
    made.run_operands(all, 4, {});
  }
  CHECK(data.out.wrong() == 0);
}

TEST_CASE("gpu long sums: batches, by parts while they are small", "[gpu][plan][general]") {
  if (absent_or_old()) return;
  const sized_contraction dots{"k,k->", {terms}, {terms}, {}};
  check_exact<double>(dots, contraction(dots.text), 5);
  in_both_spaces<double, double> many(dots, 200, &small_integer<double>, &small_integer<double>);
  const plan whole = many.make(contraction(dots.text), space_kind::gpu);
  INFO(whole.describe());
  CHECK_FALSE(has_parts(whole));
  many.run(whole, space_kind::gpu);
  many.run(many.make(contraction(dots.text), space_kind::cpu), space_kind::cpu);
  CHECK(many.out.wrong() == 0);

  // A plan of one runs over more: of the larger results as many at a time as its workspace holds.
  for (const sized_contraction& c : {dots, sized_contraction{"ki,kj->ij", {terms, 64}, {terms, 64}, {64, 64}}}) {
    in_both_spaces<double, double> three(c, 3, &small_integer<double>, &small_integer<double>);
    std::array<operand, 3> all = three.in(space_kind::gpu);
    for (operand& o : all) o.count = 1;
    const plan of_one = make_plan_of(contraction(c.text), all.data(), 3, {});
    INFO(of_one.describe());
    CHECK(has_parts(of_one));
    three.run(of_one, space_kind::gpu);
    three.run(three.make(contraction(c.text), space_kind::cpu), space_kind::cpu);
    CHECK(three.out.wrong() == 0);
  }
}

TEST_CASE("gpu long sums: a plan without a workspace, as networks make them", "[gpu][plan][general]") {
  if (absent_or_old()) return;
  const sized_contraction c{"k,k->", {terms}, {terms}, {}};
  in_both_spaces<double, double> data(c, 1, &small_integer<double>, &small_integer<double>);
  const plan without = data.make(contraction(c.text), space_kind::gpu, {.own_workspace = false});
  INFO(without.describe());
  CHECK_FALSE(has_parts(without));
  CHECK(without.workspace_bytes() == 0);
  data.run(without, space_kind::gpu);
  data.run(data.make(contraction(c.text), space_kind::cpu), space_kind::cpu);
  CHECK(data.out.wrong() == 0);
}

TEST_CASE("gpu long sums: the same bits in every run, and in graphs that outlive the plan", "[gpu][plan][general]") {
  if (absent_or_old()) return;
  const auto check = [&]<class T>(T) {
    for (const sized_contraction& c : long_sums_of(terms)) {
      in_both_spaces<T, T> data(c, 1, &rounding_number<T>, &rounding_number<T>);
      const contraction what(c.text, {1, 1});
      const stream side;
      std::vector<char> first;
      std::unique_ptr<device::graph> captured;
      {
        const plan made = data.make(what, space_kind::gpu);
        REQUIRE(has_parts(made));
        for (int i = 0; i < 5; ++i) {
          data.out.write();
          data.run(made, space_kind::gpu);
          if (i == 0) first = data.out.bits();
          CHECK(data.out.bits() == first);
        }
        captured =
            std::make_unique<device::graph>("test", side, [&](stream_view on) { data.run(made, space_kind::gpu, on); });
      }
      for (int i = 0; i < 3; ++i) {
        data.out.write();
        captured->launch(stream_view(side).handle());
        side.synchronize();
        CHECK(data.out.bits() == first);
      }
    }
  };
  check(double());
  check(float());
  check(complex<double>());
}

TEST_CASE("gpu long sums: runs in several streams use the workspace in turn", "[gpu][plan][general]") {
  if (absent_or_old()) return;
  const sized_contraction thin{"ki,kj->ij", {terms, 24}, {terms, 16}, {24, 16}};
  const contraction what(thin.text);
  using pair_of_types = in_both_spaces<double, double>;
  std::vector<std::unique_ptr<pair_of_types>> data;
  std::vector<stream> streams(4);
  for (std::size_t i = 0; i < 2 * streams.size(); ++i)
    data.push_back(std::make_unique<pair_of_types>(
        thin, 1, i % 2 == 0 ? &small_integer<double> : &rounding_number<double>, &small_integer<double>));
  const plan made = data[0]->make(what, space_kind::gpu);
  REQUIRE(has_parts(made));
  for (std::size_t i = 0; i < data.size(); ++i) data[i]->run(made, space_kind::gpu, streams[i % streams.size()]);
  for (const stream& one : streams) one.synchronize();
  for (std::size_t i = 2; i < data.size(); ++i) CHECK(data[i]->out.bits() == data[i % 2]->out.bits());
  data[0]->run(data[0]->make(what, space_kind::cpu), space_kind::cpu);
  CHECK(data[0]->out.wrong() == 0);
}

TEST_CASE("gpu long sums: a plan that does not wait is right, too", "[gpu][plan][general]") {
  if (absent_or_old()) return;
  const sized_contraction c{"k,k->", {terms + 4}, {terms + 4}, {}};
  in_both_spaces<float, float> data(c, 1, &small_integer<float>, &small_integer<float>);
  const plan early = data.make(contraction(c.text), space_kind::gpu, {.wait = false});
  INFO(early.describe());
  CHECK(has_parts(early) == early.row().starts_with("general f32 by multiply-adds (rows "));
  data.run(early, space_kind::gpu);
  data.run(data.make(contraction(c.text), space_kind::cpu), space_kind::cpu);
  CHECK(data.out.wrong() == 0);
  CHECK(has_parts(data.make(contraction(c.text), space_kind::gpu)));
}

TEST_CASE("gpu long sums: small ones for the sanitizers", "[gpu][plan][general][sanitize]") {
  if (absent_or_old()) return;
  const std::vector<sized_contraction> all = long_sums_of(terms);
  for (const int i : {0, 3, 4, 6}) {
    const sized_contraction& c = all[std::size_t(i)];
    check_exact<double>(c, contraction(c.text, {1, 1}));
    check_exact<half, float>(c, contraction(c.text, {1, 1}, scalar_type::f32));
  }
}
