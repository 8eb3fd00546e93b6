// SPDX-License-Identifier: BSD-3-Clause
// released_lock, with_lock: Python's lock around kernels and callbacks, for threads that outlive the interpreter, too.
#pragma once

#include <cxxabi.h>
#include <unistd.h>

#include <nanobind/nanobind.h>

namespace tessera::python {

namespace nb = nanobind;

/// A daemon thread that wants the lock while the interpreter ends gets it no more. Python before 3.14 ends the thread
/// by unwinding its stack, which destructors of C++ end in std::terminate. It waits for the end of the process instead.
[[noreturn]] inline void wait_for_exit() noexcept {
  for (;;) pause();
}

/// While it lives, the calling thread does not hold the lock.
class released_lock {
 public:
  released_lock() : state_(PyEval_SaveThread()) {}
  ~released_lock() {
    if (Py_IsInitialized() == 0) wait_for_exit();
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      wait_for_exit();
    }
  }
  released_lock(const released_lock&) = delete;
  released_lock& operator=(const released_lock&) = delete;

 private:
  PyThreadState* state_;
};

/// While it lives, the calling thread holds the lock.
class held_lock {
 public:
  held_lock() : state_(taken()) {}
  ~held_lock() { PyGILState_Release(state_); }
  held_lock(const held_lock&) = delete;
  held_lock& operator=(const held_lock&) = delete;

 private:
  static PyGILState_STATE taken() {
    if (Py_IsInitialized() == 0) wait_for_exit();  // later on the interpreter has forgotten the thread
    try {
      return PyGILState_Ensure();
    } catch (...) {
      wait_for_exit();
    }
  }
  PyGILState_STATE state_;
};

/// body() under the lock: for callbacks, whose code in Python may lose it, too.
template <class Body>
auto with_lock(const Body& body) {
  const held_lock held;
  try {
    return body();
  } catch (const abi::__forced_unwind&) {
    wait_for_exit();
  }
}

}  // namespace tessera::python
