// SPDX-License-Identifier: BSD-3-Clause
// The measured limits of this machine.
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "interpreter_lock.hpp"
#include "measure/limits/cpu.hpp"
#include "parts.hpp"

namespace tessera::python {

namespace {

nb::dict as_dict(const bench::limit& l) {
  nb::dict made;
  made["what"] = l.what;
  made["where"] = l.where;
  made["dtype"] = l.type == "f64" ? "float64" : l.type == "f32" ? "float32" : "";
  made["threads"] = l.threads;
  made["unit"] = l.unit;
  made["median"] = l.value.median;
  made["best"] = l.value.max;
  made["spread"] = l.value.rrs;
  return made;
}

nb::list limits(const std::vector<int>& threads, int repetitions, nb::handle progress) {
  if (threads.empty()) throw nb::value_error("limits(threads=[]): name at least one number of threads");
  const auto report = [&](const bench::limit& l) {
    with_lock([&] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none()) progress(as_dict(l));
    });
  };
  std::vector<bench::limit> measured;
  {
    const released_lock unlocked;
    measured = bench::measure_cpu_limits(threads, repetitions, report);
  }
  nb::list all;
  for (const bench::limit& l : measured) all.append(as_dict(l));
  return all;
}

}  // namespace

void add_limits(nb::module_& m) {
  m.def("_limits", &limits, nb::arg("threads"), nb::arg("repetitions"), nb::arg("progress").none());
}

}  // namespace tessera::python
