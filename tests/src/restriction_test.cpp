// SPDX-License-Identifier: BSD-3-Clause
// Restrictions: lists as codes have them, boxes, gather, transposed gather and multiplicity by their definitions.
#include <tessera/element/restriction.hpp>

#include <limits>
#include <vector>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Two quadrilaterals with a common edge, 1 and 4.
const std::vector<std::int32_t> two_cells{0, 1, 3, 4, 1, 2, 4, 5};

restriction_spec cells(int components = 1, index_t stride = 0) {
  return {.elements = 2,
          .entries = 4,
          .components = components,
          .size = 6 * components,
          .offsets = two_cells.data(),
          .component_stride = stride};
}

}  // namespace

TEST_CASE("restrictions gather, add and count", "[element][restriction]") {
  const restriction r(cells());
  const std::vector<double> x{10, 11, 12, 13, 14, 15};
  std::vector<double> E(8), y(6), counts(6, 7.0);
  r.to_elements(x.data(), E.data());
  CHECK(E == std::vector<double>{10, 11, 13, 14, 11, 12, 14, 15});
  r.add_from_elements(E.data(), y.data());
  CHECK(y == std::vector<double>{10, 22, 12, 13, 28, 15});
  r.multiplicity(counts.data());
  CHECK(counts == std::vector<double>{1, 2, 1, 1, 2, 1});
  CHECK(r.describe() == "6 numbers, 2 elements of 4 entries, 32-bit offsets");
}

TEST_CASE("restrictions: components by a stride, 64-bit offsets", "[element][restriction]") {
  const restriction after(cells(2, 6));
  std::vector<float> x(12), E(16);
  for (int k = 0; k < 12; ++k) x[std::size_t(k)] = float(k);
  after.to_elements(x.data(), E.data());
  CHECK(E == std::vector<float>{0, 1, 3, 4, 6, 7, 9, 10, 1, 2, 4, 5, 7, 8, 10, 11});
  const std::vector<std::int64_t> doubled{0, 2, 6, 8, 2, 4, 8, 10};
  const restriction side_by_side(
      {.elements = 2, .entries = 4, .components = 2, .size = 12, .offsets64 = doubled.data(), .component_stride = 1});
  side_by_side.to_elements(x.data(), E.data());
  CHECK(E == std::vector<float>{0, 2, 6, 8, 1, 3, 7, 9, 2, 4, 8, 10, 3, 5, 9, 11});
}

TEST_CASE("restrictions: negative offsets are signs, or constrained", "[element][restriction]") {
  const std::vector<std::int32_t> given{0, -2, 2, -1};
  restriction_spec s{.elements = 2, .entries = 2, .size = 3, .offsets = given.data()};
  check_failure(status::invalid_argument, {"offset -2 of entry 1 of element 0", "0 to 2"}, [&] { restriction{s}; });
  s.negative = negative_offset::sign;
  const restriction with_signs(s);
  CHECK(with_signs.has_signs());
  CHECK(with_signs.offset(1, 0) == -2);
  const std::vector<double> x{10, 11, 12};
  std::vector<double> E(4), y(3);
  with_signs.to_elements(x.data(), E.data());
  CHECK(E == std::vector<double>{10, -11, 12, -10});
  with_signs.add_from_elements(E.data(), y.data());
  CHECK(y == std::vector<double>{20, 11, 12});
  s.negative = negative_offset::constrained;
  const std::vector<index_t> more{2, 1, 2};
  s.constrained = more;
  const restriction fixed(s);
  CHECK_FALSE(fixed.has_signs());
  CHECK(std::vector<index_t>(fixed.constrained().begin(), fixed.constrained().end()) == std::vector<index_t>{0, 1, 2});
}

TEST_CASE("restrictions of boxes number nodes as a structured code does", "[element][restriction]") {
  const restriction box = restriction::box({.dim = 2, .cells = {2, 1, 0}, .order = 2});
  CHECK(box.size() == 15);
  CHECK(box.elements() == 2);
  const std::vector<index_t> second{2, 3, 4, 7, 8, 9, 12, 13, 14};
  for (index_t i = 0; i < 9; ++i) CHECK(box.offset(i, 1) == second[std::size_t(i)]);
  const restriction pairs =
      restriction::box({.dim = 1, .cells = {3}, .order = 1, .components = 2, .interleaved = true});
  CHECK(pairs.offset(1, 2) == 6);
  CHECK(pairs.component_stride() == 1);
  const restriction apart = restriction::box({.dim = 1, .cells = {3}, .order = 1, .components = 2});
  CHECK(apart.offset(1, 2) == 3);
  CHECK(apart.component_stride() == 4);
  std::vector<double> counts(27);
  restriction::box({.cells = {2, 2, 2}}).multiplicity(counts.data());
  CHECK(counts[13] == 8);
  CHECK(counts[0] == 1);
}

TEST_CASE("restrictions: mistakes are named", "[element][restriction]") {
  const auto refused = [](status code, std::initializer_list<std::string_view> words, const restriction_spec& s) {
    check_failure(code, words, [&] { restriction{s}; });
  };
  restriction_spec s = cells();
  s.size = 5;
  refused(status::invalid_argument, {"offset 5 of entry 3 of element 1", "0 to 4"}, s);
  s = cells(2, 6);
  s.size = 11;
  refused(status::invalid_argument, {"offset 5 of entry 3 of element 1", "0 to 4"}, s);
  s.component_stride = 0;
  refused(status::invalid_argument, {"component stride 0"}, s);
  s.component_stride = index_t(1) << 62;
  refused(status::invalid_argument, {"do not fit 11 numbers"}, s);
  // Offsets of interleaved components that are those of one component.
  refused(status::overlap, {"number 1 is component", "multiples"}, cells(2, 1));
  s = cells();
  s.elements = -1;
  refused(status::overflow, {"-1 elements"}, s);
  s.elements = index_t(1) << 61;
  refused(status::overflow, {"more than a process can address"}, s);
  s = cells();
  s.entries = 0;
  refused(status::invalid_argument, {"0 entries"}, s);
  s = cells();
  s.components = 0;
  refused(status::invalid_argument, {"0 components"}, s);
  s = cells();
  s.offsets = nullptr;
  refused(status::null_pointer, {"null offsets"}, s);
  const std::vector<std::int64_t> both{0};
  s = cells();
  s.offsets64 = both.data();
  refused(status::invalid_argument, {"both"}, s);
  s = cells();
  s.negative = negative_offset(9);
  refused(status::invalid_argument, {"9 is none of"}, s);
  const std::vector<index_t> far{6};
  s = cells();
  s.constrained = far;
  refused(status::invalid_argument, {"constrained number 6", "0 to 5"}, s);
  const std::vector<std::int64_t> least{std::numeric_limits<std::int64_t>::min()};
  refused(status::invalid_argument, {"offset -9223372036854775808"},
          {.elements = 1, .entries = 1, .size = 1, .offsets64 = least.data(), .negative = negative_offset::sign});
  check_failure(status::invalid_argument, {"box", "4 dimensions"}, [] { restriction::box({.dim = 4}); });
  check_failure(status::invalid_argument, {"box", "-1 cells in direction 1"}, [] {
    restriction::box({.dim = 2, .cells = {1, -1, 0}});
  });
  check_failure(status::overflow, {"box"}, [] {
    restriction::box({.dim = 2, .cells = {index_t(1) << 40, index_t(1) << 40, 0}});
  });
}
