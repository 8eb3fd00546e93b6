// SPDX-License-Identifier: BSD-3-Clause
// Element operators from C: names are converted to enumerators, layouts and sets of elements to those of the C++
// interface.
#include <tessera/fem/tessera_fem.h>

#include <tessera/c_status.hpp>
#include <tessera/detail/nearest_name.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/fem/element_operator.hpp>

#include "c_function.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::fem;

template <class T>
using operator_of = std::unique_ptr<element_operator<T>>;

struct named_basis {
  const char* name;
  basis_kind kind;
};
constexpr named_basis bases[] = {
    {"gauss_lobatto", basis_kind::gauss_lobatto}, {"gauss", basis_kind::gauss}, {"bernstein", basis_kind::bernstein}};
struct named_rule {
  const char* name;
  points_kind kind;
};
constexpr named_rule rules[] = {{"gauss", points_kind::gauss}, {"gauss_lobatto", points_kind::gauss_lobatto}};

struct named_shape {
  const char* name;
  element_shape kind;
};
constexpr named_shape shapes[] = {{"cube", element_shape::cube}, {"simplex", element_shape::simplex}};

[[noreturn]] void refuse(const std::string& why, status code = status::invalid_argument) {
  throw error("element operator: " + why, code);
}

[[noreturn]] void refuse_unknown(const char* what, const char* name, const std::vector<std::string_view>& known) {
  std::string names;
  for (const std::string_view one : known) names += (names.empty() ? "" : ", ") + std::string(one);
  refuse(std::string("there is no ") + what + " '" + name + "'" + did_you_mean(name, known) + "; there are: " + names);
}

// The entry of that name; `what` is what it names.
template <class Table>
auto find_named(const Table& table, const char* what, const char* name) {
  if (name == nullptr) refuse(std::string("null ") + what, status::null_pointer);
  std::vector<std::string_view> names;
  for (const auto& entry : table) {
    if (name == std::string(entry.name)) return entry.kind;
    names.push_back(entry.name);
  }
  refuse_unknown(what, name, names);
}

operator_kind kind_from(const char* name) {
  if (name == nullptr) refuse("null kind", status::null_pointer);
  if (const auto kind = operator_from_name(name)) return *kind;
  refuse_unknown("operator", name, names_of_operators());
}

std::vector<double> copied(const double* from, int points, int functions, int directions) {
  if (from == nullptr || points <= 0 || functions <= 0) return {};
  return {from, from + tessera::detail::checked_product("element operator: tables", {points, functions, directions},
                                                        sizeof(double))};
}

// More than 40 points a direction have: a size beyond is a mistake, found before a table is read.
constexpr int most_in_tables = 1 << 16;

dense_element tables_from(const tessera_element_tables& from, int dim) {
  if (dim < 1 || dim > 3) refuse("tables in " + std::to_string(dim) + " dimensions, not 1, 2 or 3");
  for (const auto& [what, n] : {std::pair("points", from.points), std::pair("functions", from.functions),
                                std::pair("test functions", from.test_functions), std::pair("nodes", from.nodes)})
    if (n < 0 || n > most_in_tables)
      refuse("tables of " + std::to_string(n) + " " + what + ", not in 0.." + std::to_string(most_in_tables));
  const int q = from.points, directions = dim;
  const auto basis = [&](int functions, const double* values, const double* gradients) {
    return dense_basis{functions, copied(values, q, functions, 1), copied(gradients, q, functions, directions)};
  };
  dense_element element{.dim = dim,
                        .points = q,
                        .trial = basis(from.functions, from.values, from.gradients),
                        .geometry = basis(from.nodes, nullptr, from.node_gradients),
                        .weights = copied(from.weights, q, 1, 1)};
  if (from.test_functions != 0) element.test = basis(from.test_functions, from.test_values, from.test_gradients);
  return element;
}

// For an operator with a function of the caller, `kind` is ignored.
element_operator_options options_from(const tessera_element_options& from, bool own = false) {
  element_operator_options o{.kind = own ? operator_kind::mass : kind_from(from.kind),
                             .components = from.components,
                             .points = from.points,
                             .form = from.matrix_free ? element_form::matrix_free : element_form::partial_assembly,
                             .storage = from.in_float ? point_storage::in_float : point_storage::same};
  if (from.target != nullptr) o.on = target_from_name(from.target);
  if (from.tables != nullptr) {
    o.tables = tables_from(*from.tables, from.dim);
    return o;
  }
  o.trial = {find_named(bases, "basis", from.basis), from.order};
  o.rule = find_named(rules, "rule", from.rule);
  if (from.shape != nullptr) o.shape = find_named(shapes, "shape", from.shape);
  if (from.test_basis != nullptr)
    o.test = function_space{find_named(bases, "basis of y", from.test_basis), from.test_order};
  return o;
}

