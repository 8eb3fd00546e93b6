// SPDX-License-Identifier: BSD-3-Clause
// One contraction after the other: tiles, times, a record; at the end the table and the report.
#include "general/general_run.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <numeric>

#include <unistd.h>

#include <tessera/detail/jit.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/version.hpp>

#include "command/progress.hpp"
#include "general/general_page.hpp"
#include "general/general_store.hpp"
#include "interrupt.hpp"
#include "measure/stopwatch.hpp"
#include "search/journaled.hpp"
#include "search/strategies.hpp"
#include "store/file_lock.hpp"
#include "store/safe_file.hpp"
#include "work/compiler_settings.hpp"

namespace tessera::tune {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int by_model = 16, drawn_at_random = 64;  // tiles, by default
constexpr int at_once = 16;                         // between two looks at what was drawn
constexpr std::size_t first_of_model = 10;          // of them at least, if there are so many
constexpr int rounds_by_model = 5, rounds_at_random = 3, final_rounds = 30;
constexpr std::uint64_t seed = 1;
constexpr std::size_t all_that_are_left = std::numeric_limits<std::size_t>::max();
constexpr double most_of_part = 3;  // a contraction may use more than its part of the remaining time
constexpr double longest_question = 120;
constexpr const char* shown_device = "NVIDIA H200";  // where there is no GPU

bool is_random(const options& o) { return o.search == "random"; }

std::string device_here() { return is_available(target::cuda) ? device_name(target::cuda) : std::string(shown_device); }

bool is_same(const detail::general_tile& a, const detail::general_tile& b, const general_form& form) {
  return config_of(a, form) == config_of(b, form);
}

void say_always(const std::string& text) { std::fprintf(stderr, "tessera-tune: %s\n", text.c_str()); }

int print_model(const options& o) {
  const std::vector<general_case> cases = general_cases_from(o);
  const std::string device = device_here();
  std::printf("modelled for %s; nothing is measured; *: the tile that plans take today\n", device.c_str());
  for (const general_case& c : cases) std::printf("%s\n", model_text(proposed(c, o, device)).c_str());
  return 0;
}

int explain(const options& o) {
  const std::string device = device_here();
  for (const general_case& c : general_cases_from(o)) {
    const general_present present = present_general_tile(c.form, c.kind, device);
    std::printf("%s on %s: %s\n  %s\n", name_of(c).c_str(), device.c_str(),
                general_tile_text(present.tile, c.form).c_str(),
                present.source.empty() ? "no record serves: the model's first choice" : present.source.c_str());
  }
  return 0;
}

class general_tuning {
 public:
  explicit general_tuning(const options& o) : o_(o), worker_(default_worker_program()) {
    budget_ = seconds_from(o.budget);
    say("measuring the limits of the GPU ...");
    read_device();
    record_ = (fs::path(o.folder) / general_file_name(facts_.device)).string();
    // Faults of it are reported before anything is timed.
    if (fs::exists(record_)) read_general_records(record_, facts_.device);
    check_replaceable(record_);
  }

  int run() {
    std::vector<general_case> cases = general_cases_from(o_);
    if (o_.stale) keep_stale(cases);
    journal memory(journal_path(), header(), o_.fresh ? journal_start::fresh : journal_start::resume);
    if (memory.samples() > 0)
      say("going on with " + std::to_string(memory.samples()) + " samples of " + memory.path() +
          " (--fresh starts again)");
    std::size_t done = 0;
    for (; done < cases.size() && !interrupted && watch_.seconds() < budget_; ++done)
      tune(cases[done], int(done), int(cases.size()), memory);
    finish();
    if (interrupted) {
      std::fprintf(stderr, "\ninterrupted: what was measured is kept; the same command%s continues from here\n",
                   o_.fresh ? " without --fresh" : "");
      return 130;
    }
    if (done < cases.size())
      std::fprintf(stderr,
                   "the budget of %s is used up: %zu cases were not reached; the same command%s continues from "
                   "here\n",
                   o_.budget.c_str(), cases.size() - done, o_.fresh ? " without --fresh" : "");
    const bool all = done == cases.size() && std::all_of(results_.begin(), results_.end(),
                                                         [](const general_result& r) { return r.has_winner(); });
    return all ? 0 : 1;
  }

