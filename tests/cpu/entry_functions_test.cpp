// SPDX-License-Identifier: BSD-3-Clause
// Conversions of every instruction set: all 65536 patterns of 16-bit numbers, roundings, run lengths.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <tessera/cpu/detail/gemm_rows.hpp>

#include "testing/catch.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class F>
void each_isa(const F& f) {
  for (const target t : cpu_targets()) {
    if (t == target::reference) continue;
    INFO(name_of(t));
    f(rows_of(t)->entries);
  }
}

unsigned bits_of(float x) { return __builtin_bit_cast(unsigned, x); }

// Equal bits, or both NaN.
template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(float(a)) && std::isnan(float(b)));
}

template <class Small>
std::vector<Small> all_patterns() {
  std::vector<Small> all;
  for (unsigned bits = 0; bits < 65536; ++bits) all.push_back(Small::of_bits(static_cast<unsigned short>(bits)));
  return all;
}

// Each pattern as float, and the floats around the middle between it and the next one.
template <class Small>
std::vector<float> near_all_patterns() {
  std::vector<float> all;
  for (const Small& x : all_patterns<Small>()) {
    const float value = float(x), next = float(Small::of_bits(static_cast<unsigned short>(x.bits + 1)));
    all.push_back(value);
    const float middle = value + (next - value) / 2;
    for (const int step : {-1, 0, 1}) all.push_back(__builtin_bit_cast(float, bits_of(middle) + unsigned(step)));
  }
  std::mt19937 draw(5);
  for (int i = 0; i < 100000; ++i) all.push_back(__builtin_bit_cast(float, unsigned(draw())));
  for (const float x : {65519.96f, 65520.0f, 65536.0f, 0x1p-25f, 0x1.000002p-25f, 0x1p-24f, 0x1p-14f, 0x1p-149f,
                        std::numeric_limits<float>::max(), std::numeric_limits<float>::infinity()})
    all.push_back(x), all.push_back(-x);
  return all;
}

template <class From, class To>
int different(convert_function<From, To> convert, const std::vector<From>& from) {
  std::vector<To> to(from.size());
  convert(from.data(), to.data(), {index_t(from.size()), 1, 0, 0});
  int count = 0;
  for (std::size_t i = 0; i < from.size(); ++i) count += int(!same(to[i], To(from[i])));
  return count;
}

template <class From, class To>
int wrong_in_runs(convert_function<From, To> convert) {
  int wrong = 0;
  for (index_t length = 0; length <= 40; ++length)
    for (const index_t gap : {0, 3}) {
      constexpr index_t runs = 3;
      const index_t step = length + gap;
      std::vector<From> from(std::size_t(runs * step + 1));
      std::vector<To> to(std::size_t(runs * (step + 1) + 1), To(-77.0f));
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = From(0.37f * float(i) - 2);
      convert(from.data(), to.data(), {length, runs, step, step + 1});
      for (index_t i = 0; i < index_t(to.size()); ++i) {
        const index_t run = i / (step + 1), at = i % (step + 1);
        const To wanted = run < runs && at < length ? To(from[std::size_t(run * step + at)]) : To(-77.0f);
        wrong += int(!same(to[std::size_t(i)], wanted));
      }
    }
  return wrong;
}

template <class T>
int wrong_expansions(expand_function<T> expand) {
  int wrong = 0;
  for (index_t length = 1; length <= 20; ++length)
    for (int flags = 0; flags < 8; ++flags) {
      constexpr index_t runs = 3;
      std::vector<complex<T>> from(std::size_t(runs * (length + 1)));
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = {T(i) / 4 - 3, T(2) - T(i) / 8};
      expansion<T> by{.conjugated = (flags & 1) != 0, .other_conjugated = (flags & 2) != 0};
      if ((flags & 4) != 0) by.alpha = {T(0.5), T(-2)};  // exact products
      std::vector<T> to(std::size_t(4 * runs * length) + 64 / sizeof(T));
      expand(&from[0].re, to.data(), {length, runs, 2 * (length + 1), 4 * length}, by);
      for (index_t run = 0; run < runs; ++run)
        for (index_t i = 0; i < length; ++i) {
          const complex<T> v = by.first(from[std::size_t(run * (length + 1) + i)]), w = by.second(v);
          const T* const at = to.data() + 4 * run * length + 2 * i;
          wrong +=
              int(at[0] != v.re) + int(at[1] != v.im) + int(at[2 * length] != w.re) + int(at[2 * length + 1] != w.im);
        }
    }
  return wrong;
}

}  // namespace

TEST_CASE("entry functions: 16-bit numbers as core converts them", "[types]") {
  each_isa([](const entry_functions& f) {
    if (f.from_half == nullptr) return;
    CHECK(different(f.from_half, all_patterns<half>()) == 0);
    CHECK(different(f.from_bfloat16, all_patterns<bfloat16>()) == 0);
    CHECK(different(f.to_half, near_all_patterns<half>()) == 0);
    CHECK(different(f.to_bfloat16, near_all_patterns<bfloat16>()) == 0);
    // Not a number stays that, and keeps its sign and payload.
    const float nan[] = {__builtin_bit_cast(float, 0xffc12345u), __builtin_bit_cast(float, 0x7f800001u)};
    half in_half[2];
    bfloat16 in_bfloat16[2];
    f.to_half(nan, in_half, {2, 1, 0, 0});
    f.to_bfloat16(nan, in_bfloat16, {2, 1, 0, 0});
    for (int i = 0; i < 2; ++i) {
      CHECK(in_half[i].bits == half(nan[i]).bits);
      CHECK(in_bfloat16[i].bits == bfloat16(nan[i]).bits);
    }
  });
}

TEST_CASE("entry functions: runs of any length, and nothing beside them", "[types]") {
  each_isa([](const entry_functions& f) {
    if (f.from_half != nullptr) {
      CHECK(wrong_in_runs(f.from_half) == 0);
      CHECK(wrong_in_runs(f.to_half) == 0);
      CHECK(wrong_in_runs(f.from_bfloat16) == 0);
      CHECK(wrong_in_runs(f.to_bfloat16) == 0);
      CHECK(wrong_expansions(f.expand_f32) == 0);
    }
    if (f.from_float != nullptr) {
      CHECK(wrong_in_runs(f.from_float) == 0);
      CHECK(wrong_in_runs(f.to_float) == 0);
      CHECK(wrong_expansions(f.expand_f64) == 0);
    }
  });
}
