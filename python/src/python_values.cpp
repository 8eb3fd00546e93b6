// SPDX-License-Identifier: BSD-3-Clause
// Types, shapes and vectors as numpy has them.
#include <nanobind/stl/string.h>

#include "element_operator.hpp"
#include "new_array.hpp"

namespace tessera::python {

nb::object contiguous_vector(nb::handle x, scalar_type type, index_t size, const char* name) {
  nb::object taken = nb::borrow(x);
  if (is_for_numpy(x, name)) {
    const nb::object as_array = nb::module_::import_("numpy").attr("asarray")(x);
    taken = as_array.attr("astype")(dtype_name(type), nb::arg("order") = "C", nb::arg("casting") = "same_kind",
                                    nb::arg("copy") = false);
  }
  bool is_contiguous = true;
  {
    const array a(taken, name);
    is_contiguous = a.is_contiguous();
    if (a.size() != size || a.rank() < 1)
      refuse_value(std::string(name) + " has the shape " + extents_text(a) + ", not (" + std::to_string(size) + ",)");
  }
  // PyTorch's name, and that of all others.
  if (!is_contiguous) taken = taken.attr(nb::hasattr(taken, "contiguous") ? "contiguous" : "copy")();
  return taken;
}

nb::object dtype_object(scalar_type type) { return nb::module_::import_("numpy").attr("dtype")(dtype_name(type)); }

nb::tuple tuple_of(const std::vector<index_t>& extents) {
  nb::list all;
  for (const index_t extent : extents) all.append(extent);
  return nb::tuple(all);
}

nb::object new_numpy_array(scalar_type type, const std::vector<index_t>& extents) {
  return nb::module_::import_("numpy").attr("empty")(tuple_of(extents), dtype_name(type));
}

index_t checked_count(index_t first, nb::handle count, index_t elements) {
  if (first < 0 || first > elements)
    refuse_value("first=" + std::to_string(first) + " is not one of " + std::to_string(elements) + " elements");
  if (count.is_none()) return elements - first;
  index_t number = 0;
  if (!nb::try_cast(count, number)) refuse_object("count is " + shown(count) + ", not an integer");
  if (number < 0 || number > elements - first)
    refuse_value(std::to_string(number) + " elements from " + std::to_string(first) + " on, of " +
                 std::to_string(elements));
  return number;
}

}  // namespace tessera::python
