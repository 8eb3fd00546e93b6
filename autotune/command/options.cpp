// SPDX-License-Identifier: BSD-3-Clause
// Parses the command line with CLI11, and the syntax of its values.
#include "command/options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include <tessera/detail/cpu_isas.hpp>
#include <tessera/detail/nearest_name.hpp>
#include <tessera/detail/packed_layouts_text.hpp>
#include <tessera/detail/records.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/error.hpp>

#include "general/general_options.hpp"
#include "measure/number_option.hpp"
#include "strategy.hpp"

namespace tessera::tune {

namespace {

constexpr double least_share = 0.01;
bool is_of_general(const options& o) { return !o.rows.empty() || !o.einsum.empty(); }

std::string strategy_text() {
  std::string text;
  for (const named_strategy& s : strategies())
    text += (text.empty() ? "" : "; ") + std::string(s.name) + ": " + std::string(s.purpose);
  return text;
}

// Options of both families: kernels, targets, types and regimes; and element operators.
void add_shared_options(CLI::App& app, options& o) {
  app.add_option("--family", o.family,
                 "kernel family: gemm; element: element operators; all: both, one after the other (other commands than "
                 "tune: gemm); matrix: element matrices, on a GPU; general: contractions of large tensors, on a GPU")
      ->check(CLI::IsMember({"all", "gemm", "element", "matrix", "general"}))
      ->capture_default_str();
  app.add_option("--target", o.targets,
                 "all (best CPU target, and the GPU), or a list of " + detail::cpu_isa_names() + ", cuda")
      ->capture_default_str();
  app.add_option("--type", o.types,
                 "f64, f32 or all; of family general f64 or a list of f64, f32, tf32, tf32x3, f16, bf16, c32, c64")
      ->capture_default_str();
  app.add_option("--regime", o.regimes, "cache, stream or all")->capture_default_str();
  app.add_option("--operator", o.operators, "of family element: a list of " + list_of_operators() + ", or all")
      ->capture_default_str();
  app.add_option("--p", o.orders, "of family element, orders: 1-8 or 2,5")->capture_default_str();
  app.add_option("--q", o.points,
                 "of family element, points in each direction: p+1,p+2 or 3,5; gll: the Gauss-Lobatto nodes, on a CPU")
      ->capture_default_str();
  app.add_option("--storage", o.storages, "of family matrix: full, lower_packed or all")->capture_default_str();
  app.add_option("--dim", o.dims, "of family element: 3, or a list of 1, 2, 3")->capture_default_str();
  app.add_option("--components", o.components,
                 "of family element on a GPU: numbers of components, each with the operator; elasticity once")
      ->capture_default_str();
}

void add_case_options(CLI::App& app, options& o) {
  add_shared_options(app, o);
  add_general_options(app, o);
  app.add_option("--sizes", o.sizes,
                 "squares and products: 2-32 or 5,8 or 3x5x4; axes: contractions of orders 1 to 3 "
                 "by a middle and by the last index")
      ->capture_default_str();
  app.add_option("--form", o.form,
                 "layouts of operands, on a GPU: packed; packed, A shared; packed, B shared by rows; ...")
      ->capture_default_str();
}

void add_tuning_options(CLI::App& app, options& o) {
  add_case_options(app, o);
  app.add_option("--budget", o.budget, "time limit of the run: 90s, 10m, 2h")->capture_default_str();
  add_general_search_options(app, o);
  app.add_option("--strategy", o.strategy, strategy_text())->capture_default_str();
  app.add_option("--share", o.share,
                 "largest fraction of a case's candidates to measure (gemm 0.15, element 0.5, on a CPU 1)")
      ->check(bench::real_between(least_share, 1));
  app.add_option(
         "--candidates", o.candidates,
         "of a case so many are searched: the model's best (gemm, 64), ten of these and others (general, 16), or drawn "
         "(element on a GPU, 256; general with --search random, 64); there are 62 to 92 of element on a CPU")
      ->check(bench::integer_between(2, 100000));
  app.add_option("--output", o.folder, "folder for the record and the report")->capture_default_str();
  app.add_option("--journal", o.journal,
                 "file of the samples, by which an interrupted run goes on; default: in the cache");
  app.add_option("--record-timings", o.recording, "also write every timing to this file, for tessera-tune simulate");
  app.add_flag("--fresh", o.fresh, "start again: the journal of an earlier run is renamed");
  app.add_flag("--stale", o.stale,
               "measure only the cases of the record in the --output folder that are of earlier kernels");
  app.add_flag("--quiet", o.quiet, "no progress, only the final table");
}

constexpr const char* restamp_purpose =
    "renew the hashes of records after a change of kernel sources, such as a renamed identifier, that left the machine "
    "code as it was";

void add_restamp_options(CLI::App& app, restamp_request& o) {
  app.add_option("--former", o.former,
                 "build folder of the sources that records were measured with: the library and tessera-tune")
      ->required();
  app.add_option("--latter", o.latter,
                 "build folder of the changed sources, configured alike; default: this program's");
  app.add_option("--records", o.files, "record files, or folders of them")->required();
  app.add_flag(
      "--some-rows", o.some_rows,
      "on CPUs: accept builds without TESSERA_ROWS=full or without a type; the kernels they have stand for all");
  app.add_flag("--dry-run", o.dry_run, "compare and report, write nothing");
}

[[noreturn]] void refuse(const std::string& option, const std::string& text, const std::string& wanted) {
  throw error("--" + option + " " + text + ": " + wanted);
}

index_t number_from(const std::string& text, const std::string& whole, index_t most) {
  const auto n = bench::integer_in(text, 1, most);
  if (!n)
    refuse("sizes", whole,
           "'" + text + "' is not a size from 1 to " + std::to_string(most) + "; write 2-32, 5,8, 3x5x4 or axes");
  return *n;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find(at, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string::npos) return parts;
    start = end + 1;
  }
}

// Options of one family name it.
std::string family_meant(const options& o) {
  const options unset;
  if (is_of_general(o)) return "general";
  if (o.what != action::tune || o.sizes != unset.sizes || o.form != unset.form) return "gemm";
  const bool of_elements = o.operators != unset.operators || o.orders != unset.orders || o.points != unset.points ||
                           o.dims != unset.dims || o.components != unset.components;
  return of_elements ? "element" : "all";
}

}  // namespace

