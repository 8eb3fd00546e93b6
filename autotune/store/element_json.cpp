// SPDX-License-Identifier: BSD-3-Clause
// What a record of an element operator is for, as JSON and back. The library chooses by the facts of the kernel,
// whatever operator has them; the tuner knows it by its name and order.
#include <tessera/element/element_record.hpp>
#include <tessera/element/operator_facts.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/error.hpp>

#include "store/record_json.hpp"

namespace tessera::tune {

namespace {

using nlohmann::json;

element_kernel_facts facts_of(const tuning_case& c) {
  const element_case& e = *c.element;
  element_kernel_facts f = tessera::facts_of(e.kind, e.dim, e.p + 1, e.q, int(size_of(c.type)));
  f.nodal = e.nodal;
  f.repeats = e.repeats;
  f.several = e.repeats > 1;
  return f;
}

operator_kind kind_member(const json& j) {
  const std::string name = text_member(j, "operator");
  if (const auto kind = operator_from_name(name)) return *kind;
  throw error("\"operator\" is " + shown(name) + "; known: " + list_of_operators());
}

}  // namespace

ordered_json element_case_json(const tuning_case& c) {
  const element_kernel_facts f = facts_of(c);
  ordered_json j = {{"family", "element"},
                    {"operator", name_of(c.element->kind)},
                    {"dim", f.dim},
                    {"d", f.trial},
                    {"q", f.points},
                    {"t", f.test},
                    {"trial", point_shape_text(f.of_trial)},
                    {"test", point_shape_text(f.of_test)},
                    {"factors", f.factors},
                    {"type", name_of(c.type)},
                    {"stored", name_of(c.type)}};
  if (f.several) j["repeats"] = f.repeats;
  if (f.nodal) j["nodal"] = true;
  if (c.on != target::cuda) j["regime"] = name_of(c.in);
  return j;
}

tuning_case element_case_of(const json& j, target on) {
  tuning_case c{.on = on, .in = memory_regime::stream};
  const bool on_cpu = on != target::cuda;
  if (on_cpu && !is_second(j, "regime", "cache", "stream")) c.in = memory_regime::cache;
  c.type = is_second(j, "type", "f32", "f64") ? scalar_type::f64 : scalar_type::f32;
  constexpr long longest = 40;  // functions or points of a direction
  c.element = {.kind = kind_member(j),
               .dim = int(integer_member(j, "dim", 1, 3)),
               .p = int(integer_member(j, "d", 2, longest)) - 1,
               .q = int(integer_member(j, "q", 1, longest)),
               .nodal = on_cpu && flag_member(j, "nodal"),
               .repeats = !on_cpu && j.contains("repeats") ? int(integer_member(j, "repeats", 2, 64)) : 1};
  const ordered_json wanted = element_case_json(c);
  for (const auto& [name, value] : wanted.items())
    if (const auto found = j.find(name); found == j.end() || json(value) != *found)
      throw error("\"" + name + "\" must be " + value.dump() + " for " + name_of(c.element->kind) + ", not " +
                  (found == j.end() ? "missing" : shown(*found)));
  return c;
}

}  // namespace tessera::tune
