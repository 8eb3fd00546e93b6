// SPDX-License-Identifier: BSD-3-Clause
// Makes, applies and transposes element operators.
#include "element_operator.hpp"

#include <algorithm>
#include <cstdint>

#include <nanobind/stl/string.h>

#include <tessera/element/operators.hpp>
#include <tessera/memory.hpp>

#include "built_in_function.hpp"
#include "new_array.hpp"
#include "thread_limit.hpp"

namespace tessera::python {

namespace {

// All elements, a slice of them, or a list: in host memory copied, in a GPU's only named.
struct chosen_elements {
  element_set set;

  chosen_elements(nb::handle given, index_t elements, space_kind space) : set(element_set::range(0, elements)) {
    if (given.is_none()) return;
    if (PySlice_Check(given.ptr())) {
      Py_ssize_t first = 0, last = 0, step = 0;
      if (PySlice_Unpack(given.ptr(), &first, &last, &step) != 0) nb::raise_python_error();
      PySlice_AdjustIndices(Py_ssize_t(elements), &first, &last, step);
      if (step != 1) refuse_value("elements: a slice with the step " + std::to_string(step) + "; give a list");
      set = element_set::range(first, std::max(first, last));
      return;
    }
    if (space == space_kind::cpu) {
      numbers_ = integers_of(given, "elements");
      set = element_set::of(numbers_);
      return;
    }
    on_gpu_.emplace(given, "elements");
    check_kind(*on_gpu_, "elements", scalar_type::i64, space, false);
    if (on_gpu_->rank() != 1 || !on_gpu_->is_contiguous())
      refuse_value("elements has the shape " + extents_text(*on_gpu_) + "; a contiguous list is needed");
    static_assert(sizeof(index_t) == sizeof(std::int64_t));
    set = element_set::of({static_cast<const index_t*>(on_gpu_->data()), std::size_t(on_gpu_->size())});
  }