std::optional<options> parse_command_line(int argc, const char* const* argv, int& exit_code) {
  CLI::App app(
      "Finds the best kernel tunings for this machine and writes them to a record, which a build of Tessera embeds "
      "(-DTESSERA_RECORDS=FILE). Without arguments it tunes the best CPU target, and the GPU if there is one. An "
      "interrupted run goes on where it stopped when it is started again.");
  options o;
  add_tuning_options(app, o);
  app.require_subcommand(0, 1);
  const auto add = [&](const char* name, const char* purpose, action what) {
    CLI::App* const sub = app.add_subcommand(name, purpose);
    sub->callback([&o, what] { o.what = what; });
    return sub;
  };
  add_tuning_options(*add("tune", "tune this machine (the default)", action::tune), o);
  add_case_options(*add("space", "the number of candidates, and why others are ruled out", action::space), o);
  CLI::App* const explain =
      add("explain", "the tuning of a size or an element operator, the record that it comes from, and why",
          action::explain);
  explain->add_option("size", o.size, "of family gemm: 5 or 3x5x4");
  add_shared_options(*explain, o);
  add_general_options(*explain, o);
  explain->callback([&o] {
    o.what = action::explain;
    const bool is_gemm = o.family == "gemm" || (o.family == "all" && !is_of_general(o));
    if (is_gemm && o.size.empty()) throw CLI::RequiredError("size");
    if (!is_gemm && is_of_general(o) && !o.size.empty())
      throw CLI::ValidationError("size", o.size + ": of family gemm; --row and --einsum are of family general");
  });
  CLI::App* const compare =
      add("compare", "measure a record's winners again, interleaved with others", action::compare);
  compare->add_option("files", o.files, "record")->required()->expected(1);
  compare
      ->add_option("--against", o.against,
                   "default; nearest: the tuning of each size by the records of the others; or another record")
      ->capture_default_str();
  compare->add_option("--least", o.least, "exit with 1 where a winner's relative speed is below this")
      ->check(bench::real_between(0, 1e6))
      ->capture_default_str();
  CLI::App* const simulate =
      add("simulate", "evaluate every search strategy on recorded timings (--record-timings)", action::simulate);
  simulate->add_option("files", o.files, "recordings")->required();
  simulate->add_option("--share", o.share, "largest fraction of a case's candidates to measure (0.15)")
      ->check(bench::real_between(least_share, 1));
  CLI::App* const report = add("report", "draw a report of a recording and its record", action::report);
  report->add_option("files", o.files, "record, then recording")->required()->expected(2);
  report->add_option("--output", o.folder, "folder for the report")->capture_default_str();
  CLI::App* const t4 = add("t4", "write a record in the T4 format of other tuners", action::t4);
  t4->add_option("files", o.files, "record, then output file")->required()->expected(2);
  add_restamp_options(*add("restamp", restamp_purpose, action::restamp), o.restamp);
  CLI::App* const code = add("code", "hashes over the machine code of a GPU's records, for restamp", action::code);
  code->group("")->add_option("files", o.files, "record")->required()->expected(1);
  code->add_option("--hash", o.hash, "of records with this source_hash")->required();
  code->add_option("--case", o.cases, "only this one, compiled anew");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    exit_code = app.exit(e) == 0 ? 0 : 2;
    return std::nullopt;
  }
  if (o.family == "all") o.family = family_meant(o);
  return o;
}

