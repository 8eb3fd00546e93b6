// SPDX-License-Identifier: BSD-3-Clause
// Restrictions and operators between L-vectors from C.
#include <tessera/fem/tessera_fem.h>

#include <tessera/c_status.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/solver/c_function.hpp>

#include "c_function.hpp"
#include "c_options.hpp"
#include "c_restriction.hpp"

#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

using namespace tessera;
using namespace tessera::fem;
using namespace tessera::fem::detail;

struct tessera_global_operator : typed_operator<global_operator> {};
struct tessera_global_run {
  std::variant<global_evaluation<float>::running, global_evaluation<double>::running> of;
};

namespace {

negative_offset negative_from(const char* name) {
  if (name == nullptr) return negative_offset::refused;
  if (std::strcmp(name, "sign") == 0) return negative_offset::sign;
  if (std::strcmp(name, "constrained") == 0) return negative_offset::constrained;
  refuse(std::string("negative offsets '") + name + "' are none of sign and constrained; NULL: they are refused");
}

const tessera_global_operator& checked(const tessera_global_operator* of) {
  if (of == nullptr) refuse("null operator", status::null_pointer);
  return *of;
}

tessera_global_run& checked(tessera_global_run* of) {
  if (of == nullptr) refuse("null run", status::null_pointer);
  return *of;
}

template <class T>
global_application<T> application_of(const global_operator<T>& op, const void* x, void* y, int add, void* stream) {
  return {.x = static_cast<const T*>(x),
          .y = static_cast<T*>(y),
          .add = add != 0,
          .rows = op.kernel().has_one_restriction() ? constrained_rows::identity : constrained_rows::zero,
          .in = stream};
}

template <class Number>
std::vector<Number> copied(const std::string& what, const Number* from, int64_t count) {
  if (from == nullptr && count > 0) throw error(what + ": null pointer", status::null_pointer);
  tessera::detail::checked_product(what, {count}, sizeof(Number));
  return {from, from + count};
}

// f(G, a number of that type) for vectors of its numbers.
template <class F>
void with_numbers(tessera_type type, const restriction& G, std::initializer_list<const void*> vectors, const F& f) {
  for (const void* const one : vectors)
    if (one == nullptr && G.size() > 0 && G.elements() > 0) refuse("null vector", status::null_pointer);
  if (type == TESSERA_F64) return f(G, static_cast<double*>(nullptr));
  if (type == TESSERA_F32) return f(G, static_cast<float*>(nullptr));
  refuse("type " + std::to_string(type) + " is none of TESSERA_F32 and TESSERA_F64");
}

// What C gives, with a copy of its list of parts.
struct patches_from_c {
  std::vector<int> part;
  patch_options options;

  patches_from_c(const tessera_patch_options* from, index_t elements) {
    if (from == nullptr) return;
    if (from->part != nullptr) part = copied("operator on unknowns: parts", from->part, elements);
    options = {.order = from->in_given_order != 0 ? element_order::as_given : element_order::close,
               .patch_elements = from->patch_elements,
               .part = part,
               .parts = from->parts,
               .sums = from->atomic_sums != 0 ? sum_order::atomic : sum_order::in_order};
  }
  patches_from_c(const patches_from_c&) = delete;
};

c_operator_facts facts_of(const void* context) {
  return static_cast<const tessera_global_operator*>(context)->with([]<class T>(const global_operator<T>& op, T*) {
    return c_operator_facts{op.size(), op.trial_size(), std::is_same_v<T, float> ? TESSERA_F32 : TESSERA_F64,
                            op.space()};
  });
}
const known_c_function as_function{tessera_global_as_function, facts_of};
const known_c_function with_dot{tessera_global_with_dot, facts_of};

}  // namespace

extern "C" {

tessera_status tessera_restriction_create(tessera_restriction** made, const tessera_restriction_options* options) {
  return c_status_of(__func__, [&] {
    if (made == nullptr) refuse("null result pointer", status::null_pointer);
    *made = nullptr;
    if (options == nullptr) refuse("null options", status::null_pointer);
    const std::vector<int64_t> given =
        copied("restriction: constrained numbers", options->constrained, options->constrained_count);
    const std::vector<index_t> constrained(given.begin(), given.end());
    const restriction r({.elements = options->elements,
                         .entries = options->entries,
                         .components = options->components == 0 ? 1 : options->components,
                         .size = options->size,
                         .offsets = options->offsets,
                         .offsets64 = options->offsets64,
                         .component_stride = options->component_stride,
                         .negative = negative_from(options->negative),
                         .constrained = constrained});
    *made = new tessera_restriction{r, r.describe()};
  });
}
const char* tessera_restriction_describe(const tessera_restriction* of) {
  return of == nullptr ? nullptr : of->description.c_str();
}
void tessera_restriction_destroy(tessera_restriction* of) { delete of; }
tessera_status tessera_restriction_to_elements(const tessera_restriction* of, tessera_type type, const void* x, void* E,
                                               void* stream) {
  return c_status_of(__func__, [&] {
    with_numbers(type, checked(of), {x, E}, [&]<class T>(const restriction& G, T*) {
      G.to_elements(static_cast<const T*>(x), static_cast<T*>(E), stream_view(stream));
    });
  });
}
tessera_status tessera_restriction_add_from_elements(const tessera_restriction* of, tessera_type type, const void* E,
                                                     void* y, void* stream) {
  return c_status_of(__func__, [&] {
    with_numbers(type, checked(of), {E, y}, [&]<class T>(const restriction& G, T*) {
      G.add_from_elements(static_cast<const T*>(E), static_cast<T*>(y), stream_view(stream));
    });
  });
}
tessera_status tessera_restriction_multiplicity(const tessera_restriction* of, tessera_type type, void* counts) {
  return c_status_of(__func__, [&] {
    if (counts == nullptr && checked(of).size() > 0) refuse("null vector", status::null_pointer);
    with_numbers(type, checked(of), {},
                 [&]<class T>(const restriction& G, T*) { G.multiplicity(static_cast<T*>(counts)); });
  });
}

tessera_status tessera_global_create(tessera_global_operator** made, const tessera_element_options* options,
                                     const tessera_element_nodes* nodes, const tessera_restriction* x,
                                     const tessera_restriction* y, const tessera_patch_options* patches) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      if (nodes == nullptr) refuse("null nodes", status::null_pointer);
      const restriction& of_x = checked(x);
      const element_operator_options o = options_from(*options);
      const patches_from_c cut(patches, of_x.elements());
      return global_operator<T>(nodes_from<T>(*nodes, o, options->dim), of_x, y == nullptr ? of_x : checked(y), o,
                                cut.options);
    });
  });
}

