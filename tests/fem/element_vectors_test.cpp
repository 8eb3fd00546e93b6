// SPDX-License-Identifier: BSD-3-Clause
// Element operators over any layout, some of the elements, several right hand sides; what they refuse.
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"

#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

  std::vector<double> laid_out(const element_layout& layout, const std::vector<double>& from) const {
    std::vector<double> to(at(entries + 64), -7);
    for (index_t e = 0; e < elements; ++e)
      for (index_t c = 0; c < 2; ++c)
        for (index_t i = 0; i < n; ++i) to[at(layout.offset(i, c, e))] = from[at(i + n * (c + 2 * e))];
    return to;
  }
};

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "nothing thrown";
}

}  // namespace

TEST_CASE("E-vectors may be laid out in any way, to the last bit", "[fem][element]") {
  const small_operator s;
  const index_t W = s.A.kernel().lanes();
  const element_layout layouts[] = {
      element_layout::conventional(s.n, 2),   element_layout::by_component(s.n, elements),
      element_layout::by_node(s.n, 2),        element_layout::interleaved(s.n, 2, W),
      element_layout::interleaved(s.n, 2, 3), element_layout{.entry = 2, .component = 1, .block = 2 * s.n + 3}};
  for (const element_layout& in : layouts)
    for (const element_layout& out : layouts) {
      const index_t room = s.n * 2 * 32 + 64;
      std::vector<double> x(at(room)), y(at(room), 5.0), wanted(at(room), 5.0);
      for (index_t e = 0; e < elements; ++e)
        for (index_t c = 0; c < 2; ++c)
          for (index_t i = 0; i < s.n; ++i) {
            x[at(in.offset(i, c, e))] = s.x[at(i + s.n * (c + 2 * e))];
            wanted[at(out.offset(i, c, e))] = s.y[at(i + s.n * (c + 2 * e))];
          }
      s.A.apply(element_set::range(0, elements), {.x = x.data(), .x_layout = in, .y = y.data(), .y_layout = out});
      CHECK(y == wanted);
    }
}

