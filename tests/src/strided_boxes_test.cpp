// SPDX-License-Identifier: BSD-3-Clause
// Strided boxes against a list of every byte, for thousands of random small ones; and those that no list could hold.
#include "strided_boxes.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace tessera;
using tessera::detail::strided_box;

namespace {

// Where every entry starts.
std::vector<std::uintptr_t> starts_of(const strided_box& box) {
  std::vector<std::uintptr_t> starts;
  if (box.width > 0) starts.push_back(box.start);
  for (int d = 0; d < box.rank; ++d) {
    std::vector<std::uintptr_t> more;
    for (index_t x = 0; x < box.extent[d]; ++x)
      for (const std::uintptr_t at : starts) more.push_back(at + std::uintptr_t(x * box.stride[d]));
    starts = std::move(more);
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

bool listed_meet(const strided_box& a, const strided_box& b) {
  const std::vector<std::uintptr_t> of_a = starts_of(a), of_b = starts_of(b);
  for (std::size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
    if (of_a[i] + std::uintptr_t(a.width) <= of_b[j])
      ++i;
    else if (of_b[j] + std::uintptr_t(b.width) <= of_a[i])
      ++j;
    else
      return true;
  }
  return false;
}

bool listed_hits_itself(const strided_box& a) {
  const std::vector<std::uintptr_t> starts = starts_of(a);
  for (std::size_t i = 1; i < starts.size(); ++i)
    if (starts[i] < starts[i - 1] + std::uintptr_t(a.width)) return true;
  return false;
}

std::string text_of(const strided_box& a) {
  std::string text = std::to_string(a.start) + ", " + std::to_string(a.width) + " wide:";
  for (int d = 0; d < a.rank; ++d) text += " " + std::to_string(a.extent[d]) + " by " + std::to_string(a.stride[d]);
  return text;
}

class source_of_boxes {
 public:
  // Strides that nest, with factors that now and then leave too little, or any.
  strided_box draw() {
    strided_box box;
    box.start = std::uintptr_t(1000 + below(60));
    box.width = 1 + below(4);
    const int rank = below(5), kind = below(3);
    index_t clear = box.width;
    for (int d = 0; d < rank; ++d) {
      const index_t extent = below(25) == 0 ? 0 : 1 + below(5);
      index_t stride = below(40);
      if (kind > 0) stride = std::max<index_t>(0, clear + (kind == 1 ? below(3) * box.width : below(7) - 2));
      box.add(stride, extent);
      clear = stride * std::max<index_t>(extent, 1);
    }
    for (int d = rank - 1; d > 0; --d) {
      const int with = below(d + 1);
      std::swap(box.stride[d], box.stride[with]);
      std::swap(box.extent[d], box.extent[with]);
    }
    return box;
  }
  int below(int n) { return int(next_() % unsigned(n)); }

 private:
  std::mt19937 next_{7};
};

strided_box box_of(std::uintptr_t start, index_t width, std::initializer_list<std::pair<index_t, index_t>> by_times) {
  strided_box box{.start = start, .width = width};
  for (const auto& [by, times] : by_times) box.add(by, times);
  return box;
}

}  // namespace

TEST_CASE("whether two boxes meet is what a list of their bytes says", "[boxes]") {
  source_of_boxes source;
  int meeting = 0, different = 0;
  for (int i = 0; i < 20'000; ++i) {
    const strided_box a = source.draw();
    strided_box b = source.draw();
    if (source.below(3) == 0) {  // the same strides elsewhere, as those of interleaved arrays
      const std::uintptr_t start = b.start;
      b = a;
      b.start = start;
    }
    const bool wanted = listed_meet(a, b);
    meeting += wanted;
    if (detail::meet(a, b) == wanted) continue;
    ++different;
    UNSCOPED_INFO(text_of(a) << "; " << text_of(b) << ": " << wanted);
  }
  CHECK(different == 0);
  CHECK(meeting > 4000);
  CHECK(meeting < 16'000);
}

TEST_CASE("whether a box hits itself is what a list of its bytes says", "[boxes]") {
  source_of_boxes source;
  int hits = 0, different = 0;
  for (int i = 0; i < 20'000; ++i) {
    const strided_box a = source.draw();
    const bool wanted = listed_hits_itself(a);
    hits += wanted;
    if (detail::hits_itself(a) == wanted) continue;
    ++different;
    UNSCOPED_INFO(text_of(a) << ": " << wanted);
  }
  CHECK(different == 0);
  CHECK(hits > 3000);
  CHECK(hits < 16'000);
}

TEST_CASE("boxes of more entries than memory could list are decided at once", "[boxes]") {
  constexpr index_t k = 1024, m = k * k, g = k * m;
  CHECK(detail::hits_itself(box_of(0, 8, {{8, 16 * k}, {16, 16 * k}})));
  CHECK(detail::hits_itself(box_of(0, 8, {{8, 8 * g}, {8, 4}})));
  CHECK(detail::hits_itself(box_of(0, 8, {{8, m}, {8 * k, m}})));
  CHECK(!detail::hits_itself(box_of(0, 8, {{8, m}, {8 * m, m}})));
  CHECK(!detail::hits_itself(box_of(0, 8, {{16 * m, m}, {16, m}})));
  // Two components of an array; two tiles of a matrix; every other block.
  const auto component = [&](index_t c) { return box_of(std::uintptr_t(8 * c), 8, {{24, g}}); };
  CHECK(!detail::meet(component(0), component(1)));
  CHECK(!detail::meet(component(2), component(0)));
  CHECK(detail::meet(component(1), component(1)));
  const auto tile = [&](index_t row) { return box_of(std::uintptr_t(8 * row), 8, {{8, k}, {8 * m, m}}); };
  CHECK(!detail::meet(tile(0), tile(k)));
  CHECK(detail::meet(tile(0), tile(k - 1)));
  const auto blocks = [&](index_t b) { return box_of(std::uintptr_t(8 * k * b), 8, {{8, k}, {16 * k, m}}); };
  CHECK(!detail::meet(blocks(0), blocks(1)));
  CHECK(detail::meet(blocks(1), blocks(2 * m - 1)));
  CHECK(!detail::meet(blocks(1), blocks(2 * m)));
  // Entries of different sizes that start at any byte.
  CHECK(detail::meet(box_of(0, 4, {{8, m}}), box_of(7, 2, {{8, m}})));
  CHECK(!detail::meet(box_of(0, 4, {{8, m}}), box_of(4, 4, {{8, m}})));
  CHECK(detail::meet(box_of(0, 4, {{8, m}}), box_of(3, 2, {{8, m}})));
}

TEST_CASE("a stride that no entry takes may be any number", "[boxes]") {
  constexpr index_t huge = (index_t{1} << 61) + 36;
  strided_box box{.start = 64, .width = 8};
  box.add(huge, 1, 8);
  CHECK(!detail::hits_itself(box));
  CHECK(detail::meet(box, box_of(71, 8, {})));
  CHECK(!detail::meet(box, box_of(72, 8, {})));
  box.add(huge, 0, 8);
  CHECK(!detail::meet(box, box_of(71, 8, {})));
}

TEST_CASE("what is undecided after many steps, or reaches too far, counts as shared", "[boxes]") {
  // Of odd strides, none of which nests: no sum of them is 1 more than an even number.
  strided_box even = box_of(0, 1, {}), odd = box_of(99'999'999, 1, {});
  for (const index_t stride : {1'000'002, 1'000'006, 1'000'038, 1'000'082, 1'000'118, 1'000'122, 1'000'134, 1'000'158})
    even.add(stride, 1000), odd.add(stride, 1000);
  CHECK(!detail::meet(even, odd));  // by the greatest common divisor
  odd.add(1, 2);
  CHECK(detail::meet(even, odd));
  CHECK(detail::meet(box_of(0, 8, {{16, index_t{1} << 60}}), box_of(8, 8, {{16, index_t{1} << 60}})));
}