 private:
  void say(const std::string& text) const {
    if (!o_.quiet) std::fprintf(stderr, "%s\n", text.c_str());
  }

  json asked(const char* what) {
    const worker_process::answer a = worker_.ask({{"do", what}}, longest_question);
    if (a.how != outcome::ok || a.reply.at("how") != "ok")
      throw error("cannot tune the GPU: " + (a.how == outcome::ok ? a.reply.value("reason", "") : a.reason),
                  status::no_device);
    return a.reply;
  }

  void read_device() {
    const json here = asked("gpu device"), limits = asked("general limits");
    const int capability = here.at("capability");
    facts_.device = here.at("name");
    facts_.on = target::cuda;
    facts_.compute_capability = std::to_string(capability / 10) + "." + std::to_string(capability % 10);
    facts_.driver = here.at("driver");
    facts_.toolkit = here.at("toolkit");
    facts_.compiler = "NVRTC " + facts_.toolkit;
    facts_.flags = "--gpu-architecture=sm_" + std::to_string(capability);
    facts_.tessera =
        std::to_string(version_major) + "." + std::to_string(version_minor) + "." + std::to_string(version_patch);
    facts_.source_hash = general_kernel_hash();
    limits_ = {limits.at("bandwidth"), limits.at("matrix_f64"), limits.at("flops_f64"), limits.at("flops_f32")};
  }

  // Those of the record in the folder that earlier kernels gave.
  void keep_stale(std::vector<general_case>& cases) const {
    if (!fs::exists(record_))
      throw error("--stale: there is no " + record_ + "; name its folder with --output, or tune without --stale");
    const tuning_records old = read_general_records(record_, facts_.device);
    std::erase_if(cases, [&](const general_case& c) {
      return std::none_of(old.records.begin(), old.records.end(), [&](const tuning_record& r) {
        return r.kind == general_kind_text(c.kind) && general_form_text(r.form) == general_form_text(c.form) &&
               old.hash_of(r) != facts_.source_hash;
      });
    });
    std::printf("%s: stale cases: %zu\n", record_.c_str(), cases.size());
  }

  std::string journal_path() const {
    if (!o_.journal.empty()) return o_.journal;
    const std::string folder = default_cache_folder();
    if (folder.empty())
      throw error("no place for the journal: neither HOME nor TESSERA_CACHE is set; name one with --journal");
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
      throw error("no place for the journal: " + folder + " cannot be made: " + failed.message() +
                  "; name one with --journal");
    return (fs::path(folder) / (fs::path(record_).stem().string() + ".journal")).string();
  }

  journal_header header() const {
    return {facts_.device,
            facts_.source_hash,
            {{"target", name_of(target::cuda)},
             {"compiler", facts_.compiler},
             {"flags", facts_.flags},
             {"driver", facts_.driver},
             {"toolkit", facts_.toolkit}}};
  }

  void tune(const general_case& c, int done, int cases, journal& memory) {
    general_result r = proposed(c, o_, facts_.device);
    r.bound = bound_of(c, limits_);
    say("[" + std::to_string(done + 1) + "/" + std::to_string(cases) + "] " + counts_text(r));
    worker_.take(c);
    const double until = watch_.seconds() + most_of_part * (budget_ - watch_.seconds()) / std::max(1, cases - done);
    try {
      measure(
          r, [&](const json& request, double seconds) { return worker_.ask(request, seconds); },
          [&] { worker_.replace(); }, memory, [&] { return !interrupted && watch_.seconds() < until; });
    } catch (const error& e) {
      // One whose tensors do not fit the GPU's memory is no reason to leave out the others.
      if (e.code() != status::out_of_memory) throw;
      say(std::string("    ") + e.what());
    }
    if (interrupted) return;  // unfinished; the journal has its samples
    say_result(r, watch_.seconds() / (done + 1) * (cases - done - 1));
    if (r.has_winner()) {
      tuning_records newer = facts_;
      newer.records.push_back(general_record_of(r));
      add_general_records(record_, newer, say_always);
    }
    results_.push_back(std::move(r));
  }

