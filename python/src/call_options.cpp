// SPDX-License-Identifier: BSD-3-Clause
// Keywords to options.
#include "call_options.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include <tessera/core/product_types.hpp>

#include "array.hpp"
#include "keywords.hpp"
#include "settings.hpp"

namespace tessera::python {

namespace {

constexpr const char* names_of_functions[] = {"a", "b", "addend", "result"};

bool is_name(nb::handle name, const char* text) { return PyUnicode_CompareWithASCIIString(name.ptr(), text) == 0; }

[[noreturn]] void refuse_keyword_value(nb::handle name, const char* wanted, nb::handle value) {
  throw nb::value_error((nb::cast<std::string>(name) + "= takes " + wanted + ", not " +
                         nb::cast<std::string>(nb::str(nb::steal(PyObject_ASCII(value.ptr())))))
                            .c_str());
}

[[noreturn]] void refuse_keyword_type(nb::handle name, const char* wanted, nb::handle value) {
  throw nb::type_error((nb::cast<std::string>(name) + "= takes " + wanted + ", not " + shown(value)).c_str());
}

void take_text(nb::handle name, nb::handle value, std::string& to) {
  if (value.is_none()) return;
  if (!nb::isinstance<nb::str>(value)) refuse_keyword_type(name, "a string", value);
  if (!nb::try_cast(value, to)) refuse_keyword_value(name, "a string of Unicode", value);
}

complex<double> number(nb::handle name, nb::handle value) {
  const Py_complex z = PyComplex_AsCComplex(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse_keyword_type(name, "a number", value);
  }
  return {z.real, z.imag};
}

int whole_number(nb::handle name, nb::handle value) {
  // Also numpy's.
  if (PyIndex_Check(value.ptr()) == 0) refuse_keyword_type(name, "an integer", value);
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  int result = 0;
  if (!number.is_valid() || !nb::try_cast(number, result)) refuse_keyword_value(name, "an integer of 32 bits", value);
  return result;
}

bool flag(nb::handle name, nb::handle value) {
  if (!PyBool_Check(value.ptr())) refuse_keyword_type(name, "True or False", value);
  return value.ptr() == Py_True;
}

void take_functions(call_options& to, nb::handle name, nb::handle value) {
  if (value.is_none()) return;
  if (!nb::isinstance<nb::dict>(value))
    refuse_keyword_type(name, "a dictionary such as {\"a\": \"relu\", \"result\": \"elu 1\"}", value);
  for (const auto [key, text] : nb::cast<nb::dict>(value)) {
    int at = 0;
    while (at < 4 && !(PyUnicode_Check(key.ptr()) && is_name(key, names_of_functions[at]))) ++at;
    if (at == 4) refuse_keyword_type(name, "functions of \"a\", \"b\", \"addend\" and \"result\"", key);
    if (const own_entry_function* own = entry_function_in(text))
      to.own_functions[at] = *own;
    else if (text.is_none() || nb::isinstance<nb::str>(text))
      take_text(name, text, to.functions[at]);
    else
      refuse_keyword_type(name, "names, or EntryFunction,", text);
  }
}

struct keyword {
  const char* name;
  void (*take)(call_options& to, nb::handle name, nb::handle value);
};

// Keywords of einsum and Plan; None is the default of those that have one.
constexpr keyword all_keywords[] = {
    {"out",
     [](call_options& to, nb::handle, nb::handle value) {
       if (!value.is_none()) to.out = value;
     }},
    {"batch", [](call_options& to, nb::handle name, nb::handle value) { take_text(name, value, to.batch); }},
    {"alpha", [](call_options& to, nb::handle name, nb::handle value) { to.alpha = number(name, value); }},
    {"beta",
     [](call_options& to, nb::handle name, nb::handle value) {
       if (!value.is_none()) to.beta = number(name, value);
     }},
    {"stream",
     [](call_options& to, nb::handle, nb::handle value) {
       if (!value.is_none()) to.stream = value;
     }},
    {"threads",
     [](call_options& to, nb::handle name, nb::handle value) {
       to.threads = whole_number(name, value);
       if (to.threads < 0) refuse_keyword_value(name, "a positive number, or 0 for that of set_num_threads", value);
     }},
    {"target", [](call_options& to, nb::handle name, nb::handle value) { take_text(name, value, to.target); }},
    {"regime", [](call_options& to, nb::handle name, nb::handle value) { take_text(name, value, to.regime); }},
    {"precision", [](call_options& to, nb::handle name, nb::handle value) { take_text(name, value, to.precision); }},
    {"sum_dtype",
     [](call_options& to, nb::handle, nb::handle value) {
       if (!value.is_none()) to.sum_dtype = dtype_text(value, "sum_dtype");
     }},
    {"functions", [](call_options& to, nb::handle name, nb::handle value) { take_functions(to, name, value); }},
    {"pair",
     [](call_options& to, nb::handle name, nb::handle value) {
       if (const own_operations* own = operations_in(value))
         to.own_pair = *own;
       else if (value.is_none() || nb::isinstance<nb::str>(value))
         take_text(name, value, to.pair);
       else
         refuse_keyword_type(name, "a name, or Operations,", value);
     }},
    {"compile", [](call_options& to, nb::handle name, nb::handle value) { to.compile = flag(name, value); }},
    {"wait", [](call_options& to, nb::handle name, nb::handle value) { to.wait = flag(name, value); }},
    {"workspace", [](call_options& to, nb::handle name, nb::handle value) { to.own_workspace = flag(name, value); }},
};

[[noreturn]] void refuse_keyword(const char* function, nb::handle name) {
  std::string all;
  for (const keyword& k : all_keywords) all += (all.empty() ? "" : ", ") + std::string(k.name);
  throw nb::type_error(
      (std::string(function) + "() has no keyword '" + nb::cast<std::string>(name) + "'; it takes " + all).c_str());
}

}  // namespace

void call_options::take_all(const char* function, nb::kwargs given) {
  PyObject *name = nullptr, *value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(given.ptr(), &at, &name, &value)) {
    const keyword* const found = std::find_if(std::begin(all_keywords), std::end(all_keywords),
                                              [&](const keyword& k) { return is_name(name, k.name); });
    if (found == std::end(all_keywords)) refuse_keyword(function, name);
    found->take(*this, name, value);
  }
}

