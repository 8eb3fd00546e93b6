// SPDX-License-Identifier: BSD-3-Clause
// Records as JSON and back.
#include "store/record_json.hpp"

#include <algorithm>
#include <cmath>

#include <tessera/axes.hpp>
#include <tessera/element/element_axes.hpp>
#include <tessera/error.hpp>
#include <tessera/lies_text.hpp>
#include <tessera/record_figures.hpp>

namespace tessera::tune {

namespace {

using nlohmann::json;

constexpr int largest_axis = 4096;

template <class Tuning>
std::vector<axis_start> axes_in() {
  std::vector<axis_start> all;
  for (const axis<Tuning>& a : axes_of<Tuning>()) all.push_back({a.name, Tuning{}.*a.field});
  return all;
}

const json& member(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) throw error(std::string("\"") + name + "\" is missing");
  return *found;
}

[[noreturn]] void wrong_type(const char* name, const char* wanted, const json& found) {
  throw error(std::string("\"") + name + "\" must be " + wanted + ", not " + shown(found));
}

const record_figure& figure_named(std::string_view name) {
  return *std::find_if(std::begin(record_figures), std::end(record_figures),
                       [&](const record_figure& one) { return one.name == name; });
}

double figure_member(const json& object, const char* name) {
  if (!object.contains(name)) return 0;
  const double value = number_member(object, name, 0);
  if (const std::string why = why_no_figure(figure_named(name), value); !why.empty()) throw error(why);
  return value;
}

// What the reader would refuse is left out: the time of a record that had none, or a fraction of a bound that is NaN.
void put_figure(ordered_json& object, const char* name, double value) {
  if (why_no_figure(figure_named(name), value).empty()) object[name] = value;
}

void check_fixed(const json& object, const char* name, const std::string& only) {
  const std::string value = text_member(object, name, only);
  if (value != only) throw error(std::string("\"") + name + "\" is " + shown(value) + "; known: " + only);
}

void read_tunings(record& r, const json& j, const std::vector<axis_start>& axes, int most) {
  r.winner = config_of(member(j, "tuning"), axes, most);
  r.runner_up = j.contains("runner_up") ? config_of(j["runner_up"], axes, most) : r.winner;
}

packed_lies lies_member(const json& object, target on) {
  const std::string form = text_member(object, "form", "packed");
  const std::optional<packed_lies> lies = lies_from(form);
  if (!lies || (on != target::cuda && *lies != packed_lies{}))
    throw error("\"form\" is " + shown(form) + "; known: packed" +
                (on == target::cuda ? "; packed, A shared; packed, B by rows; and the like" : ""));
  return *lies;
}

ordered_json product_json(const tuning_case& c) {
  return {{"family", "gemm"},
          {"form", form_text(c.lies)},
          {"type", name_of(c.type)},
          {"regime", name_of(c.in)},
          {"m", c.m},
          {"n", c.n},
          {"k", c.k}};
}

tuning_case product_of(const json& j, target on) {
  check_fixed(j, "family", "gemm");
  tuning_case c{.on = on, .lies = lies_member(j, on)};
  const long largest = largest_extent(c.lies);
  c.type = is_second(j, "type", "f32", "f64") ? scalar_type::f64 : scalar_type::f32;
  c.in = is_second(j, "regime", "cache", "stream") ? memory_regime::stream : memory_regime::cache;
  c.m = integer_member(j, "m", 1, largest);
  c.n = integer_member(j, "n", 1, largest);
  c.k = integer_member(j, "k", 1, largest);
  return c;
}

}  // namespace