  void say_result(const general_result& r, double left) const {
    char text[400];
    const model_figures f = figures_of(r);
    if (r.has_winner())
      std::snprintf(text, sizeof text,
                    "    %s  %.0f%% of bound; best is %s; model's first reaches %.0f%%; %d of %zu tiles work; "
                    "compiled in %.1f s; %.0f s left",
                    time_text(r.found.median).c_str(), 100 * r.fraction(),
                    r.is_random ? "drawn" : ("no. " + std::to_string(f.rank)).c_str(), 100 * f.first, f.measured,
                    r.tiles.size(), r.compile_seconds, left);
    else
      std::snprintf(text, sizeof text, "    no tile works: %.300s",
                    r.tiles.empty() ? "there is none" : r.tiles.front().reason.c_str());
    say(text);
  }

  void finish() const {
    if (results_.empty()) return;
    std::printf("%s\n", table_of(results_, facts_.device).c_str());
    if (!o_.recording.empty()) {
      recording timings{facts_.device, {{"target", "cuda"}, {"source_hash", facts_.source_hash}}, {}};
      for (const general_result& r : results_) timings.spaces.push_back(recorded_of(r));
      write_recording(timings, o_.recording);
    }
    const fs::path report = fs::path(record_).parent_path() / (fs::path(record_).stem().string() + "-report");
    write_general_report(results_, facts_, report.string());
    if (fs::exists(record_)) std::printf("record: %s\n", record_.c_str());
    std::printf("report: %s\n", (report / "index.html").c_str());
    if (fs::exists(record_))
      std::printf("to build with it: cmake ... -DTESSERA_RECORDS=%s\n", fs::absolute(record_).c_str());
  }

  const options& o_;
  general_worker worker_;
  bench::stopwatch watch_;
  double budget_ = 0;
  tuning_records facts_;  // without records
  general_limits limits_;
  std::string record_;
  std::vector<general_result> results_;
};

}  // namespace

std::vector<std::size_t> places_to_measure(std::size_t left, std::size_t count) {
  count = std::min(count, left);
  const std::size_t first = std::min(count, std::max(first_of_model, count / 2));
  std::vector<std::size_t> places(first);
  std::iota(places.begin(), places.end(), std::size_t(0));
  // Behind them as many equal parts as are missing, the last of each.
  for (std::size_t part = 1; part <= count - first; ++part)
    places.push_back(first + part * (left - first) / (count - first) - 1);
  return places;
}

general_result proposed(const general_case& c, const options& o, const std::string& device) {
  general_result r;
  r.of = c;
  r.is_random = is_random(o);
  if (r.is_random && o.within) r.enough = enough_draws{.within = *o.within};
  const auto count = std::size_t(o.candidates.value_or(r.is_random ? drawn_at_random : by_model));
  const bench::stopwatch watch;
  r.counts = propose_general_tiles(c.form, c.kind, device, r.is_random ? 1 : all_that_are_left);
  const std::vector<general_proposal> ranking = std::move(r.counts.tiles);
  const std::vector<std::size_t> places = places_to_measure(ranking.size(), count);
  std::vector<general_proposal> tiles;
  for (const std::size_t place : places) tiles.push_back(ranking[place]);
  if (r.is_random) {
    r.counts = draw_general_tiles(c.form, c.kind, device, count, seed);
    for (const general_proposal& p : r.counts.tiles)
      if (tiles.empty() || !is_same(p.tile, tiles.front().tile, c.form)) tiles.push_back(p);
  }
  r.searching_seconds = watch.seconds();
  r.counts.tiles.clear();
  r.ranked = int(places.size());
  // What a plan takes today is measured, too.
  if (const general_present now = present_general_tile(c.form, c.kind, device); !now.source.empty()) {
    const auto same = [&](const general_proposal& p) { return is_same(p.tile, now.tile, c.form); };
    r.present = int(std::find_if(tiles.begin(), tiles.end(), same) - tiles.begin());
    if (r.present == int(tiles.size())) tiles.push_back({now.tile, now.seconds});
  }
  for (const general_proposal& p : tiles) r.tiles.push_back({p.tile, p.seconds, outcome::ok, "", 0, 0});
  for (std::size_t i = 0; i < places.size(); ++i) r.tiles[i].rank = int(places[i]) + 1;
  // A record's tile has the place of its seconds.
  for (measured_tile& t : r.tiles)
    if (t.rank == 0 && !r.is_random)
      t.rank = 1 + int(std::count_if(ranking.begin(), ranking.end(),
                                     [&](const general_proposal& p) { return p.seconds < t.predicted; }));
  return r;
}

