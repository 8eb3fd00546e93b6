// SPDX-License-Identifier: BSD-3-Clause
// Candidates of kernels of element matrices: they fit, all differ, every way that can make them is there.
#include "space/matrix_space.hpp"

#include <set>
#include <string>

#include "space/as_config.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

tuning_case matrices_of(operator_kind kind, int dim, int p, int q, matrix_storage how = matrix_storage::full) {
  return {.on = target::cuda,
          .in = memory_regime::stream,
          .element = element_case{.kind = kind, .dim = dim, .p = p, .q = q, .matrices = how}};
}

space matrix_space_of(const tuning_case& c, int most, std::uint64_t seed = 1) {
  return matrix_space(c, choose_matrix_tuning(jit_matrix_of(c, {}).of).tuning, {}, most, seed);
}

std::set<int> ways_of(const space& s) {
  std::set<int> ways;
  for (const config& c : s.candidates) ways.insert(as_tuning<matrix_tuning>(c).way);
  return ways;
}

}  // namespace

TEST_CASE("matrix candidates fit and differ, the rules' tuning in front", "[space][element]") {
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3})
      for (const int p : {1, 4, 7}) {
        const tuning_case c = matrices_of(kind, dim, p, p + 2);
        const space s = matrix_space_of(c, 24);
        const matrix_facts f = jit_matrix_of(c, {}).of;
        INFO(key_of(c));
        REQUIRE_FALSE(s.candidates.empty());
        CHECK(as_tuning<matrix_tuning>(s.candidates[0]) == ruled_matrix_tuning(f));
        CHECK((s.candidates.size() <= 24 && s.predicted.size() == s.candidates.size()));
        std::set<std::string> seen;
        for (const config& one : s.candidates) {
          CHECK(std::string(why_unfit(f, as_tuning<matrix_tuning>(one))).empty());
          CHECK(seen.insert(text_of(matrix_family(), one)).second);
        }
        long refused = 0;
        for (const auto& [reason, count] : s.refused) refused += count;
        CHECK(s.points == long(s.candidates.size()) - 1 + refused);
      }
}

TEST_CASE("matrix candidates go every way that can make them, whatever records say", "[space][element]") {
  using way = matrix_way;
  const auto diffusion = [](int dim, int p, int q, matrix_storage how = matrix_storage::full) {
    return ways_of(matrix_space_of(matrices_of(operator_kind::diffusion, dim, p, q, how), 16));
  };
  CHECK(diffusion(3, 1, 3) == std::set<int>{way::columns, way::halves, way::strips, way::threads, way::held});
  CHECK(diffusion(3, 3, 4) == std::set<int>{way::columns, way::halves, way::strips, way::held});
  CHECK(diffusion(3, 5, 7, matrix_storage::lower_packed) == std::set<int>{way::columns, way::halves, way::strips});
  CHECK(diffusion(2, 3, 5) == std::set<int>{way::columns, way::parities, way::threads});
  CHECK(ways_of(matrix_space_of(matrices_of(operator_kind::mass, 3, 2, 4), 16)) ==
        std::set<int>{way::columns, way::distinct});
  CHECK(ways_of(matrix_space_of(matrices_of(operator_kind::convection, 3, 2, 4), 16)) == std::set<int>{way::columns});
}

TEST_CASE("matrix candidates: those that records have nearby come first, the same draw again", "[space][element]") {
  const tuning_case c = matrices_of(operator_kind::diffusion, 3, 3, 5);
  const space s = matrix_space_of(c, 20);
  CHECK(s.candidates == matrix_space_of(c, 20).candidates);
  CHECK(s.candidates != matrix_space_of(c, 20, 2).candidates);
  const matrix_tuning recorded = choose_matrix_tuning(jit_matrix_of(c, {}).of).tuning;
  CHECK(as_tuning<matrix_tuning>(s.candidates[1]) == recorded);
  CHECK(text_of(matrix_family(), s.candidates[1]).find("way halves, elements 1") == 0);
}

TEST_CASE("matrix candidates: cases, their names and what they move", "[space][element]") {
  const tuning_case full = matrices_of(operator_kind::diffusion, 3, 2, 4),
                    packed = matrices_of(operator_kind::diffusion, 3, 2, 4, matrix_storage::lower_packed);
  CHECK(key_of(full) == "cuda f64 diffusion 3-D p2 q4 matrices");
  CHECK(key_of(packed) == "cuda f64 diffusion 3-D p2 q4 matrices, lower_packed");
  CHECK_FALSE(full == packed);
  CHECK(numbers_of(*full.element).moved() == 27 * 27 + 6 * 64);
  CHECK(numbers_of(*packed.element).moved() == 27 * 28 / 2 + 6 * 64);
  const jit_matrix what = jit_matrix_of(packed, as_config(matrix_tuning{.way = matrix_way::strips, .staged = 1}));
  CHECK((what.of.packed && what.of.trial == 3 && what.of.points == 4 && what.type() == scalar_type::f64));
  CHECK((what.tuning.way == matrix_way::strips && what.tuning.staged == 1));
}
