// SPDX-License-Identifier: BSD-3-Clause
// The kernels of general contractions with everything at run time, on the host: all threads of a block run from barrier
// to barrier, one after the other. Divisions, what is refused, and that the batch does not change bits.
#include <tessera/gpu/detail/general/any_kernel.hpp>
#include <tessera/gpu/detail/general/any_sums.cuh>

#include <cmath>
#include <memory>

#include "testing/catch.hpp"
#include "testing/draw_any.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;
using device::any_type;
using device::any_way;

namespace {

struct host_target {
  static constexpr float from_half(unsigned short bits) { return tessera::detail::float_from_half(bits); }
  static constexpr unsigned short half_from(float value) { return tessera::detail::half_from(value); }
  static constexpr unsigned short bfloat16_from(float value) { return tessera::detail::bfloat16_from(value); }
  template <class T>
  static T exp_minus_one(T x) {
    return std::expm1(x);
  }
};

template <class Program>
class block_on_host {
 public:
  block_on_host() : threads_(device::any_threads) {
    for (int i = 0; i < device::any_threads; ++i) threads_[std::size_t(i)].number = i;
  }
  // The first thread first, and the next time the last one.
  template <class Part>
  void run(const Part& part) {
    for (std::size_t i = 0; i < threads_.size(); ++i) part(threads_[forward_ ? i : threads_.size() - 1 - i]);
    forward_ = !forward_;
  }
  void wait() {}

 private:
  std::vector<typename Program::thread> threads_;
  bool forward_ = true;
};

template <class Program>
void run_blocks(const device::any_work& work, int blocks) {
  const auto shared = std::make_unique<typename Program::shared_memory>();
  for (int i = 0; i < blocks; ++i) {
    block_on_host<Program> block;
    Program{work, *shared}.run(block, i, blocks);
  }
}
template <class S>
void run_sums_of(const device::any_work& work, int blocks) {
  if (work.way == any_way::large_tiles)
    run_blocks<device::any_tile_program<S, host_target, 64>>(work, blocks);
  else if (work.way == any_way::small_tiles)
    run_blocks<device::any_tile_program<S, host_target, 16>>(work, blocks);
  else
    run_blocks<device::any_sum_program<S, host_target>>(work, blocks);
}
void run_on_host(const device::any_work& work, int blocks) {
  switch (work.sum_type) {
    case any_type::f32: return run_sums_of<float>(work, blocks);
    case any_type::f64: return run_sums_of<double>(work, blocks);
    case any_type::c32: return run_sums_of<complex<float>>(work, blocks);
    case any_type::c64: return run_sums_of<complex<double>>(work, blocks);
    case any_type::i32: return run_sums_of<int>(work, blocks);
    default: return run_sums_of<index_t>(work, blocks);
  }
}

device::general_arguments arguments_of(any_case& of, std::vector<char>& out) {
  return of.arguments(of.left.bytes.data(), of.right.bytes.data(), of.addend.bytes.data(), out.data());
}

// By each way, and once with divisions of 64 bits; three blocks take turns.
void check_on_host(any_case of) {
  INFO(of.text());
  REQUIRE(device::any_can(of.types, of.functions));
  const std::vector<char> wanted = of.after();
  int number = 0;
  for (const any_way way : {any_way::large_tiles, any_way::small_tiles, any_way::single, any_way::single}) {
    std::vector<char> out = of.out.bytes;
    device::any_work work = any_work_of(of.form, of.types, of.functions, arguments_of(of, out), of.batch, way);
    work.wide = ++number == 4;
    INFO("way " << int(way) << ", " << work.tiles << " tiles");
    if (work.tiles > 0) run_on_host(work, 3);
    CHECK(of.wrong(out, wanted) == 0);
  }
}

any_case case_of(general_form form, any_type type) {
  any_case of;
  of.form = form;
  of.types = {.left = type, .right = type, .out = type, .sum = type};
  return of;
}
any_memory numbers(any_type type, index_t count, double first) {
  any_memory made{.type = type, .bytes = std::vector<char>(std::size_t(count * device::size_of(type)))};
  for (index_t i = 0; i < count; ++i)
    write_any(type, std::sin((long double)(first) + (long double)(i)), made.at(made.bytes.data(), i));
  return made;
}

}  // namespace

