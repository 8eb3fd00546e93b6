// SPDX-License-Identifier: BSD-3-Clause
// The case of an element operator's record, as JSON and back. The library chooses by the facts of the kernel, for any
// operator with these facts; the tuner identifies the case by operator and order.
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/element/operator_facts.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/error.hpp>

#include "store/record_json.hpp"

namespace tessera::tune {

namespace {

element_kernel_facts facts_of(const tuning_case& c) {
  const element_case& e = *c.element;
  element_kernel_facts f = tessera::facts_of(e.kind, e.dim, e.p + 1, e.q, int(size_of(c.type)));
  f.nodal = e.nodal;
  f.repeats = e.repeats;
  f.several = e.repeats > 1;
  return f;
}

operator_kind kind_of(const tuning_record& r) {
  if (const auto kind = operator_from_name(r.operator_name)) return *kind;
  throw error("\"operator\" is '" + r.operator_name.substr(0, 60) + "'; known: " + list_of_operators());
}

}  // namespace

ordered_json element_case_json(const tuning_case& c) {
  const element_kernel_facts f = facts_of(c);
  if (c.is_of_matrices()) {
    ordered_json j = {
        {"family", "matrix"}, {"operator", name_of(c.element->kind)}, {"dim", f.dim}, {"d", f.trial}, {"q", f.points}};
    if (!c.element->either) j["storage"] = *c.element->matrices == matrix_storage::full ? "full" : "lower_packed";
    j["type"] = name_of(c.type);
    return j;
  }
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

tuning_case matrix_case_of(const tuning_record& r) {
  const matrix_facts& f = r.of_matrix;
  if (f.trial < 2) throw error("\"d\" is " + std::to_string(f.trial) + "; an operator has 2 functions or more");
  return {.on = target::cuda,
          .type = r.type,
          .in = memory_regime::stream,
          .element = element_case{.kind = f.kind,
                                  .dim = f.dim,
                                  .p = f.trial - 1,
                                  .q = f.points,
                                  .matrices = f.packed ? matrix_storage::lower_packed : matrix_storage::full,
                                  .either = r.either}};
}

tuning_case element_case_of(const tuning_record& r, target on) {
  const element_kernel_facts& found = r.of;
  if (found.trial < 2) throw error("\"d\" is " + std::to_string(found.trial) + "; an operator has 2 functions or more");
  tuning_case c{.on = on, .type = r.type, .in = r.in};
  c.element = {.kind = kind_of(r),
               .dim = found.dim,
               .p = found.trial - 1,
               .q = found.points,
               .nodal = found.nodal,
               .repeats = found.repeats};
  // Beside these, everything follows from the operator.
  const element_kernel_facts wanted = facts_of(c);
  const auto check = [&](const char* name, const auto& is, const auto& must_be) {
    const ordered_json one = is, other = must_be;
    if (one != other)
      throw error("\"" + std::string(name) + "\" must be " + other.dump() + " for " + name_of(c.element->kind) +
                  ", not " + one.dump());
  };
  check("t", found.test, wanted.test);
  check("trial", point_shape_text(found.of_trial), point_shape_text(wanted.of_trial));
  check("test", point_shape_text(found.of_test), point_shape_text(wanted.of_test));
  check("factors", found.factors, wanted.factors);
  check("stored", found.stored_bytes == 8 ? "f64" : "f32", name_of(c.type));
  return c;
}

}  // namespace tessera::tune