std::vector<size3> sizes_from(const std::string& text, index_t most) {
  std::vector<size3> sizes;
  // Ranges may overlap; a size is tuned once.
  const auto add = [&](const size3& s) {
    if (std::find(sizes.begin(), sizes.end(), s) == sizes.end()) sizes.push_back(s);
  };
  for (const std::string& part : split(text, ',')) {
    if (part == "axes") {
      detail::each_listed_size([&](const product_size& s, bool) {
        if (s.m != s.n || s.n != s.k) add({s.m, s.n, s.k});
      });
      continue;
    }
    if (const std::vector<std::string> edges = split(part, 'x'); edges.size() == 3) {
      add({number_from(edges[0], text, most), number_from(edges[1], text, most), number_from(edges[2], text, most)});
      continue;
    }
    const std::vector<std::string> ends = split(part, '-');
    if (ends.size() > 2) refuse("sizes", text, "'" + part + "' is no range");
    const index_t first = number_from(ends.front(), text, most), last = number_from(ends.back(), text, most);
    if (first > last) refuse("sizes", text, "the range '" + part + "' is empty");
    for (index_t n = first; n <= last; ++n) add({n, n, n});
  }
  return sizes;
}

namespace {

// "1-4,8"
std::vector<int> numbers_from(const std::string& option, const std::string& text, int most) {
  std::vector<int> numbers;
  const auto number = [&](const std::string& part) {
    const auto n = bench::integer_in(part, 1, most);
    if (!n) refuse(option, text, bench::why_no_integer(part, 1, most));
    return int(*n);
  };
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> ends = split(part, '-');
    const int first = number(ends.front()), last = number(ends.back());
    if (ends.size() > 2 || first > last) refuse(option, text, "'" + part + "' is no range");
    for (int n = first; n <= last; ++n)
      if (std::find(numbers.begin(), numbers.end(), n) == numbers.end()) numbers.push_back(n);
  }
  return numbers;
}

std::vector<operator_kind> kinds_from(const std::string& text) {
  try {
    return operators_from_list(text);
  } catch (const error& e) {
    refuse("operator", text, e.what());
  }
}

}  // namespace

std::vector<element_case> element_cases_from(const options& o) {
  constexpr int largest_order = 16, longest_line = 32, most_components = 9;
  std::vector<element_case> cases;
  const auto add = [&](operator_kind kind, int dim, int repeats, int p, const std::string& part) {
    const bool nodal = part == "gll";
    const int more = part == "p+1" || nodal ? 1 : part == "p+2" ? 2 : 0;
    for (const int q : more > 0 ? std::vector<int>{p + more} : numbers_from("q", part, longest_line)) {
      if (q <= p && kind != operator_kind::mass)
        refuse("q", o.points, std::to_string(q) + " points are too few for derivatives of order " + std::to_string(p));
      const element_case c{kind, dim, p, q, nodal, coupled_components(kind, dim) > 1 ? 1 : repeats};
      if (std::find(cases.begin(), cases.end(), c) == cases.end()) cases.push_back(c);
    }
  };
  for (const int dim : numbers_from("dim", o.dims, 3))
    for (const operator_kind kind : kinds_from(o.operators))
      for (const int repeats : numbers_from("components", o.components, most_components))
        for (const int p : numbers_from("p", o.orders, largest_order))
          for (const std::string& part : split(o.points, ',')) add(kind, dim, repeats, p, part);
  return cases;
}

