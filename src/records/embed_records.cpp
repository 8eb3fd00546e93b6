// SPDX-License-Identifier: BSD-3-Clause
// A program of the build: turns tuning record files into the headers that the library embeds. It runs on the build
// machine.
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include <tessera/detail/fits.hpp>
#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>
#include <tessera/tuning_records.hpp>

namespace {

using namespace tessera;

constexpr const char* usage =
    "usage: embed_records HASHES [--own FILE] [--shipped FILE]... [--public HEADER] [--private HEADER] "
    "[--general-header HEADER]\n"
    "                            [--each]\n"
    "  HASHES    of this tree's kernels: --cpu H --gpu H --element H --element_run H --matrix H\n"
    "            --general H\n"
    "  --own     records given by the user, which replace shipped ones of the same case\n"
    "  --public  the header of records of products, --private that of element operators,\n"
    "            --general-header that of general contractions\n"
    "  --each    print how many records of each file are stale\n"
    "Prints a line for users, and `gpu_rows=N`: the rows that records add to the squares of a GPU.\n";

struct options {
  std::map<std::string, std::string> hash;          // of the kernels, by kind
  std::vector<std::pair<std::string, bool>> files;  // true: a user's own
  std::string public_header, private_header, general_header;
  bool each = false;
};

struct lists {
  std::string origins, elements, runs, matrices, generals;
  // By target and type; of a CPU also by size.
  std::map<std::tuple<target, scalar_type, index_t, index_t, index_t>, std::string> products;
  int origin_count = 0, cpu_count = 0, gpu_count = 0, element_count = 0, run_count = 0, matrix_count = 0,
      general_count = 0, stale = 0, gpu_rows = 0;
  std::set<std::string> devices;      // in the order of their names
  std::set<std::string> own;          // cases of products that a user has a record of
  std::set<std::string> gpu_squares;  // that replace a built-in one
};

std::string numbers(const std::vector<int>& values) {
  std::string text;
  for (const int v : values) text += (text.empty() ? "" : ", ") + std::to_string(v);
  return "{" + text + "}";
}

// element_tuning has two of its values in an array.
std::string element_numbers(const std::vector<int>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view name = element_axes[i].name;
    text += (i == 0 ? "" : ", ") + std::string(name == "pitch_line" ? "{" : "") + std::to_string(values[i]) +
            (name == "pitch_plane" ? "}" : "");
  }
  return "{" + text + "}";
}

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string word(bool value) { return value ? "true" : "false"; }

// A device's name may have any character.
std::string literal(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", unsigned(static_cast<unsigned char>(c)));
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
    all += plain ? std::string(1, c) : std::string(octal);
  }
  return all + "\"";
}

std::string facts(const element_kernel_facts& f) {
  const auto shape = [](const point_shape& s) {
    return "{" + std::to_string(s.components) + ", " + word(s.value) + ", " + word(s.gradient) + "}";
  };
  const auto comma = [](int value) { return std::to_string(value) + ", "; };
  return "{" + comma(f.dim) + comma(f.trial) + comma(f.points) + comma(f.test) + shape(f.of_trial) + ", " +
         shape(f.of_test) + ", " + comma(f.factors) + word(f.nodal) + ", true, " + word(f.several) + ", " +
         comma(f.repeats) + "true, true, " + comma(f.entry_bytes) + std::to_string(f.stored_bytes) + "}";
}

std::string second(const tuning_record& r) {
  const double best = r.measured.seconds, other = r.measured.runner_up_seconds;
  if (r.runner_up.empty() || best <= 0 || other <= 0) return "{}";
  return "{" + numbers(r.runner_up) + ", " + number(other) + " / " + number(best) + "}";
}

void add_product(const tuning_record& r, const tuning_records& file, bool users, bool stale, lists& to) {
  const std::string layouts = "{packed_layout(" + std::to_string(int(r.layouts.left)) + "), packed_layout(" +
                              std::to_string(int(r.layouts.right)) + "), packed_layout(" +
                              std::to_string(int(r.layouts.out)) + ")}";
  const std::string of = std::string("target::") + name_of(file.on) + ", scalar_type::" + name_of(r.type) +
                         ", memory_regime::" + name_of(r.in) + ", " + std::to_string(r.m) + ", " + std::to_string(r.n) +
                         ", " + std::to_string(r.k) + ", ";
  if (users)
    to.own.insert(of + layouts);
  else if (to.own.count(of + layouts) > 0)
    return;
  to.stale += int(stale);
  const bool sized = file.on != target::cuda;
  std::string& lines = to.products[{file.on, r.type, sized ? r.m : 0, sized ? r.n : 0, sized ? r.k : 0}];
  lines += "    {" + of + std::to_string(to.origin_count) + ", " + word(stale) + ", " + numbers(r.tuning) + ", " +
           layouts + ", " + second(r) + "},\n";
  if (file.on != target::cuda) {
    ++to.cpu_count;
    return;
  }
  ++to.gpu_count;
  // The first record of a square replaces the built-in one: it adds no row.
  const bool square = r.m == r.n && r.n == r.k && r.layouts == packed_layouts{};
  if (!square || !to.gpu_squares.insert(std::string(name_of(r.type)) + std::to_string(r.m)).second) ++to.gpu_rows;
}

