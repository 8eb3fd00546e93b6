// SPDX-License-Identifier: BSD-3-Clause
// Builds the cases of the suite tccg.
#include "tccg_case.hpp"

#include <cmath>
#include <iterator>
#include <type_traits>

#include <tessera/error.hpp>

namespace tessera::bench {

namespace {

// The members are those of plans and contractions that know functions of entries and precisions; others refuse them.
template <class Contraction>
Contraction with_leaky_relu(const Contraction& what, double slope) {
  if constexpr (requires { what.functions().a; }) {
    auto functions = what.functions();
    using function = decltype(functions.a);
    functions.a = functions.b = functions.result = function(function::kind::leaky_relu, slope);
    return what.with(functions);
  } else {
    throw error("--function leaky_relu: plans of this build have no functions of entries");
  }
}

template <class Contraction>
Contraction over_min_plus(const Contraction& what) {
  if constexpr (requires { what.pair(); }) {
    using operations = std::remove_cvref_t<decltype(what.pair())>;
    return what.over(operations(operations::kind::min_plus));
  } else {
    throw error("--operations min_plus: plans of this build only multiply and add");
  }
}

template <class Options>
void set_precision(Options& options, product_precision precision) {
  if (precision == product_precision::exact) return;
  if constexpr (requires { options.precision; })
    options.precision = decltype(options.precision)(int(precision));
  else
    throw error(std::string("--precision ") + name_of(precision) + ": plans of this build are exact");
}

}  // namespace

workload tccg_case(const tccg_row& row, double scale, const options& o) {
  const std::string einsum = einsum_of(row);
  workload work{.label = std::to_string(row.id) + " " + std::string(row.text) + (o.beta != 0 ? " +=" : ""),
                .what = contraction(einsum, {1, o.beta}, o.type.sum)};
  const auto size = [&](char letter) { return extent_of(row, letter, scale); };
  for (const int at : {0, 1, output}) {
    std::vector<index_t> extents;
    const modes& m = work.what.modes().operand[at];
    for (int d = 0; d < m.rank; ++d) extents.push_back(size(m.letter[d]));
    work.operands.emplace_back(at == output ? o.type.out : o.type.in, extents, storage_order{}, std::nullopt, 0,
                               int(work.operands.size()) + 1);
  }
  double all = 1;
  nlohmann::json extents;
  for (std::size_t i = 0; i < std::size(row.extents) && row.extents[i] > 0; ++i) {
    const char letter = char('a' + i);
    all *= double(size(letter));
    extents[std::string(1, letter)] = size(letter);
    if (!work.what.modes().out().has(letter)) work.inner *= size(letter);
  }
  work.facts = {{"row", row.id},
                {"einsum", einsum},
                {"text", row.text},
                {"group", group_of(row)},
                {"extents", extents},
                {"scale", scale},
                {"beta", o.beta},
                {"precision", name_of(o.precision)},
                {"function", o.entry_function},
                {"operations", o.operations}};
  if (!o.vary.empty()) work.facts["vary"] = o.vary;
  if (is_integer(o.type) && (o.entry_function != "none" || o.beta != std::floor(o.beta)))
    throw error(std::string("--type ") + type_name(o.type) + ": without --function, and --beta a whole number");
  work.place = {{group_of(row)}, "", row.id};  // rows are no series of sizes
  work.flops = 2 * all * (is_complex_type(o.type.in) ? 4 : 1);
  for (const data& d : work.operands) work.bytes += d.bytes();
  if (o.beta != 0) work.bytes += work.out().bytes();
  work.precision = o.precision;
  if (o.operations == "min_plus") {
    if (!o.type.is_real() || o.beta != 0 || o.entry_function != "none")
      throw error("--operations min_plus: of f32 or f64, without --beta and --function");
    work.is_min_plus = true;
    work.what = over_min_plus(work.what);
  }
  if (o.entry_function != "none") {
    if (is_complex_type(o.type.in))
      throw error("--function " + o.entry_function + ": complex numbers are neither positive nor negative");
    work.leaky_slope = leaky_slope;
    work.what = with_leaky_relu(work.what, leaky_slope);
  }
  return work;
}

contraction_call contraction_call_for(const workload& work, const setting& s) {
  contraction_call call;
  call.type = work.types();
  call.precision = work.precision;
  call.space = space_of(s);
  const int places[] = {0, 1, output};
  for (int t = 0; t < 3; ++t) {
    const modes& m = work.what.modes().operand[places[t]];
    call.letters[t].assign(m.letter, m.letter + m.rank);
    const operand& o = work.operands[std::size_t(t)].host();
    call.extents[t].assign(o.facts.extent, o.facts.extent + o.facts.rank);
  }
  call.a = work.operands[0].place().data;
  call.b = work.operands[1].place().data;
  call.c = const_cast<void*>(work.out().place().data);
  call.beta = work.what.scale().beta.re;
  call.threads = s.with.threads;
  call.search_seconds = s.with.search_seconds;
  call.time = protocol_for(s).time;
  return call;
}

workload product_of_same_sizes(const workload& work, const contraction_call& call) {
  const matrix_shape shape = matrix_shape_of(call);
  workload product{.label = work.label + " as matrices",
                   .what = contraction("ik,kj->ij", work.what.scale(), call.type.sum)};
  const std::vector<index_t> sizes[] = {{shape.m, shape.k}, {shape.k, shape.n}, {shape.m, shape.n}};
  for (int t = 0; t < 3; ++t) {
    product.operands.emplace_back(t == 2 ? call.type.out : call.type.in, sizes[t], storage_order{}, std::nullopt, 0,
                                  t + 1);
    if (call.space == space_kind::gpu) product.operands.back().move_to_device();
  }
  product.inner = shape.k;
  product.precision = work.precision;
  return product;
}

plan tccg_plan(const workload& work, const std::vector<operand>& operands, const setting& s) {
  plan_options options = options_of_plans(s);
  set_precision(options, work.precision);
  return make_plan_of(work.what, operands.data(), int(operands.size()), options);
}

roof_of_types roof_for(const product_types& types, product_precision precision) {
  using device::matrix_unit;
  if (types.sum == scalar_type::f64 || types.sum == scalar_type::c64) return {matrix_unit::f64};
  if (types.in == scalar_type::f16) return {matrix_unit::f16};
  if (types.in == scalar_type::bf16) return {matrix_unit::bf16};
  if (precision == product_precision::tf32) return {matrix_unit::tf32};
  if (precision == product_precision::tf32x3) return {matrix_unit::tf32, 3};
  return {std::nullopt};
}

}  // namespace tessera::bench
