// SPDX-License-Identifier: BSD-3-Clause
// Products of every known type on a GPU: rows that plans compile, and the generic rows, against long double. Without a
// GPU the rows are compiled all the same.
#include <tessera/detail/jit.hpp>
#include <tessera/tessera.hpp>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"
#include "testing/skip.hpp"
#include "testing/typed_product.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class Types>
constexpr product_types types_of_case{scalar_of<typename Types::in>, scalar_of<typename Types::out>,
                                      scalar_of<typename Types::sum>};

// By the generic row, and, where the matrices lie so and NVRTC is there, by a row that the plan compiles.
template <class Types>
void check(const typed_case& c, bool packed = true) {
  for (const bool compile : {false, true}) {
    plan_options options;
    options.compile = compile;
    std::string row;
    const index_t wrong = count_wrong<Types>(c, space_kind::gpu, options, &row);
    INFO(c.text() << "\n" << row);
    CHECK(wrong == 0);
    const bool compiled = compile && packed && why_no_jit().empty();
    CHECK((row.find("compiled at run time") != std::string::npos) == compiled);
    CHECK(row.find(std::string("gemm ") + name_of(types_of_case<Types>)) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("gpu types: rows of every type compile", "[nvrtc]") {
  if (no_jit()) return;
  std::vector<jit_gemm> wanted;
  for (const known_product& known : known_products)
    for (const int axes : {0, 3}) {
      const gpu_gemm_tuning t{8, 64, 2, 2, axes & 1, axes >> 1, size_of(known.types.in) <= 8 && axes == 3 ? 2 : 1};
      const bool is_complex = is_complex_type(known.types.in);
      wanted.push_back({known.types, 4, 5, 3, t, {}, is_complex, is_complex && axes != 0});
    }
  wanted.push_back({scalar_type::c32,
                    5,
                    5,
                    4,
                    {8, 64, 2, 2},
                    {packed_layout::by_rows, packed_layout::shared_by_cols, packed_layout::by_cols},
                    true});
  wanted.push_back({scalar_type::f16,
                    8,
                    8,
                    8,
                    {8, 64, 4, 2, 1, 0, 4},
                    {packed_layout::shared_by_rows, packed_layout::by_rows, packed_layout::by_rows}});
  const auto check_all = [](const std::vector<jit_gemm>& rows, int architecture) {
    const std::vector<jit_code> all = jit_compile(rows, {.cache_folder = {}, .threads = 2}, architecture);
    for (std::size_t i = 0; i < all.size(); ++i) {
      INFO(name_of(rows[i].type) << " for sm_" << architecture << ": " << all[i].log);
      CHECK_FALSE(all[i].machine_code.empty());
    }
  };
  check_all(wanted, 90);
  // Without bulk copies; and without a conversion to bfloat16.
  const std::vector<jit_gemm> some{{scalar_type::bf16, 3, 3, 3, {8, 64, 2, 2}},
                                   {scalar_type::c64, 3, 3, 3, {8, 64, 2, 2}}};
  check_all(some, 80);
  check_all(some, 75);
}

TEMPLATE_TEST_CASE("gpu types: a few products of each", "[gpu][sanitize]", c32, c64, f32_in_f64, f16_to_f32, f16,
                   bf16_to_f32, bf16) {
  if (no_gpu()) return;
  check<TestType>({.m = 5, .n = 3, .k = 4, .batch = 33, .conj_a = true});
  check<TestType>({.m = 8, .n = 8, .k = 8, .batch = 7, .trans_a = true, .start = 1, .alpha = -2, .beta = 0.5});
  check<TestType>({.m = 6, .n = 4, .k = 5, .batch = 20, .conj_b = true, .shared = 'a', .beta = 1});
  check<TestType>({.m = 3, .n = 4, .k = 5, .batch = 9, .conj_a = true, .gap = 1, .grouped = "abc", .beta = 1}, false);
}

TEMPLATE_TEST_CASE("gpu types: odd sizes, batches and starts", "[gpu]", c32, c64, f32_in_f64, f16_to_f32, f16,
                   bf16_to_f32, bf16) {
  if (no_gpu()) return;
  for (const index_t n : {1, 2, 3, 7, 12, 16})
    for (const index_t batch : {1, 13, 1000})
      for (const index_t start : {0, 1, 3})
        check<TestType>(
            {.m = n, .n = n + 1, .k = 2 * n - 1, .batch = batch, .start = start, .beta = start == 1 ? 1 : 0});
}

TEMPLATE_TEST_CASE("gpu types: transposed, conjugated, scaled, over NaN", "[gpu]", c32, c64, f32_in_f64, f16_to_f32,
                   f16, bf16_to_f32, bf16) {
  if (no_gpu()) return;
  // One type of each kind runs all flags; rows differ by them, so each is compiled.
  const bool all = std::is_same_v<TestType, c32> || std::is_same_v<TestType, f16>;
  for (int flags = 0; flags < 16; ++flags) {
    if (!all && flags != 0 && flags != 5 && flags != 10 && flags != 15) continue;
    for (const typed_case& c : scaled_cases<TestType>({.m = 5, .n = 6, .k = 7, .batch = 19}, flags)) check<TestType>(c);
  }
}

TEMPLATE_TEST_CASE("gpu types: shared operands, gaps, groups, and products larger than a block", "[gpu]", c32, c64,
                   f32_in_f64, f16_to_f32, f16, bf16_to_f32, bf16) {
  if (no_gpu()) return;
  for (const char shared : {'a', 'b'})
    for (const bool trans : {false, true})
      check<TestType>({.m = 9,
                       .n = 10,
                       .k = 8,
                       .batch = 100,
                       .trans_a = trans,
                       .trans_b = trans,
                       .conj_a = true,
                       .shared = shared,
                       .beta = 1});
  for (const index_t gap : {1, 2})
    check<TestType>({.m = 4, .n = 5, .k = 6, .batch = 70, .conj_b = true, .gap = gap, .start = 1}, false);
  for (const char* const groups : {"a", "b", "c", "abc"})
    check<TestType>({.m = 4, .n = 5, .k = 6, .batch = 70, .conj_b = true, .grouped = groups, .beta = -1}, false);
  plan_options generic;
  generic.compile = false;
  for (const index_t n : {40, 70, 130})
    CHECK(count_wrong<TestType>({.m = n, .n = n - 5, .k = n + 3, .batch = 3, .conj_a = true, .beta = 1},
                                space_kind::gpu, generic) == 0);
  CHECK(count_wrong<TestType>({.m = 3, .n = 4, .k = 0, .batch = 2, .beta = 1}, space_kind::gpu, generic) == 0);
}

TEST_CASE("gpu types: complex numbers that start inside an access, as std::complex may", "[gpu][sanitize]") {
  if (no_gpu()) return;
  constexpr index_t n = 4, batch = 10;
  const auto numbers = std::size_t(2 * n * n * batch + 1);
  std::vector<float> host(numbers);
  for (std::size_t i = 0; i < numbers; ++i) host[i] = float(int(i * 7 % 9) - 4);
  buffer on_gpu(space_kind::gpu, numbers * sizeof(float)), result(space_kind::gpu, numbers * sizeof(float));
  device::copy(on_gpu.data(), host.data(), on_gpu.bytes(), device::direction::host_to_device);
  // Four bytes behind a multiple of eight.
  const auto complex_at = [](float* p) { return reinterpret_cast<complex<float>*>(p + 1); };
  const auto sizes = of_size(n, n);
  const auto a = view_batch(gpu, complex_at(static_cast<float*>(on_gpu.data())), sizes, batch);
  const auto c = view_batch(gpu, complex_at(static_cast<float*>(result.data())), sizes, batch);
  const plan p = make_plan(contraction("ik,kj->ij"), conj(a), a, c);
  p.run(conj(a), a, c);
  std::vector<float> found(numbers), wanted(numbers);
  device::copy(found.data(), result.data(), result.bytes(), device::direction::device_to_host);
  const auto x = view_batch(complex_at(host.data()), sizes, batch),
             y = view_batch(complex_at(wanted.data()), sizes, batch);
  make_plan(contraction("ik,kj->ij"), conj(x), x, y).run(conj(x), x, y);
  CHECK(found == wanted);  // integers
}

TEMPLATE_TEST_CASE("gpu types: entry by entry, and kernel (9)", "[gpu][sanitize]", c32, c64, f32_in_f64, f16_to_f32,
                   f16, bf16_to_f32, bf16) {
  if (no_gpu()) return;
  using In = typename TestType::in;
  using Out = typename TestType::out;
  using Sum = typename TestType::sum;
  auto b = make_tensor<In>(of_size(3, 2));
  auto d = make_batch<In>(of_size(3, 1), 5);
  auto m = make_batch<Out>(of_size(2, 1, 2), 5), wanted = make_batch<Out>(of_size(2, 1, 2), 5);
  auto e = make_batch<In>(of_size(3, 1), 5);
  auto f = make_batch<Out>(of_size(3, 1), 5), wanted_f = make_batch<Out>(of_size(3, 1), 5);
  int next = 0;
  const auto fill = [&](auto& all) {
    for (auto& x : all) {
      using T = std::remove_reference_t<decltype(x)>;
      ++next;
      if constexpr (is_complex<T>)
        x = T(complex<float>(float(next % 3), float(next % 4 - 1)));
      else
        x = T(float(next % 5 - 2));
    }
  };
  fill(b), fill(d), fill(e);
  auto gb = make_tensor<In>(gpu, of_size(3, 2));
  auto gd = make_batch<In>(gpu, of_size(3, 1), 5), ge = make_batch<In>(gpu, of_size(3, 1), 5);
  auto gm = make_batch<Out>(gpu, of_size(2, 1, 2), 5);
  auto gf = make_batch<Out>(gpu, of_size(3, 1), 5);
  copy(b, gb), copy(d, gd), copy(e, ge);
  const contraction nine("ki,kj,kl->ilj", sums_in<Sum>()), each("kl,kl->kl", sums_in<Sum>());
  make_plan(nine, conj(b), b, d, wanted).run(conj(b), b, d, wanted);
  make_plan(nine, conj(gb), gb, gd, gm).run(conj(gb), gb, gd, gm);
  make_plan(each, conj(d), e, wanted_f).run(conj(d), e, wanted_f);
  make_plan(each, conj(gd), ge, gf).run(conj(gd), ge, gf);
  copy(gm, m), copy(gf, f);
  // Integers: exact on both sides.
  CHECK(std::memcmp(m.data(), wanted.data(), sizeof(Out) * std::size_t(m.storage())) == 0);
  CHECK(std::memcmp(f.data(), wanted_f.data(), sizeof(Out) * std::size_t(f.storage())) == 0);
}

TEST_CASE("gpu types: a plan names the tuning that it borrows", "[gpu]") {
  if (absent()) return;
  auto a = make_batch<complex<float>>(gpu, of_size(8, 8), 100), b = make_batch<complex<float>>(gpu, of_size(8, 8), 100);
  auto c = make_batch<complex<float>>(gpu, of_size(8, 8), 100);
  const std::string text = make_plan(contraction("ik,kj->ij"), a, b, c).describe();
  INFO(text);
  CHECK(text.find("gemm c32 8x8x8, packed, compiled at run time") != std::string::npos);
  CHECK(text.find("f64's record") != std::string::npos);
}
