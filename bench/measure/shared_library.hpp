// SPDX-License-Identifier: BSD-3-Clause
// A library opened at run time, so that one process can use two BLAS libraries, and a missing one is not a build error.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace tessera::bench {

class shared_library {
 public:
  /// The first of these names that can be opened; if none, `is_open` is false. It stays open until the program ends.
  explicit shared_library(std::initializer_list<const char*> names) {
    for (const char* name : names) open(name);
  }
  explicit shared_library(const std::vector<std::string>& names) {
    for (const std::string& name : names) open(name.c_str());
  }
  bool is_open() const { return handle_ != nullptr; }
  /// What the loader says of the last one that it could not open.
  const std::string& failure() const { return failure_; }

  /// Null if the library has no such function.
  template <class Function>
  Function* find(const char* name) const {
    return handle_ ? reinterpret_cast<Function*>(dlsym(handle_, name)) : nullptr;
  }

 private:
  void open(const char* name) {
    if (handle_ != nullptr) return;
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    if (const char* const text = dlerror()) failure_ = text;
  }

  void* handle_ = nullptr;
  std::string failure_;
};

}  // namespace tessera::bench
