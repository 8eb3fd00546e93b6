// SPDX-License-Identifier: BSD-3-Clause
// Reads record files. The names of a file's members are only here and where the tuner writes them.
#include <tessera/tuning_records.hpp>

#include <algorithm>
#include <charconv>
#include <set>

#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/fits.hpp>
#include <tessera/detail/general_records.hpp>
#include <tessera/detail/packed_layouts_text.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/error.hpp>

#include "general_json.hpp"
#include "json_members.hpp"

namespace tessera {

namespace detail {

namespace {

using namespace json_members;
using kind = json_value::kind;

constexpr const char* family_names[] = {"gemm", "element", "matrix", "general"};

template <class Tuning>
std::vector<record_axis> axes_in() {
  std::vector<record_axis> all;
  for (const axis<Tuning>& a : axes_of<Tuning>()) all.push_back({a.name, Tuning{}.*a.field, a.formerly});
  return all;
}

std::vector<record_axis> axes_of_matrices() {
  std::vector<record_axis> all = axes_in<matrix_tuning>();
  all.front().words = matrix_way::names;
  return all;
}

std::vector<record_axis> axes_of_gpu_elements() {
  std::vector<record_axis> all;
  for (const element_axis& a : element_axes) all.push_back({a.name, a.initial});
  return all;
}

// Which of two words the member has.
bool is_second(const json_value& object, std::string_view name, std::string_view first, std::string_view second) {
  const std::string& value = text(object, name);
  if (value != first && value != second)
    throw error(quoted(name) + " is " + shown(*object.member(name)) + "; known: " + std::string(first) + ", " +
                std::string(second));
  return value == second;
}

memory_regime regime(const json_value& j) {
  return is_second(j, "regime", "cache", "stream") ? memory_regime::stream : memory_regime::cache;
}

record_measurement measurement(const json_value& j) {
  record_measurement m;
  for (const record_figure& f : record_figures) {
    if (j.member(f.name) == nullptr) continue;
    const std::string& digits = member(j, f.name, kind::number, "a number").text;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), m.*f.value);
    if (read.ec != std::errc{})
      throw error(quoted(f.name) + " is " + digits.substr(0, 60) + ", which no measurement gives");
    if (const std::string why = why_no_figure(f, m.*f.value); !why.empty()) throw error(why);
  }
  constexpr int many = 1 << 30;
  m.tie = flag_or_false(j, "tie");
  if (j.member("tried") != nullptr) m.tried = integer(j, "tried", 0, many);
  if (j.member("candidates") != nullptr) m.candidates = integer(j, "candidates", 0, many);
  m.strategy = text_or_none(j, "strategy");
  m.date = text_or_none(j, "date");
  return m;
}

// Which of the words the member is.
int position_in(const json_value& object, std::string_view name, std::span<const char* const> words) {
  const std::string& value = text(object, name);
  std::string known;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (value == words[i]) return int(i);
    known += (i == 0 ? "" : ", ") + std::string(words[i]);
  }
  throw error(quoted(name) + " is " + shown(*object.member(name)) + "; known: " + known);
}

std::vector<int> values(const json_value& tuning, std::span<const record_axis> axes, int most) {
  std::vector<int> all;
  for (const record_axis& a : axes) all.push_back(a.initial);
  std::string known;
  for (const record_axis& a : axes) known += (known.empty() ? "" : ", ") + std::string(a.name);
  for (const std::string& name : tuning.names) {
    const auto found = std::find_if(axes.begin(), axes.end(), [&](const record_axis& a) {
      return name == a.name || (name == a.formerly && !name.empty());
    });
    if (found == axes.end())
      throw error("the tuning has the unknown axis '" + name.substr(0, 60) + "'; known: " + known);
    if (name != found->name && tuning.member(found->name) != nullptr)
      throw error("the tuning has both " + quoted(found->name) + " and " + quoted(name) + ", its former name");
    all[std::size_t(found - axes.begin())] =
        found->words.empty() ? integer(tuning, name, 0, most) : position_in(tuning, name, found->words);
  }
  return all;
}

void read_tunings(const json_value& j, target on, tuning_record& r) {
  const std::span<const record_axis> axes = record_axes(on, r.family);
  const int most = r.family == record_family::element && on == target::cuda ? largest_element_axis : 4096;
  r.tuning = values(member(j, "tuning", kind::object, "an object of axes and values"), axes, most);
  if (j.member("runner_up") != nullptr)
    r.runner_up = values(member(j, "runner_up", kind::object, "an object of axes and values"), axes, most);
}

