// SPDX-License-Identifier: BSD-3-Clause
// Functions of entries, pairs of operations and addends in plans on CPUs: small ones with known results, where they
// run, and what describe() says of them.
#include <tessera/executor.hpp>
#include <tessera/fused.hpp>
#include <tessera/tessera.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "testing/catch.hpp"
#include "testing/drawn_fused.hpp"
#include "testing/says.hpp"
#include "testing/targets.hpp"
#include "testing/typed_product.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr double without_end = std::numeric_limits<double>::infinity();

// The 2x2 product of two 2x2 matrices in column-major order, and an addend where the text has one.
template <class T>
std::vector<T> fused_result(const contraction& what, std::vector<T> a, std::vector<T> b, std::vector<T> out,
                            std::vector<T> addend = {}) {
  const auto matrix = [](std::vector<T>& of) { return view(of.data(), of_size(2, 2)); };
  if (what.addend())
    make_plan(what, matrix(a), matrix(b), matrix(addend), matrix(out))
        .run(matrix(a), matrix(b), matrix(addend), matrix(out));
  else
    make_plan(what, matrix(a), matrix(b), matrix(out)).run(matrix(a), matrix(b), matrix(out));
  return out;
}

const std::vector<double> left_numbers{1, -2, -3, 4}, right_numbers{2, 1, -1, -2};
const contraction square_product("ik,kj->ij");

}  // namespace

TEST_CASE("fused: functions of inputs, output and addend", "[fused]") {
  CHECK(fused_result(square_product, left_numbers, right_numbers, {9, 9, 9, 9}) == std::vector<double>{-1, 0, 5, -6});
  CHECK(fused_result(square_product.with({.a = relu}), left_numbers, right_numbers, {9, 9, 9, 9}) ==
        std::vector<double>{2, 4, -1, -8});
  CHECK(fused_result(square_product.with({.b = leaky_relu(0.5)}), left_numbers, right_numbers, {9, 9, 9, 9}) ==
        std::vector<double>{-1, 0, 2.5, -3});
  CHECK(fused_result(square_product.with({.result = relu}), left_numbers, right_numbers, {9, 9, 9, 9}) ==
        std::vector<double>{0, 0, 5, 0});
  const std::vector<double> smooth =
      fused_result(square_product.with({.result = elu(2)}), left_numbers, right_numbers, {9, 9, 9, 9});
  CHECK(smooth[0] == Approx(2 * std::expm1(-1)));
  CHECK(smooth[2] == 5);
  // The old output is the addend.
  CHECK(fused_result(contraction("ik,kj->ij", {1, 2}).with({.addend = relu}), left_numbers, right_numbers,
                     {1, -1, 1, -1}) == std::vector<double>{1, 0, 7, -6});
  // Another tensor is, transposed.
  CHECK(fused_result(contraction("ik,kj+ji->ij"), left_numbers, right_numbers, {9, 9, 9, 9}, {10, 20, 30, 40}) ==
        std::vector<double>{9, 30, 25, 34});
  CHECK(fused_result(contraction("ik,kj+ij->ij", {2, 0}), left_numbers, right_numbers, {9, 9, 9, 9},
                     {without_end, 20, 30, 40}) == std::vector<double>{-2, 0, 10, -12});
  CHECK(fused_result(contraction("ik,kj+ij->ij", {1, -1}).with({.addend = relu, .result = relu}), left_numbers,
                     right_numbers, {9, 9, 9, 9}, {-10, 20, 3, 40}) == std::vector<double>{0, 0, 2, 0});
}

TEST_CASE("fused: NaN stays NaN in functions of entries", "[fused]") {
  const double nan = std::nan("");
  for (const entry_function& f : {relu, leaky_relu(0.5), elu(1)}) {
    INFO(text_of(f));
    CHECK(std::isnan(fused_result(square_product.with({.a = f}), {nan, 0, 0, 1}, right_numbers, {0, 0, 0, 0})[0]));
  }
}

