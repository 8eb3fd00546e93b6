// SPDX-License-Identifier: BSD-3-Clause
// How a CPU goes over elements: a record of the very facts, instruction set and regime, of this CPU first, else the
// rule; the operator says which, and its results do not depend on it.
#include <tessera/detail/axes.hpp>
#include <tessera/detail/cpu_isas.hpp>
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/element/operator_facts.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/embedded_records.hpp>
#include <tessera/overlay.hpp>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "cpu/element/element_runs.hpp"
#include "other_facts.hpp"
#include "records/records_overlay.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/given_records.hpp"
#include "testing/says.hpp"
#include "testing/skip.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr memory_regime regimes[] = {memory_regime::cache, memory_regime::stream};

// Mass of order 2 with twelve points, from memory: no shipped record is of it.
std::string file_of(target on, const std::string& change_from = "", const std::string& change_to = "") {
  std::string record =
      R"({"family": "element", "dim": 3, "d": 3, "q": 12, "t": 3, "trial": "value", "test": "value", "factors": 1,
          "type": "f64", "stored": "f64", "regime": "stream", "tuning": {"prefetch_kib": 16, "nontemporal": 0}})";
  if (!change_from.empty()) {
    REQUIRE(record.find(change_from) != std::string::npos);
    record.replace(record.find(change_from), change_from.size(), change_to);
  }
  return std::string(R"({"schema": 1, "device": "Example", "target": ")") + name_of(on) + R"(", "records": [)" +
         record + "]}";
}

element_kernel_facts mass_facts() { return facts_of(operator_kind::mass, 3, 3, 12, 8); }

// (m,n), mirrored with that sign to the last bit.
std::vector<double> mirrored_table(int m, int n, int sign) {
  const auto entry = [&](int k, int i) { return double((k * 7 + i * 11) % 13) / 13; };
  std::vector<double> table(std::size_t(m * n));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k) table[std::size_t(k + m * i)] = entry(k, i) + sign * entry(m - 1 - k, n - 1 - i);
  return table;
}

evaluation_spec spec_of(operator_kind kind, int d, int q, target on, int components = 1) {
  return {.kind = kind,
          .dim = 3,
          .components = components,
          .trial = d,
          .points = q,
          .interpolate = mirrored_table(q, d, 1),
          .differentiate = mirrored_table(q, q, -1),
          .on = on};
}

std::string described(target on, int components = 1) {
  return evaluation<double>(spec_of(operator_kind::mass, 3, 12, on, components)).describe();
}

}  // namespace

TEST_CASE("element runs: without a record the rule stands", "[element][records]") {
  for (const target on : cpu_targets())
    for (const memory_regime in : regimes) {
      const element_run_choice c = choose_element_run(mass_facts(), on, in);
      CHECK(c.from.name == "default");
      CHECK(c.run == ruled_element_run(mass_facts(), on, in));
      CHECK(*why_unfit(c.run, in) == '\0');
    }
  const bool large = first_cache_bytes() >= 48 << 10;
  const auto ruled = [](const element_kernel_facts& f, target on) {
    CHECK(ruled_element_run(f, on, memory_regime::cache) == element_run{0, 0, 0, 1});
    return ruled_element_run(f, on, memory_regime::stream);
  };
  const element_run by_default{8, 1, large ? 1 : 0, 1};
  element_kernel_facts mass = mass_facts(), diffusion = facts_of(operator_kind::diffusion, 3, 3, 4, 8);
  for (const detail::cpu_isa_numbers& each : detail::cpu_isas) {
    const target on = each.isa;
    const bool wide = on == target::avx512 && !large;
    CHECK(ruled(mass, on) == by_default);
    CHECK(ruled(diffusion, on) == (wide ? element_run{64, 1, 2, 2} : by_default));
    element_kernel_facts other = diffusion;
    other.nodal = true;
    CHECK(ruled(other, on) == (wide ? element_run{64, 1, 2, 3} : by_default));
    other.several = true;
    CHECK(ruled(other, on) == by_default);
    other = diffusion;
    other.own_slopes = true;
    CHECK(ruled(other, on) == by_default);
    other = mass;
    other.nodal = true;
    CHECK(ruled(other, on).prefetch_repeats == (large ? 1 : 3));
  }
  CHECK(says(why_unfit(element_run{0, 1}, memory_regime::cache), "non-temporal stores"));
  CHECK(says(why_unfit(element_run{0, 0, 3}, memory_regime::stream), "prefetch_level is 0, 1 or 2"));
  CHECK(says(why_unfit(element_run{0, 0, 1}, memory_regime::stream), "prefetch_level without a prefetch"));
  CHECK(says(why_unfit(element_run{8, 0, 1}, memory_regime::cache), "what is in cache"));
  CHECK(says(why_unfit(element_run{8, 0, 0, 2}, memory_regime::cache), "what is in cache"));
  for (const int repeats : {0, 4})
    CHECK(says(why_unfit(element_run{8, 1, 0, repeats}, memory_regime::stream), "prefetch_repeats is 1 to 3"));
  CHECK(says(why_unfit(element_run{0, 1, 0, 2}, memory_regime::stream), "prefetch_repeats without a prefetch"));
}

