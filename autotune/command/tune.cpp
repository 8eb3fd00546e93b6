// SPDX-License-Identifier: BSD-3-Clause
// Cases in order of size, small ones first; the budget is divided among the remaining cases, and cases that are not
// reached are listed.
#include "command/tune.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <tessera/detail/jit.hpp>
#include <tessera/detail/packed_layouts_text.hpp>
#include <tessera/error.hpp>

#include "command/progress.hpp"
#include "command/report.hpp"
#include "command/tune_case.hpp"
#include "command/tuned_device.hpp"
#include "interrupt.hpp"
#include "store/file_lock.hpp"
#include "store/safe_file.hpp"

namespace tessera::tune {

namespace {

namespace fs = std::filesystem;

// A case may use more than its part of the remaining time: others use less.
constexpr double most_of_share = 3;

std::vector<tuning_case> cases_of(const options& o, target on) {
  if (o.family != "gemm") return element_cases_on(on, o);
  std::vector<tuning_case> cases;
  const packed_layouts layouts = layouts_of_form(o.form);
  if (on != target::cuda && layouts != packed_layouts{})
    throw error("--form '" + o.form + "': on " + name_of(on) + " rows are of packed products by columns only; add " +
                "--target cuda");
  for (const size3& s : sizes_from(o.sizes, largest_extent(layouts)))
    for (const scalar_type type : types_from(o.types))
      for (const memory_regime in : regimes_from(o.regimes)) cases.push_back({on, type, in, s.m, s.n, s.k, layouts});
  return cases;
}

// The cases of a record file that were measured with earlier kernels, of the types and regimes asked for.
std::vector<tuning_case> stale_cases(const options& o, const fs::path& record, const record_file& facts) {
  if (!fs::exists(record)) {
    if (o.may_lack_record) return {};
    throw error("--stale: there is no " + record.string() + "; name its folder with --output, or tune without --stale");
  }
  const record_file old = read_records(record.string());
  const std::vector<scalar_type> types = types_from(o.types);
  const std::vector<memory_regime> regimes = regimes_from(o.regimes);
  const auto is_in = [](const auto& all, const auto& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  std::vector<tuning_case> cases;
  for (const struct record& r : old.records)
    if ((r.source_hash.empty() ? old.source_hash : r.source_hash) != facts.source_hash && is_in(types, r.of.type) &&
        is_in(regimes, r.of.in))
      cases.push_back(r.of);
  return cases;
}

std::string with_suffix(const std::string& file, const std::string& suffix) {
  const fs::path path(file);
  return (path.parent_path() / (path.stem().string() + suffix + path.extension().string())).string();
}

// Files named on the command line are one per target.
std::string file_of(const std::string& named, const record_file& facts, bool several) {
  if (!several) return named;
  return with_suffix(named, "-" + facts.target);
}

std::string journal_path(const options& o, const record_file& facts, bool several) {
  if (!o.journal.empty()) return file_of(o.journal, facts, several);
  const std::string folder = default_cache_folder();
  if (folder.empty())
    throw error("no place for the journal: neither HOME nor TESSERA_CACHE is set; name one with --journal");
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw error("no place for the journal: " + folder + " cannot be made: " + failed.message() +
                "; name one with --journal");
  return (fs::path(folder) / (fs::path(file_name_for(facts)).stem().string() + ".journal")).string();
}

journal_header header_of(const record_file& f) {
  return {f.device,
          f.source_hash,
          {{"target", f.target},
           {"compiler", f.compiler},
           {"flags", f.flags},
           {"driver", f.driver},
           {"toolkit", f.toolkit}}};
}

// Folders that cannot be written to are reported before a device's limits are measured.
void check_folders(const options& o) {
  std::error_code failed;
  fs::create_directories(o.folder, failed);
  if (failed)
    throw error("--output " + o.folder + ": the folder cannot be made: " + failed.message() +
                "; name one that you may write to");
  check_replaceable((fs::path(o.folder) / ".tessera-tune").string());
  if (!o.journal.empty()) check_replaceable(o.journal);
  if (!o.recording.empty()) check_replaceable(o.recording);
}

// The path of the record; faults of it are reported before anything is timed.
fs::path record_path(const options& o, const record_file& facts) {
  const fs::path path = fs::path(o.folder) / file_name_for(facts);
  // Throws if it is not a record of this device.
  if (fs::exists(path)) merged(read_records(path.string()), facts);
  check_replaceable(path.string());
  return path;
}

class tuning_run {
 public:
  tuning_run(const options& o, int cases, bool several)
      : o_(o), how_(strategy_named(o.strategy)), seen_(cases, o.quiet), several_(several) {
    seconds_ = seconds_from(o.budget);
    cases_left_ = cases;
  }

  void tune(target on) {
    seen_.say(std::string("measuring the limits of ") + name_of(on) + " ...");
    const std::unique_ptr<tuned_device> device = device_for(on);
    on_ = on;
    const record_file facts = device->facts_of(o_.family);
    const fs::path record = record_path(o_, facts);
    const std::string path = journal_path(o_, facts, several_);
    journal memory(path, header_of(facts), o_.fresh ? journal_start::fresh : journal_start::resume);
    say_what_journal_has(memory);
    const std::optional<file_lock> of_timings = lock_of_timings(facts);
    record_file found = facts;
    recording timings{found.device, {{"target", found.target}, {"source_hash", found.source_hash}}, {}};
    const std::vector<tuning_case> cases = o_.stale ? stale_cases(o_, record, facts) : cases_of(o_, on);
    if (o_.stale) {
      expect(int(cases.size()));
      std::printf("%s: stale cases: %zu\n", record.string().c_str(), cases.size());
      if (cases.empty()) return;
    }
    try {
      for (std::size_t i = 0; i < cases.size() && !interrupted; ++i) {
        if (seen_.seconds() > seconds_) {
          not_reached_ += int(cases.size() - i);
          break;
        }
        if (is_new_size(cases, i)) warm_up(*device, cases, i);
        tune_one(*device, cases[i], memory, found, timings);
        if (i + 1 == cases.size() || is_new_size(cases, i + 1)) learn_cost();
      }
    } catch (const interruption&) {  // during compilation: results so far are kept
    }
    all_found_ = all_found_ && !found.records.empty();
    const int suspects = judge(*device, found, timings);
    finish(*device, found, timings, record);
    if (suspects > 0)
      std::fprintf(stderr, "tessera-tune: %s: %d of %zu cases are SUSPECT: %s\n", found.target.c_str(), suspects,
                   found.records.size(), suspect_words);
  }

  // So many cases of the target at hand.
  void expect(int cases) {
    cases_left_ = cases;
    seen_.expect(cases);
  }

  bool all_found() const { return all_found_; }
  int not_reached() const { return not_reached_; }

 private:
  static bool is_new_size(const std::vector<tuning_case>& cases, std::size_t i) {
    return i == 0 || cases[i].m != cases[i - 1].m || cases[i].n != cases[i - 1].n || cases[i].k != cases[i - 1].k ||
           cases[i].element != cases[i - 1].element;
  }

  void say_what_journal_has(const journal& memory) const {
    if (!memory.set_aside().empty())
      seen_.say("an earlier journal is of something else (" + memory.difference() + "); it is now " +
                memory.set_aside());
    if (memory.skipped_lines() > 0)
      seen_.say(std::to_string(memory.skipped_lines()) + " lines of " + memory.path() +
                " are no samples that a clock can give: they are skipped");
    if (memory.samples() > 0)
      seen_.say("going on with " + std::to_string(memory.samples()) + " samples of " + memory.path() +
                " (--fresh starts again)");
  }

  // A recording is of one run: another run that would write to the same file gets the error now.
  std::optional<file_lock> lock_of_timings(const record_file& facts) const {
    if (o_.recording.empty()) return std::nullopt;
    const std::string path = file_of(o_.recording, facts, several_);
    check_replaceable(path);
    lock_wait none;
    none.give_up_after = std::chrono::seconds(0);
    none.say = say_always;
    return std::optional<file_lock>(std::in_place, followed(path), none);
  }

  static void say_always(const std::string& text) { std::fprintf(stderr, "tessera-tune: %s\n", text.c_str()); }

  // The size in all types and regimes: one shared object per type, compiled concurrently.
  void warm_up(tuned_device& device, const std::vector<tuning_case>& cases, std::size_t first) const {
    std::vector<tuning_case> group;
    std::vector<std::vector<config>> likely;
    for (std::size_t i = first; i < cases.size() && (i == first || !is_new_size(cases, i)); ++i) {
      group.push_back(cases[i]);
      likely.push_back(likely_configs(searched_space(device, cases[i], candidates_of(o_, on_)), affordable_search()));
    }
    device.warm_up(group, likely);
  }

  void tune_one(tuned_device& device, const tuning_case& c, journal& memory, record_file& found, recording& timings) {
    seen_.starts(c);
    const double left = seconds_ - seen_.seconds();
    const double until = seen_.seconds() + most_of_share * left / std::max(1, cases_left_--);
    search_options search = affordable_search();
    search.may_go_on = [&] { return !interrupted && seen_.seconds() < until; };
    const space s = searched_space(device, c, candidates_of(o_, on_));
    const tuned_case t = tune_case(device, s, how_, search, memory);
    if (interrupted) return;  // an unfinished search; the journal has its samples
    all_found_ = all_found_ && t.has_winner;
    if (t.has_winner) found.records.push_back(t.found);
    tried_ += double(t.timings.candidates.size());
    timings.spaces.push_back(t.timings);
    seen_.ends(t);
  }

  void finish(const tuned_device& device, const record_file& found, const recording& timings,
              const fs::path& path) const {
    if (found.records.empty()) {
      std::printf("%s, %s: no case has a winner, no record is written\n", found.device.c_str(), found.target.c_str());
      return;
    }
    add_records(path.string(), found, say_always);
    if (!o_.recording.empty()) write_recording(timings, file_of(o_.recording, found, several_));
    const family& tuned = device.family_of(found.records.front().of);
    std::printf("%s\n", table_of(found, timings, tuned).c_str());
    if (found.family == "matrix") std::printf("%s\n", ways_text(timings).c_str());
    std::fflush(stdout);
    std::printf("record: %s\n", path.c_str());
    std::fflush(stdout);
    std::printf("%s\nto build with it: cmake ... -DTESSERA_RECORDS=%s\n\n",
                report_line(found, timings, tuned, report_folder_for(path)).c_str(), fs::absolute(path).c_str());
  }

  // The record is written, and other targets follow: failure to write a report is not an error.
  static std::string report_line(const record_file& found, const recording& timings, const family& tuned,
                                 const fs::path& folder) {
    try {
      // Removes old pictures, which would not match the new data.
      lock_wait how;
      how.say = say_always;
      const file_lock mine(folder.string(), how);
      return write_report(found, timings, tuned, folder);
    } catch (const error& e) {
      return std::string("report: no pictures (") + e.what() + ")";
    }
  }

  // The cost of a candidate of the last size, compilation included: larger sizes cost more.
  void learn_cost() {
    const double now = seen_.seconds();
    if (tried_ > 0) cost_ = (now - since_) / tried_;
    since_ = now;
    tried_ = 0;
  }

  // As many candidates of each remaining case as the budget allows, but never fewer than a contest needs.
  search_options affordable_search() const {
    search_options search;
    search.share = share_of(o_, on_);
    // If candidates are few and already compiled, most time is spent on distinguishing the best ones.
    const bool are_there = o_.family == "element" && on_ != target::cuda;
    if (cost_ <= 0 || are_there) return search;
    constexpr double least = 4;
    const double each = std::max(least, (seconds_ - seen_.seconds()) / std::max(1, cases_left_) / cost_);
    search.share = std::min(search.share, each / candidates_of(o_, on_));
    search.least = std::min(search.least, int(each));
    return search;
  }

  const options& o_;
  const named_strategy& how_;
  progress seen_;
  double seconds_ = 0;
  double cost_ = 0, since_ = 0, tried_ = 0;  // per candidate; start time and number of those tried
  int cases_left_ = 0, not_reached_ = 0;
  target on_ = target::reference;  // the current one
  bool several_, all_found_ = true;
};

}  // namespace

namespace {

std::string seconds_text(double seconds) { return std::to_string(std::max(1L, std::lround(seconds))) + "s"; }

// One family, on every target.
struct tuned_family {
  int not_reached = 0;
  bool all_found = true;
};

tuned_family tune_family(const options& o, const std::vector<target>& targets) {
  int cases = 0;
  if (!o.stale)
    for (const target on : targets) cases += int(cases_of(o, on).size());
  tuning_run tuning(o, cases, targets.size() > 1);
  for (const target on : targets)
    if (!interrupted) tuning.tune(on);
  return {tuning.not_reached(), tuning.all_found()};
}

// Products have more cases and more candidates than element operators.
constexpr double share_of_products = 0.6;

}  // namespace

int run_tune(const options& o) {
  const std::vector<target> targets = targets_from(o.targets);
  std::vector<options> runs{o};
  if (o.family == "all") {
    runs.push_back(o);
    runs[0].family = "gemm", runs[1].family = "element";
    runs[0].budget = seconds_text(share_of_products * seconds_from(o.budget));
    runs[0].may_lack_record = runs[1].may_lack_record = true;
    for (std::string* file : {&runs[1].journal, &runs[1].recording})
      if (!file->empty()) *file = with_suffix(*file, "-element");
  }
  // Mistakes in options are reported before anything is measured.
  for (const options& run : runs) {
    seconds_from(run.budget);
    for (const target on : targets) cases_of(run, on);
  }
  check_folders(o);
  std::signal(SIGINT, [](int) { interrupted = 1; });
  tuned_family all;
  const bench::stopwatch watch;
  for (options& run : runs) {
    if (interrupted) break;
    // What products leave of the budget is for element operators.
    if (&run != &runs.front()) run.budget = seconds_text(seconds_from(o.budget) - watch.seconds());
    const tuned_family one = tune_family(run, targets);
    all.not_reached += one.not_reached;
    all.all_found = all.all_found && one.all_found;
  }
  if (interrupted) {
    std::fprintf(stderr, "\ninterrupted: what was measured is kept; the same command%s continues from here\n",
                 o.fresh ? " without --fresh" : "");
    return 130;
  }
  if (all.not_reached > 0)
    std::fprintf(stderr,
                 "the budget of %s is used up: %d cases were not reached; the same command%s continues from here\n",
                 o.budget.c_str(), all.not_reached, o.fresh ? " without --fresh" : "");
  return all.all_found ? 0 : 1;
}

}  // namespace tessera::tune
