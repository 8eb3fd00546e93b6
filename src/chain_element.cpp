// SPDX-License-Identifier: BSD-3-Clause
// Recognises the steps of a mass operator: a table along each direction, a pointwise product, a table along each again.
#include <tessera/element/evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <tessera/cpu/detail/element/rows.hpp>

#include "chain_element.hpp"
#include "element/backend.hpp"
#include "element/line_tables.hpp"
#include "forced_place.hpp"

namespace tessera::detail {

namespace {

constexpr int least_sides = 1, most_sides = 3;

// Entry (i, j) of a shared matrix: result i of the step, entry j of what it is applied to.
struct step_table {
  const void* data = nullptr;
  index_t rows = 0, columns = 0, row = 0, column = 0;

  friend bool operator==(const step_table&, const step_table&) = default;
  template <class T>
  T at(index_t i, index_t j) const {
    return static_cast<const T*>(data)[i * row + j * column];
  }
  template <class T>
  std::vector<T> values() const {
    std::vector<T> all;
    for (index_t j = 0; j < columns; ++j)
      for (index_t i = 0; i < rows; ++i) all.push_back(at<T>(i, j));
    return all;
  }
};

bool is_plain(const operand& o, const operand& in) {
  return o.type == in.type && !o.conjugated && !o.grouped && !o.offsets && o.facts.affine && o.lanes == 1;
}

// Packed column-major with `dim` equal extents, as element kernels take it.
bool is_cube(const operand& o, int dim) {
  if (o.facts.rank != dim || o.entries() == 0) return false;
  index_t stride = 1;
  for (int d = 0; d < dim; ++d) {
    if (o.facts.extent[d] != o.facts.extent[0] || (o.facts.extent[d] > 1 && o.facts.stride[d] != stride)) return false;
    stride *= o.facts.extent[d];
  }
  return true;
}

// Whether a step does more than a kernel of elements: factors, sums in another type.
bool has_more(const chain_step& step, const operand& in, bool last) {
  const scaling& s = step.what.scale();
  if (step.what.sum().value_or(*in.type) != *in.type) return true;
  return s.alpha != 1. || !(s.beta == 0. || (last && s.beta == 1.));
}

// The direction that a table step works along, and the table; nothing for other steps.
struct along {
  int direction;
  step_table table;
};
std::optional<along> table_step(const chain_step& step, const operand& in, int dim) {
  const einsum& e = step.what.modes();
  if (step.inputs.size() != 1 || e.inputs != 2) return std::nullopt;
  const operand& given = step.inputs.front();
  const modes &table = e.operand[0], &from = e.operand[1], &to = e.operand[output];
  if (given.batched || !is_plain(given, in) || table.rank != 2 || from.rank != dim || to.rank != dim)
    return std::nullopt;
  std::optional<int> direction;
  for (int d = 0; d < dim; ++d) {
    if (from.letter[d] == to.letter[d]) continue;
    if (direction) return std::nullopt;
    direction = d;
  }
  if (!direction) return std::nullopt;
  const int row = table.find(to.letter[*direction]), column = table.find(from.letter[*direction]);
  if (row < 0 || column < 0 || row == column) return std::nullopt;
  const operand_facts& f = given.facts;
  return along{*direction, {given.data, f.extent[row], f.extent[column], f.stride[row], f.stride[column]}};
}

bool is_pointwise(const chain_step& step, const operand& in, int dim) {
  const einsum& e = step.what.modes();
  if (step.inputs.size() != 1 || e.inputs != 2) return false;
  const operand& D = step.inputs.front();
  for (const modes* m : {&e.operand[0], &e.operand[1], &e.operand[output]})
    if (m->rank != dim || !std::equal(m->letter, m->letter + dim, e.operand[output].letter)) return false;
  return is_plain(D, in) && is_cube(D, dim);
}

// The same table along every direction, once each, in steps [first, first + dim).
std::optional<std::vector<step_table>> tables_of(const std::vector<chain_step>& steps, std::size_t first,
                                                 const operand& in, int dim) {
  std::vector<step_table> tables;
  unsigned directions = 0;
  for (std::size_t i = first; i < first + std::size_t(dim); ++i) {
    const std::optional<along> step = table_step(steps[i], in, dim);
    if (!step || has_more(steps[i], in, i + 1 == steps.size())) return std::nullopt;
    directions |= 1u << step->direction;
    tables.push_back(step->table);
    if (step->table.rows != tables.front().rows || step->table.columns != tables.front().columns) return std::nullopt;
  }
  if (directions != (1u << dim) - 1) return std::nullopt;
  return tables;
}

template <class T>
class mass_chain : public element_chain {
 public:
  // `forward` and `backward` are one table for each direction.
  mass_chain(const evaluation_spec& spec, const std::vector<step_table>& forward,
             const std::vector<step_table>& backward, const operand& D, bool adds, const forced_place& place)
      : by_(spec), D_(D), adds_(adds), place_(place) {
    for (const std::vector<step_table>* tables : {&forward, &backward})
      for (const step_table& t : *tables)
        if (std::none_of(tables_.begin(), tables_.end(), [&](const kept& k) { return k.table == t; }))
          tables_.push_back({t, t.template values<T>()});
  }

  bool is_compiled() const { return state_of(by_).on->is_compiled_for_sizes(); }

