// SPDX-License-Identifier: BSD-3-Clause
// The loop of steps, and its ends.
#include "run_loop.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>

#include "ending_signals.hpp"
#include "picture.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "results.hpp"

namespace tessera::blast {

namespace {

using clock_type = std::chrono::steady_clock;
double seconds_since(clock_type::time_point from) {
  return std::chrono::duration<double>(clock_type::now() - from).count();
}

// On a terminal: how far the run is, and how long it takes at the rate so far.
class progress_line {
 public:
  explicit progress_line(const run_extent& all) : all_(all) {}
  void show(const simulation& of) {
    if (!on_terminal_ || seconds_since(shown_) < 0.5) return;
    shown_ = clock_type::now();
    std::printf("\r  time %.4f of %.4f, %.0f %%, about %.0f s left ", of.time(), all_.final_time,
                100 * all_.done(of.time(), of.steps()), all_.left(seconds_since(start_), of.time(), of.steps()));
    std::fflush(stdout);
  }
  void clear() const {
    if (on_terminal_) std::printf("\r%60s\r", "");
  }

 private:
  bool on_terminal_ = isatty(STDOUT_FILENO) == 1;
  run_extent all_;
  clock_type::time_point start_ = clock_type::now(), shown_ = start_;
};

// Times, of which each is due once.
class due_times {
 public:
  due_times(std::vector<double> times, double from) : times_(std::move(times)) {
    std::sort(times_.begin(), times_.end());
    is_due(from);
  }
  bool is_due(double now) {
    const std::size_t before = next_;
    while (next_ < times_.size() && times_[next_] <= now) ++next_;
    return next_ > before;
  }

 private:
  std::vector<double> times_;
  std::size_t next_ = 0;
};

class run_loop {
 public:
  run_loop(simulation& of, const outputs& to)
      : of_(of),
        to_(to),
        part_{.first_step = of.steps(), .first_repeats = of.run().repeats()},
        checkpoint_step_(of.steps()),
        shown_({of.time(), of.given().final_time, of.steps(), to.most_steps}),
        now_(of),
        series_(to.vtk, of.time()),
        times_(to.vtk_times, of.time()) {
    series_.write(now_);
  }

  int run(const std::function<void()>& step) {
    const auto start = clock_type::now();
    long next = of_.steps() + 1;  // of.steps() may count a step that fails after its end
    try {
      for (; !is_last(); next = of_.steps() + 1) {
        step();
        after_step();
      }
    } catch (const fem::gas_step_crashed& crash) {
      end_with(crash.what(), "for inspection. " + before_crash());
    } catch (const std::exception& e) {
      end_with("step " + std::to_string(next) + " failed: " + e.what(), "--restart goes on from it");
    }
    part_.seconds = seconds_since(start);
    // A part that fails, such as a copy from a GPU that is lost, is no reason to leave out the next one.
    part_.error = std::numeric_limits<double>::quiet_NaN();
    attempt([&] { part_.error = density_error(of_); });
    attempt([&] { print_end(now_, part_); });
    if (!to_.vtk.empty()) std::printf("For ParaView: %s.pvd\n", to_.vtk.c_str());
    leave_json_and_picture();
    return ended_by_ != 0 ? 128 + ended_by_ : status_;
  }

 private:
  bool is_last() const { return of_.finished() || of_.steps() - part_.first_step == to_.most_steps || ended_by_ != 0; }

  void after_step() {
    if (!of_.finished()) ended_by_ = signals_.caught();
    const bool last = is_last();
    const auto is_due = [&](long every) { return last || (every > 0 && of_.steps() % every == 0); };
    if (is_due(to_.every)) {
      shown_.clear();
      print_step(of_);
    }
    if (!to_.checkpoint.empty() && is_due(to_.checkpoint_every) && attempt([&] { of_.save(to_.checkpoint); }))
      checkpoint_step_ = of_.steps();
    if (times_.is_due(of_.time()) || is_due(to_.vtk_every)) attempt([&] { series_.write(now_); });
    if (!last) shown_.show(of_);
    if (ended_by_ == 0) return;
    std::fprintf(stderr, "blast: ended by %s after step %ld at time %.6g: %s\n", ending_signals::name(ended_by_),
                 of_.steps(), of_.time(), what_is_kept().c_str());
  }

  bool has_checkpoint() const { return !to_.checkpoint.empty() && std::filesystem::exists(to_.checkpoint); }

  std::string what_is_kept() const {
    if (to_.checkpoint.empty()) return "nothing was kept to go on from, for there is no --checkpoint";
    if (!has_checkpoint()) return "nothing was kept to go on from, for the checkpoint could not be written";
    if (checkpoint_step_ == of_.steps()) return "--restart " + to_.checkpoint + " goes on from there";
    return "its checkpoint could not be written, --restart " + to_.checkpoint + " goes on from step " +
           std::to_string(checkpoint_step_);
  }

  // Zones are nearly tangled in the last state before a crash, so that smaller steps from there seldom help.
  std::string before_crash() const {
    if (!has_checkpoint() || checkpoint_step_ == of_.steps())
      return "A run from the start with a smaller --cfl may get further";
    return "An earlier state is in '" + to_.checkpoint + "': --restart " + to_.checkpoint + " with a smaller --cfl";
  }

  void leave_json_and_picture() {
    const bool is_kept = !to_.json.empty();
    if (!is_kept && to_.png.empty()) return;
    const std::string data = is_kept ? to_.json : to_.png + ".json";
    if (!attempt([&] { write_json(data, now_, part_.error, part_.seconds); }) || to_.png.empty()) return;
    std::fflush(stdout);
    const std::string failed = draw_picture(data, to_.png, to_.field);
    if (!failed.empty()) {  // the run is what it is without a picture: its status stays
      std::fprintf(stderr, "blast: no picture '%s': %s; its data are in '%s'\n", to_.png.c_str(), failed.c_str(),
                   data.c_str());
      return;
    }
    std::printf("Picture: %s\n", to_.png.c_str());
    if (!is_kept) std::filesystem::remove(data);
  }

  void end_with(const std::string& why, const std::string& hint) {
    shown_.clear();
    std::fprintf(stderr, "blast: %s\n", why.c_str());
    status_ = 1;
    attempt([&] {
      const std::string file = (to_.checkpoint.empty() ? "blast" : to_.checkpoint) + ".crashed";
      of_.save(file);
      std::fprintf(stderr, "The last good state is in '%s': %s\n", file.c_str(), hint.c_str());
    });
    attempt([&] { series_.write(now_); });
  }

  // Whether it succeeded. What fails is reported, and the run goes on.
  template <class F>
  bool attempt(const F& write) {
    try {
      write();
      return true;
    } catch (const std::exception& e) {
      shown_.clear();
      std::fprintf(stderr, "blast: %s\n", e.what());
      status_ = 1;
      return false;
    }
  }

  simulation& of_;
  const outputs& to_;
  run_part part_;
  long checkpoint_step_;  // that the checkpoint is of, if there is one
  ending_signals signals_;
  progress_line shown_;
  fields now_;
  frames series_;
  due_times times_;
  int status_ = 0, ended_by_ = 0;
};

}  // namespace

int run_to_end(simulation& of, const outputs& to, const std::function<void()>& step) {
  return run_loop(of, to).run(step);
}

}  // namespace tessera::blast