TEST_CASE("element runs: records hold for exactly their facts, instruction set and regime", "[element][records]") {
  const given_records file(file_of(target::avx2));
  const element_kernel_facts f = mass_facts();
  const element_run_choice c = choose_element_run(f, target::avx2, memory_regime::stream);
  CHECK(c.run == element_run{16, 0});
  CHECK(says(c.from.text(), "record in " + file.path));
  CHECK(says(c.from.text(), "earlier version of the kernels"));
  const auto check_ruled = [](const element_kernel_facts& facts, target on, memory_regime in) {
    const element_run_choice other = choose_element_run(facts, on, in);
    CHECK(other.from.name == "default");
    CHECK(other.run == ruled_element_run(facts, on, in));
  };
  check_ruled(f, target::avx512, memory_regime::stream);
  check_ruled(f, target::avx2, memory_regime::cache);
  for (const element_kernel_facts& other : other_facts(f)) check_ruled(other, target::avx2, memory_regime::stream);
  overlay_records("");
  check_ruled(f, target::avx2, memory_regime::stream);
}

TEST_CASE("element runs: a record of this CPU is taken, one of another is not", "[element][records]") {
  CHECK_FALSE(element_run_records().empty());
  for (const tuned_element_run& r : element_run_records()) {
    const record_origin& origin = record_origins[std::size_t(r.origin)];
    CHECK(origin.on == r.on);
    CHECK(*why_unfit(r.run, r.in) == '\0');
    const element_run_choice here = choose_element_run(r.of, r.on, r.in, origin.device);
    INFO(here.from.text() << ", d " << r.of.trial << " q " << r.of.points);
    CHECK(says(here.from.text(), "record of this device"));
    CHECK(says(here.from.text(), "earlier version of the kernels") == r.stale);
    const element_run_choice there = choose_element_run(r.of, r.on, r.in, "Another CPU");
    CHECK(there.from.name == "default");
    CHECK(there.run == ruled_element_run(r.of, r.on, r.in));
    if (!origin.users) CHECK(here.run == r.run);
  }
}

TEST_CASE("element runs: what the build embeds is what the shipped files say", "[element][records]") {
  std::size_t found = 0;
  std::istringstream files(TESSERA_EMBEDDED_FILES);
  for (std::string path; std::getline(files, path, '|');) {
    const detail::overlay file = detail::read_overlay(path);
    for (const tuned_element_run& wanted : file.runs) {
      bool embedded = false;
      for (const tuned_element_run& r : element_run_records())
        embedded =
            embedded || (is_of(r.of, wanted.of) && r.on == wanted.on && r.in == wanted.in && r.run == wanted.run &&
                         r.stale == wanted.stale && record_origins[std::size_t(r.origin)].device == file.device);
      INFO(path << ", d " << wanted.of.trial << " q " << wanted.of.points);
      CHECK(embedded);
      ++found;
    }
  }
  std::size_t shipped = 0;
  for (const tuned_element_run& r : element_run_records()) shipped += !record_origins[std::size_t(r.origin)].users;
  CHECK(found == shipped);
}

TEST_CASE("element runs: element kernels of CPUs have a hash of their own", "[element][records]") {
  const std::string_view hash = element_source_hash(target::avx2);
  CHECK(hash.size() == 16);
  CHECK(hash == element_source_hash(target::avx512));
  CHECK(hash != element_source_hash(target::cuda));
  CHECK(hash != kernel_source_hash(target::avx2));
}

