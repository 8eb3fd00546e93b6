// SPDX-License-Identifier: BSD-3-Clause
// Reads a record file at run time: the same checks as at build time, over the members that choosing needs.
#include "records_overlay.hpp"

#include <charconv>
#include <cstdlib>
#include <mutex>

#include <tessera/axes.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/element/element_axes.hpp>
#include <tessera/error.hpp>
#include <tessera/fits.hpp>
#include <tessera/lies_text.hpp>
#include <tessera/overlay.hpp>
#include <tessera/record_figures.hpp>
#include <tessera/whole_file.hpp>

#include "json_reader.hpp"

namespace tessera {

namespace detail {

namespace {

using kind = json_value::kind;

// A file may hold anything, of any length.
std::string shown(const std::string& text) {
  constexpr std::size_t most = 60;
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

const json_value& member(const json_value& object, const char* name, kind wanted, const char* what) {
  const json_value* found = object.member(name);
  if (found == nullptr) throw error(std::string("\"") + name + "\" is missing");
  if (found->is != wanted) throw error(std::string("\"") + name + "\" must be " + what);
  return *found;
}

const std::string& text(const json_value& object, const char* name) {
  return member(object, name, kind::text, "a text").text;
}

std::string text_or_none(const json_value& object, const char* name) {
  return object.member(name) == nullptr ? "" : text(object, name);
}

int integer(const json_value& object, const std::string& name, int least, int most) {
  const std::string& digits = member(object, name.c_str(), kind::number, "a number").text;
  const bool plain = digits.size() < 8 && digits.find_first_not_of("0123456789") == std::string::npos;
  const int value = plain ? std::stoi(digits) : -1;
  if (value < least || value > most)
    throw error("\"" + name + "\" is " + shown(digits) + ", not an integer in " + std::to_string(least) + ".." +
                std::to_string(most));
  return value;
}

bool flag(const json_value& object, const char* name) {
  return member(object, name, kind::boolean, "true or false").text == "true";
}

// Which of two words the member is.
bool is_second(const json_value& object, const char* name, const std::string& first, const std::string& second) {
  const std::string& value = text(object, name);
  if (value != first && value != second)
    throw error(std::string("\"") + name + "\" is '" + shown(value) + "'; known: " + first + ", " + second);
  return value == second;
}

// Choosing does not need them, but a record with figures that no measurement gives is no record.
void check_figures(const json_value& record) {
  for (const record_figure& f : record_figures) {
    if (record.member(f.name) == nullptr) continue;
    const std::string& digits = member(record, std::string(f.name).c_str(), kind::number, "a number").text;
    double value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc{})
      throw error("\"" + std::string(f.name) + "\" is " + shown(digits) + ", which no measurement gives");
    if (const std::string why = why_no_figure(f, value); !why.empty()) throw error(why);
  }
}

template <class Tuning>
void read_tuning(const json_value& given, Tuning& t) {
  for (const std::string& name : given.names) {
    const axis<Tuning>* found = nullptr;
    std::string known;
    for (const axis<Tuning>& a : axes_of<Tuning>()) {
      if (name == a.name) found = &a;
      if (!known.empty()) known += ", ";
      known += a.name;
    }
    if (found == nullptr) throw error("the tuning has the unknown axis '" + shown(name) + "'; known: " + known);
    t.*(found->field) = integer(given, name, 0, 4096);
  }
}

template <class Tuning, class Limits>
void require_possible(const Tuning& t, const gemm_form& form, const Limits& limits) {
  if (const char* why = why_no_record(t, form, limits))
    throw error(std::string("a tuning that these sizes cannot have: ") + why);
}

overlay_record read_record(const json_value& j, target on, const std::string& file_hash) {
  if (j.is != kind::object) throw error("a record must be an object");
  const std::string family = text_or_none(j, "family"), form = text_or_none(j, "form"),
                    own_hash = text_or_none(j, "source_hash");
  const std::optional<packed_lies> lies = form.empty() ? packed_lies{} : lies_from(form);
  if ((!family.empty() && family != "gemm") || !lies || (on != target::cuda && *lies != packed_lies{}))
    throw error("family '" + shown(family) + "', form '" + shown(form) + "'; known: gemm, packed" +
                (on == target::cuda ? "; packed, A shared; packed, B by rows; and the like" : "") + "; element");
  overlay_record r;
  r.on = on;
  r.lies = *lies;
  const int largest = largest_extent(*lies);
  r.type = is_second(j, "type", "f32", "f64") ? scalar_type::f64 : scalar_type::f32;
  r.in = is_second(j, "regime", "cache", "stream") ? memory_regime::stream : memory_regime::cache;
  r.m = integer(j, "m", 1, largest);
  r.n = integer(j, "n", 1, largest);
  r.k = integer(j, "k", 1, largest);
  r.stale = (own_hash.empty() ? file_hash : own_hash) != kernel_source_hash(on);
  const json_value& tuning = member(j, "tuning", kind::object, "an object");
  const gemm_form sizes{r.type, r.m, r.n, r.k, r.in, r.lies};
  if (on == target::cuda) {
    read_tuning(tuning, r.gpu);
    const int here = compute_capability(on);
    const gpu_limits limits = here == 0 ? gpu_limits{} : gpu_limits_of(here);
    require_possible(r.gpu, sizes, limits);
    r.gpu = canonical_tuning(r.gpu, sizes, limits);
  } else {
    read_tuning(tuning, r.cpu);
    require_possible(r.cpu, sizes, cpu_limits_of(on));
  }
  return r;
}

point_shape shape(const json_value& object, const char* name) {
  const std::string& words = text(object, name);
  const std::optional<point_shape> found = point_shape_from(words);
  if (!found)
    throw error(std::string("\"") + name + "\" is '" + shown(words) + "'; known: value, gradient, value gradient");
  return *found;
}

element_kernel_facts element_facts(const json_value& j) {
  element_kernel_facts f;
  f.dim = integer(j, "dim", 1, 3);
  f.trial = integer(j, "d", 1, 40);
  f.points = integer(j, "q", 1, 40);
  f.test = integer(j, "t", 1, 40);
  f.of_trial = shape(j, "trial");
  f.of_test = shape(j, "test");
  f.factors = integer(j, "factors", 0, 4096);
  if (j.member("repeats") != nullptr) {
    f.repeats = integer(j, "repeats", 2, 64);
    f.several = true;
  }
  f.entry_bytes = is_second(j, "type", "f32", "f64") ? 8 : 4;
  f.stored_bytes = is_second(j, "stored", "f32", "f64") ? 8 : 4;
  return f;
}

bool is_stale_element(const json_value& j, target on, const std::string& file_hash) {
  const std::string own_hash = text_or_none(j, "source_hash");
  return (own_hash.empty() ? file_hash : own_hash) != element_source_hash(on);
}

tuned_element read_element(const json_value& j, const std::string& file_hash) {
  tuned_element r{
      .of = element_facts(j), .origin = no_origin, .stale = is_stale_element(j, target::cuda, file_hash), .tuning = {}};
  const json_value& tuning = member(j, "tuning", kind::object, "an object");
  for (const std::string& name : tuning.names) {
    std::string known;
    const element_axis* found = nullptr;
    for (const element_axis& a : element_axes) {
      if (name == a.name) found = &a;
      known += (known.empty() ? "" : ", ") + std::string(a.name);
    }
    if (found == nullptr) throw error("the tuning has the unknown axis '" + shown(name) + "'; known: " + known);
    found->set(r.tuning, integer(tuning, name, 0, largest_element_axis));
  }
  return r;
}

tuned_element_run read_element_run(const json_value& j, target on, const std::string& file_hash) {
  tuned_element_run r{.of = element_facts(j), .on = on, .origin = no_origin, .run = {}};
  r.of.nodal = j.member("nodal") != nullptr && flag(j, "nodal");
  r.in = is_second(j, "regime", "cache", "stream") ? memory_regime::stream : memory_regime::cache;
  r.stale = is_stale_element(j, on, file_hash);
  read_tuning(member(j, "tuning", kind::object, "an object"), r.run);
  if (const char* why = why_unfit(r.run, r.in); *why != '\0')
    throw error(std::string("a tuning that the operator cannot have: ") + why);
  return r;
}

overlay read_all(const json_value& j) {
  if (j.is != kind::object) throw error("the file must hold an object");
  if (const int schema = integer(j, "schema", 0, 1000000); schema != 1)
    throw error("\"schema\" is " + std::to_string(schema) + ", but schema 1 alone is known here");
  overlay all;
  all.device = text(j, "device");
  const std::string& name = text(j, "target");
  target on = target::reference;
  for (const target t : all_targets)
    if (name == name_of(t)) on = t;
  if (on == target::reference) throw error("\"target\" is '" + shown(name) + "', which no records are for");
  const std::string hash = text_or_none(j, "source_hash");
  std::size_t number = 0;
  for (const json_value& one : member(j, "records", kind::list, "a list").items) {
    try {
      check_figures(one);
      const bool is_element = one.is == kind::object && text_or_none(one, "family") == "element";
      if (is_element && on == target::cuda)
        all.elements.push_back(read_element(one, hash));
      else if (is_element)
        all.runs.push_back(read_element_run(one, on, hash));
      else
        all.records.push_back(read_record(one, on, hash));
    } catch (const error& wrong) {
      throw error("record " + std::to_string(number) + ": " + wrong.what());
    }
    ++number;
  }
  return all;
}

struct overlay_in_force {
  std::mutex guard;
  bool decided = false;  // by overlay_records, or from the environment
  std::shared_ptr<const overlay> now;
};

overlay_in_force& in_force() {
  static overlay_in_force one;
  return one;
}

}  // namespace

overlay read_overlay(const std::string& path, const std::string& variable) {
  const std::string what = variable.empty() ? "tuning records" : variable + ": tuning records";
  const std::string content = whole_file(what, path);
  try {
    overlay all = read_all(parse_json(content));
    all.path = path;
    return all;
  } catch (const error& wrong) {
    throw error(what + " " + path + ": " + wrong.what());
  }
}

const overlay_record* overlay::find(const choice_query& q) const {
  const overlay_record* best = nullptr;
  for (const overlay_record& r : records) {
    if (r.on != q.where || r.lies != packed_lies{} || r.type != q.type || r.m != q.m || r.n != q.n || r.k != q.k)
      continue;
    if (r.cpu.stream && regime_of(q) == memory_regime::cache) continue;  // as for records that are built in
    if (best == nullptr || r.in == regime_of(q)) best = &r;
  }
  return best;
}

std::shared_ptr<const overlay> current_overlay() {
  overlay_in_force& f = in_force();
  const std::lock_guard hold(f.guard);
  if (!f.decided) {
    // A faulty file stays undecided: every plan says so until it is mended.
    constexpr const char* variable = "TESSERA_RECORDS";
    const char* path = std::getenv(variable);
    if (path != nullptr && *path != 0) f.now = std::make_shared<const overlay>(read_overlay(path, variable));
    f.decided = true;
  }
  return f.now;
}

}  // namespace detail

void overlay_records(const std::string& path) {
  auto next = path.empty() ? nullptr : std::make_shared<const detail::overlay>(detail::read_overlay(path));
  detail::overlay_in_force& f = detail::in_force();
  const std::lock_guard hold(f.guard);
  f.now = std::move(next);
  f.decided = true;
}

}  // namespace tessera
