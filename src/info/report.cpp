// SPDX-License-Identifier: BSD-3-Clause
// A report as text for people and as JSON for programs.
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <type_traits>

namespace tessera::info {

namespace {

// Variables of the environment keep their names.
std::string in_words(std::string name) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return 'A' <= c && c <= 'Z'; })) return name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// Short entries of a list share one line, sentences get a line each.
std::string text_of(const std::vector<std::string>& list, std::size_t indent) {
  const auto is_word = [](const std::string& one) { return one.find(' ') == std::string::npos; };
  const bool words = std::all_of(list.begin(), list.end(), is_word);
  const std::string between = words ? ", " : '\n' + std::string(indent, ' ');
  std::string all;
  for (const std::string& one : list) all += (all.empty() ? "" : between) + one;
  return all.empty() ? "none" : all;
}

std::string text_of(const fact& f, std::size_t indent) {
  return std::visit(
      [indent]<class Value>(const Value& value) -> std::string {
        if constexpr (std::is_same_v<Value, std::string>) return value;
        if constexpr (std::is_same_v<Value, long long>) return std::to_string(value);
        if constexpr (std::is_same_v<Value, bool>) return value ? "yes" : "no";
        if constexpr (std::is_same_v<Value, std::vector<std::string>>) return text_of(value, indent);
      },
      f.value);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string json_of(const fact& f) {
  return std::visit(
      []<class Value>(const Value& value) -> std::string {
        if constexpr (std::is_same_v<Value, std::string>) return quoted(value);
        if constexpr (std::is_same_v<Value, long long>) return std::to_string(value);
        if constexpr (std::is_same_v<Value, bool>) return value ? "true" : "false";
        if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
          std::string all;
          for (const std::string& one : value) all += (all.empty() ? "" : ", ") + quoted(one);
          return '[' + all + ']';
        }
      },
      f.value);
}

}  // namespace

std::string as_text(const report& all) {
  std::size_t width = 0;
  for (const section& s : all)
    for (const fact& f : s.facts) width = std::max(width, f.name.size());
  std::string text;
  for (const section& s : all) {
    text += in_words(s.name) + '\n';
    for (const fact& f : s.facts)
      text += "  " + in_words(f.name) + std::string(width - f.name.size() + 2, ' ') + text_of(f, width + 4) + '\n';
  }
  return text;
}

std::string as_json(const report& all) {
  std::string text = "{";
  for (const section& s : all) {
    text += (&s == all.data() ? "\n  " : ",\n  ") + quoted(s.name) + ": {";
    for (const fact& f : s.facts)
      text += (&f == s.facts.data() ? "\n    " : ",\n    ") + quoted(f.name) + ": " + json_of(f);
    text += "\n  }";
  }
  return text + "\n}\n";
}

}  // namespace tessera::info
