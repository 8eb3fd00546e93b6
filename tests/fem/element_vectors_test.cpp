// SPDX-License-Identifier: BSD-3-Clause
// Element operators over any layout, some of the elements, several right hand sides; what they refuse.
#include "e_vector_checks.hpp"
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/failure.hpp"

#include <tessera/device_facts.hpp>
#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_operator;
using fem::element_operator_options;

constexpr index_t elements = 11;  // no multiple of any number of lanes
const element_operator_options vector_mass{.trial = {.order = 2}, .components = 2, .points = 4};

struct small_operator {
  std::vector<double> D = seeded<double>(elements * 16, 1);
  element_operator<double> A{2, elements, D.data(), vector_mass};
  index_t n = A.trial_size(), entries = n * 2 * elements;
  std::vector<double> x = seeded<double>(entries, 2), y = std::vector<double>(at(entries));
  small_operator() { A.apply(x.data(), y.data()); }

  e_vectors vectors() const { return {A, x, y}; }
};

}  // namespace

TEST_CASE("E-vectors: any layout, any elements, several right hand sides", "[fem][element]") {
  const small_operator s;
  check_layouts(s.vectors());
  check_subsets(s.vectors());
  check_sides(s.vectors());
}

TEST_CASE("results that exceed the caches are the same, to the last bit, and nothing else is written",
          "[fem][element]") {
  // y is then written by non-temporal stores, in whole lines; pieces of the vectors are small enough for ordinary ones.
  const index_t entries = 2 * 4, points = 9;
  const index_t bytes_of_element = index_t(sizeof(double)) * (2 * entries + points);
  const index_t cache = std::min<index_t>(last_level_cache_bytes(default_cpu_target()), 256 << 20);
  const index_t count = cache / bytes_of_element + 1001;
  const std::vector<double> D = seeded<double>(count * points, 1), x = seeded<double>(count * entries, 2);
  const element_operator<double> A(2, count, D.data(), {.components = 2, .points = 3});
  const element_layout layout = element_layout::conventional(4, 2);
  for (const index_t shift : {0, 3}) {
    INFO("y starts " << shift << " entries behind its memory");
    std::vector<double> whole(at(count * entries + 8), -7), pieces = whole;
    A.apply(element_set::range(0, count),
            {.x = x.data(), .x_layout = layout, .y = whole.data() + shift, .y_layout = layout});
    for (index_t first = 0; first < count; first += 1000)
      A.apply(element_set::range(first, std::min(first + 1000, count)),
              {.x = x.data(), .x_layout = layout, .y = pieces.data() + shift, .y_layout = layout});
    CHECK(whole == pieces);
  }
}

TEST_CASE("D may be kept in float", "[fem][element]") {
  small_operator s;
  std::vector<double> rounded(s.D);
  for (double& d : rounded) d = static_cast<float>(d);
  element_operator_options o = vector_mass;
  const element_operator<double> wanted(2, elements, rounded.data(), o);
  o.storage = point_storage::in_float;
  element_operator<double> A(2, elements, s.D.data(), o);
  std::vector<double> y(s.y), z(s.y);
  wanted.apply(s.x.data(), y.data());
  A.apply(s.x.data(), z.data());
  CHECK(y == z);
  CHECK(A.data().bytes() * 2 == element_operator<double>(2, elements, s.D.data(), vector_mass).data().bytes());
  CHECK(A.describe().find("stored, f32") != std::string::npos);
  const std::vector<index_t> some{9, 1, 2};
  std::vector<double> part(at(s.entries));
  A.apply(element_set::of(some),
          {.x = s.x.data(), .x_layout = A.x_layout(), .y = part.data(), .y_layout = A.y_layout()});
  for (index_t i = 0; i < 2 * s.n; ++i) CHECK(part[at(i + 2 * s.n * 9)] == z[at(i + 2 * s.n * 9)]);
}

TEST_CASE("what does not fit together is refused", "[fem][element]") {
  const small_operator s;
  std::vector<double> y(at(s.entries));
  const application<double> a{.x = s.x.data(), .x_layout = s.A.x_layout(), .y = y.data(), .y_layout = s.A.y_layout()};
  const std::vector<index_t> beyond{3, 11};
  const auto refused = [&](status code, std::string_view words, int dim, const element_operator_options& o) {
    check_failure(code, {words}, [&] { element_operator<double>(dim, 1, s.D.data(), o); });
  };
  const auto refused_tables = [&](status code, std::string_view words, evaluation_spec spec) {
    spec.dim = 2;
    check_failure(code, {words}, [&] { const evaluation<double> made(spec); });
  };
  check_failure(status::invalid_argument, {"elements 2 to 12 of 11"}, [&] { s.A.apply(element_set::range(2, 12), a); });
  check_failure(status::invalid_argument, {"element 11 of 11"}, [&] { s.A.apply(element_set::of(beyond), a); });
  check_failure(status::null_pointer, {"x is a null pointer"}, [&] { s.A.apply(nullptr, y.data()); });
  check_failure(status::shape_mismatch, {"D is of another operator"}, [&] {
    const evaluation<double> other({.dim = 2, .trial = 1, .points = 1, .interpolate = {1.0}});
    s.A.kernel().apply(element_set::range(0, 1), a, point_data<double>::stored(other, 1));
  });
  refused(status::shape_mismatch, "couples 3", 3,
          {.kind = operator_kind::elasticity, .trial = {.order = 1}, .components = 2});
  refused(
      status::no_target, "too large for this GPU's kernels", 3,
      {.kind = operator_kind::elasticity, .trial = {.order = 16}, .components = 3, .points = 16, .on = target::cuda});
  for (const int points : {-1, 41})
    refused(status::invalid_argument, std::to_string(points) + " points; the number of points must be 1 to 40", 2,
            {.trial = {.order = 2}, .points = points});
  refused(status::invalid_argument, "order 17", 2, {.trial = {.order = 17}});
  refused(status::invalid_argument, "dimension", 4, {.trial = {.order = 1}});
  const std::vector<double> four(4), six(6);
  evaluation_spec slopes{
      .kind = operator_kind::diffusion, .trial = 3, .points = 2, .interpolate = six, .differentiate = four};
  refused_tables(status::invalid_argument, "fewer than functions; give gradients, 2 x 3", slopes);
  slopes.gradients = four;
  refused_tables(status::shape_mismatch, "gradients has 4 entries, not 2 x 3", slopes);
  refused_tables(status::shape_mismatch, "interpolate has 1 entries, not 3 x 2",
                 {.trial = 2, .points = 3, .interpolate = {1.0}});
}

TEST_CASE("runs of one operator may go on at the same time, with the same bits", "[fem][element]") {
  const std::vector<double> D = seeded<double>(500 * 125, 4), x = seeded<double>(500 * 64, 5);
  check_one_by_one(element_operator<double>(3, 500, D.data(), {.trial = {.order = 3}, .points = 5}), x);
}
