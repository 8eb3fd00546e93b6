// SPDX-License-Identifier: BSD-3-Clause
// tessera_fem.Restriction, faces of boxes and the numbers on them, quadrature rules.
#include <algorithm>
#include <functional>

#include <nanobind/stl/string.h>

#include <tessera/element/restriction.hpp>
#include <tessera/fem/boundary.hpp>

#include "element_operator.hpp"
#include "keywords.hpp"
#include "new_array.hpp"
#include "operator_classes.hpp"
#include "restriction_values.hpp"
#include "thread_limit.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_restriction = R"(Which number of a vector of unknowns each entry of an element is.

Vectors of unknowns (L-vectors) have each unknown once, those of elements (E-vectors) the values of every element.

Parameters
----------
numbers : integer array (elements, entries)
    Of component 0. It is copied.
size : int, optional
    Of vectors of unknowns. One more than the highest number for each component where it is not given.
components, component_stride : int, optional
    Component c of entry i of element e is numbers[e, i] + c * component_stride. By default components follow each
    other: the stride is size / components. Interleaved ones have a stride of 1, and numbers that are multiples of
    `components`.
constrained : list of int, optional
    Numbers that operators leave out.
negative : str
    What the number -1 - k is: "refused", "sign": k with the opposite sign, "constrained": k, which is constrained.

Examples
--------
>>> import numpy as np, tessera_fem as tf
>>> r = tf.Restriction([[0, 1], [1, 2]])
>>> r.to_elements(np.array([1.0, 2.0, 3.0]))
array([[1., 2.],
       [2., 3.]])
>>> r.add_from_elements(np.ones((2, 2)), np.zeros(3))
array([1., 2., 1.])
)";

constexpr std::pair<const char*, negative_offset> meanings[] = {{"refused", negative_offset::refused},
                                                                {"sign", negative_offset::sign},
                                                                {"constrained", negative_offset::constrained}};

std::vector<index_t> constrained_from(keywords& k) {
  const nb::handle given = k.take("constrained");
  return given.is_valid() ? integers_of(given, "constrained") : std::vector<index_t>();
}

restriction restriction_from(nb::handle numbers, const nb::kwargs& given) {
  keywords k("Restriction", given);
  const nb::object kept = integer_array(numbers, "Restriction: numbers");
  const array a(kept, "numbers");
  if (a.rank() != 2)
    refuse_value("Restriction: numbers has the shape " + extents_text(a) + ", not (elements, entries)");
  const auto* const at = static_cast<const std::int64_t*>(a.data());
  restriction_spec spec{.elements = a.extent(0), .entries = a.extent(1), .offsets64 = at};
  spec.components = k.integer("components", 1);
  spec.negative = k.one_of("negative", meanings, negative_offset::refused);
  const nb::handle size = k.take("size"), stride = k.take("component_stride");
  const std::vector<index_t> constrained = constrained_from(k);
  k.refuse_rest();
  spec.constrained = constrained;
  if (spec.components < 1) refuse_value("Restriction: components=" + std::to_string(spec.components));
  index_t nodes = 0;
  for (index_t i = 0; i < a.size(); ++i) nodes = std::max<index_t>(nodes, at[i] < 0 ? -at[i] : at[i] + 1);
  const auto integer = [](nb::handle value, const char* name) {
    index_t number = 0;
    if (!nb::try_cast(value, number))
      refuse_object(std::string("Restriction: ") + name + " is " + shown(value) + ", not an integer");
    return number;
  };
  if (size.is_valid())
    spec.size = integer(size, "size");
  else
    spec.size = stride.is_valid() ? nodes + (spec.components - 1) * integer(stride, "component_stride")
                                  : nodes * spec.components;
  spec.component_stride = stride.is_valid() ? integer(stride, "component_stride") : spec.size / spec.components;
  return restriction(spec);
}

restriction box_from(nb::handle cells, const nb::kwargs& given) {
  keywords k("Restriction.box", given);
  box_spec box = box_of_cells(cells, "Restriction.box");
  box.order = k.integer("order", 1);
  box.components = k.integer("components", 1);
  box.interleaved = k.flag("interleaved", false);
  const std::vector<index_t> constrained = constrained_from(k);
  k.refuse_rest();
  box.constrained = constrained;
  return restriction::box(box);
}

e_vector_shape shape_of(const restriction& r) { return {r.elements(), r.components(), r.entries(), 1, 0}; }

const array& real(const array& a, const char* name) {
  if (a.type() != scalar_type::f32 && a.type() != scalar_type::f64)
    refuse_object(std::string(name) + " has entries of " + dtype_name(a.type()) + ", not float32 or float64");
  return a;
}

// Of contiguous vectors.
template <class T>
void check_apart(const T* x, index_t x_size, const char* x_name, const T* y, index_t y_size, const char* y_name) {
  const std::less<const T*> before;
  if (x_size > 0 && y_size > 0 && before(x, y + y_size) && before(y, x + x_size))
    refuse_value(std::string(x_name) + " of " + std::to_string(x_size) + " entries and " + y_name + " of " +
                 std::to_string(y_size) + " overlap in memory");
}

