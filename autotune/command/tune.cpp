// SPDX-License-Identifier: BSD-3-Clause
// Cases in order of size, so that what is found first is useful first; the budget is shared out as it is used.
#include "command/tune.hpp"

#include <csignal>
#include <cstdio>
#include <filesystem>

#include <tessera/error.hpp>
#include <tessera/jit.hpp>

#include "command/progress.hpp"
#include "command/report.hpp"
#include "command/tune_case.hpp"
#include "command/tuned_device.hpp"
#include "interrupt.hpp"

namespace tessera::tune {

namespace {

namespace fs = std::filesystem;

// A case may take more than its share of the time left: others take less.
constexpr double most_of_share = 3;

std::vector<tuning_case> cases_of(const options& o, target on) {
  std::vector<tuning_case> cases;
  for (const size3& s : sizes_from(o.sizes))
    for (const scalar_type type : types_from(o.types))
      for (const memory_regime in : regimes_from(o.regimes)) cases.push_back({on, type, in, s.m, s.n, s.k});
  return cases;
}

std::string journal_path(const options& o, const record_file& facts) {
  if (!o.journal.empty()) return o.journal;
  const std::string folder = default_cache_folder();
  if (folder.empty())
    throw error("no place for the journal: neither HOME nor TESSERA_CACHE is set; name one with --journal");
  fs::create_directories(folder);
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

class run {
 public:
  run(const options& o, int cases) : o_(o), how_(strategy_named(o.strategy)), seen_(cases, o.quiet) {
    seconds_ = seconds_from(o.budget);
    cases_left_ = cases;
  }

  void tune(target on) {
    seen_.say(std::string("measuring the limits of ") + name_of(on) + " ...");
    const std::unique_ptr<tuned_device> device = device_for(on);
    const std::string path = journal_path(o_, device->facts());
    if (o_.fresh && fs::exists(path)) fs::rename(path, path + ".old");
    journal memory(path, header_of(device->facts()));
    say_what_journal_has(memory);
    record_file found = device->facts();
    recording timings{found.device, {{"target", found.target}, {"source_hash", found.source_hash}}, {}};
    const std::vector<tuning_case> cases = cases_of(o_, on);
    try {
      for (std::size_t i = 0; i < cases.size() && !interrupted; ++i) {
        if (is_new_size(cases, i)) warm_up(*device, cases, i);
        tune_one(*device, cases[i], memory, found, timings);
      }
    } catch (const interruption&) {  // in the middle of compiling: what is found so far is kept
    }
    finish(*device, found, timings);
  }

  bool all_found() const { return all_found_; }

 private:
  static bool is_new_size(const std::vector<tuning_case>& cases, std::size_t i) {
    return i == 0 || cases[i].type != cases[i - 1].type || cases[i].m != cases[i - 1].m ||
           cases[i].n != cases[i - 1].n || cases[i].k != cases[i - 1].k;
  }

  void say_what_journal_has(const journal& memory) const {
    if (!memory.set_aside().empty())
      seen_.say("an earlier journal is of something else (" + memory.difference() + "); it is now " +
                memory.set_aside());
    if (memory.samples() > 0)
      seen_.say("going on with " + std::to_string(memory.samples()) + " samples of " + memory.path() +
                " (--fresh starts anew)");
  }

  // All regimes of the size, in one shared object.
  void warm_up(tuned_device& device, const std::vector<tuning_case>& cases, std::size_t first) const {
    std::vector<tuning_case> group;
    std::vector<std::vector<config>> likely;
    for (std::size_t i = first; i < cases.size() && (i == first || !is_new_size(cases, i)); ++i) {
      group.push_back(cases[i]);
      likely.push_back(likely_configs(searched_space(device, cases[i], o_.candidates), o_.share));
    }
    device.warm_up(group, likely);
  }

  void tune_one(tuned_device& device, const tuning_case& c, journal& memory, record_file& found, recording& timings) {
    seen_.starts(c);
    const double left = seconds_ - seen_.seconds();
    const double until = seen_.seconds() + most_of_share * left / std::max(1, cases_left_--);
    search_options search;
    search.share = o_.share;
    search.may_go_on = [&] { return !interrupted && seen_.seconds() < until; };
    const space s = searched_space(device, c, o_.candidates);
    const tuned_case t = tune_case(device, s, how_, search, memory);
    if (interrupted) return;  // half a search; the journal has its samples
    all_found_ = all_found_ && t.has_winner;
    if (t.has_winner) found.records.push_back(t.found);
    timings.spaces.push_back(t.timings);
    seen_.ends(t);
  }

  void finish(const tuned_device& device, const record_file& found, const recording& timings) const {
    if (found.records.empty()) return;
    fs::create_directories(o_.folder);
    const fs::path path = fs::path(o_.folder) / file_name_for(found);
    const record_file all = fs::exists(path) ? merged(read_records(path.string()), found) : found;
    write_records(all, path.string());
    if (!o_.recording.empty()) write_recording(timings, o_.recording);
    fs::path report = path;
    report.replace_extension(".html");
    write_report(found, timings, device.gemm(), report.string());
    std::printf("%s\n", table_of(found, device.gemm()).c_str());
    std::printf("record: %s\nreport: %s\nto build with it: cmake ... -DTESSERA_RECORDS=%s\n\n", path.c_str(),
                report.c_str(), fs::absolute(path).c_str());
  }

  const options& o_;
  const named_strategy& how_;
  progress seen_;
  double seconds_ = 0;
  int cases_left_ = 0;
  bool all_found_ = true;
};

}  // namespace

int run_tune(const options& o) {
  const std::vector<target> targets = targets_from(o.targets);
  int cases = 0;
  for (const target on : targets) cases += int(cases_of(o, on).size());
  std::signal(SIGINT, [](int) { interrupted = 1; });
  run tuning(o, cases);
  for (const target on : targets)
    if (!interrupted) tuning.tune(on);
  if (interrupted) {
    std::fprintf(stderr, "\ninterrupted: what was measured is kept; the same command goes on from here\n");
    return 130;
  }
  return tuning.all_found() ? 0 : 1;
}

}  // namespace tessera::tune
