// SPDX-License-Identifier: BSD-3-Clause
// Computes at points, and reads what is given there.
#include "points.hpp"

#include <nanobind/stl/string.h>

#include <tessera/fem/norms.hpp>

#include "new_array.hpp"
#include "restriction_values.hpp"
#include "thread_limit.hpp"

namespace tessera::python {

namespace {

const restriction* restriction_of(nb::handle unknowns, const char* name) {
  if (unknowns.is_none()) return nullptr;
  if (!nb::isinstance<restriction>(unknowns))
    refuse_object(std::string(name) + " is " + shown(unknowns) + ", not a Restriction");
  return initialised<restriction>(unknowns, name);
}

// Numbers of leading indices go behind those of the points; each is a number or an array of all points.
nb::object stacked(nb::handle given, const nb::module_& numpy, const std::vector<index_t>& extents, std::size_t from) {
  if (from == extents.size()) {
    const nb::object whole = numpy.attr("asarray")(given);
    std::vector<index_t> found;
    for (const nb::handle extent : nb::tuple(whole.attr("shape"))) found.push_back(nb::cast<index_t>(extent));
    const std::size_t rank = found.size();
    bool fits = rank <= 2;
    for (std::size_t d = 0; fits && d < rank; ++d) fits = found[d] == 1 || found[d] == extents[2 - rank + d];
    if (!fits)
      refuse_value("the function of the coordinates gives the shape " + extents_text(found) +
                   ", neither one number nor those of the points, " + extents_text({extents[0], extents[1]}));
    return numpy.attr("broadcast_to")(whole, nb::make_tuple(extents[0], extents[1]));
  }
  const auto wanted = std::size_t(extents[from]);
  if (nb::len(given) != wanted)
    refuse_value("the function of the coordinates gives " + std::to_string(nb::len(given)) + " parts, not " +
                 std::to_string(wanted) + ": those of " + extents_text(extents));
  nb::list parts;
  for (std::size_t i = 0; i < wanted; ++i) parts.append(stacked(given[i], numpy, extents, from + 1));
  return numpy.attr("stack")(parts, nb::arg("axis") = 2);
}

}  // namespace

points_object::points_object(nb::handle nodes, const nb::kwargs& given) {
  keywords k("ElementPoints", given);
  if (nodes.is_none()) refuse_value("ElementPoints: nodes is None, not an array (elements, dim, nodes)");
  const nb::handle faces = k.take("faces");
  operator_arguments from(k, nb::none(), nodes);
  k.refuse_rest();
  if (from.nodes->space() != space_kind::cpu)
    refuse_value("ElementPoints: nodes is in memory of the gpu; points are computed on a CPU: give a copy there");
  nodes_.emplace(std::move(*from.nodes));
  from.nodes.reset();
  dim_ = from.dim;
  type_ = from.type;
  with_type(type_, [&]<class T>(T*) {
    const fem::element_nodes<T> of = from.nodes_alone<T>(*nodes_);
    std::vector<fem::boundary_face> listed;
    if (faces.is_valid()) listed = faces_from(faces, "ElementPoints");
    const without_lock released;
    if (faces.is_valid())
      at_.emplace<fem::element_points<T>>(of, listed, from.options);
    else
      at_.emplace<fem::element_points<T>>(of, from.options);
  });
  with([&](const auto& at, auto*) {
    components_ = at.components();
    u_ = {at.elements(), at.components(), at.functions(), dim_, 0};
  });
}

index_t points_object::count() const {
  return with([](const auto& at, auto*) { return at.count(); });
}
index_t points_object::points() const {
  return with([](const auto& at, auto*) { return at.points(); });
}
std::string points_object::describe() const {
  return with([](const auto& at, auto*) { return at.describe(); });
}

std::vector<index_t> points_object::extents(bool component, bool direction) const {
  std::vector<index_t> all{count(), points()};
  if (component && components_ > 1) all.push_back(components_);
  if (direction) all.push_back(dim_);
  return all;
}

nb::object points_object::coordinates() const {
  nb::object result = new_numpy_array(type_, extents(false, true));
  const array to(result, "out");
  with([&]<class T>(const fem::element_points<T>& at, T*) {
    const without_lock released;
    at.coordinates(static_cast<T*>(to.data()));
  });
  return result;
}

nb::object points_object::jacobians(bool inverse) const {
  nb::object result = new_numpy_array(type_, {count(), points(), dim_, dim_});
  {
    const array to(result, "out");
    with([&]<class T>(const fem::element_points<T>& at, T*) {
      const without_lock released;
      inverse ? at.inverse_jacobians(static_cast<T*>(to.data())) : at.jacobians(static_cast<T*>(to.data()));
    });
  }
  // The first index is the fastest one in memory.
  return result.attr("swapaxes")(2, 3);
}

nb::object points_object::weights() const {
  nb::object result = new_numpy_array(type_, extents(false, false));
  const array to(result, "out");
  with([&]<class T>(const fem::element_points<T>& at, T*) {
    const without_lock released;
    at.weights(static_cast<T*>(to.data()));
  });
  return result;
}

nb::object points_object::normals() const {
  nb::object result = new_numpy_array(type_, extents(false, true));
  const array to(result, "out");
  with([&]<class T>(const fem::element_points<T>& at, T*) {
    const without_lock released;
    at.normals(static_cast<T*>(to.data()));
  });
  return result;
}

nb::object points_object::numbers_at_points(nb::handle f, const std::vector<index_t>& wanted, const char* name) const {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const auto check_extents = [&](const array& a) {
    bool fits = a.rank() == int(wanted.size());
    for (int d = 0; fits && d < a.rank(); ++d) fits = a.extent(d) == wanted[std::size_t(d)];
    if (!fits)
      refuse_value(std::string(name) + " has the shape " + extents_text(a) + ", not " + extents_text(wanted) +
                   ": numbers at points");
  };
  nb::object given = nb::borrow(f);
  if (PyCallable_Check(f.ptr()) != 0 && !nb::hasattr(f, "__dlpack__")) {
    given = stacked(f(numpy.attr("moveaxis")(coordinates(), -1, 0)), numpy, wanted, 2);
  } else if (!is_for_numpy(f, name)) {
    check_extents(array(given, name));
    return given;
  }
  nb::object all = numpy.attr("asarray")(given);
  if (nb::cast<int>(all.attr("ndim")) != 0) check_extents(array(all, name));
  return as_numpy(numpy.attr("broadcast_to")(all, tuple_of(wanted)), dtype_name(type_), name);
}

nb::object points_object::evaluate(nb::handle f) const { return numbers_at_points(f, extents(true, false), "f"); }

template <class T>
fem::fe_vector<const T> points_object::vector_of(const array& u, nb::handle unknowns) const {
  const restriction* const r = restriction_of(unknowns, "unknowns");
  const void* const at = entries_of(u, "u", type_, r != nullptr ? r->size() : u_.size(), u.space(), false);
  return r != nullptr ? fem::fe_vector<const T>(static_cast<const T*>(at), *r)
                      : fem::fe_vector<const T>(static_cast<const T*>(at));
}

nb::object points_object::values(nb::handle u, nb::handle unknowns) const {
  const array from(u, "u");
  nb::object result = new_numpy_array(type_, extents(true, false));
  const array to(result, "out");
  with([&]<class T>(const fem::element_points<T>& at, T*) {
    const fem::fe_vector<const T> of = vector_of<T>(from, unknowns);
    const without_lock released;
    at.values(of, static_cast<T*>(to.data()));
  });
  return result;
}

nb::object points_object::gradients(nb::handle u, nb::handle unknowns, bool in_space) const {
  const array from(u, "u");
  nb::object result = new_numpy_array(type_, extents(true, true));
  const array to(result, "out");
  with([&]<class T>(const fem::element_points<T>& at, T*) {
    const fem::fe_vector<const T> of = vector_of<T>(from, unknowns);
    const without_lock released;
    in_space ? at.gradients(of, static_cast<T*>(to.data())) : at.reference_gradients(of, static_cast<T*>(to.data()));
  });
  return result;
}

nb::object points_object::load(nb::handle f, nb::handle unknowns, nb::handle out, bool add, bool of_gradients) const {
  const std::vector<index_t> wanted = extents(true, of_gradients);
  const nb::object numbers = numbers_at_points(f, wanted, "f");
  const array from(numbers, "f");
  index_t size = 1;
  for (const index_t extent : wanted) size *= extent;
  const void* const given = entries_of(from, "f", type_, size, from.space(), false);
  const restriction* const r = restriction_of(unknowns, "unknowns");
  if (add && out.is_none()) refuse_value("add=True adds to out, which is not given");
  nb::object result = nb::borrow(out);
  if (out.is_none()) result = new_numpy_array(type_, r != nullptr ? std::vector<index_t>{r->size()} : u_.extents());
  const array to(result, "out");
  void* const at_out = entries_of(to, "out", type_, r != nullptr ? r->size() : u_.size(), to.space(), true);
  with([&]<class T>(const fem::element_points<T>& at, T*) {
    const auto* const numbers_of_f = static_cast<const T*>(given);
    const fem::fe_vector<T> b =
        r != nullptr ? fem::fe_vector<T>(static_cast<T*>(at_out), *r) : fem::fe_vector<T>(static_cast<T*>(at_out));
    const without_lock released;
    if (of_gradients)
      add ? at.add_gradient_load(numbers_of_f, b) : at.gradient_load(numbers_of_f, b);
    else
      add ? at.add_load(numbers_of_f, b) : at.load(numbers_of_f, b);
  });
  return result;
}

double points_object::integral(nb::handle f) const {
  const nb::object numbers = numbers_at_points(f, extents(false, false), "f"), w = weights();
  const array of_f(numbers, "f"), of_w(w, "weights");
  entries_of(of_f, "f", type_, of_w.size(), space_kind::cpu, false);
  return with([&]<class T>(const fem::element_points<T>&, T*) {
    double sum = 0;
    for (index_t i = 0; i < of_w.size(); ++i)
      sum += double(static_cast<const T*>(of_f.data())[i]) * double(static_cast<const T*>(of_w.data())[i]);
    return sum;
  });
}

double points_object::norm(nb::handle u, nb::handle exact, nb::handle unknowns, bool of_gradients) const {
  const array from(u, "u");
  const std::vector<index_t> wanted = extents(true, of_gradients);
  nb::object numbers;
  std::optional<array> given;
  if (!exact.is_none()) {
    numbers = numbers_at_points(exact, wanted, "exact");
    given.emplace(numbers, "exact");
    index_t size = 1;
    for (const index_t extent : wanted) size *= extent;
    entries_of(*given, "exact", type_, size, space_kind::cpu, false);
  }
  return with([&]<class T>(const fem::element_points<T>& at, T*) {
    const fem::fe_vector<const T> of = vector_of<T>(from, unknowns);
    const T* const e = given ? static_cast<const T*>(given->data()) : nullptr;
    const without_lock released;
    if (of_gradients) return e != nullptr ? fem::h1_error(at, of, e) : fem::h1_seminorm(at, of);
    return e != nullptr ? fem::l2_error(at, of, e) : fem::l2_norm(at, of);
  });
}

}  // namespace tessera::python