void add_matrix(const tuning_record& r, bool stale, lists& to) {
  const matrix_facts& f = r.of_matrix;
  to.stale += int(stale);
  to.matrices += "    {{operator_kind::" + r.operator_name + ", " + std::to_string(f.dim) + ", " +
                 std::to_string(f.trial) + ", " + std::to_string(f.points) + ", " + std::to_string(f.test) +
                 ", 1, false, true, " + std::to_string(f.entry_bytes) + ", " + word(f.packed) + "}, " + word(r.either) +
                 ", " + std::to_string(to.origin_count) + ", " + word(stale) + ", " + numbers(r.tuning) + "},\n";
  ++to.matrix_count;
}

std::string digits(const general_digits& list) {
  std::string text;
  for (int i = 0; i < list.count; ++i) {
    const general_digit& d = list.at[i];
    text += (i > 0 ? ", {" : "{") + std::to_string(d.extent) + ", " + std::to_string(d.left) + ", " +
            std::to_string(d.right) + ", " + std::to_string(d.out) + "}";
  }
  return "{" + std::to_string(list.count) + ", {" + text + "}}";
}

std::string box(const int (&sizes)[max_rank], const general_digits& of) { return numbers({sizes, sizes + of.count}); }

void add_general(const tuning_record& r, const std::string& device, bool stale, lists& to) {
  const general_form& f = r.form;
  const detail::general_tile& t = r.tile;
  to.stale += int(stale);
  to.generals += "    {" + literal(r.kind) + ", " + literal(device) + ", " + word(stale) + ", {" + digits(f.rows) +
                 ", " + digits(f.cols) + ", " + digits(f.inner) + ", " + digits(f.batch) + "}, {" + word(t.exchanged) +
                 ", " + box(t.rows, f.rows) + ", " + box(t.cols, f.cols) + ", " + box(t.inner, f.inner) + ", " +
                 std::to_string(t.warps_down) + ", " + std::to_string(t.warps_across) + ", " +
                 std::to_string(t.stages) + ", " + std::to_string(t.splits) + ", " + std::to_string(t.panel) + "}},\n";
  ++to.general_count;
}

// What names the hash of a record's kernels.
std::string kind_of(const tuning_record& r, target on) {
  switch (r.family) {
    case record_family::gemm: return on == target::cuda ? "gpu" : "cpu";
    case record_family::element: return on == target::cuda ? "element" : "element_run";
    case record_family::matrix: return "matrix";
    case record_family::general: break;
  }
  return "general";
}

// A user's record comes before those of the same facts, and is found first.
void add_element(const tuning_record& r, const tuning_records& file, bool stale, lists& to) {
  const std::string origin = std::to_string(to.origin_count) + ", " + word(stale) + ", ";
  to.stale += int(stale);
  if (file.on == target::cuda) {
    to.elements += "    {" + facts(r.of) + ", " + origin + element_numbers(r.tuning) + "},\n";
    ++to.element_count;
    return;
  }
  to.runs += "    {" + facts(r.of) + ", target::" + name_of(file.on) + ", memory_regime::" + name_of(r.in) + ", " +
             origin + numbers(r.tuning) + "},\n";
  ++to.run_count;
}

void add_file(const std::string& path, bool users, const options& o, lists& to) {
  const tuning_records file = read_tuning_records(whole_file("tuning records", path));
  const gpu_limits limits = gpu_limits_of(file.capability());
  int stale_here = 0;
  for (std::size_t i = 0; i < file.records.size(); ++i) {
    const tuning_record& r = file.records[i];
    if (const std::string why = why_impossible(r, file.on, limits); !why.empty())
      throw error("record " + std::to_string(i) + ": " + why);
    const bool stale = file.hash_of(r) != o.hash.at(kind_of(r, file.on));
    stale_here += int(stale);
    switch (r.family) {
      case record_family::gemm: add_product(r, file, users, stale, to); break;
      case record_family::element: add_element(r, file, stale, to); break;
      case record_family::matrix: add_matrix(r, stale, to); break;
      case record_family::general: add_general(r, file.device, stale, to); break;
    }
  }
  to.devices.insert(file.device);
  to.origins += "    {" + literal(file.device) + ", target::" + name_of(file.on) + ", " +
                std::to_string(file.capability()) + ", " + word(users) + "},\n";
  ++to.origin_count;
  if (o.each)
    std::cout << path.substr(path.rfind('/') + 1) << ": " << stale_here << " of " << file.records.size()
              << " were measured with an earlier version of the kernels\n";
}