bool call_options::has_functions() const {
  for (int i = 0; i < 4; ++i)
    if (!functions[i].empty() || own_functions[i].function != entry_function{}) return true;
  return !pair.empty() || own_pair.pair != plus_times;
}

void call_options::append_to(std::string& key) const {
  const auto append = [&](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: bytes of plain numbers
  };
  const auto append_text = [&](const std::string& text) {
    append(text.size());
    key += text;
  };
  append_text(batch);
  append(alpha);
  append(char(beta.has_value()));
  append(beta.value_or(0.));
  append(threads == 0 ? default_threads() : threads);
  append(char(int(compile) + 2 * int(wait) + 4 * int(own_workspace)));
  // Seldom given.
  if (!target.empty() || !regime.empty() || !precision.empty() || !sum_dtype.empty() || has_functions()) {
    for (const std::string* text : {&target, &regime, &precision, &sum_dtype, &pair}) append_text(*text);
    for (const std::string& f : functions) append_text(f);
    // A plan that is kept keeps them, so that their addresses are not those of others.
    for (const own_entry_function& f : own_functions) append(f.function.of_user());
    append(own_pair.pair.of_user());
  }
}

plan_options call_options::of_plan() const {
  plan_options options;
  if (!target.empty()) options.on = target_from_name(target);
  options.threads = threads == 0 ? default_threads() : threads;
  if (regime == "cache" || regime == "stream")
    options.regime = regime == "cache" ? memory_regime::cache : memory_regime::stream;
  else if (!regime.empty())
    throw nb::value_error(("regime=\"" + regime + "\": \"cache\", \"stream\" or None").c_str());
  if (precision == "tf32" || precision == "tf32x3")
    options.precision = precision == "tf32" ? product_precision::tf32 : product_precision::tf32x3;
  else if (!precision.empty() && precision != "exact")
    throw nb::value_error(("precision=\"" + precision + "\": \"exact\", \"tf32\" or \"tf32x3\"").c_str());
  options.compile = compile;
  options.wait = wait;
  options.own_workspace = own_workspace;
  return options;
}

void call_options::check_sums_of(scalar_type in) const {
  const scalar_type sums = sum_dtype.empty() ? usual_sum(in) : type_of_dtype(sum_dtype.c_str());
  for (const own_entry_function& f : own_functions) check_sums(text_of(f.function), f.sum, sums);
  check_sums(text_of(own_pair.pair), own_pair.sum, sums);
  // A double, as which they are passed on, has all integers of less.
  constexpr double most = 9007199254740992.;
  const bool is_integer = sums == scalar_type::i16 || sums == scalar_type::i32 || sums == scalar_type::i64;
  for (const double factor : {alpha.re, beta.value_or(0.).re})
    if (is_integer && std::abs(factor) >= most)
      refuse_value("alpha= or beta= is 2^53 or more, and the sums are in " + std::string(dtype_name(sums)) +
                   ": of integers they are less");
}

contraction call_options::contraction_of(const std::string& text) const {
  const contraction plain(text);
  const complex<double> factor = beta ? *beta : plain.scale().beta;
  const std::optional<scalar_type> sum =
      sum_dtype.empty() ? std::nullopt : std::optional(type_of_dtype(sum_dtype.c_str()));
  contraction made(text, {alpha, factor}, sum);
  const auto function = [&](int i) {
    return functions[i].empty() ? own_functions[i].function : entry_function_from(functions[i]);
  };
  if (has_functions())
    made = made.with({.a = function(0), .b = function(1), .addend = function(2), .result = function(3)})
               .over(pair.empty() ? own_pair.pair : operations_from(pair));
  return made;
}

network_options call_options::of_network() const {
  network_options options;
  options.scale = {alpha, beta ? *beta : complex<double>(0)};
  if (!sum_dtype.empty()) options.sum = type_of_dtype(sum_dtype.c_str());
  options.plans = of_plan();
  return options;
}

}  // namespace tessera::python