std::string shown(const json& found) {
  constexpr std::size_t most = 60;
  const std::string text = found.is_string() ? "'" + found.get<std::string>() + "'"
                                             : found.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

std::string text_member(const json& object, const char* name) {
  const json& value = member(object, name);
  if (!value.is_string()) wrong_type(name, "a text", value);
  return value.get<std::string>();
}

bool flag_member(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return false;
  if (!found->is_boolean()) wrong_type(name, "true or false", *found);
  return found->get<bool>();
}

// The member's value as one of two words.
bool is_second(const json& object, const char* name, const char* first, const char* second) {
  const std::string value = text_member(object, name);
  if (value != first && value != second)
    throw error(std::string("\"") + name + "\" is " + shown(value) + "; known: " + first + ", " + second);
  return value == second;
}

std::string text_member(const json& object, const char* name, const std::string& absent) {
  return object.contains(name) ? text_member(object, name) : absent;
}

long integer_member(const json& object, const char* name, long least, long most) {
  const json& value = member(object, name);
  if (!value.is_number_integer()) wrong_type(name, "an integer", value);
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(most);
  if (too_large || value.get<long>() < least)
    throw error(std::string("\"") + name + "\" is " + shown(value) + ", not in " + std::to_string(least) + ".." +
                std::to_string(most));
  return value.get<long>();
}

double number_member(const json& object, const char* name, double absent) {
  const auto found = object.find(name);
  if (found == object.end()) return absent;
  if (!found->is_number()) wrong_type(name, "a number", *found);
  return found->get<double>();
}

std::vector<axis_start> axes_of_target(target on) {
  return on == target::cuda ? axes_in<gpu_gemm_tuning>() : axes_in<cpu_gemm_tuning>();
}

std::vector<axis_start> axes_of_elements(target on) {
  if (on != target::cuda) return axes_in<element_run>();
  std::vector<axis_start> all;
  for (const element_axis& a : element_axes) all.push_back({a.name, a.initial});
  return all;
}

ordered_json tuning_json(const config& c, const std::vector<axis_start>& axes) {
  ordered_json tuning = ordered_json::object();
  for (std::size_t i = 0; i < axes.size(); ++i) tuning[axes[i].name] = c.value[i];
  return tuning;
}

config config_of(const json& tuning, const std::vector<axis_start>& axes, int most) {
  if (!tuning.is_object()) throw error("a tuning must be an object of axes and values, not " + shown(tuning));
  config c;
  for (std::size_t i = 0; i < axes.size(); ++i) c.value[i] = axes[i].initial;
  for (const auto& member : tuning.items()) {
    const std::string& name = member.key();
    const auto found = std::find_if(axes.begin(), axes.end(), [&](const axis_start& a) { return a.name == name; });
    if (found == axes.end()) {
      std::string known;
      for (const axis_start& a : axes) known += (known.empty() ? "" : ", ") + a.name;
      throw error("the tuning has the unknown axis " + shown(name) + "; known: " + known);
    }
    c.value[found - axes.begin()] = int(integer_member(tuning, name.c_str(), 0, most));
  }
  return c;
}

ordered_json json_of(const record& r) {
  const std::vector<axis_start> axes = r.of.element ? axes_of_elements(r.of.on) : axes_of_target(r.of.on);
  ordered_json j = r.of.element ? element_case_json(r.of) : product_json(r.of);
  j["tuning"] = tuning_json(r.winner, axes);
  put_figure(j, "seconds", r.seconds);
  put_figure(j, "mad", r.mad);
  put_figure(j, "initial_seconds", r.initial_seconds);
  put_figure(j, "fraction", r.fraction);
  j["runner_up"] = tuning_json(r.runner_up, axes);
  put_figure(j, "runner_up_seconds", r.runner_up_seconds);
  j.update(
      {{"tie", r.tie}, {"tried", r.tried}, {"candidates", r.candidates}, {"strategy", r.strategy}, {"date", r.date}});
  if (r.clock_mhz > 0) put_figure(j, "clock_mhz", std::round(r.clock_mhz));
  if (r.watts > 0) put_figure(j, "watts", std::round(r.watts));
  if (!r.source_hash.empty()) j["source_hash"] = r.source_hash;
  return j;
}

record record_of(const json& j, target on, const std::vector<axis_start>& axes) {
  if (!j.is_object()) throw error("a record must be an object, not " + shown(j));
  record r;
  if (text_member(j, "family", "gemm") == "element") {
    r.of = element_case_of(j, on);
    read_tunings(r, j, axes_of_elements(on), on == target::cuda ? largest_element_axis : largest_axis);
  } else {
    r.of = product_of(j, on);
    read_tunings(r, j, axes, largest_axis);
  }
  r.seconds = figure_member(j, "seconds");
  r.mad = figure_member(j, "mad");
  r.initial_seconds = figure_member(j, "initial_seconds");
  r.fraction = figure_member(j, "fraction");
  r.runner_up_seconds = figure_member(j, "runner_up_seconds");
  r.tie = flag_member(j, "tie");
  constexpr long many = 1L << 30;
  if (j.contains("tried")) r.tried = int(integer_member(j, "tried", 0, many));
  if (j.contains("candidates")) r.candidates = int(integer_member(j, "candidates", 0, many));
  r.clock_mhz = figure_member(j, "clock_mhz");
  r.watts = figure_member(j, "watts");
  r.strategy = text_member(j, "strategy", "");
  r.date = text_member(j, "date", "");
  r.source_hash = text_member(j, "source_hash", "");
  return r;
}

}  // namespace tessera::tune