std::string opening(const char* what, const char* include) {
  return std::string(
             "// SPDX-License-Identifier: BSD-3-Clause\n// Generated from the tuning records that this build "
             "embeds, ") +
         what + ". Do not edit.\n#pragma once\n\n#include <array>\n\n#include <" + include + ">\n\n";
}

std::string array(const std::string& type, const char* name, int count, const std::string& rows) {
  return "inline constexpr std::array<" + type + ", " + std::to_string(count) + "> " + name + "{{\n" + rows + "}};\n\n";
}

std::string public_text(const lists& all) {
  std::string cpu, gpu;
  for (const auto& [of, rows] : all.products) (std::get<target>(of) == target::cuda ? gpu : cpu) += rows;
  return opening("by target, type and, for a CPU, size; a user's own first", "tessera/detail/record_types.hpp") +
         "namespace tessera {\n\n" + array("record_origin", "record_origins", all.origin_count, all.origins) +
         array("tuned_gemm<cpu_gemm_tuning>", "embedded_cpu_gemm", all.cpu_count, cpu) +
         array("tuned_gemm<gpu_gemm_tuning>", "embedded_gpu_gemm", all.gpu_count, gpu) + "}  // namespace tessera\n";
}

std::string private_text(const lists& all) {
  return opening("of element operators, a user's own first", "tessera/detail/element/element_record.hpp") +
         "#include <tessera/detail/element/matrix_choice.hpp>\n\n" + "namespace tessera::detail {\n\n" +
         array("tuned_element", "embedded_elements", all.element_count, all.elements) +
         array("tuned_element_run", "embedded_element_runs", all.run_count, all.runs) +
         array("tuned_matrix", "embedded_matrices", all.matrix_count, all.matrices) +
         "}  // namespace tessera::detail\n";
}

std::string general_text(const lists& all) {
  return opening("of general contractions, a user's own first", "tessera/detail/general_records.hpp") +
         "namespace tessera::detail {\n\n" +
         array("tuned_general", "embedded_generals", all.general_count, all.generals) +
         "}  // namespace tessera::detail\n";
}

// Files that have not changed are not written, so that nothing is recompiled.
void write_changed(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::ifstream old(path, std::ios::binary);
  std::stringstream before;
  before << old.rdbuf();
  if (old && before.str() == text) return;
  std::ofstream file(path, std::ios::binary);
  if (!(file << text << std::flush)) throw error("cannot write " + path);
}

std::string line_of(const lists& all) {
  const int count =
      all.cpu_count + all.gpu_count + all.element_count + all.run_count + all.matrix_count + all.general_count;
  std::string text = "Tessera: no tuning records";
  if (!all.devices.empty()) {
    std::string names;
    for (const std::string& d : all.devices) names += (names.empty() ? "" : ", ") + d;
    text = "Tessera: tuned for " + std::to_string(all.devices.size()) + " devices (" + names + ")";
  }
  if (all.stale > 0)
    text +=
        "; " + std::to_string(all.stale) + " of " + std::to_string(count) +
        " tunings were measured with an earlier version of the kernels, and still work; `tessera-tune` measures this "
        "machine again";
  return text;
}

options options_from(int count, char** words) {
  options o;
  for (int i = 1; i < count; ++i) {
    const std::string name = words[i];
    if (name == "--each") {
      o.each = true;
      continue;
    }
    if (i + 1 == count) throw error(name + " is unknown, or has no value\n" + usage);
    const std::string value = words[++i];
    if (name == "--own" || name == "--shipped")
      o.files.push_back({value, name == "--own"});
    else if (name == "--public")
      o.public_header = value;
    else if (name == "--private")
      o.private_header = value;
    else if (name == "--general-header")
      o.general_header = value;
    else if (name == "--cpu" || name == "--gpu" || name == "--element" || name == "--element_run" ||
             name == "--matrix" || name == "--general")
      o.hash[name.substr(2)] = value;
    else
      throw error(name + " is unknown\n" + usage);
  }
  if (o.hash.size() != 6) throw error(std::string("a hash is missing\n") + usage);
  return o;
}

}  // namespace

int main(int count, char** words) {
  try {
    const options o = options_from(count, words);
    lists all;
    for (const auto& [path, users] : o.files) {
      try {
        add_file(path, users, o, all);
      } catch (const error& wrong) {
        throw error("tuning records " + path + ": " + wrong.what() +
                    "\ndocs/reference/records.md describes the format; leave the file out to build without it.");
      }
    }
    write_changed(o.public_header, public_text(all));
    write_changed(o.private_header, private_text(all));
    write_changed(o.general_header, general_text(all));
    std::cout << "gpu_rows=" << all.gpu_rows << "\n" << line_of(all) << "\n";
    return 0;
  } catch (const std::exception& wrong) {
    std::cerr << "Tessera: " << wrong.what() << "\n";
    return 1;
  }
}