TEST_CASE("element runs: an operator takes its record and says so", "[element][records]") {
  const bool to_l1 = ruled_element_run(mass_facts(), target::reference, memory_regime::stream).prefetch_level != 0;
  const std::string in_cache = "in cache: no prefetch (default)", level = to_l1 ? "to L1" : "to L2",
                    by_rule = "from memory: prefetch 8 KiB ahead " + level + ", y by non-temporal stores (default)";
  for (const target on : cpu_targets()) {
    if (on == target::reference) continue;
    const std::string before = described(on);
    INFO(before);
    CHECK(says(before, in_cache));
    CHECK(says(before, by_rule));
    CHECK(says(evaluation<double>(spec_of(operator_kind::mass, 3, 12, on)).describe(detail_level::brief),
               "; tuning: default"));
    const given_records file(file_of(on));
    const std::string text = described(on);
    INFO(text);
    CHECK(says(text, in_cache));
    CHECK(
        says(text, "from memory: prefetch 16 KiB ahead to L2 (record in " + file.path + "; measured with an earlier"));
    CHECK(says(described(on, 2), by_rule));
    const std::string brief = evaluation<double>(spec_of(operator_kind::mass, 3, 12, on)).describe(detail_level::brief);
    CHECK(brief == std::string("mass 3-D, d = 3, q = 12, f64: ") + name_of(on) +
                       ", kernel for any sizes; tuning in cache: default, from memory: record in " + file.path);
  }
}

TEST_CASE("element runs: records are for what stays in a core's cache and for what no cache holds",
          "[element][records]") {
  const target on = default_cpu_target();
  if (on == target::reference || core_cache_bytes() == 0) return skip("no instruction set, or no known cache");
  const index_t little = core_cache_bytes(), much = last_level_cache_bytes(on) + 1;
  const given_records file(file_of(on));
  const detail::element_runs runs(mass_facts(), on, std::nullopt, std::nullopt);
  CHECK(runs.of(on, much, true) == element_run{16, 0});
  CHECK(runs.of(on, much, false) == ruled_element_run(mass_facts(), target::reference, memory_regime::stream));
  CHECK(runs.of(on, little, true) == ruled_element_run(mass_facts(), target::reference, memory_regime::cache));
  if (little + 1 < much)
    CHECK(runs.of(on, little + 1, true) ==
          element_run{8, 0, ruled_element_run(mass_facts(), target::reference, memory_regime::stream).prefetch_level});
  const detail::element_runs given(mass_facts(), on, element_run{4, 1}, std::nullopt);
  for (const index_t bytes : {index_t{0}, little + 1, much})
    for (const bool usual : {false, true}) CHECK(given.of(on, bytes, usual) == element_run{4, 1});
  CHECK(given.describe(detail_level::full) == "prefetch 4 KiB ahead to L2, y by non-temporal stores (as given)");
  CHECK(given.describe(detail_level::brief) == "tuning: as given");
}

TEST_CASE("element runs: a regime that is forced holds whatever the bytes are", "[element][records]") {
  const target on = default_cpu_target();
  if (on == target::reference) return skip("no instruction set");
  const given_records file(file_of(on));
  for (const memory_regime in : regimes) {
    const bool cached = in == memory_regime::cache;
    const detail::element_runs runs(mass_facts(), on, std::nullopt, in);
    for (const index_t bytes : {index_t{0}, core_cache_bytes() + 1, last_level_cache_bytes(on) + 1}) {
      CHECK(runs.of(on, bytes, true) ==
            (cached ? ruled_element_run(mass_facts(), on, memory_regime::cache) : element_run{16, 0}));
      CHECK(runs.of(on, bytes, false) == ruled_element_run({}, target::reference, in));
    }
    CHECK(says(runs.describe(detail_level::full),
               cached ? "in cache: no prefetch (default)" : "from memory: prefetch 16"));
    CHECK_FALSE(says(runs.describe(detail_level::full), cached ? "from memory" : "in cache"));
    CHECK(says(runs.describe(detail_level::brief), cached ? "tuning: default" : "tuning: record in " + file.path));
    evaluation_spec spec = spec_of(operator_kind::mass, 3, 12, on);
    spec.regime = in;
    CHECK(says(evaluation<double>(spec).describe(), cached ? "; in cache: no prefetch" : "; from memory: prefetch"));
  }
}