TEST_CASE("fused: pairs of operations", "[fused]") {
  // Distances of paths of one and of two steps.
  const std::vector<double> way{0, 3, without_end, 0};
  CHECK(fused_result(square_product.over(min_plus), way, way, {9, 9, 9, 9}) ==
        std::vector<double>{0, 3, without_end, 0});
  CHECK(fused_result(square_product.over(min_plus), left_numbers, right_numbers, {9, 9, 9, 9}) ==
        std::vector<double>{-2, 0, -5, -3});
  CHECK(fused_result(square_product.over(max_plus), left_numbers, right_numbers, {9, 9, 9, 9}) ==
        std::vector<double>{3, 5, 0, 2});
  CHECK(fused_result(square_product.over(max_times), left_numbers, right_numbers, {9, 9, 9, 9}) ==
        std::vector<double>{2, 4, 6, 2});
  CHECK(fused_result<double>(square_product.over(or_and), {1, 0, 0, 2}, {0, 3, 0, 0}, {9, 9, 9, 9}) ==
        std::vector<double>{0, 1, 0, 0});
  // beta = 1 adds the output, or an addend, by the pair.
  CHECK(fused_result(contraction("ik,kj->ij", add).over(min_plus), left_numbers, right_numbers, {-9, 9, -9, 9}) ==
        std::vector<double>{-9, 0, -9, -3});
  CHECK(fused_result(contraction("ik,kj+ij->ij").over(max_plus), left_numbers, right_numbers, {99, 99, 99, 99},
                     {4, 4, 4, 4}) == std::vector<double>{4, 5, 4, 4});
  CHECK(fused_result<int>(square_product.over(min_plus), {1, -2, -3, 4}, {2, 1, -1, -2}, {9, 9, 9, 9}) ==
        std::vector<int>{-2, 0, -5, -3});
}

TEST_CASE("fused: a sum of nothing is the neutral element", "[fused]") {
  double none = 0;
  const auto sum_of_nothing = [&](const contraction& what, auto like) {
    decltype(like) out(7);
    const auto a = view(static_cast<decltype(like)*>(static_cast<void*>(&none)), of_size(1, 0));
    const auto b = view(static_cast<decltype(like)*>(static_cast<void*>(&none)), of_size(0, 1));
    const auto to = view(&out, of_size(1, 1));
    make_plan(what, a, b, to).run(a, b, to);
    return out;
  };
  CHECK(sum_of_nothing(square_product.over(min_plus), 0.0) == without_end);
  CHECK(sum_of_nothing(square_product.over(max_times), 0.0f) == -std::numeric_limits<float>::infinity());
  CHECK(sum_of_nothing(square_product.over(max_plus), 0) == std::numeric_limits<int>::lowest());
  CHECK(sum_of_nothing(square_product.over(min_plus), 0ll) == std::numeric_limits<long long>::max());
  CHECK(sum_of_nothing(square_product.over(or_and), 0.0) == 0);
  CHECK(sum_of_nothing(square_product.with({.result = relu}), 0.0) == 0);
}

TEST_CASE("fused: complex numbers", "[fused]") {
  using z = complex<double>;
  const std::vector<z> a{{1, 2}, 0, 0, {0, 1}}, b{{3, 1}, 0, 0, {0, 1}}, zero(4, z(0));
  CHECK(fused_result(square_product.with({.a = conjugate}), a, b, zero)[0] == z(5, -5));
  CHECK(fused_result(square_product.with({.a = conjugate, .result = conjugate}), a, b, zero)[0] == z(5, 5));
  std::vector<z> in = a, out = zero;
  const auto matrix = view(in.data(), of_size(2, 2));
  const auto to = view(out.data(), of_size(2, 2));
  // A view that is read conjugated, and a function that does so again.
  make_plan(square_product.with({.a = conjugate}), conj(matrix), matrix, to).run(conj(matrix), matrix, to);
  CHECK(out[0] == z(-3, 4));
}

TEST_CASE("fused: integers of all sizes, and sums that wrap around", "[fused][types]") {
  CHECK(fused_result<int>(square_product, {1, -2, -3, 4}, {2, 1, -1, -2}, {9, 9, 9, 9}) ==
        std::vector<int>{-1, 0, 5, -6});
  CHECK(fused_result<short>(square_product, {1, -2, -3, 4}, {2, 1, -1, -2}, {9, 9, 9, 9}) ==
        std::vector<short>{-1, 0, 5, -6});
  CHECK(fused_result<long>(contraction("ik,kj->ij", {3, -1}), {1, -2, -3, 4}, {2, 1, -1, -2}, {1, 2, 3, 4}) ==
        std::vector<long>{-4, -2, 12, -22});
  const int most = std::numeric_limits<int>::max();
  CHECK(fused_result<int>(square_product, {most, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 0})[0] ==
        std::numeric_limits<int>::lowest());
  std::vector<short> a{20000, 0, 20000, 0}, b{2, 2, 0, 0};
  std::vector<int> wide(4);
  const auto matrix = [](auto& of) { return view(of.data(), of_size(2, 2)); };
  make_plan(square_product, matrix(a), matrix(b), matrix(wide)).run(matrix(a), matrix(b), matrix(wide));
  CHECK(wide[0] == 80000);
  std::vector<long long> wider(4);
  const contraction in_64("ik,kj->ij", {1 << 20, 0}, scalar_type::i64);
  make_plan(in_64, matrix(a), matrix(b), matrix(wider)).run(matrix(a), matrix(b), matrix(wider));
  CHECK(wider[0] == 80000ll << 20);
}

