// SPDX-License-Identifier: BSD-3-Clause
// Element operators over the whole range of a type: edges of every power of two give the result of edge 1, scaled, or
// are refused where det J or D cannot be represented.
#include "element_checks.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"
#include "testing/targets.hpp"

#include <tessera/detail/jit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_operator;
using fem::element_operator_options;

namespace {

constexpr index_t boxes = 3;

// Sheared boxes with an edge `flat` times as long as the others, all edges times `edge`.
template <class T>
std::vector<T> corners_of(int dim, double flat, T edge) {
  const int n = 1 << dim;
  std::vector<T> all;
  for (index_t e = 0; e < boxes; ++e)
    for (int c = 0; c < dim; ++c)
      for (int i = 0; i < n; ++i) {
        const auto at = [&](int a) { return double(i >> a & 1) * (a == 0 ? flat : 1); };
        double x = at(c) * (1 + 0.25 * double(e));
        for (int a = 0; a < dim; ++a) x += a == c ? 0 : 0.125 * at(a);
        all.push_back(T(x) * edge);
      }
  return all;
}

// y of some x; nothing where the operator is refused.
template <class T>
std::optional<std::vector<T>> result_of(const element_operator_options& o, int dim, const std::vector<T>& corners) {
  const fem::element_nodes<T> nodes{.dim = dim, .order = 1, .elements = boxes, .coordinates = corners.data()};
  const bool on_gpu = o.on == target::cuda;
  try {
    const element_operator<T> op(nodes, o);
    const placed<T> x(seeded<T>(op.trial_size() * op.components() * boxes, 3), on_gpu),
        y(std::vector<T>(entry(op.test_size() * op.test_components() * boxes)), on_gpu);
    op.apply(x.data(), y.data());
    if (on_gpu) stream_view{}.synchronize();
    return y.read();
  } catch (const error& e) {
    CHECK(e.code() == status::invalid_argument);
    CHECK(std::string(e.what()).find("element ") != std::string::npos);
    return std::nullopt;
  }
}

// The result scales like edge^power, det J like edge^dim. Every operation on numbers that a power of two scales scales
// with them, exactly, as long as nothing leaves the range.
template <class T>
void check_scales(operator_kind kind, int dim, int power, double flat, element_form form, target on, int step) {
  using limits = std::numeric_limits<T>;
  element_operator_options o{.kind = kind,
                             .trial = {.order = 2},
                             .components = coupled_components(kind, dim),
                             .points = 4,
                             .form = form,
                             .on = on};
  const std::optional<std::vector<T>> unit = result_of<T>(o, dim, corners_of<T>(dim, flat, T(1)));
  REQUIRE(unit);
  T least = limits::max(), most = 0;
  for (const T y : *unit) {
    if (y != T(0)) least = std::min(least, std::abs(y));
    most = std::max(most, std::abs(y));
  }
  for (int k = limits::min_exponent; k < limits::max_exponent; k += step) {
    CAPTURE(name_of(kind), dim, flat, k, on, int(form));
    const auto scaled_fits = [&](double exponent) {  // with 12 bits to spare on either side
      return exponent > limits::min_exponent + 12 && exponent < limits::max_exponent - 12;
    };
    const double det = k * dim + std::log2(flat);
    const auto got = result_of<T>(o, dim, corners_of<T>(dim, flat, std::ldexp(T(1), k)));
    if (!got) {
      // det J, what D is linear in, and the derivatives along the shorter edges.
      const double slopes = power < dim ? k * power + std::abs(std::log2(flat)) * 2 : det;
      CHECK_FALSE((scaled_fits(det) && scaled_fits(slopes)));
      continue;
    }
    const bool normal = std::log2(double(least)) + k * power > limits::min_exponent + limits::digits + 40 &&
                        std::log2(double(most)) + k * power < limits::max_exponent - 10;
    int wrong = 0;
    // Exactly; but a part of a det J that is near the least normal number may be none, nor 1 / det J near the largest.
    const bool exact = det > limits::min_exponent + 30 && det < limits::max_exponent - 4;
    const T off = exact ? T(0) : 100 * limits::epsilon() * std::ldexp(most, k * power);
    for (std::size_t i = 0; i < got->size(); ++i) {
      if (normal && !(std::abs((*got)[i] - std::ldexp((*unit)[i], k * power)) <= off)) ++wrong;
      if (!std::isfinite((*got)[i]) && std::log2(double(most)) + k * power < limits::max_exponent - 10) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

void check_all(const std::vector<target>& targets, int step_float, int step_double) {
  struct scaled {
    operator_kind kind;
    int less;  // power of an edge below det J's
  };
  for (const target on : targets)
    for (const element_form form : {element_form::partial_assembly, element_form::matrix_free})
      for (const scaled s : {scaled{operator_kind::mass, 0}, scaled{operator_kind::convection, 1},
                             scaled{operator_kind::diffusion, 2}, scaled{operator_kind::elasticity, 2}})
        for (const int dim : {1, 2, 3})
          for (const double flat : {1.0, 0x1p-10}) {
            if (dim == 1 && flat < 1) continue;
            check_scales<float>(s.kind, dim, dim - s.less, flat, form, on, step_float);
            check_scales<double>(s.kind, dim, dim - s.less, flat, form, on, step_double);
          }
}

// A box with edges L, 1, 1 and a function that is linear along L: its derivatives along the others are 0, on a CPU
// exactly. A GPU fuses their products and sums, so that results are compared by the test above only.
template <class T>
void check_long_elements(element_form form, target on) {
  using limits = std::numeric_limits<T>;
  const element_operator_options o{
      .kind = operator_kind::diffusion, .trial = {.order = 1}, .points = 2, .form = form, .on = on};
  const auto result = [&](int k) {
    std::vector<T> corners(24), x(8);
    for (int i = 0; i < 8; ++i) {
      x[entry(i)] = T(i % 2);
      for (int c = 0; c < 3; ++c) corners[entry(i + 8 * c)] = T(i >> c & 1) * std::ldexp(T(1), c == 0 ? k : 0);
    }
    const fem::element_nodes<T> nodes{.dim = 3, .order = 1, .elements = 1, .coordinates = corners.data()};
    const element_operator<T> op(nodes, o);
    const bool on_gpu = on == target::cuda;
    const placed<T> in(x, on_gpu), out(std::vector<T>(8), on_gpu);
    op.apply(in.data(), out.data());
    if (on_gpu) stream_view{}.synchronize();
    return out.read();
  };
  const std::vector<T> unit = result(0);
  const int step = limits::max_exponent / 64, most = sizeof(T) == sizeof(float) ? 60 : 508;
  for (int k = step; k < limits::max_exponent; k += step) {
    CAPTURE(k, on, int(form));
    if (k > most + 1) {  // derivatives are half an edge, or an edge
      check_failure(status::invalid_argument, {"element 0 is too long", "at point 0 of 8"}, [&] { (void)result(k); });
    } else if (k <= most) {
      std::vector<T> expected = unit;
      for (T& y : expected) y = std::ldexp(y, -k);
      const std::vector<T> got = result(k);
      CHECK((on == target::cuda || got == expected));
    }
  }
}

void check_long_elements(target on) {
  for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
    check_long_elements<float>(form, on);
    check_long_elements<double>(form, on);
  }
}

}  // namespace

TEST_CASE("element operators over all sizes of elements", "[fem][element]") {
  check_all(testing::cpu_targets(), 1, 13);
}

TEST_CASE("gpu element operators over all sizes of elements", "[fem][element][gpu]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  check_all({target::cuda}, 3, 47);
}

TEST_CASE("element operators: elements too long for diffusion in 3-D are named", "[fem][element]") {
  for (const target on : testing::cpu_targets()) check_long_elements(on);
}

TEST_CASE("gpu element operators: elements too long for diffusion in 3-D are named", "[fem][element][gpu]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  check_long_elements(target::cuda);
}

TEST_CASE("element operators: coefficients below a type's range are refused", "[fem][element]") {
  const std::vector<float> corners = corners_of(2, 1, 1e12F);
  for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
    fem::element_nodes<float> nodes{.dim = 2, .order = 1, .elements = boxes, .coordinates = corners.data()};
    const element_operator_options o{.kind = operator_kind::mass, .points = 3, .form = form};
    nodes.coefficients = {1e-41};
    check_failure(status::invalid_argument, {"coefficient 0 is 1e-41", "smallest normal number of f32"},
                  [&] { element_operator<float>(nodes, o); });
    nodes.coefficients = {-1e60};
    check_failure(status::invalid_argument, {"coefficient 0 is -1e+60", "too large for f32"},
                  [&] { element_operator<float>(nodes, o); });
    nodes.coefficients = {0.0};
    CHECK_NOTHROW(element_operator<float>(nodes, o));
  }
}

TEST_CASE("element operators: a determinant that is no normal number is named", "[fem][element]") {
  const std::vector<float> corners = corners_of(3, 1, 1e-14F);
  const fem::element_nodes<float> nodes{.dim = 3, .order = 1, .elements = boxes, .coordinates = corners.data()};
  for (const element_form form : {element_form::partial_assembly, element_form::matrix_free})
    check_failure(status::invalid_argument, {"element 0 is too small", "at point 0 of 27", "no normal number of f32"},
                  [&] {
                    element_operator<float>(
                        nodes, {.kind = operator_kind::elasticity, .components = 3, .points = 3, .form = form});
                  });
}

TEST_CASE("element operators: results over the memory that D is computed from are refused", "[fem][element]") {
  std::vector<double> corners = corners_of(3, 1, 1.0), rho(8 * boxes, 1.0), x(8 * boxes, 1.0);
  fem::element_nodes<double> nodes{.dim = 3, .order = 1, .elements = boxes, .coordinates = corners.data()};
  nodes.coefficients_at_points = rho.data();
  nodes.coefficients_given = 1;
  const std::vector<double> before = corners;
  const element_operator<double> op(nodes,
                                    {.kind = operator_kind::mass, .points = 2, .form = element_form::matrix_free});
  const auto refused = [&](const char* what, const auto& work) {
    check_failure(status::overlap, {what, "which D is computed from"}, work);
  };
  refused("evaluation::apply: y overlaps the coordinates", [&] { op.apply(x.data(), corners.data() + 1); });
  refused("evaluation::apply: y overlaps the coefficients", [&] { op.apply(x.data(), rho.data()); });
  refused("assemble: M overlaps the coordinates", [&] { op.assemble(0, 1, corners.data() + 5); });
  refused("assemble: M overlaps the coefficients", [&] { op.assemble(0, 1, rho.data() + 23); });
  refused("diagonal: y overlaps the coordinates", [&] { op.diagonal(corners.data() + 71); });
  CHECK(corners == before);
  const element_operator<double> stored(nodes, {.kind = operator_kind::mass, .points = 2});
  CHECK_NOTHROW(stored.apply(x.data(), rho.data()));
}

TEST_CASE("element operators: memory that is not aligned to its entries is refused", "[fem][element]") {
  const std::vector<double> corners = corners_of(3, 1, 1.0);
  const fem::element_nodes<double> nodes{.dim = 3, .order = 1, .elements = boxes, .coordinates = corners.data()};
  const element_operator<double> op(nodes, {.kind = operator_kind::mass, .points = 2});
  std::vector<double> x(8 * boxes, 1.0), y(64 * boxes + 1, 2.0);
  const std::vector<double> before = y;
  const auto off = [](std::vector<double>& of) {
    return reinterpret_cast<double*>(reinterpret_cast<char*>(of.data()) + 4);
  };
  check_failure(status::invalid_argument, {"apply: y is at 0x", "8 bytes"}, [&] { op.apply(x.data(), off(y)); });
  check_failure(status::invalid_argument, {"apply: x is at 0x", "8 bytes"}, [&] { op.apply(off(x), y.data()); });
  check_failure(status::invalid_argument, {"M is at 0x", "8 bytes"}, [&] { op.assemble(0, 1, off(y)); });
  check_failure(status::invalid_argument, {"diagonal: y is at 0x", "8 bytes"}, [&] { op.diagonal(off(y)); });
  CHECK(y == before);
}