TEST_CASE("element runs: faulty records are refused with what is wrong", "[element][records][overlay]") {
  const auto refuses = [](const std::string& from, const std::string& to,
                          std::initializer_list<std::string_view> words) {
    const record_text file(file_of(target::avx2, from, to));
    check_failure(status::invalid_argument, words, [&] { overlay_records(file.path); });
    check_failure(status::invalid_argument, {file.path, "record 0"}, [&] { overlay_records(file.path); });
  };
  refuses("\"prefetch_kib\"", "\"behind\"",
          {"unknown axis 'behind'", "known: prefetch_kib, nontemporal, prefetch_level, prefetch_repeats"});
  refuses("\"prefetch_kib\": 16", "\"prefetch_kib\": -1", {"\"prefetch_kib\" is -1", "0..4096"});
  refuses("\"regime\": \"stream\", ", "", {"\"regime\" is missing"});
  refuses("\"regime\": \"stream\"", "\"regime\": \"disk\"", {"\"regime\" is 'disk'", "cache, stream"});
  refuses("\"nontemporal\": 0", "\"nontemporal\": 2", {"nontemporal is 0 or 1"});
  refuses("\"regime\": \"stream\", \"tuning\": {\"prefetch_kib\": 16, \"nontemporal\": 0}",
          "\"regime\": \"cache\", \"tuning\": {\"prefetch_kib\": 0, \"nontemporal\": 1}",
          {"non-temporal stores of a y"});
  refuses("\"t\": 3", "\"t\": 0", {"\"t\" is 0", "1..40"});
  refuses("\"factors\": 1", "\"factors\": 1, \"nodal\": 1", {"\"nodal\" must be true or false"});
  evaluation_spec spec{.trial = 1, .points = 1, .interpolate = {1}, .run = element_run{-1, 1}};
  check_failure(status::invalid_argument, {"run has prefetch_kib -1"}, [&] { evaluation<double> e(spec); });
  for (const int level : {-1, 3}) {
    spec.run = element_run{.prefetch_level = level};
    check_failure(status::invalid_argument, {"prefetch_level " + std::to_string(level)},
                  [&] { evaluation<double> e(spec); });
  }
  for (const int repeats : {0, 4}) {
    spec.run = element_run{.prefetch_repeats = repeats};
    check_failure(status::invalid_argument, {"prefetch_repeats " + std::to_string(repeats)},
                  [&] { evaluation<double> e(spec); });
  }
}

// Whole and ragged blocks, ranges, y added to and not, two components: the same to the last bit.
TEST_CASE("element runs: results do not depend on them", "[element]") {
  for (const target on : cpu_targets())
    for (const int components : {1, 2}) {
      evaluation_spec spec = spec_of(operator_kind::diffusion, 3, 4, on, components);
      const evaluation<double> by_rule(spec);
      const index_t elements = 83, entries = by_rule.trial_size() * components;
      auto D = point_data<double>::stored(by_rule, elements);
      std::vector<double> numbers(std::size_t(by_rule.points() * by_rule.factors() * elements)),
          x(std::size_t(entries * elements));
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = double((i * 37) % 101) / 101;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = double((i * 53) % 97) / 97 - 0.5;
      D.set(0, elements, numbers.data());
      const auto applied = [&](const evaluation<double>& e, bool adds, index_t first, index_t last) {
        std::vector<double> y(x.size(), 0.25);
        const element_layout layout = element_layout::conventional(e.trial_size(), components);
        e.apply(element_set::range(first, last),
                {.x = x.data(), .x_layout = layout, .y = y.data(), .y_layout = layout, .add = adds}, D);
        return y;
      };
      for (const axis<element_run>& a : axes_of<element_run>())
        for (const int value : a.values)
          for (const int other : {0, 1}) {
            element_run run{.prefetch_kib = other,
                            .nontemporal = other,
                            .prefetch_level = 2 * other,
                            .prefetch_repeats = 1 + 2 * other};
            run.*a.field = value;
            spec.run = run;
            const evaluation<double> e(spec);
            for (const bool adds : {false, true})
              for (const auto& [first, last] : {std::pair<index_t, index_t>{0, elements}, {5, 60}, {16, 32}}) {
                INFO(e.describe() << ", elements " << first << " to " << last << (adds ? ", added" : ""));
                CHECK(applied(e, adds, first, last) == applied(by_rule, adds, first, last));
              }
          }
    }
}
