// SPDX-License-Identifier: BSD-3-Clause
// Products of every known type on CPU targets: plans over all transpositions, conjugations, scalings, shared operands,
// groups and odd sizes, and contract<>.
#include <complex>

#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

#include "testing/catch.hpp"
#include "testing/targets.hpp"
#include "testing/typed_product.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class Types>
void check(const typed_case& c) {
  for (const target t : cpu_targets()) {
    INFO(c.text() << " on " << name_of(t));
    CHECK(count_wrong<Types>(c, space_kind::cpu, on(t)) == 0);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("element types: transposed, conjugated, scaled, over NaN", "[types]", f32, f64, c32, c64, f32_in_f64,
                   f16_to_f32, f16, bf16_to_f32, bf16) {
  for (int flags = 0; flags < 16; ++flags)
    for (const typed_case& c : scaled_cases<TestType>({.m = 5, .n = 3, .k = 7, .batch = 3}, flags)) check<TestType>(c);
}

TEMPLATE_TEST_CASE("element types: odd sizes, batches, gaps, shared operands and groups", "[types]", f32, f64, c32, c64,
                   f32_in_f64, f16_to_f32, f16, bf16_to_f32, bf16) {
  for (const index_t n : {1, 2, 9, 16})
    for (const index_t batch : {1, 5, 64})
      for (const char shared : {'n', 'a', 'b'})
        check<TestType>(
            {.m = n, .n = n + 1, .k = 2 * n - 1, .batch = batch, .conj_a = true, .shared = shared, .beta = 1});
  for (const index_t gap : {0, 1, 3})
    check<TestType>({.m = 4, .n = 5, .k = 6, .batch = 7, .conj_b = true, .gap = gap, .start = 1});
  for (const char* const groups : {"a", "bc", "abc"})
    check<TestType>({.m = 4, .n = 5, .k = 6, .batch = 7, .conj_b = true, .grouped = groups, .beta = -1});
  check<TestType>({.m = 3, .n = 4, .k = 0, .batch = 2, .beta = 1});
}

TEST_CASE("element types: sums in double are better than float's", "[types]") {
  // 2^24 + 1 + 1 - 2^24: what float forgets.
  const float a[] = {0x1p24f, 1, 1, -0x1p24f}, ones[] = {1, 1, 1, 1};
  float in_float[1]{}, in_double[1]{};
  const auto left = view(a, of_size<1, 4>());
  const auto right = view(ones, of_size<4, 1>());
  contract<"ik,kj->ij">(left, right, view(in_double, of_size<1, 1>()), sums_in<double>());
  CHECK(in_double[0] == 2);
  const plan in =
      make_plan(contraction("ik,kj->ij", sums_in<double>(add)), left, right, view(in_float, of_size<1, 1>()));
  in.run(left, right, view(in_float, of_size<1, 1>()));
  CHECK(in_float[0] == 2);
  batch_gemm(left, right, view(in_double, of_size<1, 1>()), sums_in<double>(add));
  CHECK(in_double[0] == 4);
}

namespace {

// In -4..4 in each part.
template <class T>
T integer(unsigned& state) {
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return float(int(state >> 16) % 9 - 4);
  };
  if constexpr (is_complex<T>) {
    const float re = next();
    return T(complex<float>(re, next()));
  } else {
    return T(next());
  }
}

// The result of contract<> beside the plan's, which the cases above have checked, of integers, which both sum exactly.
template <class Types, class Sizes, class Scaling>
void check_contract(const Sizes& left, const Sizes& right, const Sizes& result, const Scaling& s) {
  using In = typename Types::in;
  using Out = typename Types::out;
  auto a = make_batch<In>(left, 4);
  auto b = make_tensor<In>(right);
  auto by_contract = make_batch<Out>(result, 4);
  auto by_plan = make_batch<Out>(result, 4);
  unsigned state = 5;
  for (In& x : a) x = integer<In>(state);
  for (In& x : b) x = integer<In>(state);
  for (Out& x : by_contract) x = integer<Out>(state);
  std::copy(by_contract.begin(), by_contract.end(), by_plan.begin());
  contract<"ik,kj->ij">(conj(a), b, by_contract, s);
  const plan p = make_plan(contraction("ik,kj->ij", s), conj(a), b, by_plan, on(target::reference));
  p.run(conj(a), b, by_plan);
  CHECK(std::memcmp(by_contract.data(), by_plan.data(), sizeof(Out) * std::size_t(by_contract.storage())) == 0);
}

}  // namespace

TEMPLATE_TEST_CASE("element types: contract<> computes what a plan does", "[types]", c32, c64, f32_in_f64, f16_to_f32,
                   f16, bf16_to_f32, bf16) {
  using Sum = typename TestType::sum;
  check_contract<TestType>(of_size(3, 5), of_size(5, 4), of_size(3, 4), sums_in<Sum>({0.5, 2}));
  check_contract<TestType>(of_size(3, 5), of_size(5, 4), of_size(3, 4), sums_in<Sum>());
}

TEST_CASE("element types: static sizes, memory of std::complex, and conj of all kinds of operands", "[types]") {
  std::vector<std::complex<double>> x(6), y(6), z(4);
  for (std::size_t i = 0; i < 6; ++i) x[i] = {double(i), 1}, y[i] = {1, -double(i)};
  const auto a = view(as_complex(x.data()), of_size<2, 3>());
  const auto b = view(as_complex(y.data()), of_size<3, 2>());
  const auto c = view(as_complex(z.data()), of_size<2, 2>());
  const auto wanted = [&](int i, int j) {
    std::complex<double> sum = 0;
    for (int k = 0; k < 3; ++k) sum += std::conj(x[std::size_t(i + 2 * k)]) * y[std::size_t(k + 3 * j)];
    return sum;
  };
  const auto check_all = [&] {
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) CHECK(z[std::size_t(i + 2 * j)] == wanted(i, j));
    std::fill(z.begin(), z.end(), std::complex<double>(-1, -1));
  };
  contract<"ik,kj->ij">(conj(a), b, c);
  check_all();
  batch_gemm(conj(a), b, c);
  check_all();
  const auto adjoint = view(as_complex(x.data()), row_major(of_size<3, 2>()));  // a transposed
  batch_gemm(trans(conj(adjoint)), b, c);
  check_all();
  batch_gemm(conj(trans(adjoint)), b, c);
  check_all();
  contract<"ik,kj->ij">(conj(reshape(view(as_complex(x.data()), of_size<6>()), of_size<2, 3>())), b, c);
  check_all();
  contract<"ik,kj->ij">(reshape(conj(view(as_complex(x.data()), of_size<6>())), of_size<2, 3>()), b, c);
  check_all();
  auto group_of_a = make_group<complex<double>>(of_size<2, 3>());
  group_of_a.push_back(a);
  contract<"ik,kj->ij">(conj(group_of_a), b, view_batch(as_complex(z.data()), of_size<2, 2>(), 1));
  check_all();
  CHECK(conj(conj(a)).data() == a.data());
  static_assert(std::is_same_v<decltype(conj(conj(a))), std::remove_const_t<decltype(a)>>);
  CHECK(conj(a)(1, 2) == conj(a(1, 2)));
  double real = 2;
  static_assert(std::is_same_v<decltype(conj(view(&real, of_size<1, 1>()))), decltype(view(&real, of_size<1, 1>()))>);
}
