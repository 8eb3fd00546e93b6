// SPDX-License-Identifier: BSD-3-Clause
// General contractions on a GPU, exact in integers: drawn ones by several tiles.
#include <tessera/detail/general_candidates.hpp>
#include <tessera/gpu/detail/general/general_kernel.hpp>
#include <tessera/gpu/detail/general/general_source.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include <algorithm>
#include <cmath>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/general_case.hpp"
#include "testing/jit.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

buffer placed(const std::vector<double>& from) {
  buffer made(space_kind::gpu, from.size() * sizeof(double));
  copy_memory(made.data(), from.data(), made.bytes());
  return made;
}
double* at(const buffer& of) { return static_cast<double*>(of.data()); }
std::vector<double> read(const buffer& from) {
  std::vector<double> found(from.bytes() / sizeof(double));
  copy_memory(found.data(), from.data(), from.bytes());
  return found;
}

bool no_tensor_cores() {
  if (absent()) return true;
  const device::device_info gpu = device::info();
  if (10 * gpu.major + gpu.minor >= 90) return false;
  skip("no tensor cores for products of 16 x 8 in double");
  return true;
}

// Tensors of a batch, so many entries apart, the first one `shift` entries into memory of which the rest is NaN.
struct in_a_batch {
  index_t stride, shift;
  std::vector<double> numbers;

  in_a_batch(const std::vector<double>& of, index_t count, index_t moved)
      : stride(index_t(of.size()) + moved), shift(moved), numbers(std::size_t(count * stride + moved), std::nan("")) {
    for (index_t b = 0; b < count; ++b) std::copy(of.begin(), of.end(), numbers.begin() + shift + b * stride);
  }
};
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// One tensor from an even place, and three from an odd one with an odd stride.
void check_kernel(const general_case& of, const general_form& form, const tessera::detail::general_tile& tile) {
  const device::general_kernel kernel(form, {.reads_out = of.beta != 0}, tile);
  INFO(of.text << ": " << kernel.name());
  const std::vector<double> wanted = of.after();
  for (const auto& [count, shift] : {std::pair<index_t, index_t>{1, 0}, {3, 1}}) {
    INFO(count << " tensors from entry " << shift);
    const in_a_batch left(of.left, count, shift), right(of.right, count, shift), out(of.out, count, shift),
        expected(wanted, count, shift);
    const buffer l = placed(left.numbers), r = placed(right.numbers), o = placed(out.numbers);
    kernel.run({.left = at(l) + shift + of.first[0],
                .right = at(r) + shift + of.first[1],
                .out = at(o) + shift + of.first[2],
                .alpha = of.alpha,
                .beta = of.beta,
                .left_stride = left.stride,
                .right_stride = right.stride,
                .out_stride = out.stride},
               count, nullptr);
    const std::vector<double> found = read(o);
    CHECK(std::equal(found.begin(), found.end(), expected.numbers.begin(), same));
  }
}

// By so many tiles, from the cheapest to the dearest, the last with parts of the sum in two blocks and four stages.
void check_case(const general_case& of, int tiles) {
  const general_form form = lower_general(of.modes(), of.facts);
  const auto found = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200).found;
  REQUIRE(!found.empty());
  for (int i = 0; i < tiles; ++i) {
    tessera::detail::general_tile tile = found[found.size() * std::size_t(i) / std::size_t(tiles)].tile;
    if (i + 1 == tiles) {
      tile.splits = 2;
      tile.stages = 4;
      if (device::general_source(form, {}, tile).shared_bytes > tessera::detail::rates_of_h200.shared_of_block)
        tile.stages = 2;
    }
    check_kernel(of, form, tile);
  }
}

}  // namespace

TEST_CASE("gpu general contractions: drawn ones by several tiles", "[gpu][general]") {
  if (no_tensor_cores()) return;
  for (unsigned seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    check_case(drawn_case(seed, 17), 3);
  }
}

