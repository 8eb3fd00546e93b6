// SPDX-License-Identifier: BSD-3-Clause
// keywords: what a call is given by name, each taken once.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "e_vector.hpp"

namespace tessera::python {

/// For calls with more keywords than a signature can hold. Each `take` also lists the name as one that there is.
class keywords {
 public:
  keywords(const char* call, const nb::kwargs& given) : call_(call), given_(given) {}

  /// The value; a null handle where it is not given, or None.
  nb::handle take(const char* name);
  int integer(const char* name, int otherwise);
  bool flag(const char* name, bool otherwise);
  std::string text(const char* name, const char* otherwise);
  /// As dtype_text.
  std::string dtype(const char* name, const char* otherwise);
  /// The entry of a table of (name, kind) that the value names, `otherwise` where there is none.
  template <class Table, class Kind>
  Kind one_of(const char* name, const Table& table, Kind otherwise);
  /// Throws TypeError for what was given and not taken.
  void refuse_rest() const;

  const char* call() const { return call_; }

 private:
  [[noreturn]] void refuse(const char* name, const std::string& why) const;
  const char* call_;
  nb::kwargs given_;
  std::vector<const char*> known_;
};

template <class Table, class Kind>
Kind keywords::one_of(const char* name, const Table& table, Kind otherwise) {
  if (!take(name).is_valid()) return otherwise;
  const std::string given = text(name, "");
  std::string all;
  for (const auto& [known, kind] : table) {
    if (given == known) return kind;
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  refuse_value(std::string(call_) + ": there is no " + name + " \"" + given + "\"; there are: " + all);
}

/// For error texts: repr(value), or, where that is long, its type and shape.
std::string shown(nb::handle value);

/// The characters of a string. Throws TypeError for another object, and for a string that is not valid Unicode.
std::string text_from(nb::handle given, const std::string& name);

/// The name of a type: itself, or that of what numpy.dtype takes, "f8" or numpy.float64. A string that numpy does not
/// know either is returned as it is. Throws TypeError for other objects.
std::string dtype_text(nb::handle given, const std::string& name);

/// Throws TypeError for an object of a subclass whose __init__ has not called that of the module's class.
void check_initialised(nb::handle of, const char* name);
/// The C++ object of an instance of T's class.
template <class T>
T* initialised(nb::handle of, const char* name) {
  check_initialised(of, name);
  return nb::inst_ptr<T>(of);
}

/// numpy.ascontiguousarray(value, dtype): a list, a number or an array of any strides as one to read.
/// Throws TypeError for complex numbers.
nb::object as_numpy(nb::handle value, const char* dtype, const char* name);
/// The same of integers of 64 bits. Throws TypeError for others, ValueError for those from 2^63 on.
nb::object integer_array(nb::handle value, const char* name);
/// The numbers of a list or an array, in the order of Python's indices.
std::vector<double> numbers_of(nb::handle value, const char* name);
std::vector<index_t> integers_of(nb::handle value, const char* name);

}  // namespace tessera::python