TEST_CASE("gpu contractions at run time: quotients are exact", "[general]") {
  std::mt19937_64 random(1);
  const index_t limit = device::any_divisor::limit;
  for (int i = 0; i < 20000; ++i) {
    const index_t by = i < 300 ? i + 1 : 1 + index_t(random() % (i % 2 == 0 ? 1000 : limit - 1));
    const device::any_divisor divisor(by);
    const index_t x = index_t(random() % limit), multiple = x / by * by;
    for (const index_t n : {index_t(0), x, multiple, multiple > 0 ? multiple - 1 : 0, limit - 1, by - 1, by % limit}) {
      CAPTURE(by, n);
      REQUIRE(divisor.quotient(n, false) == n / by);
      REQUIRE(divisor.quotient(n, true) == n / by);
    }
  }
  CHECK(device::any_divisor(limit + 5).quotient(3 * limit + 14, true) == 2);
  CHECK(device::any_divisor(limit + 5).quotient(3 * limit + 15, true) == 3);
}

TEST_CASE("gpu contractions at run time: types by their names", "[general]") {
  CHECK(device::any_type_of(scalar_type::f16) == any_type::f16);
  CHECK(device::any_type_of(scalar_type::bf16) == any_type::bf16);
  CHECK(device::any_type_of(scalar_type::f32) == any_type::f32);
  CHECK(device::any_type_of(scalar_type::f64) == any_type::f64);
  CHECK(device::any_type_of(scalar_type::c32) == any_type::c32);
  CHECK(device::any_type_of(scalar_type::c64) == any_type::c64);
}

TEST_CASE("gpu contractions at run time: NaN, infinities and integers that wrap around", "[general]") {
  using device::any_operations;
  using device::any_pair;
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  const auto after = []<any_pair Pair, class S>(any_operations<Pair> pair, S sum, S a, S b) {
    pair.add_term(sum, a, b);
    return sum;
  };
  CHECK(after(any_operations<any_pair::min_plus>(), 1.f, nan, 2.f) == 1);
  CHECK(after(any_operations<any_pair::max_plus>(), infinity, -infinity, infinity) == infinity);
  CHECK(after(any_operations<any_pair::max_times>(), -infinity, nan, 2.f) == -infinity);
  CHECK(after(any_operations<any_pair::or_and>(), 0.f, nan, 2.f) == 1);
  CHECK(after(any_operations<any_pair::plus_times>(), 5, 1 << 30, 6) == int(0x80000005u));
  float entries[] = {nan, -infinity, -1, 3};
  device::apply<host_target>({device::any_function_kind::relu}, entries);
  CHECK((std::isnan(entries[0]) && entries[1] == 0 && entries[2] == 0 && entries[3] == 3));
  float others[] = {nan, -infinity, -1, 3};
  device::apply<host_target>({device::any_function_kind::elu, 2}, others);
  CHECK((std::isnan(others[0]) && others[1] == -2 && others[2] == 2 * std::expm1(-1.f) && others[3] == 3));
}

TEST_CASE("gpu contractions at run time: drawn ones on the host", "[general]") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    check_on_host(draw_any(seed, seed % 3 == 0 ? 17 : 7, 4000));
  }
}

TEST_CASE("gpu contractions at run time: more drawn ones on the host", "[.long]") {
  for (unsigned seed = 1000; seed < 6000; ++seed) {
    INFO("seed " << seed);
    check_on_host(draw_any(seed, seed % 3 == 0 ? 100 : 17, 40000));
  }
}

TEST_CASE("gpu contractions at run time: digits in two parts lie as before", "[general]") {
  // Nearest in the output are rows by 1, in the left tensor by another index; in the sum, of the right one another one.
  general_form form;
  form.rows.count = 2;
  form.rows.at[0] = {48, 30, 0, 1};
  form.rows.at[1] = {30, 1, 0, 48};
  form.cols.count = 2;
  form.cols.at[0] = {5, 0, 12, 1440};
  form.cols.at[1] = {12, 0, 1, 7200};
  form.inner.count = 1;
  form.inner.at[0] = {3, 1440, 60, 0};
  any_case of = case_of(form, any_type::f64);
  of.left = numbers(any_type::f64, 4320, 1);
  of.right = numbers(any_type::f64, 180, 2);
  of.out = numbers(any_type::f64, 86400, 3);
  const device::any_work work = any_work_of(form, of.types, {}, arguments_of(of, of.out.bytes), 1);
  CHECK(work.rows.count == 3);
  CHECK(work.rows.at[0].extent.by == 8);
  CHECK(work.rows.at[1].extent.by == 30);
  CHECK(work.rows.at[2].extent.by == 6);
  CHECK(work.rows.at[2].stride.out == 8 * 8);
  CHECK(work.cols.count == 2);
  CHECK(work.cols.at[0].extent.by == 12);
  CHECK(work.way == any_way::large_tiles);
  CHECK_FALSE(work.left_along_sum);
  CHECK_FALSE(work.out_along_cols);
}