TEST_CASE("gpu general contractions: a tile that a block has no room for says how many bytes it needs",
          "[gpu][general]") {
  if (no_tensor_cores()) return;
  const general_case of = drawn_case(1, 40);
  const general_form form = lower_general(of.modes(), of.facts);
  auto tile = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200).found.front().tile;
  tile.stages = 1;
  const int one = device::general_source(form, {}, tile).shared_bytes;
  tile.stages = 1000000 / one + 2;
  const std::string bytes = std::to_string(device::general_source(form, {}, tile).shared_bytes);
  check_failure(status::no_target, {"a block needs " + bytes + " bytes of shared memory, and the GPU has"},
                [&] { device::general_kernel(form, {}, tile); });
}

TEST_CASE("gpu general contractions: dimensions backwards, and shared by strides of 0", "[gpu][general][sanitize]") {
  if (no_tensor_cores()) return;
  for (unsigned seed = 700; seed < 708; ++seed) {
    INFO("seed " << seed);
    check_case(with_other_strides(drawn_case(seed, 17), seed), 2);
  }
}

TEST_CASE("gpu general contractions: tensors of twelve modes", "[gpu][general][sanitize]") {
  if (no_tensor_cores()) return;
  for (unsigned seed = 0; seed < 2; ++seed) {
    INFO("seed " << seed);
    check_case(case_of_twelve_letters(seed), 2);
    check_case(with_other_strides(case_of_twelve_letters(seed + 7), seed), 1);
  }
}

// In parts, so that several processes share the compilations.
TEMPLATE_TEST_CASE_SIG("gpu general contractions: 500 drawn ones", "[.long]", ((unsigned Part), Part), 0, 1, 2, 3, 4, 5,
                       6, 7, 8, 9) {
  if (no_tensor_cores()) return;
  for (unsigned seed = 100 + 50 * Part; seed < 150 + 50 * Part; ++seed) {
    INFO("seed " << seed);
    const general_case of = drawn_case(seed, seed % 3 == 0 ? 40 : 13);
    check_case(seed % 4 == 0 ? with_other_strides(of, seed) : of, 2);
  }
}

TEST_CASE("gpu general contractions: a few drawn ones", "[gpu][general][sanitize]") {
  if (no_tensor_cores()) return;
  for (unsigned seed = 600; seed < 604; ++seed) check_case(drawn_case(seed, 9), 2);
}

TEST_CASE("gpu general contractions: more blocks than a launch has", "[gpu][general][.big]") {
  if (no_tensor_cores()) return;
  // A product of 2 x 3 by 3 x 2 matrices, of so many that blocks, one of each, take two launches.
  general_case of = drawn_case(1, 4);
  of.text = "ik,kj->ij";
  for (const int t : {0, 1, 2}) {
    operand_facts& facts = of.of(t);
    facts = {.rank = 2};
    facts.extent[0] = t == 1 ? 3 : 2;
    facts.extent[1] = t == 0 ? 3 : 2;
    facts.stride[0] = 1;
    facts.stride[1] = facts.extent[0];
  }
  constexpr index_t count = (1 << 20) + 5000;
  std::vector<double> left(6 * count), right(6 * count);
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = double(i % 11) - 5;
    right[i] = double(i % 7) - 3;
  }
  const general_form form = lower_general(of.modes(), of.facts);
  const auto found = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200).found;
  const device::general_kernel kernel(form, {}, found.front().tile);
  const buffer l = placed(left), r = placed(right), o = placed(std::vector<double>(4 * count, std::nan("")));
  kernel.run({.left = at(l), .right = at(r), .out = at(o), .left_stride = 6, .right_stride = 6, .out_stride = 4}, count,
             nullptr);
  const std::vector<double> results = read(o);
  index_t wrong = 0;
  for (index_t b = 0; b < count; ++b)
    for (index_t j = 0; j < 2; ++j)
      for (index_t i = 0; i < 2; ++i) {
        double sum = 0;
        for (index_t k = 0; k < 3; ++k)
          sum += left[std::size_t(6 * b + i + 2 * k)] * right[std::size_t(6 * b + k + 3 * j)];
        wrong += results[std::size_t(4 * b + i + 2 * j)] != sum;
      }
  CHECK(wrong == 0);
}