 private:
  std::vector<index_t> numbers_;
  std::optional<array> on_gpu_;
};

}  // namespace

template <class Body>
auto element_operator_object::with(const Body& body) const {
  if (auto* const op = std::get_if<fem::element_operator<float>>(&state_->op))
    return body(*op, static_cast<float*>(nullptr));
  return body(std::get<fem::element_operator<double>>(state_->op), static_cast<double*>(nullptr));
}

element_operator_object::element_operator_object(nb::handle kind, nb::handle nodes, const nb::kwargs& given)
    : state_(std::make_shared<state>()) {
  keywords k("ElementOperator", given);
  operator_arguments from(k, kind, nodes);
  k.refuse_rest();
  state_->facts = from;
  with_type(from.type, [&]<class T>(T*) { make<T>(*state_, from); });
}

template <class T>
void element_operator_object::make(state& s, operator_arguments& from) {
  const fem::element_operator_options& o = from.options;
  if (from.nodes) {
    const fem::element_nodes<T> nodes = from.checked_nodes<T>();
    const without_lock released;
    s.op.emplace<fem::element_operator<T>>(nodes, o);
  } else {
    std::vector<T> zero;
    const T* const D = from.checked_D<T>(zero);
    if (const point_function* const f = from.own_function()) {
      const compiled_function<T> function = f->of<T>(from.on_gpu());
      const without_lock released;
      s.op.emplace<fem::element_operator<T>>(function, from.elements, D, o);
    } else {
      const without_lock released;
      s.op.emplace<fem::element_operator<T>>(from.dim, from.elements, D, o);
    }
  }
  s.read_later.take(from);
  take_shapes<T>(s);
}

template <class T>
void element_operator_object::take_shapes(state& s) {
  const auto& op = std::get<fem::element_operator<T>>(s.op);
  s.space = op.kernel().space();
  s.facts.gpu = current_gpu(s.space);
  if (s.space == space_kind::gpu) stream_view{}.synchronize();  // what was read may go
  const bool is_product = !s.facts.options.tables && s.facts.options.shape == fem::element_shape::cube;
  const fem::function_space& test = s.facts.options.test ? *s.facts.options.test : s.facts.options.trial;
  s.x = {op.elements(), op.components(), op.trial_size(), op.dim(), is_product ? s.facts.options.trial.order + 1 : 0};
  s.y = {op.elements(), op.test_components(), op.test_size(), op.dim(), is_product ? test.order + 1 : 0};
}

void element_operator_object::run(const array& x, const element_layout& x_layout, const array& y,
                                  const element_layout& y_layout, bool adds, nb::handle elements,
                                  stream_view stream) const {
  check_device(x, "x", state_->facts.gpu, "the operator");
  chosen_elements which(elements, state_->facts.elements, state_->space);
  with([&]<class T>(const fem::element_operator<T>& op, T*) {
    const without_lock released;
    op.apply(which.set, {.x = static_cast<const T*>(x.data()),
                         .x_layout = x_layout,
                         .y = static_cast<T*>(y.data()),
                         .y_layout = y_layout,
                         .add = adds,
                         .in = stream});
  });
}

nb::object element_operator_object::apply(nb::handle x, nb::handle out, nb::handle elements, nb::handle stream) const {
  const state& s = *state_;
  const call_stream on = stream_of_call(s.space, stream, x);
  const array in(x, "x", on);
  check_kind(in, "x", s.facts.type, s.space, false);
  const e_vector_view view = view_of(in, s.x, "x");
  nb::object result = nb::borrow(out);
  if (out.is_none()) {
    if (!elements.is_none()) refuse_value("elements are those of out that are computed, and out is not given");
    const std::vector<index_t> extents = view.extents_of(s.y);
    result = new_array_like(x, s.facts.type, extents.data(), int(extents.size()));
  }
  const array to(result, "out", on);
  check_kind(to, "out", s.facts.type, s.space, true);
  run(in, view.layout, to, view_of(to, s.y, "out").layout, false, elements, view_of(on));
  return result;
}

nb::object element_operator_object::add(nb::handle x, nb::handle y, nb::handle elements, nb::handle stream) const {
  const state& s = *state_;
  const call_stream on = stream_of_call(s.space, stream, x);
  const array in(x, "x", on), to(y, "y", on);
  check_kind(in, "x", s.facts.type, s.space, false);
  check_kind(to, "y", s.facts.type, s.space, true);
  run(in, view_of(in, s.x, "x").layout, to, view_of(to, s.y, "y").layout, true, elements, view_of(on));
  return nb::borrow(y);
}

nb::object element_operator_object::matvec(nb::handle x) const {
  const state& s = *state_;
  const nb::object in = contiguous_vector(x, s.facts.type, s.x.size(), "x");
  const array a(in, "x");
  if (a.rank() == 1) return apply(in, nb::none(), nb::none(), nb::none());
  return apply(in.attr("reshape")(-1), nb::none(), nb::none(), nb::none());
}

// body(where the operator writes): at `to` itself, or, of an operator on a GPU and an array in host memory, in memory
// that is copied there afterwards.
template <class T, class Body>
void element_operator_object::write(const array& to, const Body& body) const {
  const without_lock released;
  if (state_->space == space_kind::cpu) return body(static_cast<T*>(to.data()));
  const std::size_t bytes = std::size_t(to.size()) * sizeof(T);
  const buffer staged = to.space() == space_kind::cpu ? buffer(space_kind::gpu, bytes) : buffer();
  body(to.space() == space_kind::cpu ? static_cast<T*>(staged.data()) : static_cast<T*>(to.data()));
  stream_view{}.synchronize();
  if (to.space() == space_kind::cpu) copy_memory(to.data(), staged.data(), bytes);
}

nb::object element_operator_object::diagonal(nb::handle out) const {
  const state& s = *state_;
  nb::object result = nb::borrow(out);
  if (out.is_none()) {
    const std::vector<index_t> extents = s.y.extents();
    result = new_array_like(s.facts.like, s.facts.type, extents.data(), int(extents.size()));
  }
  const array to(result, "out");
  const space_kind space = s.space == space_kind::gpu ? to.space() : s.space;
  entries_of(to, "out", s.facts.type, s.y.size(), space, true);
  check_device(to, "out", s.facts.gpu, "the operator");
  with([&]<class T>(const fem::element_operator<T>& op, T*) { write<T>(to, [&](T* at) { op.diagonal(at); }); });
  return result;
}

nb::object element_operator_object::matrices(index_t first, nb::handle count, const std::string& how) const {
  const state& s = *state_;
  if (how != "full" && how != "lower") refuse_value("matrices: how=\"" + how + "\"; there are: full, lower");
  const matrix_storage storage = how == "full" ? matrix_storage::full : matrix_storage::lower_packed;
  const index_t number = checked_count(first, count, s.facts.elements);
  const index_t rows = s.y.components * s.y.entries, columns = s.x.components * s.x.entries;
  const index_t full[3] = {number, columns, rows}, lower[2] = {number, rows * (rows + 1) / 2};
  const bool is_full = storage == matrix_storage::full;
  nb::object result = new_array_like(s.facts.like, s.facts.type, is_full ? full : lower, is_full ? 3 : 2);
  {
    const array to(result, "matrices");
    with([&]<class T>(const fem::element_operator<T>& op, T*) {
      write<T>(to, [&](T* at) { op.assemble(first, number, at, storage); });
    });
  }
  // Column by column in memory.
  return is_full ? nb::object(result.attr("swapaxes")(1, 2)) : result;
}

nb::object element_operator_object::data(index_t first, nb::handle count) const {
  const index_t number = checked_count(first, count, state_->facts.elements);
  nb::object result = new_numpy_array(state_->facts.type, {number, points(), factors()});
  const array to(result, "D");
  with([&]<class T>(const fem::element_operator<T>& op, T*) {
    const without_lock released;
    op.data().get(first, number, static_cast<T*>(to.data()));
  });
  return result;
}

void element_operator_object::set_data(nb::handle D, index_t first) {
  state& s = *state_;
  const array from(D, "D");
  check_kind(from, "D", s.facts.type, from.space(), false);
  check_device(from, "D", s.facts.gpu, "the operator");
  if (from.rank() < 2) refuse_value("D has the shape " + extents_text(from) + ", not (elements, points, factors)");
  const index_t number = from.extent(0);
  checked_count(first, nb::int_(number), s.facts.elements);
  const auto set = [&]<class T>(fem::element_operator<T>& op) {
    const T* const at = checked_data<T>(from, "D", number, op.kernel());
    const without_lock released;
    op.data().set(first, number, at);
    if (s.space == space_kind::gpu) stream_view{}.synchronize();
  };
  if (auto* const op = std::get_if<fem::element_operator<float>>(&s.op))
    set(*op);
  else
    set(std::get<fem::element_operator<double>>(s.op));
  s.forget_transposed();
}

bool element_operator_object::is_symmetric() const {
  return with([](const auto& op, auto*) { return op.kernel().symmetric(); });
}
index_t element_operator_object::points() const {
  return with([](const auto& op, auto*) { return op.kernel().points(); });
}
int element_operator_object::factors() const {
  return with([](const auto& op, auto*) { return op.kernel().factors(); });
}

std::string element_operator_object::describe(bool brief) const {
  return with([&](const auto& op, auto*) { return op.describe(brief ? detail_level::brief : detail_level::full); });
}

fem::element_operator_options transposed_options(const operator_facts& of) {
  fem::element_operator_options o = of.options;
  o.form = fem::element_form::partial_assembly;
  o.points = of.points_a_direction();
  if (o.test) std::swap(o.trial, *o.test);
  if (o.tables && o.tables->test) std::swap(o.tables->trial, *o.tables->test);
  return o;
}

template <class T>
std::shared_ptr<element_operator_object::state> element_operator_object::transposed_of(const state& s) {
  const auto& op = std::get<fem::element_operator<T>>(s.op);
  auto made = std::make_shared<state>();
  made->facts = s.facts;
  made->facts.options = transposed_options(s.facts);
  made->is_transposed = !s.is_transposed && !tessera::is_symmetric(s.facts.options.kind);
  std::vector<T> D(std::size_t(op.elements() * op.kernel().points() * op.kernel().factors()));
  const without_lock released;
  op.data().get(0, op.elements(), D.data());
  if (made->is_transposed)
    made->op.template emplace<fem::element_operator<T>>(built_in_function<T>(s.facts.options.kind, s.facts.dim, true),
                                                        op.elements(), D.data(), made->facts.options);
  else
    made->op.template emplace<fem::element_operator<T>>(s.facts.dim, op.elements(), D.data(), made->facts.options);
  take_shapes<T>(*made);
  return made;
}

element_operator_object element_operator_object::transpose() const {
  return element_operator_object(transposed_state(state_, is_symmetric(), [&] {
    return with([&]<class T>(const fem::element_operator<T>&, T*) { return transposed_of<T>(*state_); });
  }));
}

}  // namespace tessera::python
