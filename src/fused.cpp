// SPDX-License-Identifier: BSD-3-Clause
// Functions of entries and pairs of operations: their texts, and values from texts.
#include <tessera/fused.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/error.hpp>

namespace tessera {

namespace {

using function_kind = entry_function::kind;
using pair_kind = operations::kind;

struct named_function {
  function_kind kind;
  std::string_view name;
  bool has_parameter = false;
  double usual = 0;
};

constexpr named_function known_functions[] = {{function_kind::identity, "identity"},
                                              {function_kind::relu, "relu"},
                                              {function_kind::leaky_relu, "leaky_relu", true, 0.01},
                                              {function_kind::elu, "elu", true, 1},
                                              {function_kind::conjugate, "conjugate"}};

constexpr std::pair<pair_kind, std::string_view> known_pairs[] = {{pair_kind::plus_times, "plus_times"},
                                                                  {pair_kind::min_plus, "min_plus"},
                                                                  {pair_kind::max_plus, "max_plus"},
                                                                  {pair_kind::max_times, "max_times"},
                                                                  {pair_kind::or_and, "or_and"}};

// The digits that read back as this number, no more.
std::string digits_of(double number) {
  std::array<char, 40> text{};
  const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end};
}

[[noreturn]] void refuse_name(const char* what, std::string_view name, const std::vector<std::string_view>& known) {
  std::string text = std::string("no ") + what + " is called '" + std::string(name.substr(0, 100)) + "'" +
                     did_you_mean(name, known) + "; there are";
  for (const std::string_view one : known) text += (one == known.front() ? " " : ", ") + std::string(one);
  throw error(text);
}

double parameter_from(std::string_view name, std::string_view text) {
  double number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size())
    throw error("function \"" + std::string(name) + "\": \"" + std::string(text.substr(0, 100)) + "\" is not a number");
  return number;
}

long long key_of_address(const void* of) { return static_cast<long long>(reinterpret_cast<std::uintptr_t>(of)); }

}  // namespace

std::string text_of(const entry_function& function) {
  if (function.of_user() != nullptr) return function.of_user()->name;
  for (const named_function& known : known_functions)
    if (known.kind == function.which())
      return std::string(known.name) + (known.has_parameter ? " " + digits_of(function.parameter()) : "");
  return "unknown function";
}

entry_function entry_function_from(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const std::string_view name = text.substr(0, blank);
  std::vector<std::string_view> names;
  for (const named_function& known : known_functions) {
    names.push_back(known.name);
    if (known.name != name) continue;
    if (blank == std::string_view::npos) return entry_function(known.kind, known.usual);
    if (!known.has_parameter)
      throw error("function \"" + std::string(text.substr(0, 100)) + "\": " + std::string(name) + " has no parameter");
    return entry_function(known.kind, parameter_from(name, text.substr(blank + 1)));
  }
  refuse_name("function of entries", name, names);
}

std::string text_of(const contraction_functions& functions) {
  std::string text;
  const auto append = [&](const entry_function& function, const char* of) {
    if (function != entry_function{}) text += (text.empty() ? "" : ", ") + text_of(function) + " (" + of + ")";
  };
  append(functions.a, "A");
  append(functions.b, "B");
  append(functions.addend, "addend");
  append(functions.result, "result");
  return text;
}

std::string text_of(const operations& pair) {
  if (pair.of_user() != nullptr) return pair.of_user()->name;
  for (const auto& [kind, name] : known_pairs)
    if (kind == pair.which()) return std::string(name);
  return "unknown pair";
}

operations operations_from(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& [kind, known] : known_pairs) {
    if (known == name) return operations(kind);
    names.push_back(known);
  }
  refuse_name("pair of operations", name, names);
}

void detail::append_key(std::vector<long long>& key, const contraction_functions& functions, const operations& pair) {
  for (const entry_function* f : {&functions.a, &functions.b, &functions.addend, &functions.result})
    key.insert(key.end(), {static_cast<long long>(f->which()), std::bit_cast<long long>(f->parameter()),
                           key_of_address(f->of_user())});
  key.insert(key.end(), {static_cast<long long>(pair.which()), key_of_address(pair.of_user())});
}

}  // namespace tessera