namespace {

std::vector<matrix_storage> storages_from(const std::string& text) {
  if (text == "all") return {matrix_storage::full, matrix_storage::lower_packed};
  if (text == "full") return {matrix_storage::full};
  if (text == "lower_packed") return {matrix_storage::lower_packed};
  refuse("storage", text, "full, lower_packed or all");
}

// Lower triangles are of symmetric matrices.
std::vector<tuning_case> matrix_cases_on(target on, const options& o) {
  if (on != target::cuda) throw error("--family matrix: there are records for GPUs only; add --target cuda");
  std::vector<tuning_case> cases;
  for (element_case e : element_cases_from(o)) {
    if (e.nodal || e.repeats > 1) throw error("--family matrix: without gll, and with --components 1");
    for (const matrix_storage how : storages_from(o.storages)) {
      if (how == matrix_storage::lower_packed && !is_symmetric(e.kind)) continue;
      e.matrices = how;
      for (const scalar_type type : types_from(o.types))
        cases.push_back({.on = on, .type = type, .in = memory_regime::stream, .element = e});
    }
  }
  return cases;
}

}  // namespace

std::vector<tuning_case> element_cases_on(target on, const options& o) {
  if (o.family == "matrix") return matrix_cases_on(on, o);
  const bool on_gpu = on == target::cuda;
  std::vector<tuning_case> cases;
  for (const element_case& e : element_cases_from(o)) {
    if (on_gpu && e.nodal)
      throw error("--q " + o.points + ": a GPU's kernels have no records where the points are the nodes; leave gll " +
                  "out, or name a CPU's --target");
    if (!on_gpu && e.repeats > 1)
      throw error("--components " + o.components + ": a CPU's records are of one application to an element");
    for (const scalar_type type : types_from(o.types))
      for (const memory_regime in : on_gpu ? std::vector{memory_regime::stream} : regimes_from(o.regimes))
        cases.push_back({.on = on, .type = type, .in = in, .element = e});
  }
  return cases;
}

namespace {

enum class way { by_model, drawn, all };

way way_of(const options& o, target on) {
  return o.family == "gemm" || o.family == "all" ? way::by_model : on == target::cuda ? way::drawn : way::all;
}

}  // namespace

double share_of(const options& o, target on) {
  const way w = way_of(o, on);
  return o.share.value_or(w == way::by_model ? 0.15 : w == way::drawn ? 0.5 : 1.0);
}
int candidates_of(const options& o, target on) {
  const way w = way_of(o, on);
  return o.candidates.value_or(w == way::by_model ? 64 : w == way::drawn ? 256 : 96);
}

packed_layouts layouts_of_form(const std::string& text) {
  const std::optional<packed_layouts> layouts = layouts_from(text);
  if (!layouts) refuse("form", text, "write packed and what differs, as in \"packed, A shared, B by rows\"");
  return *layouts;
}

double seconds_from(const std::string& text) {
  const char unit = text.empty() ? ' ' : text.back();
  const double factor = unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 3600 : 0;
  constexpr double longest = 3600.0 * 24 * 365;
  const auto value = factor > 0 ? bench::real_in(text.substr(0, text.size() - 1), 0, longest / factor) : std::nullopt;
  if (!value || *value == 0) refuse("budget", text, "write a number and s, m or h, as in 10m: a year at most");
  return *value * factor;
}

std::vector<scalar_type> types_from(const std::string& text) {
  if (text == "all") return {scalar_type::f64, scalar_type::f32};
  if (text == "f64") return {scalar_type::f64};
  if (text == "f32") return {scalar_type::f32};
  refuse("type", text, "f64, f32 or all");
}

std::vector<memory_regime> regimes_from(const std::string& text) {
  if (text == "all") return {memory_regime::cache, memory_regime::stream};
  if (text == "cache") return {memory_regime::cache};
  if (text == "stream") return {memory_regime::stream};
  refuse("regime", text, "cache, stream or all");
}

std::vector<target> targets_from(const std::string& text) {
  std::vector<target> targets;
  if (text == "all") {
    // The GPU first: it gets a fifth of the time, and the CPU the rest.
    if (is_available(target::cuda)) targets.push_back(target::cuda);
    targets.push_back(default_cpu_target());
    return targets;
  }
  for (const std::string& name : split(text, ',')) {
    const target t = target_from_name(name);
    if (t == target::reference) refuse("target", text, "the reference loops have nothing to tune");
    if (!is_available(t))
      throw error("--target " + text + ": this machine or this build has no " + name +
                      (t == target::cuda ? " (the GPU backend needs nvcc when Tessera is built)" : ""),
                  status::no_target);
    targets.push_back(t);
  }
  return targets;
}

}  // namespace tessera::tune
