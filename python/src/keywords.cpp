// SPDX-License-Identifier: BSD-3-Clause
// Takes keywords, and lists of numbers.
#include "keywords.hpp"

#include <cstring>

#include <nanobind/stl/string.h>

namespace tessera::python {

nb::handle keywords::take(const char* name) {
  known_.push_back(name);
  PyObject* const value = PyDict_GetItemString(given_.ptr(), name);
  return value == nullptr || value == Py_None ? nb::handle() : nb::handle(value);
}

void keywords::refuse(const char* name, const std::string& why) const {
  refuse_object(std::string(call_) + ": " + name + " is " + why);
}

int keywords::integer(const char* name, int otherwise) {
  const nb::handle value = take(name);
  if (!value.is_valid()) return otherwise;
  int number = 0;
  if (!nb::try_cast(value, number)) refuse(name, shown(value) + ", not an integer that fits 32 bits");
  return number;
}

bool keywords::flag(const char* name, bool otherwise) {
  const nb::handle value = take(name);
  if (!value.is_valid()) return otherwise;
  if (!PyBool_Check(value.ptr())) refuse(name, shown(value) + ", neither True nor False");
  return value.ptr() == Py_True;
}

std::string keywords::text(const char* name, const char* otherwise) {
  const nb::handle value = take(name);
  if (!value.is_valid()) return otherwise;
  return text_from(value, std::string(call_) + ": " + name);
}

std::string keywords::dtype(const char* name, const char* otherwise) {
  const nb::handle value = take(name);
  return value.is_valid() ? dtype_text(value, std::string(call_) + ": " + name) : otherwise;
}

void keywords::refuse_rest() const {
  for (const auto& [key, value] : given_) {
    const std::string name = text_from(key, std::string(call_) + ": the name of an argument");
    bool is_known = false;
    std::string all;
    std::vector<std::string_view> listed;
    for (const char* known : known_) {
      is_known = is_known || name == known;
      bool is_new = true;
      for (const std::string_view before : listed) is_new = is_new && before != known;
      if (is_new) all += (all.empty() ? "" : ", ") + std::string(known);
      listed.emplace_back(known);
    }
    if (!is_known) refuse_object(std::string(call_) + " has no argument " + name + "; there are: " + all);
  }
}

std::string shown(nb::handle value) {
  constexpr std::size_t most = 80;
  auto text = nb::cast<std::string>(nb::repr(value));
  if (text.size() <= most && text.find('\n') == std::string::npos) return text;
  text = std::string("a ") + nb::type_name(value.type()).c_str();
  if (nb::hasattr(value, "shape")) text += " of the shape " + nb::cast<std::string>(nb::repr(value.attr("shape")));
  return text;
}

std::string text_from(nb::handle given, const std::string& name) {
  std::string text;
  if (!PyUnicode_Check(given.ptr())) refuse_object(name + " is " + shown(given) + ", not a string");
  if (!nb::try_cast(given, text)) refuse_object(name + " is " + shown(given) + ", which is not valid Unicode");
  return text;
}

std::string dtype_text(nb::handle given, const std::string& name) {
  const bool is_text = PyUnicode_Check(given.ptr()) != 0;
  std::string text = is_text ? text_from(given, name) : std::string();
  if (is_text && is_dtype(text.c_str())) return text;
  try {
    const nb::object known = nb::module_::import_("numpy").attr("dtype")(given);
    if (nb::cast<bool>(known.attr("isnative"))) return nb::cast<std::string>(known.attr("name"));
  } catch (const nb::python_error&) {
    if (!is_text) refuse_object(name + " is " + shown(given) + ", neither the name of a type nor a dtype of numpy");
  }
  return is_text ? text : nb::cast<std::string>(nb::str(given));
}

void check_initialised(nb::handle of, const char* name) {
  if (!nb::inst_ready(of))
    refuse_object(std::string(name) + ": the object of " + nb::cast<std::string>(nb::inst_name(of)) +
                  " was not initialised: its __init__ has to call super().__init__()");
}

nb::object as_numpy(nb::handle value, const char* dtype, const char* name) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object given = numpy.attr("asarray")(value);
  // numpy would only warn.
  if (nb::cast<std::string>(given.attr("dtype").attr("kind")) == "c")
    refuse_object(std::string(name) + " has entries of " + nb::cast<std::string>(given.attr("dtype").attr("name")) +
                  ", not " + dtype);
  return numpy.attr("ascontiguousarray")(given, dtype);
}

nb::object integer_array(nb::handle value, const char* name) {
  const nb::object given = nb::module_::import_("numpy").attr("asarray")(value);
  const nb::object dtype = given.attr("dtype");
  const auto kind = nb::cast<std::string>(dtype.attr("kind"));
  if (kind != "i" && kind != "u" && nb::cast<index_t>(given.attr("size")) > 0)
    refuse_object(std::string(name) + " has entries of " + nb::cast<std::string>(dtype.attr("name")) +
                  ", not integers");
  index_t most = 0;
  if (kind == "u" && nb::cast<index_t>(given.attr("size")) > 0 && !nb::try_cast(nb::int_(given.attr("max")()), most))
    refuse_value(std::string(name) + " has the number " + nb::cast<std::string>(nb::str(given.attr("max")())) +
                 ", which is no signed integer of 64 bits");
  return as_numpy(given, "int64", name);
}

std::vector<double> numbers_of(nb::handle value, const char* name) {
  const nb::object kept = as_numpy(value, "float64", name);
  const array a(kept, name);
  const auto* const at = static_cast<const double*>(a.data());
  return {at, at + a.size()};
}

std::vector<index_t> integers_of(nb::handle value, const char* name) {
  const nb::object kept = integer_array(value, name);
  const array a(kept, name);
  const auto* const at = static_cast<const std::int64_t*>(a.data());
  return {at, at + a.size()};
}

}  // namespace tessera::python
