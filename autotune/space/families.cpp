// SPDX-License-Identifier: BSD-3-Clause
// The kernel families: each has the axes of its tuning struct, the rule of what fits and a model; and the names of
// cases.
#include <cmath>

#include <tessera/detail/cpu_isas.hpp>
#include <tessera/detail/fits.hpp>
#include <tessera/detail/packed_layouts_text.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/error.hpp>

#include "space/as_config.hpp"
#include "space/model.hpp"

namespace tessera::tune {

namespace {

gemm_form form_of(const tuning_case& c) { return {c.type, c.m, c.n, c.k, c.in, c.layouts}; }

// LimitsOf: target -> the limits that fits.hpp takes. Predict: (tuning, case, limits) -> prediction.
template <class Tuning, class LimitsOf, class Predict>
family make_family(const std::string& name, const std::string& type, LimitsOf limits_of, Predict predict) {
  family f;
  f.name = name;
  for (const axis<Tuning>& a : axes_of<Tuning>()) f.axes.push_back({a.name, {a.values.begin(), a.values.end()}});
  f.initial = as_config(Tuning{});
  f.why_not = [limits_of](const config& c, const tuning_case& of) {
    return tessera::why_not(as_tuning<Tuning>(c), form_of(of), limits_of(of.on));
  };
  f.canonical = [limits_of](const config& c, const tuning_case& of) {
    return as_config(tessera::canonical_tuning(as_tuning<Tuning>(c), form_of(of), limits_of(of.on)));
  };
  f.predict = [predict](const config& c, const tuning_case& of, const machine_limits& limits) {
    return predict(as_tuning<Tuning>(c), of, limits);
  };
  f.source = [type, axes = f.axes.size()](const config& c) {
    std::string text = "tessera::" + type + "{";
    for (std::size_t i = 0; i < axes; ++i) text += (i > 0 ? ", " : "") + std::to_string(c.value[i]);
    return text + "}";
  };
  return f;
}

family cpu_family() {
  return make_family<cpu_gemm_tuning>(
      "gemm", "cpu_gemm_tuning", [](target isa) { return cpu_limits_of(isa); },
      [](const cpu_gemm_tuning& t, const tuning_case& c, const machine_limits& l) { return predict(t, c, l); });
}

}  // namespace

family gpu_gemm_family(int compute_capability) {
  const gpu_limits gpu = gpu_limits_of(compute_capability);
  return make_family<gpu_gemm_tuning>(
      "gemm", "gpu_gemm_tuning", [gpu](target) { return gpu; },
      [gpu](const gpu_gemm_tuning& t, const tuning_case& c, const machine_limits& l) { return predict(t, c, l, gpu); });
}

const family& gemm_family(target on) {
  static const family cpu = cpu_family(), gpu = gpu_gemm_family(90);
  if (on == target::reference)
    throw error(
        "the reference loops have no tuning: choose an instruction set (" + detail::cpu_isa_names() + ") or cuda",
        status::no_target);
  return on == target::cuda ? gpu : cpu;
}

std::string text_of(const family& f, const config& c) {
  std::string text;
  for (std::size_t i = 0; i < f.axes.size(); ++i)
    text += (i > 0 ? ", " : "") + f.axes[i].name + " " +
            (f.axes[i].words.empty() ? std::to_string(c.value[i]) : f.axes[i].words[std::size_t(c.value[i])]);
  return text;
}

element_numbers numbers_of(const element_case& c) {
  index_t nodes = 1, points = 1;
  for (int a = 0; a < c.dim; ++a) nodes *= c.p + 1, points *= c.q;
  const index_t entries = nodes * coupled_components(c.kind, c.dim) * c.repeats;
  return {entries, points * factors_of(c.kind, c.dim), c.matrices ? matrix_entries(entries, entries, *c.matrices) : 0};
}

double of_both(const packed_layouts& layouts, double assign, double add) {
  if (!is_shared(layouts.left) && !is_shared(layouts.right)) return std::sqrt(assign * add);
  constexpr double weight = 0.2;
  return std::pow(assign, 1 - weight) * std::pow(add, weight);
}

std::string key_of(const tuning_case& c) {
  if (c.element)
    return std::string(name_of(c.on)) + " " + name_of(c.type) + " " +
           (c.on == target::cuda ? "" : name_of(c.in) + std::string(" ")) + name_of(c.element->kind) + " " +
           std::to_string(c.element->dim) + "-D p" + std::to_string(c.element->p) + " q" +
           std::to_string(c.element->q) + (c.element->nodal ? " gll" : "") +
           (c.element->repeats > 1 ? " x" + std::to_string(c.element->repeats) : "") +
           (!c.element->matrices                           ? ""
            : c.element->either                            ? " matrices of either storage"
            : *c.element->matrices == matrix_storage::full ? " matrices"
                                                           : " matrices, lower_packed");
  return std::string(name_of(c.on)) + " " + name_of(c.type) + " " + name_of(c.in) + " " + std::to_string(c.m) + "x" +
         std::to_string(c.n) + "x" + std::to_string(c.k) + form_text(c.layouts).substr(std::string("packed").size());
}

}  // namespace tessera::tune
