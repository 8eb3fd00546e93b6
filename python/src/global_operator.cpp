// SPDX-License-Identifier: BSD-3-Clause
// Makes, applies and transposes operators between vectors of unknowns.
#include "global_operator.hpp"

#include <algorithm>

#include <nanobind/stl/string.h>

#include <tessera/element/operators.hpp>

#include "built_in_function.hpp"
#include "new_array.hpp"
#include "thread_limit.hpp"

namespace tessera::python {

namespace {

patch_options patches_from(keywords& k) {
  patch_options patches;
  patches.patch_elements = k.integer("patch_elements", 0);
  if (k.flag("in_given_order", false)) patches.order = element_order::as_given;
  if (k.flag("atomic_sums", false)) patches.sums = sum_order::atomic;
  return patches;
}

const restriction& test_unknowns_from(keywords& k, const restriction& otherwise) {
  const nb::handle given = k.take("test_unknowns");
  if (!given.is_valid()) return otherwise;
  if (!nb::isinstance<restriction>(given))
    refuse_object("GlobalOperator: test_unknowns is " + shown(given) + ", not a Restriction");
  return *initialised<restriction>(given, "GlobalOperator: test_unknowns");
}

// Those of x, one index or a column of SciPy's for example, for as many entries as y has.
std::vector<index_t> extents_like(const array& x, index_t from, index_t to) {
  std::vector<index_t> extents(std::size_t(x.rank()));
  for (int d = 0; d < x.rank(); ++d) extents[std::size_t(d)] = x.extent(d);
  if (from == to || x.size() != from) return extents;  // others than `from` are refused later
  const auto whole = std::find(extents.begin(), extents.end(), from);
  if (whole == extents.end())
    refuse_value("x has the shape " + extents_text(x) + ", not (" + std::to_string(from) + ",): y has " +
                 std::to_string(to) + " entries, which no array of such a shape has");
  *whole = to;
  return extents;
}

}  // namespace

global_operator_object::global_operator_object(nb::handle kind, nb::handle nodes, const restriction& unknowns,
                                               const nb::kwargs& given) {
  keywords k("GlobalOperator", given);
  const restriction& test = test_unknowns_from(k, unknowns);
  state_ = std::make_shared<state>(unknowns, test);
  state_->has_one_restriction = &test == &unknowns;
  state_->patches = patches_from(k);
  operator_arguments from(k, kind, nodes);
  k.refuse_rest();
  if (from.elements != unknowns.elements())
    refuse_value("GlobalOperator: " + std::string(from.nodes ? "nodes" : "D") + " of " + std::to_string(from.elements) +
                 " elements, unknowns of " + std::to_string(unknowns.elements()));
  state_->facts = from;
  with_type(from.type, [&]<class T>(T*) { make<T>(*state_, from); });
}

template <class T>
void global_operator_object::make(state& s, operator_arguments& from) {
  using made = fem::global_operator<T>;
  const fem::element_operator_options& o = from.options;
  if (from.nodes) {
    const fem::element_nodes<T> nodes = from.checked_nodes<T>();
    const without_lock released;
    s.op.emplace<made>(nodes, s.x, s.y, o, s.patches);
  } else {
    std::vector<T> zero;
    const T* const D = from.checked_D<T>(zero);
    const point_function* const own = from.own_function();
    if (own == nullptr && s.has_one_restriction) {
      const without_lock released;
      s.op.emplace<made>(from.dim, D, s.x, o, s.patches);
    } else {
      const compiled_function<T> function =
          own != nullptr ? own->of<T>(from.on_gpu()) : built_in_function<T>(o.kind, from.dim, false);
      const without_lock released;
      s.op.emplace<made>(function, D, s.x, s.y, o, s.patches);
    }
  }
  s.read_later.take(from);
  const made& op = std::get<made>(s.op);
  s.space = op.space();
  s.facts.gpu = current_gpu(s.space);
  s.has_one_restriction = op.kernel().has_one_restriction();
  if (s.space == space_kind::gpu) stream_view{}.synchronize();  // what was read may go
}

void global_operator_object::run(const array& x, const array& y, const char* y_name, bool adds,
                                 stream_view stream) const {
  const state& s = *state_;
  check_device(x, "x", s.facts.gpu, "the operator");
  const void* const from = entries_of(x, "x", s.facts.type, s.x.size(), s.space, false);
  void* const to = entries_of(y, y_name, s.facts.type, s.y.size(), s.space, true);
  with([&]<class T>(const fem::global_operator<T>& op, T*) {
    const without_lock released;
    op.apply({.x = static_cast<const T*>(from),
              .y = static_cast<T*>(to),
              .add = adds,
              .rows = s.has_one_restriction ? constrained_rows::identity : constrained_rows::zero,
              .in = stream});
  });
}

nb::object global_operator_object::apply(nb::handle x, nb::handle out, nb::handle stream) const {
  const state& s = *state_;
  const call_stream on = stream_of_call(s.space, stream, x);
  const array in(x, "x", on);
  nb::object result = nb::borrow(out);
  if (out.is_none()) {
    const std::vector<index_t> extents = extents_like(in, s.x.size(), s.y.size());
    result = new_array_like(x, s.facts.type, extents.data(), int(extents.size()));
  }
  run(in, array(result, "out", on), "out", false, view_of(on));
  return result;
}

nb::object global_operator_object::add(nb::handle x, nb::handle y, nb::handle stream) const {
  const call_stream on = stream_of_call(state_->space, stream, x);
  run(array(x, "x", on), array(y, "y", on), "y", true, view_of(on));
  return nb::borrow(y);
}

nb::object global_operator_object::matvec(nb::handle x) const {
  return apply(contiguous_vector(x, state_->facts.type, state_->x.size(), "x"), nb::none(), nb::none());
}

nb::object global_operator_object::diagonal(nb::handle out) const {
  const state& s = *state_;
  nb::object result = nb::borrow(out);
  const index_t extent = s.y.size();
  if (out.is_none()) result = new_array_like(s.facts.like, s.facts.type, &extent, 1);
  const array to(result, "out");
  void* const at = entries_of(to, "out", s.facts.type, extent, to.space(), true);
  check_device(to, "out", s.facts.gpu, "the operator");
  with([&]<class T>(const fem::global_operator<T>& op, T*) {
    const without_lock released;
    op.diagonal(static_cast<T*>(at));
  });
  return result;
}

void global_operator_object::eliminate(nb::handle b) const {
  const array to(b, "b");
  void* const at = entries_of(to, "b", state_->facts.type, state_->y.size(), to.space(), true);
  check_device(to, "b", state_->facts.gpu, "the operator");
  with([&]<class T>(const fem::global_operator<T>& op, T*) {
    const without_lock released;
    op.eliminate(static_cast<T*>(at));
  });
}

nb::object global_operator_object::data() const {
  return with([&]<class T>(const fem::global_operator<T>& op, T*) {
    const evaluation<T>& by = op.elements().kernel();
    nb::object result = new_numpy_array(state_->facts.type, {state_->x.elements(), by.points(), by.factors()});
    const array to(result, "D");
    const without_lock released;
    op.get_data(static_cast<T*>(to.data()));
    return result;
  });
}

void global_operator_object::set_data(nb::handle D) {
  state& s = *state_;
  const array from(D, "D");
  check_kind(from, "D", s.facts.type, from.space(), false);
  check_device(from, "D", s.facts.gpu, "the operator");
  const auto set = [&]<class T>(fem::global_operator<T>& op) {
    const T* const at = checked_data<T>(from, "D", s.x.elements(), op.elements().kernel());
    const without_lock released;
    op.set_data(at);
    if (s.space == space_kind::gpu) stream_view{}.synchronize();
  };
  if (auto* const op = std::get_if<fem::global_operator<float>>(&s.op))
    set(*op);
  else
    set(std::get<fem::global_operator<double>>(s.op));
  s.forget_transposed();
}

std::string global_operator_object::describe(bool brief) const {
  return with([&](const auto& op, auto*) { return op.describe(brief ? detail_level::brief : detail_level::full); });
}

index_t global_operator_object::size() const { return state_->y.size(); }
index_t global_operator_object::trial_size() const { return state_->x.size(); }

bool global_operator_object::is_symmetric() const {
  return state_->has_one_restriction && with([](const auto& op, auto*) { return op.elements().kernel().symmetric(); });
}

template <class T>
std::shared_ptr<global_operator_object::state> global_operator_object::transposed_of(const state& s) {
  const auto& op = std::get<fem::global_operator<T>>(s.op);
  auto made = std::make_shared<state>(s.y, s.x);
  made->facts = s.facts;
  made->facts.options = transposed_options(s.facts);
  made->patches = s.patches;
  made->has_one_restriction = s.has_one_restriction;
  made->space = s.space;
  made->is_transposed = !s.is_transposed && !tessera::is_symmetric(s.facts.options.kind);
  const without_lock released;
  std::vector<T> D(std::size_t(s.x.elements() * op.elements().kernel().points() * op.elements().kernel().factors()));
  op.get_data(D.data());
  made->op.template emplace<fem::global_operator<T>>(
      built_in_function<T>(s.facts.options.kind, s.facts.dim, made->is_transposed), D.data(), made->x, made->y,
      made->facts.options, made->patches);
  return made;
}

global_operator_object global_operator_object::transpose() const {
  return global_operator_object(transposed_state(state_, is_symmetric(), [&] {
    return with([&]<class T>(const fem::global_operator<T>&, T*) { return transposed_of<T>(*state_); });
  }));
}

}  // namespace tessera::python
