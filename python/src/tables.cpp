// SPDX-License-Identifier: BSD-3-Clause
// Tables of an element of any shape from a dictionary of arrays.
#include <nanobind/stl/string.h>

#include "operator_arguments.hpp"

namespace tessera::python {

namespace {

constexpr const char* table_names[] = {"values",         "gradients",      "test_values",
                                       "test_gradients", "node_gradients", "weights"};

class table_reader {
 public:
  table_reader(nb::handle given, const char* call) : call_(call) {
    if (!PyDict_Check(given.ptr()))
      refuse_object(std::string(call) + ": tables is " + shown(given) + ", not a dictionary");
    given_ = nb::borrow<nb::dict>(given);
    std::string all;
    for (const char* name : table_names) all += (all.empty() ? "" : ", ") + std::string(name);
    for (const auto& [key, value] : given_) {
      bool is_known = false;
      const std::string found = text_from(key, std::string(call) + ": a key of tables");
      for (const char* name : table_names) is_known = is_known || found == name;
      if (!is_known) refuse_value(std::string(call) + ": tables has no \"" + found + "\"; there are: " + all);
    }
  }

  // The numbers, in the order of the indices; none where it is not given. Extents of each name fit the others.
  std::vector<double> read(const char* name, std::vector<int*> extents) const {
    PyObject* const value = PyDict_GetItemString(given_.ptr(), name);
    if (value == nullptr || value == Py_None) return {};
    const nb::object kept = as_numpy(value, "float64", name);
    const array a(kept, name);
    if (a.rank() != int(extents.size()))
      refuse_value(std::string(call_) + ": tables: " + name + " has the shape " + extents_text(a) + "; " +
                   std::to_string(extents.size()) + " dimensions are needed");
    for (int d = 0; d < a.rank(); ++d) {
      int& wanted = *extents[std::size_t(d)];
      if (wanted == 0) wanted = int(a.extent(d));
      if (a.extent(d) != wanted)
        refuse_value(std::string(call_) + ": tables: " + name + " has the shape " + extents_text(a) +
                     ", and other tables have " + std::to_string(wanted) + " along dimension " + std::to_string(d));
    }
    const auto* const at = static_cast<const double*>(a.data());
    return {at, at + a.size()};
  }

 private:
  const char* call_;
  nb::dict given_;
};

}  // namespace

fem::dense_element tables_from(nb::handle given, const char* call) {
  const table_reader tables(given, call);
  fem::dense_element made;
  int dim = 0, points = 0, functions = 0, test_functions = 0, nodes = 0;
  made.trial.values = tables.read("values", {&functions, &points});
  made.trial.gradients = tables.read("gradients", {&dim, &functions, &points});
  dense_basis test{.functions = 0,
                   .values = tables.read("test_values", {&test_functions, &points}),
                   .gradients = tables.read("test_gradients", {&dim, &test_functions, &points})};
  made.geometry.gradients = tables.read("node_gradients", {&dim, &nodes, &points});
  made.weights = tables.read("weights", {&points});
  if (dim == 0) refuse_value(std::string(call) + ": tables: gradients or node_gradients are needed, for the dimension");
  made.dim = dim;
  made.points = points;
  made.trial.functions = functions;
  made.geometry.functions = nodes;
  test.functions = test_functions;
  if (test_functions > 0) made.test = test;
  return made;
}

}  // namespace tessera::python