// What means "conventional".
bool says_nothing(const tessera_element_layout& l) {
  return l.entry == 0 && l.component == 0 && l.element == 0 && l.lanes == 0 && l.block == 0 && l.first == 0;
}
element_layout layout_from(const tessera_element_layout& l, const element_layout& conventional) {
  if (says_nothing(l)) return conventional;
  if (l.lanes < 1) refuse("layout: lanes " + std::to_string(l.lanes) + " is not positive");
  element_layout layout{l.entry, l.component, l.element, l.lanes, l.block, l.first};
  // One that a caller of C++ has left as it is would be conventional; with one lane `element` has no meaning.
  if (l.lanes == 1) layout.element = 1;
  return layout;
}

template <class T>
element_nodes<T> nodes_from(const tessera_element_nodes& from, const element_operator_options& o, int dim) {
  if (from.coefficients == nullptr && from.coefficients_at_points == nullptr && from.coefficient_count != 0)
    refuse(std::to_string(from.coefficient_count) + " coefficients, but null for them", status::null_pointer);
  if ((from.coefficients != nullptr || from.coefficients_at_points != nullptr) && from.coefficient_count == 0)
    refuse("coefficients are given, and coefficient_count is 0");
  // The operator's own check comes after they have been copied.
  const int most = dim < 1 || dim > 3 ? 0 : coefficients_of(o.kind, dim).most;
  if (from.coefficient_count < 0 || from.coefficient_count > most)
    refuse(std::to_string(from.coefficient_count) + " coefficients, where " + name_of(o.kind) + " in " +
           std::to_string(dim) + " dimensions takes at most " + std::to_string(most));
  if (from.coefficients != nullptr && from.coefficients_at_points != nullptr)
    refuse("coefficients are given twice: constant ones, and at each point");
  element_nodes<T> nodes{.dim = dim,
                         .order = from.order,
                         .elements = from.elements,
                         .coordinates = static_cast<const T*>(from.coordinates)};
  if (!says_nothing(from.layout)) nodes.layout = layout_from(from.layout, {});
  if (from.coefficients_at_points != nullptr) {
    nodes.coefficients_at_points = static_cast<const T*>(from.coefficients_at_points);
    nodes.coefficients_given = from.coefficient_count;
  } else if (from.coefficients != nullptr) {
    nodes.coefficients.assign(from.coefficients, from.coefficients + from.coefficient_count);
  }
  return nodes;
}

// Calls without a stream are complete when they return.
template <class T>
void wait_for(const tessera::fem::element_operator<T>& op) {
  if (op.kernel().space() == tessera::space_kind::gpu) tessera::stream_view{}.synchronize();
}

}  // namespace

struct tessera_element_operator {
  std::variant<operator_of<float>, operator_of<double>> of;
  std::string description, brief_description;

  /// body(the operator, a null pointer to its type)
  template <class Body>
  auto with(Body body) const {
    return std::visit([&]<class T>(const operator_of<T>& op) { return body(*op, static_cast<T*>(nullptr)); }, of);
  }
};

namespace {

// make(T*) gives an operator for entries of type T.
template <class Make>
void create(tessera_element_operator** made, const tessera_element_options* options, Make make) {
  if (made == nullptr) refuse("null result pointer", status::null_pointer);
  *made = nullptr;
  if (options == nullptr) refuse("null options", status::null_pointer);
  if (options->type != TESSERA_F32 && options->type != TESSERA_F64)
    refuse("type " + std::to_string(int(options->type)) + ", neither float nor double", status::wrong_type);
  auto result = std::make_unique<tessera_element_operator>();
  if (options->type == TESSERA_F32)
    result->of = std::make_unique<element_operator<float>>(make(static_cast<float*>(nullptr)));
  else
    result->of = std::make_unique<element_operator<double>>(make(static_cast<double*>(nullptr)));
  result->description = result->with([](const auto& op, auto*) { return op.describe(); });
  result->brief_description = result->with([](const auto& op, auto*) { return op.describe(detail_level::brief); });
  *made = result.release();
}

// The caller's numbers as ours: another type of as many bits, so host numbers are copied, and a device's only named.
class element_list {
 public:
  element_list(const tessera_element_application& a, space_kind space) : count_(std::size_t(a.count)) {
    static_assert(sizeof(index_t) == sizeof(int64_t));
    if (a.list == nullptr) return;
    tessera::detail::checked_product("element operator: a list of elements", {a.count}, sizeof(index_t));
    if (space == space_kind::cpu) copy_.assign(a.list, a.list + a.count);
    at_ = space == space_kind::cpu ? copy_.data() : reinterpret_cast<const index_t*>(a.list);
  }
  element_set set() const { return element_set::of(std::span(at_, count_)); }

 private:
  std::vector<index_t> copy_;
  const index_t* at_ = nullptr;
  std::size_t count_;
};

const tessera_element_operator& checked(const tessera_element_operator* of) {
  if (of == nullptr) refuse("null operator", status::null_pointer);
  return *of;
}

}  // namespace