TEST_CASE("gpu contractions at run time: the batch does not change bits", "[general]") {
  for (const any_way way : {any_way::large_tiles, any_way::small_tiles, any_way::single}) {
    general_form form;
    form.rows = {1, {{33, 1, 0, 1}}};
    form.cols = {1, {{5, 0, 1, 33}}};
    form.inner = {1, {{211, 33, 5, 0}}};
    any_case of = case_of(form, any_type::f32);
    of.left = numbers(any_type::f32, 33 * 211, 1);
    of.right = numbers(any_type::f32, 5 * 211, 2);
    of.out = numbers(any_type::f32, 3 * 165, 3);
    const auto run = [&](index_t batch) {
      std::vector<char> out = of.out.bytes;
      device::general_arguments with = arguments_of(of, out);
      with.out_stride = 165;
      const device::any_work work = any_work_of(form, of.types, {}, with, batch, way);
      run_on_host(work, int(work.tiles));
      return out;
    };
    const std::vector<char> one = run(1), three = run(3);
    for (const int b : {0, 1, 2}) CHECK(std::equal(one.begin(), one.begin() + 165 * 4, three.begin() + b * 165 * 4));
    CHECK(std::equal(one.begin() + 165 * 4, one.end(), of.out.bytes.begin() + 165 * 4));
  }
}

TEST_CASE("gpu contractions at run time: the way depends on the shape", "[general]") {
  const auto way_of = [](index_t rows, index_t cols, index_t inner, index_t batch) {
    general_form form;
    form.rows = {1, {{rows, 1, 0, 1}}};
    form.cols = {1, {{cols, 0, 1, rows}}};
    form.inner = {1, {{inner, rows, cols, 0}}};
    any_case of = case_of(form, any_type::f64);
    return any_work_of(form, of.types, {}, {.out = &of}, batch).way;
  };
  CHECK(way_of(1000, 1000, 1000, 1) == any_way::large_tiles);
  CHECK(way_of(64, 64, 100, 7) == any_way::large_tiles);
  CHECK(way_of(64, 64, 100000, 7) == any_way::small_tiles);
  CHECK(way_of(1000, 8, 1000, 1) == any_way::small_tiles);
  CHECK(way_of(1000, 1, 1000, 1) == any_way::single);
  CHECK(way_of(1, 1, 100000, 1) == any_way::single);
}

TEST_CASE("gpu contractions at run time: nothing to do", "[general]") {
  general_form form;
  form.rows = {1, {{0, 1, 0, 1}}};
  const any_case of = case_of(form, any_type::f64);
  CHECK(any_work_of(form, of.types, {}, {}, 1).tiles == 0);
  CHECK(any_work_of({}, of.types, {}, {}, 0).tiles == 0);
  CHECK(any_work_of({}, of.types, {}, {}, 1).tiles == 1);
}

TEST_CASE("gpu contractions at run time: what they take", "[general]") {
  using tessera::detail::general_kind;
  const device::any_functions plain, relu{.left = {device::any_function_kind::relu}},
      min_plus{.pair = device::any_pair::min_plus};
  CHECK(device::any_can(general_kind{}));
  CHECK_FALSE(device::any_can(general_kind{.functions = "struct general_functions {};"}));
  CHECK(device::any_can(general_kind{.functions = "struct general_functions {};"}, relu));
  CHECK_FALSE(device::any_can({.sum = any_type::i16}, plain));
  CHECK_FALSE(device::any_can({.sum = any_type::f16}, plain));
  CHECK_FALSE(device::any_can({.left = any_type::c32}, plain));
  CHECK_FALSE(device::any_can({.addend = any_type::c64}, plain));
  const device::any_types c32{any_type::f16, any_type::c64, any_type::c32, any_type::c32};
  CHECK(device::any_can(c32, plain));
  CHECK(device::any_can(c32, {.result = {device::any_function_kind::conj}}));
  CHECK_FALSE(device::any_can(c32, relu));
  CHECK_FALSE(device::any_can(c32, min_plus));
  const device::any_types i32{any_type::i16, any_type::i32, any_type::i64, any_type::i32};
  CHECK(device::any_can(i32, relu));
  CHECK(device::any_can(i32, min_plus));
  CHECK_FALSE(device::any_can(i32, {.addend = {device::any_function_kind::leaky_relu, 0.5}}));
  CHECK_FALSE(device::any_can(i32, {.result = {device::any_function_kind::elu, 1}}));
  CHECK_FALSE(device::any_can({.sum = any_type::c32}, plain));  // into f64
  const auto refused = [&] {
    device::run_any({}, {.left = scalar_type::c64, .sum = scalar_type::f32}, {}, {}, 1, nullptr);
  };
  check_failure(status::wrong_type, {"c64 and f64 -> f64 with sums in f32"}, refused);
}