tessera_status tessera_global_create_from_function(tessera_global_operator** made,
                                                   const tessera_element_options* options,
                                                   const tessera_element_function* function, const void* D,
                                                   const tessera_restriction* x, const tessera_restriction* y,
                                                   const tessera_patch_options* patches) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      if (function == nullptr) refuse("null function", status::null_pointer);
      const restriction& of_x = checked(x);
      const element_operator_options o = options_from(*options, true);
      const patches_from_c cut(patches, of_x.elements());
      return global_operator<T>(function_from<T>(*function, options->dim, o.on == target::cuda),
                                static_cast<const T*>(D), of_x, y == nullptr ? of_x : checked(y), o, cut.options);
    });
  });
}

tessera_status tessera_global_set_data(tessera_global_operator* of, const void* D) {
  return c_status_of(__func__, [&] {
    checked(of);
    std::visit([&]<class T>(std::unique_ptr<global_operator<T>>& op) { op->set_data(static_cast<const T*>(D)); },
               of->of);
  });
}

tessera_status tessera_global_apply(const tessera_global_operator* of, const void* x, void* y, int add, void* stream) {
  return c_status_of(__func__, [&] {
    checked(of).with(
        [&]<class T>(const global_operator<T>& op, T*) { op.apply(application_of<T>(op, x, y, add, stream)); });
  });
}

tessera_status tessera_global_as_function(void* of, const void* x, void* y, void* stream) {
  return tessera_global_apply(static_cast<const tessera_global_operator*>(of), x, y, 0, stream);
}

tessera_status tessera_global_with_dot(void* of, const void* x, void* y, double* dot, void* stream) {
  return c_status_of(__func__, [&] {
    if (dot == nullptr) refuse("null dot", status::null_pointer);
    checked(static_cast<const tessera_global_operator*>(of)).with([&]<class T>(const global_operator<T>& op, T*) {
      global_application<T> a = application_of<T>(op, x, y, 0, stream);
      a.dot = dot;
      op.apply(a);
    });
  });
}

tessera_status tessera_global_begin(tessera_global_run** made, const tessera_global_operator* of, const void* x,
                                    void* y, int add, void* stream) {
  return c_status_of(__func__, [&] {
    if (made == nullptr) refuse("null result pointer", status::null_pointer);
    *made = nullptr;
    checked(of).with([&]<class T>(const global_operator<T>& op, T*) {
      *made = new tessera_global_run{op.begin(application_of<T>(op, x, y, add, stream))};
    });
  });
}
tessera_status tessera_global_part(tessera_global_run* of, int part) {
  return c_status_of(__func__, [&] { std::visit([&](auto& run) { run.run(part); }, checked(of).of); });
}
tessera_status tessera_global_end(tessera_global_run* of) {
  return c_status_of(__func__, [&] { std::visit([](auto& run) { run.end(); }, checked(of).of); });
}
void tessera_global_run_destroy(tessera_global_run* of) { delete of; }

tessera_status tessera_global_diagonal(const tessera_global_operator* of, void* y) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const global_operator<T>& op, T*) { op.diagonal(static_cast<T*>(y)); });
  });
}

tessera_status tessera_global_eliminate(const tessera_global_operator* of, void* b) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const global_operator<T>& op, T*) { op.eliminate(static_cast<T*>(b)); });
  });
}

tessera_status tessera_global_get_data(const tessera_global_operator* of, void* D) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const global_operator<T>& op, T*) { op.get_data(static_cast<T*>(D)); });
  });
}

const char* tessera_global_describe(const tessera_global_operator* of) {
  return of == nullptr ? nullptr : of->description.c_str();
}
void tessera_global_destroy(tessera_global_operator* of) { delete of; }

}  // extern "C"