TEST_CASE("fused: every combination of types is right or refused", "[fused][types]") {
  constexpr scalar_type all[] = {scalar_type::f32, scalar_type::f64, scalar_type::c32,
                                 scalar_type::c64, scalar_type::f16, scalar_type::bf16,
                                 scalar_type::i16, scalar_type::i32, scalar_type::i64};
  const auto converts = [](scalar_type from, scalar_type to) {
    return is_complex_type(to) || (!is_complex_type(from) && (!is_integer_type(to) || is_integer_type(from)));
  };
  struct tensor {
    unsigned char memory[64];
    operand o;
    tensor(scalar_type type, std::initializer_list<int> values) {
      o = {.type = type,
           .entry_bytes = size_of(type),
           .facts = {.rank = 1, .extent = {index_t(values.size())}, .stride = {1}},
           .span = index_t(values.size())};
      int i = 0;
      for (const int value : values) put_number(type, memory + std::size_t(i++) * o.entry_bytes, (long double)(value));
      o.data = memory;
    }
    tensor(const tensor&) = delete;
  };
  int right = 0, refused = 0;
  for (const scalar_type a : all)
    for (const scalar_type b : all)
      for (const scalar_type c : all)
        for (const scalar_type sum : all) {
          tensor left(a, {1, -2, 3}), to_right(b, {2, 3, -1}), out(c, {7});
          out.o.facts.rank = 0;
          const operand operands[] = {left.o, to_right.o, out.o};
          const contraction what("k,k->", {3, 0}, sum);
          const bool allowed = sum != scalar_type::f16 && sum != scalar_type::bf16 && sum != scalar_type::i16 &&
                               converts(a, sum) && converts(b, sum) && converts(sum, c);
          const auto run = [&] { make_plan_of(what, operands, 3, {}).run_operands(operands, 3, {}); };
          INFO(name_of(a) << " " << name_of(b) << " " << name_of(c) << " " << name_of(sum));
          if (allowed) {
            run();
            REQUIRE(number_at(c, out.memory) == fused_number(-21));
            ++right;
          } else {
            REQUIRE_THROWS_AS(run(), error);
            ++refused;
          }
        }
  CHECK(right > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("fused: half with sums in float keeps the bound of float's rounding", "[fused][types]") {
  constexpr index_t n = 1000;
  std::vector<half> a(n), b(n);
  for (index_t i = 0; i < n; ++i) a[std::size_t(i)] = half(float(std::sin(double(i)))), b[std::size_t(i)] = half(0.7f);
  double exact = 0, magnitude = 0;
  for (index_t i = 0; i < n; ++i) {
    const double term = double(float(a[std::size_t(i)])) * double(float(b[std::size_t(i)]));
    exact += std::fmax(term, 0), magnitude += std::fabs(term);
  }
  double out = 0;
  const auto left = view(a.data(), of_size(n)), right = view(b.data(), of_size(n));
  const auto to = view(&out, of_size());
  const contraction what = contraction("k,k->", sums_in<float>()).with({.a = relu});
  make_plan(what, left, right, to).run(left, right, to);
  CHECK(std::fabs(out - exact) <= 0x1p-24 * double(n) * magnitude);
  CHECK(out != exact);
}

TEST_CASE("fused: functions and pairs of the user's", "[fused]") {
  const entry_function square = entry_function::own<double, int>("square", "x * x", [](auto x) { return x * x; });
  CHECK(fused_result(square_product.with({.a = square}), left_numbers, right_numbers, {9, 9, 9, 9}) ==
        std::vector<double>{11, 24, -19, -36});
  CHECK(fused_result<int>(square_product.with({.a = square}), {1, -2, -3, 4}, {2, 1, -1, -2}, {9, 9, 9, 9}) ==
        std::vector<int>{11, 24, -19, -36});
  const operations pair = drawing::least_difference();
  CHECK_FALSE(pair.is_commutative());
  CHECK(fused_result(square_product.over(pair), left_numbers, right_numbers, {9, 9, 9, 9}) ==
        std::vector<double>{-5, -6, 1, 0});
  const entry_function thrower = entry_function::own(
      "thrower", "", [](auto x) -> decltype(x) { throw std::runtime_error("from a function of entries"); });
  CHECK_THROWS_WITH(fused_result(square_product.with({.b = thrower}), left_numbers, right_numbers, {9, 9, 9, 9}),
                    "from a function of entries");
}

TEST_CASE("fused: groups, interleaved batches, parts of batches, any number of threads", "[fused]") {
  constexpr index_t count = 37;
  auto a = make_batch<double>(of_size(3, 4), count);
  auto b = make_batch<float>(interleave<4>(of_size(4, 2)), count);
  std::vector<std::vector<double>> scattered(count, std::vector<double>(6));
  std::vector<double*> members;
  for (auto& one : scattered) members.push_back(one.data());
  const auto out = view_group(members.data(), of_size(3, 2), count);
  unsigned state = 1;
  for (double& x : a) x = fraction<double>(state);
  for (float& x : b) x = fraction<float>(state);
  const contraction what = contraction("ik,kj->ij", sums_in<double>()).with({.a = relu, .result = elu(0.5)});
  const auto result = [&](int threads) {
    plan_options options;
    options.threads = threads;
    make_plan(what, a, b, out, options).run(a, b, out);
    return scattered;
  };
  const auto alone = result(1);
  for (index_t e = 0; e < count; ++e)
    for (index_t j = 0; j < 2; ++j)
      for (index_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (index_t k = 0; k < 4; ++k) sum += std::fmax(a(e)(i, k), 0) * double(b(e)(k, j));
        CHECK(alone[std::size_t(e)][std::size_t(i + 3 * j)] == Approx(sum < 0 ? 0.5 * std::expm1(sum) : sum));
      }
  CHECK(result(3) == alone);
  CHECK(result(16) == alone);
  for (auto& one : scattered) one.assign(6, -1);
  const bound_plan bound = make_plan(what, a, b, out).bind(a, b, out);
  bound.run(5, 11);
  for (index_t e = 0; e < count; ++e) CHECK((scattered[std::size_t(e)] == alone[std::size_t(e)]) == (e >= 5 && e < 16));
}

TEST_CASE("fused: executors keep apart what differs in functions and pairs", "[fused]") {
  std::vector<double> a = left_numbers, b = right_numbers;
  std::vector<std::vector<double>> out(6, std::vector<double>(4));
  const auto matrix = [](std::vector<double>& of) { return view(of.data(), of_size(2, 2)); };
  const entry_function twice = entry_function::own("f", "", [](auto x) { return 2 * x; }),
                       thrice = entry_function::own("f", "", [](auto x) { return 3 * x; });
  const contraction items[] = {square_product,
                               square_product.with({.a = leaky_relu(0.5)}),
                               square_product.with({.a = leaky_relu(0.25)}),
                               square_product.over(min_plus),
                               square_product.with({.a = twice}),
                               square_product.with({.a = thrice})};
  std::vector<executor_item> list;
  for (std::size_t i = 0; i < 6; ++i) list.push_back(make_item(items[i], matrix(a), matrix(b), matrix(out[i])));
  const executor all(list);
  CHECK(all.shapes() == 6);
  all.run();
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(out[i] == fused_result(items[i], left_numbers, right_numbers, {0, 0, 0, 0}));
}

TEST_CASE("fused: describe names types, pair and functions", "[fused][describe]") {
  std::vector<half> a(4);
  std::vector<double> b(4);
  std::vector<float> d(4), out(4);
  const auto matrix = [](auto& of) { return view(of.data(), of_size(2, 2)); };
  const contraction what =
      contraction("ik,kj+ij->ij", add, scalar_type::f32).with({.a = leaky_relu(0.125), .result = relu}).over(min_plus);
  for (const target where : cpu_targets()) {
    const plan made = make_plan(what, matrix(a), matrix(b), matrix(d), matrix(out), on(where));
    INFO(made.describe());
    CHECK(says(made.describe(), "\"ik,kj+ij->ij\" over 2x2, 2x2 + 2x2 -> 2x2"));
    CHECK(says(made.describe(),
               "general f16, f64 + f32 -> f32 with sums in f32 plain loops, min_plus, "
               "leaky_relu 0.125 (A), relu (result)"));
    CHECK(says(made.describe(detail_level::brief), std::string("on ") + name_of(where)));
    CHECK(made.where() == where);
  }
}