nb::object to_elements(const restriction& r, nb::handle x, nb::handle out, nb::handle stream) {
  const call_stream on = stream_of_call(stream, x);
  const array from(x, "x", on);
  const scalar_type type = real(from, "x").type();
  const std::vector<index_t> extents = shape_of(r).extents();
  nb::object result = out.is_none() ? new_array_like(x, type, extents.data(), int(extents.size())) : nb::borrow(out);
  const array to(result, "out", on);
  void* const at = entries_of(to, "out", type, shape_of(r).size(), from.space(), true);
  const void* const x_at = entries_of(from, "x", type, r.size(), from.space(), false);
  with_type(type, [&]<class T>(T*) {
    check_apart(static_cast<const T*>(x_at), r.size(), "x", static_cast<const T*>(at), shape_of(r).size(), "out");
    const without_lock released;
    r.to_elements(static_cast<const T*>(x_at), static_cast<T*>(at), view_of(on));
  });
  return result;
}

nb::object add_from_elements(const restriction& r, nb::handle E, nb::handle y, nb::handle stream) {
  const call_stream on = stream_of_call(stream, y);
  const array from(E, "E", on), to(y, "y", on);
  const scalar_type type = real(from, "E").type();
  void* const at = entries_of(to, "y", type, r.size(), from.space(), true);
  const void* const from_at = entries_of(from, "E", type, shape_of(r).size(), from.space(), false);
  with_type(type, [&]<class T>(T*) {
    check_apart(static_cast<const T*>(from_at), shape_of(r).size(), "E", static_cast<const T*>(at), r.size(), "y");
    const without_lock released;
    r.add_from_elements(static_cast<const T*>(from_at), static_cast<T*>(at), view_of(on));
  });
  return nb::borrow(y);
}

nb::object multiplicity(const restriction& r) {
  nb::object result = new_numpy_array(scalar_type::f64, {r.size()});
  const array to(result, "out");
  r.multiplicity(static_cast<double*>(to.data()));
  return result;
}

nb::object numbers(const restriction& r) {
  nb::object result = new_numpy_array(scalar_type::i64, {r.elements(), r.entries()});
  const array to(result, "out");
  auto* at = static_cast<std::int64_t*>(to.data());
  for (index_t e = 0; e < r.elements(); ++e)
    for (index_t i = 0; i < r.entries(); ++i) *at++ = r.offset(i, e);
  return result;
}

nb::object constrained_numbers(const restriction& r) {
  nb::object result = new_numpy_array(scalar_type::i64, {index_t(r.constrained().size())});
  const array to(result, "out");
  std::copy(r.constrained().begin(), r.constrained().end(), static_cast<std::int64_t*>(to.data()));
  return result;
}

}  // namespace

void add_restriction_class(nb::module_& m) {
  nb::class_<restriction>(m, "Restriction", text_of_restriction)
      .def(
          "__init__",
          [](restriction* self, nb::handle list, const nb::kwargs& given) {
            new (self) restriction(restriction_from(list, given));
          },
          nb::arg("numbers"), nb::arg("given"),
          nb::sig("def __init__(self, numbers: ArrayLike, *, size: int | None = None, components: int = 1, "
                  "component_stride: int | None = None, constrained: ArrayLike | None = None, "
                  "negative: Literal['refused', 'sign', 'constrained'] = 'refused') -> None"))
      .def_static(
          "box", &box_from, nb::arg("cells"), nb::arg("given"),
          nb::sig("def box(cells: ArrayLike, *, order: int = 1, components: int = 1, interleaved: bool = False, "
                  "constrained: ArrayLike | None = None) -> Restriction"),
          "Continuous elements of one order in a box of cells (1 to 3 numbers), first direction fastest, as are "
          "the nodes of an element and of the box: order * cells[a] + 1 nodes in direction a.")
      .def("to_elements", &to_elements, nb::arg("x"), nb::arg("out").none() = nb::none(), nb::kw_only(),
           nb::arg("stream").none() = nb::none(),
           nb::sig(
               "def to_elements(self, x: Array, out: Array | None = None, *, stream: Stream | None = None) -> Array"),
           "The values of every element, (elements, entries) or (elements, components, entries). Constrained numbers "
           "are like the others.")
      .def("add_from_elements", &add_from_elements, nb::arg("E"), nb::arg("y"), nb::kw_only(),
           nb::arg("stream").none() = nb::none(),
           nb::sig("def add_from_elements(self, E: Array, y: _ArrayT, *, stream: Stream | None = None) -> _ArrayT"),
           "The transpose: adds those of every element to y, and returns y.")
      .def("multiplicity", &multiplicity, nb::sig("def multiplicity(self) -> NDArray[numpy.float64]"),
           "How many entries of elements each number is.")
      .def_prop_ro("numbers", &numbers, nb::sig("def numbers(self) -> NDArray[numpy.int64]"),
                   "Of component 0: an array (elements, entries); -1 - k: of the opposite sign.")
      .def_prop_ro("constrained", &constrained_numbers, nb::sig("def constrained(self) -> NDArray[numpy.int64]"),
                   "Ascending.")
      .def_prop_ro("elements", &restriction::elements, "Their number.")
      .def_prop_ro("entries", &restriction::entries, "Of a component of an element.")
      .def_prop_ro("components", &restriction::components, "Components.")
      .def_prop_ro("component_stride", &restriction::component_stride, "From a component to the next.")
      .def_prop_ro("size", &restriction::size, "Numbers of a vector of unknowns.")
      .def("describe", &restriction::describe, "Sizes, as text.")
      .def("__repr__", [](const restriction& r) { return "<tessera_fem.Restriction " + r.describe() + ">"; });
  add_boundary(m);
}

}  // namespace tessera::python