TEST_CASE("only the elements asked for are written", "[fem][element]") {
  const small_operator s;
  const std::vector<index_t> some{10, 3, 4, 5, 6, 7, 0, 9}, none;
  const auto check = [&](const element_set& which, const std::vector<index_t>& members, bool adding) {
    std::vector<double> y(at(s.entries), 0.25), wanted(at(s.entries), 0.25);
    for (const index_t e : members)
      for (index_t i = 0; i < 2 * s.n; ++i)
        wanted[at(i + 2 * s.n * e)] = s.y[at(i + 2 * s.n * e)] + (adding ? 0.25 : 0.0);
    s.A.apply(which,
              {.x = s.x.data(), .x_layout = s.A.x_layout(), .y = y.data(), .y_layout = s.A.y_layout(), .add = adding});
    CHECK(y == wanted);
  };
  for (const bool adding : {false, true}) {
    check(element_set::of(some), some, adding);
    check(element_set::of(none), none, adding);
    for (index_t first = 0; first <= elements; ++first)
      for (index_t last = first; last <= elements; ++last) {
        std::vector<index_t> members(at(last - first));
        std::iota(members.begin(), members.end(), first);
        check(element_set::range(first, last), members, adding);
      }
  }
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

TEST_CASE("several right hand sides are several applications", "[fem][element]") {
  const small_operator s;
  const int sides = 3;
  const index_t x_side = s.entries + 5, y_side = s.entries + 9;
  std::vector<double> x(at(x_side * sides)), y(at(y_side * sides), 1.5);
  for (int r = 0; r < sides; ++r)
    for (index_t i = 0; i < s.entries; ++i) x[at(i + r * x_side)] = (r + 1) * s.x[at(i)];
  s.A.apply(element_set::range(0, elements), {.x = x.data(),
                                              .x_layout = s.A.x_layout(),
                                              .y = y.data(),
                                              .y_layout = s.A.y_layout(),
                                              .sides = sides,
                                              .x_side = x_side,
                                              .y_side = y_side});
  for (int r = 0; r < sides; ++r)
    for (index_t i = 0; i < s.entries; ++i)
      CHECK(std::abs(y[at(i + r * y_side)] - (r + 1) * s.y[at(i)]) <= 1e-13 * (r + 1));
  CHECK(y[at(s.entries)] == 1.5);
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

TEST_CASE("element matrices and diagonals are those of the operator", "[fem][element]") {
  const small_operator s;
  const index_t N = 2 * s.n;
  std::vector<double> M(at(N * N * elements)), diagonal(at(s.entries));
  s.A.assemble(0, elements, M.data());
  s.A.diagonal(diagonal.data());
  double worst = 0;
  for (index_t e = 0; e < elements; ++e)
    for (index_t i = 0; i < N; ++i) {
      double sum = 0;
      for (index_t j = 0; j < N; ++j) sum += M[at(i + N * (j + N * e))] * s.x[at(j + N * e)];
      worst = std::max(worst, std::abs(sum - s.y[at(i + N * e)]));
      CHECK(std::abs(diagonal[at(i + N * e)] - M[at(i + N * (i + N * e))]) <= 1e-14);
    }
  CHECK(worst <= 1e-13);
  std::vector<double> part(at(N * N));
  s.A.assemble(elements - 1, 1, part.data());
  CHECK(part == std::vector<double>(M.end() - static_cast<std::ptrdiff_t>(N * N), M.end()));
}

TEST_CASE("what does not fit together is refused", "[fem][element]") {
  const small_operator s;
  std::vector<double> y(at(s.entries));
  const application<double> a{.x = s.x.data(), .x_layout = s.A.x_layout(), .y = y.data(), .y_layout = s.A.y_layout()};
  const std::vector<index_t> beyond{3, 11};
  CHECK(refusal([&] { s.A.apply(element_set::range(2, 12), a); }).find("elements 2 to 12 of 11") != std::string::npos);
  CHECK(refusal([&] { s.A.apply(element_set::of(beyond), a); }).find("element 11 of 11") != std::string::npos);
  CHECK(refusal([&] { s.A.apply(nullptr, y.data()); }).find("x is a null pointer") != std::string::npos);
  CHECK(refusal([&] {
          element_operator<double>(3, 1, s.D.data(),
                                   {.kind = operator_kind::elasticity, .trial = {.order = 1}, .components = 2});
        }).find("couples 3") != std::string::npos);
  CHECK(refusal([&] {
          evaluation<double>({.kind = operator_kind::diffusion,
                              .dim = 2,
                              .trial = 3,
                              .points = 2,
                              .interpolate = std::vector<double>(6),
                              .differentiate = std::vector<double>(4)});
        }).find("fewer than functions; give gradients, 2 x 3") != std::string::npos);
  CHECK(refusal([&] {
          evaluation<double>({.kind = operator_kind::diffusion,
                              .dim = 2,
                              .trial = 3,
                              .points = 2,
                              .interpolate = std::vector<double>(6),
                              .gradients = std::vector<double>(4)});
        }).find("gradients has 4 entries, not 2 x 3") != std::string::npos);
  CHECK(refusal([&] {
          element_operator<double>(3, 1, s.D.data(),
                                   {.kind = operator_kind::elasticity,
                                    .trial = {.order = 16},
                                    .components = 3,
                                    .points = 16,
                                    .on = target::cuda});
        }).find("too large for this GPU's kernels") != std::string::npos);
  for (const int points : {-1, 41})
    CHECK(refusal([&] {
            element_operator<double>(2, 1, s.D.data(), {.trial = {.order = 2}, .points = points});
          }).find(std::to_string(points) + " points; the number of points must be 1 to 40") != std::string::npos);
  CHECK(refusal([&] { element_operator<double>(2, 1, s.D.data(), {.trial = {.order = 17}}); }).find("order 17") !=
        std::string::npos);
  CHECK(refusal([&] { element_operator<double>(4, 1, s.D.data(), {.trial = {.order = 1}}); }).find("dimension") !=
        std::string::npos);
  CHECK(refusal([&] {
          const evaluation<double> other({.dim = 2, .trial = 1, .points = 1, .interpolate = {1.0}});
          s.A.kernel().apply(element_set::range(0, 1), a, point_data<double>::stored(other, 1));
        }).find("D is of another operator") != std::string::npos);
  CHECK(refusal([&] {
          evaluation<double>({.dim = 2, .trial = 2, .points = 3, .interpolate = {1.0}});
        }).find("interpolate has 1 entries, not 3 x 2") != std::string::npos);
}

TEST_CASE("runs of one operator may go on at the same time, with the same bits", "[fem][element]") {
  const std::vector<double> D = seeded<double>(500 * 125, 4), x = seeded<double>(500 * 64, 5);
  const element_operator<double> A(3, 500, D.data(), {.trial = {.order = 3}, .points = 5});
  std::vector<double> one(500 * 64);
  A.apply(x.data(), one.data());
  std::vector<double> each(500 * 64);
  for (index_t e = 0; e < 500; ++e)
    A.apply(element_set::range(e, e + 1),
            {.x = x.data(), .x_layout = A.x_layout(), .y = each.data(), .y_layout = A.y_layout()});
  CHECK(one == each);
}
