// SPDX-License-Identifier: BSD-3-Clause
// The limit kernels of every instruction set here: they move what they say, and movement keeps outputs valid.
#include <bit>
#include <vector>

#include "measure/limits/cpu.hpp"
#include "measure/limits/isa.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

constexpr std::size_t n = 256;

struct alignas(64) line {
  double value[8];
};

std::vector<line> numbers(double first) {
  std::vector<line> all(n / 8);
  for (std::size_t i = 0; i < n; ++i) all[i / 8].value[i % 8] = first + double(i);
  return all;
}

bool equal(const std::vector<line>& a, const std::vector<line>& b) {
  for (std::size_t i = 0; i < n; ++i)
    if (a[i / 8].value[i % 8] != b[i / 8].value[i % 8]) return false;
  return true;
}

double* start(std::vector<line>& v) { return v[0].value; }

}  // namespace

TEST_CASE("copy and triad write their first source, update changes nothing, write writes its bits") {
  for (const bench::isa_kernels* isa : bench::available_isas()) {
    INFO(isa->name);
    auto a = numbers(1), b = numbers(1000);
    for (auto copy : {isa->copy, isa->copy_streaming}) {
      auto c = numbers(-5);
      copy(start(c), start(a), n);
      CHECK(equal(c, a));
    }
    for (auto triad : {isa->triad, isa->triad_streaming}) {
      auto c = numbers(-5);
      triad(start(c), start(a), start(b), n);
      CHECK(equal(c, a));
    }
    auto c = numbers(-5);
    isa->update(start(c), start(a), start(b), n);
    CHECK(equal(c, numbers(-5)));
    for (auto write : {isa->write, isa->write_streaming}) {
      c = numbers(-5);
      write(start(c), n);
      for (const line& l : c)
        for (const double value : l.value) CHECK(std::bit_cast<long long>(value) == bench::written_bits);
    }
  }
}

TEST_CASE("FMA chains report the flops that they do") {
  for (const bench::isa_kernels* isa : bench::available_isas()) {
    CHECK(isa->fma_f64(10) == 2.0 * 12 * (isa->vector_bytes / 8) * 10);
    CHECK(isa->fma_f32(10) == 2.0 * 12 * (isa->vector_bytes / 4) * 10);
  }
}

TEST_CASE("moving arrays of unequal length stays inside them and keeps an accumulated output") {
  std::vector<line> a(1000), b(3), c(700);
  for (std::size_t i = 0; i < c.size(); ++i) c[i].value[3] = double(i);
  const bench::arrays moved{a[0].value, b[0].value, c[0].value, 8000, 24, 5600};
  for (int threads : {1, 2}) {
    bench::move_once(moved, true, false, threads);
    for (std::size_t i = 0; i < c.size(); ++i) CHECK(c[i].value[3] == double(i));
  }
}

TEST_CASE("moving arrays of unequal length copies what can be copied and writes the rest of the output") {
  std::vector<line> a(160), c(1600);
  for (line& l : a)
    for (double& value : l.value) value = 7;
  const bench::arrays moved{a[0].value, nullptr, c[0].value, 1280, 0, 12800};
  for (const bool streaming : {false, true}) {
    for (line& l : c) l = {};
    bench::move_once(moved, false, streaming, 1);
    for (std::size_t i = 0; i < c.size(); ++i)
      for (const double value : c[i].value) CHECK(value == (i < 160 ? 7 : std::bit_cast<double>(bench::written_bits)));
  }
}

TEST_CASE("moving arrays of unequal length goes through them block by block, to their ends") {
  std::vector<line> a(8750), c(10000);
  for (line& l : a)
    for (double& value : l.value) value = 7;
  bench::move_once({a[0].value, nullptr, c[0].value, 70000, 0, 80000}, false, false, 1);
  std::size_t copied = 0, written = 0;
  for (const line& l : c)
    for (const double value : l.value) {
      copied += value == 7;
      written += value == std::bit_cast<double>(bench::written_bits);
    }
  // Whole groups of vectors.
  CHECK(copied == 70000 / 64 * 64);
  CHECK(copied + written == 80000);
}
