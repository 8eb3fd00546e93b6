// SPDX-License-Identifier: BSD-3-Clause
// Reads the options of the suites element and assembly.
#include "element_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/error.hpp>

#include "sizes.hpp"

namespace tessera::bench {

std::vector<operator_kind> kinds_of(const std::string& text) {
  try {
    return operators_from_list(text);
  } catch (const error& e) {
    throw error(std::string("--operator: ") + e.what());
  }
}

std::vector<matrix_storage> storages_of(const std::string& text) {
  if (text == "full") return {matrix_storage::full};
  if (text == "lower") return {matrix_storage::lower_packed};
  if (text == "both") return {matrix_storage::full, matrix_storage::lower_packed};
  constexpr std::string_view names[] = {"full", "lower", "both"};
  throw error("--storage: '" + text + "'" + did_you_mean(text, names) + " is none of full, lower and both");
}

element_sizes sizes_of(operator_kind kind, int p, const options& o) {
  element_sizes s{.kind = kind, .dim = o.dim, .components = o.components, .p = p, .nodal = o.points == "gll"};
  if (s.nodal || o.points == "p+1")
    s.q = p + 1;
  else
    s.q = o.points == "p+2" ? p + 2 : int(parse_integer(o.points, "points (p+1, p+2, gll or a number)", 1));
  const int coupled = coupled_components(kind, o.dim);
  s.components = std::max(o.components, coupled);
  return s;
}

element_sizes sizes_with_form(operator_kind kind, int p, const options& o) {
  element_sizes s = sizes_of(kind, p, o);
  s.simplex = o.shape == "simplex";
  if (s.simplex && (s.nodal || o.form != "partial_assembly"))
    throw error("--shape simplex: points are Gauss-Jacobi points, and D is stored");
  s.own = o.function == "own";
  if (s.own && (kind != operator_kind::diffusion || s.simplex || o.form != "partial_assembly"))
    throw error("--function own: it is diffusion with stored D on elements that are products of segments");
  if (s.own && o.target_name != "cuda") throw error("--function own: it is measured with --target cuda");
  if (o.form == "partial_assembly") return s;
  constexpr std::string_view forms[] = {"partial_assembly", "matrix_free"};
  if (o.form != "matrix_free")
    throw error("--form: '" + o.form + "'" + did_you_mean(o.form, forms) +
                " is neither partial_assembly nor matrix_free");
  s.geometry = 1 + (o.geometry == "p" ? p : int(parse_integer(o.geometry, "order of the geometry (p or a number)", 1)));
  return s;
}

double joules_per_billion(const timing& t, double dofs) { return t.joules / dofs * 1e9; }

std::string words_of_dofs(const timing& t, double dofs, const options& o) {
  char text[96];
  const double joules = joules_per_billion(t, dofs);
  if (o.heat == thermal::sustained && std::isfinite(joules))
    std::snprintf(text, sizeof text, "; %.3ge9 dofs/s, %.3g J per 1e9 dofs at %.0f MHz", dofs / t.seconds.median * 1e-9,
                  joules, t.clock_mhz);
  else
    std::snprintf(text, sizeof text, "; %.3ge9 dofs/s", dofs / t.seconds.median * 1e-9);
  return text;
}

}  // namespace tessera::bench
