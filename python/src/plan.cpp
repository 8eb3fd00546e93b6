// SPDX-License-Identifier: BSD-3-Clause
// tessera_fem.Plan.
#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>

#include "kept_objects.hpp"
#include "new_array.hpp"
#include "parts.hpp"
#include "planned.hpp"
#include "stream.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_plan = R"(A contraction that is checked and lowered once and run many times.

Parameters
----------
subscripts : str
    As of einsum, also with an addend: "ik,kj+ij->ij".
*arrays
    The inputs, the addend if there is one, and the output: arrays as those of the runs. Only their types, shapes,
    strides and the place of their memory count. Without the output, which is then like a new one of einsum.
batch, alpha, beta, stream, threads, target, regime, precision, sum_dtype, functions, pair, compile, wait, workspace
    As of einsum.

Examples
--------
>>> import numpy as np, tessera_fem as tf
>>> B, x = np.ones((5, 4)), np.ones((100, 4, 4, 4))
>>> y = np.empty((100, 5, 4, 4))
>>> plan = tf.Plan("kj,ejbc->ekbc", B, x, y, batch="e")
>>> plan.run(B, x, y)[0, 0, 0]
array([4., 4., 4., 4.])
>>> plan(B, 2 * x)[0, 0, 0]
array([8., 8., 8., 8.])
)";

class python_plan {
 public:
  python_plan(const std::string& text, nb::args given, nb::kwargs keywords) {
    call_options options;
    options.take_all("Plan", keywords);
    if (options.out.is_valid()) throw nb::type_error("Plan() takes the output as its last array, not as out=");
    const subscripts what(text);
    const int count = int(given.size());
    if (count != what.count() && count != what.count() - 1)
      throw nb::type_error(("Plan \"" + text + "\" takes " + std::to_string(what.count() - 1) +
                            " arrays, and the output as one more; " + std::to_string(count) + " given")
                               .c_str());
    const call_stream stream = stream_of_call(options.stream, given[0]);
    std::vector<array> arrays;
    arrays.reserve(std::size_t(what.count()));
    for (int i = 0; i < count; ++i) arrays.emplace_back(given[i], operand_name(i, i + 1 == what.count()), stream);
    nb::object made;
    if (count < what.count()) {
      const std::vector<index_t> extents = output_extents(what, arrays);
      made = new_array_like(given[0], arrays[0].type(), extents.data(), int(extents.size()));
      arrays.emplace_back(made, "out", stream);
    }
    plan_ = std::make_shared<const planned>(text, options, arrays);
  }

  nb::object run(nb::args given, nb::handle stream) const {
    const int count = plan_->what().count();
    if (int(given.size()) != count)
      throw nb::type_error(("run() takes " + std::to_string(count) + " arrays, the output last; " +
                            std::to_string(given.size()) + " given")
                               .c_str());
    const call_stream on = stream_of_call(stream, given[0]);
    std::vector<array> arrays;
    arrays.reserve(std::size_t(count));
    for (int i = 0; i < count; ++i) arrays.emplace_back(given[i], operand_name(i, i + 1 == count), on);
    plan_->run(arrays, on.handle);
    return nb::borrow(given[count - 1]);
  }

  nb::object call(nb::args given, nb::handle out, nb::handle stream) const {
    const int count = plan_->what().count();
    if (int(given.size()) != count - 1)
      throw nb::type_error(("the plan takes " + std::to_string(count - 1) + " arrays, and the output as out=; " +
                            std::to_string(given.size()) + " given")
                               .c_str());
    const call_stream on = stream_of_call(stream, given[0]);
    std::vector<array> arrays;
    arrays.reserve(std::size_t(count));
    for (int i = 0; i + 1 < count; ++i) arrays.emplace_back(given[i], operand_name(i, false), on);
    nb::object result;
    if (out.is_none()) {
      if (plan_->adds_to_out()) refuse_new_output(plan_->what().text());
      const std::vector<index_t> extents = output_extents(plan_->what(), arrays);
      result = new_array_like(given[0], arrays[0].type(), extents.data(), int(extents.size()));
    } else {
      result = nb::borrow(out);
    }
    arrays.emplace_back(result, "out", on);
    plan_->run(arrays, on.handle);
    return result;
  }

  const planned& of() const { return *plan_; }
  const std::vector<nb::object>& kept() const { return plan_->kept(); }

 private:
  std::shared_ptr<const planned> plan_;
};

}  // namespace

void add_plans(nb::module_& m) {
  const std::string signature =
      std::string("def __init__(self, subscripts: str, *arrays: Array, ") + signature_of_options + ") -> None";
  nb::class_<python_plan>(m, "Plan", text_of_plan, nb::type_slots(slots_of_kept<python_plan>))
      .def(nb::init<const std::string&, nb::args, nb::kwargs>(), nb::arg("subscripts"), nb::arg("arrays"),
           nb::arg("keywords"), nb::sig(signature.c_str()))
      .def("run", &python_plan::run, nb::arg("arrays"), nb::kw_only(), nb::arg("stream").none() = nb::none(),
           nb::sig("def run(self, *arrays: Array, stream: Stream | None = None) -> Array"),
           "Runs on arrays like those that the plan was made for, the output last; the number of entries of the batch "
           "may differ. Returns the output.")
      .def("__call__", &python_plan::call, nb::arg("arrays"), nb::kw_only(), nb::arg("out").none() = nb::none(),
           nb::arg("stream").none() = nb::none(),
           nb::sig("def __call__(self, *arrays: Array, out: Array | None = None, stream: Stream | None = None) -> "
                   "Array"),
           "The same of the inputs, into `out` or a new array.")
      .def(
          "describe", [](const python_plan& p, bool brief) { return p.of().describe(brief); }, nb::arg("brief") = false,
          "The contraction as the library sees it, each operand's fastest index first; its sizes, kernel, and why it "
          "is that one.")
      .def_prop_ro(
          "workspace_bytes", [](const python_plan& p) { return p.of().workspace_bytes(); },
          "Bytes of memory beside the arrays.")
      .def_prop_ro(
          "is_ready", [](const python_plan& p) { return p.of().is_ready(); },
          "False while a kernel for it is compiled behind (wait=False): plan again once it is True.")
      .def_prop_ro(
          "target", [](const python_plan& p) { return std::string(name_of(p.of().where())); },
          "Where it runs: an instruction set, or \"cuda\".")
      .def("__repr__", [](const python_plan& p) { return "<tessera_fem.Plan " + p.of().describe(true) + ">"; });
}

}  // namespace tessera::python