void read_product(const json_value& j, target on, tuning_record& r) {
  const std::string form = text_or_none(j, "form");
  const std::optional<packed_layouts> layouts = form.empty() ? packed_layouts{} : layouts_from(form);
  if (!layouts || (on != target::cuda && *layouts != packed_layouts{}))
    throw error("\"form\" is '" + form.substr(0, 60) + "'; known: packed" +
                (on == target::cuda ? "; packed, A shared; packed, B by rows; and the like" : ""));
  r.layouts = *layouts;
  const int largest = int(largest_extent(*layouts));
  r.in = regime(j);
  r.m = integer(j, "m", 1, largest);
  r.n = integer(j, "n", 1, largest);
  r.k = integer(j, "k", 1, largest);
}

point_shape shape(const json_value& j, std::string_view name) {
  const std::optional<point_shape> found = point_shape_from(text(j, name));
  if (!found) throw error(quoted(name) + " is " + shown(*j.member(name)) + "; known: value, gradient, value gradient");
  return *found;
}

void read_element(const json_value& j, target on, tuning_record& r) {
  element_kernel_facts& f = r.of;
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
  f.entry_bytes = int(size_of(r.type));
  f.stored_bytes = is_second(j, "stored", "f32", "f64") ? 8 : 4;
  r.operator_name = text_or_none(j, "operator");
  if (on == target::cuda) return;
  r.in = regime(j);
  f.nodal = flag_or_false(j, "nodal");
}

void read_matrix(const json_value& j, target on, tuning_record& r) {
  if (on != target::cuda) throw error("records of matrices are of GPUs");
  matrix_facts& f = r.of_matrix;
  r.operator_name = text(j, "operator");
  if (const auto named = operator_from_name(r.operator_name))
    f.kind = *named;
  else
    throw error("\"operator\" is " + shown(*j.member("operator")) + "; known: " + list_of_operators());
  f.dim = integer(j, "dim", 1, 3);
  f.trial = f.test = integer(j, "d", 1, 40);
  f.points = integer(j, "q", 1, 40);
  f.entry_bytes = int(size_of(r.type));
  r.either = j.member("storage") == nullptr;
  f.packed = !r.either && is_second(j, "storage", "full", "lower_packed");
}

tuning_record read_record(const json_value& j, target on) {
  if (j.is != kind::object) throw error("a record must be an object, not " + shown(j));
  tuning_record r;
  if (j.member("family") != nullptr) r.family = record_family(position_in(j, "family", family_names));
  if (r.family != record_family::general)
    r.type = is_second(j, "type", "f32", "f64") ? scalar_type::f64 : scalar_type::f32;
  switch (r.family) {
    case record_family::gemm: read_product(j, on, r); break;
    case record_family::element: read_element(j, on, r); break;
    case record_family::matrix: read_matrix(j, on, r); break;
    case record_family::general: read_general(j, on, r); break;
  }
  if (r.family != record_family::general) read_tunings(j, on, r);
  r.source_hash = text_or_none(j, "source_hash");
  r.measured = measurement(j);
  return r;
}

target target_of(const json_value& j) {
  const std::string& name = text(j, "target");
  std::string known;
  for (const target t : all_targets) {
    if (t == target::reference) continue;
    if (name == name_of(t)) return t;
    known += (known.empty() ? "" : ", ") + std::string(name_of(t));
  }
  throw error("\"target\" is " + shown(*j.member("target")) + "; known: " + known);
}

// The case of a record as text: no two records of a file may have the same.
std::string case_of(const tuning_record& r) {
  if (r.family == record_family::general) return r.kind + ", " + text_of(r.form);
  std::string text = std::string(name_of(r.type)) + " ";
  if (r.family == record_family::matrix) {
    const matrix_facts& f = r.of_matrix;
    return text + std::to_string(f.dim) + "-D matrices of " + r.operator_name + ", d " + std::to_string(f.trial) +
           ", q " + std::to_string(f.points) +
           (r.either   ? ""
            : f.packed ? ", lower_packed"
                       : ", full");
  }
  if (r.family == record_family::gemm)
    return text + name_of(r.in) + " " + std::to_string(r.m) + "x" + std::to_string(r.n) + "x" + std::to_string(r.k) +
           (r.layouts == packed_layouts{} ? "" : ", " + form_text(r.layouts));
  const element_kernel_facts& f = r.of;
  text += std::string(name_of(r.in)) + " " + std::to_string(f.dim) + "-D element operator, d " +
          std::to_string(f.trial) + ", q " + std::to_string(f.points) + ", t " + std::to_string(f.test) + ", " +
          point_shape_text(f.of_trial) + " to " + point_shape_text(f.of_test) + ", " + std::to_string(f.factors) +
          " factors of " + std::to_string(f.stored_bytes) + " bytes, " + std::to_string(f.repeats) + " times";
  return text + (f.nodal ? ", nodal" : "");
}