void measure(general_result& r, const general_asks& ask, const std::function<void()>& replace, journal& memory,
             const std::function<bool()>& may_go_on) {
  std::vector<detail::general_tile> tiles;
  std::vector<config> configs;
  for (const measured_tile& t : r.tiles) {
    tiles.push_back(t.tile);
    configs.push_back(config_of(t.tile, r.of.form));
  }
  if (tiles.empty()) return;
  general_evaluator measures(r.of.form, tiles, ask, replace);
  journaled_evaluator remembers(measures, memory, key_of(r.of), configs);
  search_problem p;
  p.candidates = int(tiles.size());
  p.incumbent = r.present;
  for (const measured_tile& t : r.tiles) p.predicted.push_back(t.predicted);
  search_options how;
  how.share = 1;
  how.rounds = r.is_random ? rounds_at_random : rounds_by_model;
  how.final_rounds = final_rounds;
  how.may_go_on = may_go_on;
  const auto report = [&](search_result drawn) -> std::optional<random_report> {
    std::erase_if(drawn.all, [&](const tried& t) { return !is_drawn(r, t.candidate); });
    if (drawn.all.empty()) return std::nullopt;
    return report_on(drawn, int(std::clamp(r.counts.left(), double(drawn.all.size()), 2e9)));
  };
  const auto enough = [&](const search_result& so_far) {
    const std::optional<random_report> rarity = report(so_far);
    return rarity && are_enough(*rarity, *r.enough);
  };
  r.found = r.enough ? until_enough(p, remembers, how, at_once, enough) : exhaustive(p, remembers, how);
  take_times(r);
  r.compile_seconds = measures.compile_seconds();
  r.seen = measures.seen();
  for (std::size_t i = 0; i < r.tiles.size(); ++i) r.tiles[i].compile_seconds = measures.compile_seconds(int(i));
  if (r.is_random) r.rarity = report(r.found);
}

int run_general(const options& o) {
  if (o.within && !is_random(o)) throw error("--within is for --search random");
  if (o.what == action::explain) return explain(o);
  if (o.what == action::space || o.model_only) return print_model(o);
  general_cases_from(o);  // mistakes in options are reported first
  if (!is_available(target::cuda))
    throw error("--family general measures tiles on a GPU: " + why_no_gpu() +
                    "; --model-only prints the model's tiles without one",
                status::no_device);
  if (o.targets != "all" && o.targets != name_of(target::cuda))
    throw error("--target " + o.targets + ": family general is tuned on cuda only");
  std::error_code failed;
  fs::create_directories(o.folder, failed);
  if (failed)
    throw error("--output " + o.folder + ": the folder cannot be made: " + failed.message() +
                "; name one that you may write to");
  for (const std::string& file : {(fs::path(o.folder) / ".tessera-tune").string(), o.journal, o.recording})
    if (!file.empty()) check_replaceable(file);
  std::signal(SIGINT, [](int) { interrupted = 1; });
  return general_tuning(o).run();
}

}  // namespace tessera::tune
