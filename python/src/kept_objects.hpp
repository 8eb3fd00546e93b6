// SPDX-License-Identifier: BSD-3-Clause
// For classes whose objects keep others of Python: the garbage collector finds cycles through them.
#pragma once

#include <nanobind/nanobind.h>

namespace tessera::python {

namespace nb = nanobind;

template <class T>
int visit_kept(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const nb::handle kept : nb::inst_ptr<T>(self)->kept()) Py_VISIT(kept.ptr());
  return 0;
}

/// For nb::type_slots, of a class T with kept(): a range of the objects, each counted once by this one alone, or null.
/// There is no tp_clear: these objects do not change, so every cycle has another one that can be cleared.
template <class T>
inline PyType_Slot slots_of_kept[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visit_kept<T>)}, {0, nullptr}};

}  // namespace tessera::python