void read_head(const json_value& j, tuning_records& all) {
  if (j.is != kind::object)
    throw error("the file must hold an object with \"schema\", \"device\", \"target\", \"records\"");
  if (const int schema = integer(j, "schema", 0, 1 << 30); schema != tuning_records::schema)
    throw error("\"schema\" is " + std::to_string(schema) + ", but this version reads schema " +
                std::to_string(tuning_records::schema) + " only; tune again, or use the version that wrote the file");
  all.device = text(j, "device");
  if (all.device.empty()) throw error("\"device\" is empty");
  all.on = target_of(j);
  all.compute_capability = text_or_none(j, "compute_capability");
  const std::string& c = all.compute_capability;
  const auto digits = [](std::string_view s) { return s.find_first_not_of("0123456789") == std::string_view::npos; };
  const bool good = c.size() >= 3 && c.size() <= 4 && c[c.size() - 2] == '.' && digits(c.substr(0, c.size() - 2)) &&
                    digits(c.substr(c.size() - 1));
  if (!c.empty() && !good) throw error("\"compute_capability\" is '" + c.substr(0, 60) + "', not like 9.0");
  all.driver = text_or_none(j, "driver");
  all.toolkit = text_or_none(j, "toolkit");
  all.compiler = text_or_none(j, "compiler");
  all.flags = text_or_none(j, "flags");
  all.tessera = text_or_none(j, "tessera");
  all.source_hash = text_or_none(j, "source_hash");
}

template <class Tuning, class Limits>
std::string why_no_product(const tuning_record& r, const Limits& limits) {
  const char* why = why_no_record(tuning_from<Tuning>(r.tuning), {r.type, r.m, r.n, r.k, r.in, r.layouts}, limits);
  return why == nullptr ? "" : std::string("a tuning that these sizes cannot have: ") + why;
}

}  // namespace

}  // namespace detail

const char* name_of(record_family f) { return detail::family_names[int(f)]; }

std::span<const record_axis> record_axes(target on, record_family of) {
  static const std::vector<record_axis> cpu = detail::axes_in<cpu_gemm_tuning>(),
                                        gpu = detail::axes_in<gpu_gemm_tuning>(), runs = detail::axes_in<element_run>(),
                                        elements = detail::axes_of_gpu_elements(),
                                        matrices = detail::axes_of_matrices();
  switch (of) {
    case record_family::gemm: return on == target::cuda ? gpu : cpu;
    case record_family::element: return on == target::cuda ? elements : runs;
    case record_family::matrix: return matrices;
    case record_family::general: break;
  }
  return {};
}

int tuning_records::capability() const {
  int digits = 0;
  for (const char c : compute_capability)
    if (c != '.') digits = 10 * digits + (c - '0');
  return digits;
}

tuning_records read_tuning_records(std::string_view json) {
  const detail::json_value j = detail::parse_json(json);
  tuning_records all;
  detail::read_head(j, all);
  std::set<std::string> seen;
  for (const detail::json_value& one :
       detail::json_members::member(j, "records", detail::json_value::kind::list, "a list").items) {
    const std::size_t number = all.records.size();
    try {
      all.records.push_back(detail::read_record(one, all.on));
      const std::string is = detail::case_of(all.records.back());
      if (!seen.insert(is).second) throw error(std::string("a second one for ") + name_of(all.on) + " " + is);
    } catch (const error& wrong) {
      throw error("record " + std::to_string(number) + ": " + wrong.what());
    }
  }
  return all;
}

std::string why_impossible(const tuning_record& r, target on, const gpu_limits& limits) {
  if (r.family == record_family::gemm)
    return on == target::cuda ? detail::why_no_product<gpu_gemm_tuning>(r, limits)
                              : detail::why_no_product<cpu_gemm_tuning>(r, cpu_limits_of(on));
  if (r.family == record_family::general) {
    const std::string why = detail::why_no_tile(r.tile, r.form);
    return why.empty() ? "" : "a tile that the contraction cannot have: " + why;
  }
  if (on == target::cuda) return "";  // whether it fits is checked when it is chosen
  const std::string why = why_unfit(tuning_from<element_run>(r.tuning), r.in);
  return why.empty() ? "" : "a tuning that the operator cannot have: " + why;
}

}  // namespace tessera