  bool has_its_tables() const override {
    return std::all_of(tables_.begin(), tables_.end(), [](const kept& k) {
      const T* value = k.values.data();
      for (index_t j = 0; j < k.table.columns; ++j)
        for (index_t i = 0; i < k.table.rows; ++i, ++value)
          if (k.table.template at<T>(i, j) != *value) return false;
      return true;
    });
  }
  void run(const operand& in, const operand& out, index_t first, index_t last, void* scratch) const override {
    const auto layout = [](const operand& o, index_t entries) {
      element_layout l = element_layout::conventional(entries);
      l.block = o.stride;
      return l;
    };
    application<T> a;
    a.x = static_cast<const T*>(in.data), a.x_layout = layout(in, by_.trial_size());
    a.y = static_cast<T*>(const_cast<void*>(out.data)), a.y_layout = layout(out, by_.test_size());
    a.add = adds_;
    state_of(by_).on->apply_in_place(element_set::range(first, last), a, static_cast<const T*>(D_.data),
                                     D_.batched ? D_.stride : 0, out.count, static_cast<T*>(scratch));
  }
  std::size_t scratch_bytes() const override { return state_of(by_).on->scratch_in_place(); }
  index_t lanes() const override { return by_.lanes(); }
  std::string describe(detail_level how) const override {
    const evaluation_state<T>& made = state_of(by_);
    std::string text = "fused, one element kernel while the tables keep their values: " + made.title() + ": " +
                       made.on->describe_in_place(how);
    if (how == detail_level::full && place_.in) text += std::string("; ") + name_of(*place_.in) + ": " + place_.why;
    return text;
  }

 private:
  struct kept {
    step_table table;
    std::vector<T> values;
  };

  evaluation<T> by_;
  operand D_;
  bool adds_;
  forced_place place_;
  std::vector<kept> tables_;
};

template <class T>
std::shared_ptr<const element_chain> mass_of(const std::vector<step_table>& forward,
                                             const std::vector<step_table>& backward, const operand& D, int dim,
                                             bool adds, target on, const forced_place& place) {
  if (element_kernels_of<T>(on) == nullptr) return nullptr;
  const step_table &B = forward.front(), &transposed = backward.front();
  const std::vector<T> values = B.template values<T>(), back = transposed.template values<T>();
  const auto differs = [](const std::vector<T>& wanted) {
    return [&](const step_table& t) { return t.template values<T>() != wanted; };
  };
  if (std::any_of(forward.begin(), forward.end(), differs(values)) ||
      std::any_of(backward.begin(), backward.end(), differs(back)))
    return nullptr;
  evaluation_spec spec;
  spec.kind = operator_kind::mass, spec.dim = dim;
  spec.trial = int(B.columns), spec.points = int(B.rows), spec.test = int(transposed.rows);
  spec.interpolate.assign(values.begin(), values.end());
  for (index_t i = 0; i < transposed.rows; ++i)
    for (index_t k = 0; k < transposed.columns; ++k)
      spec.test_functions.push_back(double(transposed.template at<T>(i, k)));
  spec.on = on, spec.regime = place.in;
  const auto is_usual = [&](const std::vector<double>& table, int columns) {
    return std::all_of(table.begin(), table.end(), [](double x) { return std::isfinite(x); }) &&
           mirrors(table, spec.points, columns, 1);
  };
  if (!is_usual(spec.interpolate, spec.trial) || !is_usual(spec.test_functions, spec.test)) return nullptr;
  auto made = std::make_shared<const mass_chain<T>>(spec, forward, backward, D, adds, place);
  return made->is_compiled() ? made : nullptr;
}

}  // namespace

std::shared_ptr<const element_chain> make_element_chain(const std::vector<chain_step>& steps, const operand& in,
                                                        const operand& out, target on, const plan_options& options) {
  const int dim = in.facts.rank;
  const bool typed = in.type == scalar_type::f64 || in.type == scalar_type::f32;
  if (on == target::cuda || on == target::reference || !typed || dim < least_sides || dim > most_sides ||
      steps.size() != 2 * std::size_t(dim) + 1)
    return nullptr;
  for (const operand* o : {&in, &out})
    if (!o->batched || !is_plain(*o, in) || !is_cube(*o, dim) || o->stride < o->entries()) return nullptr;
  const chain_step& middle = steps[std::size_t(dim)];
  if (!is_pointwise(middle, in, dim) || has_more(middle, in, false)) return nullptr;
  const operand& D = middle.inputs.front();
  const auto forward = tables_of(steps, 0, in, dim), backward = tables_of(steps, std::size_t(dim) + 1, in, dim);
  if (!forward || !backward || (D.batched && D.stride < D.entries())) return nullptr;
  // Nothing to look at yet.
  for (const std::vector<step_table>* tables : {&*forward, &*backward})
    for (const step_table& t : *tables)
      if (t.data == nullptr) return nullptr;
  const step_table &B = forward->front(), &T = backward->front();
  const index_t d = in.facts.extent[0], q = D.facts.extent[0], t = out.facts.extent[0];
  if (B.columns != d || B.rows != q || T.columns != q || T.rows != t) return nullptr;
  if (std::max({d, q, t}) > longest_line) return nullptr;
  const bool adds = steps.back().what.scale().beta == 1.;
  const forced_place place = place_forced_by(options);
  return in.type == scalar_type::f64 ? mass_of<double>(*forward, *backward, D, dim, adds, on, place)
                                     : mass_of<float>(*forward, *backward, D, dim, adds, on, place);
}

}  // namespace tessera::detail