extern "C" {

tessera_element_options tessera_element_defaults(const char* kind, int dim, int order) {
  tessera_element_options o{};
  o.kind = kind;
  o.dim = dim;
  o.type = TESSERA_F64;
  o.basis = bases[0].name;
  o.order = order;
  const auto known = kind != nullptr ? operator_from_name(kind) : std::nullopt;
  o.components = known ? coupled_components(*known, dim) : 1;
  o.rule = rules[0].name;
  return o;
}

tessera_status tessera_element_create(tessera_element_operator** made, const tessera_element_options* options,
                                      const tessera_element_nodes* nodes) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      if (nodes == nullptr) refuse("null nodes", status::null_pointer);
      const element_operator_options o = options_from(*options);
      return element_operator<T>(nodes_from<T>(*nodes, o, options->dim), o);
    });
  });
}

tessera_status tessera_element_create_from_data(tessera_element_operator** made, const tessera_element_options* options,
                                                int64_t elements, const void* D) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      return element_operator<T>(options->dim, elements, static_cast<const T*>(D), options_from(*options));
    });
  });
}

tessera_status tessera_element_create_from_function(tessera_element_operator** made,
                                                    const tessera_element_options* options,
                                                    const tessera_element_function* function, int64_t elements,
                                                    const void* D) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      if (function == nullptr) refuse("null function", status::null_pointer);
      const element_operator_options o = options_from(*options, true);
      return element_operator<T>(fem::detail::function_from<T>(*function, options->dim, o.on == target::cuda), elements,
                                 static_cast<const T*>(D), o);
    });
  });
}

tessera_status tessera_element_set_data(tessera_element_operator* of, int64_t first, int64_t count, const void* D) {
  return c_status_of(__func__, [&] {
    checked(of);
    std::visit([&]<class T>(operator_of<T>& op) { op->data().set(first, count, static_cast<const T*>(D)); }, of->of);
  });
}

tessera_element_sizes tessera_element_sizes_of(const tessera_element_operator* of) {
  if (of == nullptr) return {};
  return of->with([](const auto& op, auto*) {
    return tessera_element_sizes{op.elements(),         op.trial_size(),         op.test_size(),
                                 op.components(),       op.test_components(),    op.kernel().points(),
                                 op.kernel().factors(), int(op.kernel().lanes())};
  });
}

tessera_element_application tessera_element_application_of(const tessera_element_operator* of, const void* x, void* y) {
  tessera_element_application a{};
  a.x = x;
  a.y = y;
  a.sides = 1;
  a.count = tessera_element_sizes_of(of).elements;
  return a;
}

tessera_status tessera_element_run(const tessera_element_operator* of, const tessera_element_application* what) {
  return c_status_of(__func__, [&] {
    if (what == nullptr) refuse("null application", status::null_pointer);
    if (what->count < 0) refuse(std::to_string(what->count) + " elements");
    checked(of).with([&]<class T>(const element_operator<T>& op, T*) {
      if (what->list == nullptr && (what->first < 0 || what->first > op.elements() - what->count))
        refuse(std::to_string(what->count) + " elements from " + std::to_string(what->first) + " on, of " +
               std::to_string(op.elements()));
      const element_list list(*what, op.kernel().space());
      const element_set which =
          what->list != nullptr ? list.set() : element_set::range(what->first, what->first + what->count);
      op.apply(which, {.x = static_cast<const T*>(what->x),
                       .x_layout = layout_from(what->x_layout, op.x_layout()),
                       .y = static_cast<T*>(what->y),
                       .y_layout = layout_from(what->y_layout, op.y_layout()),
                       .add = what->add != 0,
                       .sides = what->sides,
                       .x_side = what->x_side,
                       .y_side = what->y_side,
                       .in = stream_view(what->stream)});
    });
  });
}

tessera_status tessera_element_apply(const tessera_element_operator* of, const void* x, void* y, int add,
                                     void* stream) {
  tessera_element_application a = tessera_element_application_of(of, x, y);
  a.add = add;
  a.stream = stream;
  return tessera_element_run(of, &a);
}

tessera_status tessera_element_assemble(const tessera_element_operator* of, int64_t first, int64_t count, void* M) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const element_operator<T>& op, T*) {
      op.assemble(first, count, static_cast<T*>(M));
      wait_for(op);
    });
  });
}

tessera_status tessera_element_assemble_lower(const tessera_element_operator* of, int64_t first, int64_t count,
                                              void* M) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const element_operator<T>& op, T*) {
      op.assemble(first, count, static_cast<T*>(M), matrix_storage::lower_packed);
      wait_for(op);
    });
  });
}

tessera_status tessera_element_diagonal(const tessera_element_operator* of, void* y) {
  return c_status_of(__func__, [&] {
    checked(of).with([&]<class T>(const element_operator<T>& op, T*) {
      op.diagonal(static_cast<T*>(y));
      wait_for(op);
    });
  });
}

const char* tessera_element_describe(const tessera_element_operator* of) {
  return of == nullptr ? nullptr : of->description.c_str();
}

const char* tessera_element_describe_brief(const tessera_element_operator* of) {
  return of == nullptr ? nullptr : of->brief_description.c_str();
}

void tessera_element_destroy(tessera_element_operator* of) { delete of; }

}  // extern "C"
