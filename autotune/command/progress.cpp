// SPDX-License-Identifier: BSD-3-Clause
// Lines on standard error during the run; the caller prints the table.
#include "command/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <unistd.h>

#include "measure/statistics.hpp"
#include "space/as_config.hpp"

namespace tessera::tune {

namespace {

template <class... Value>
std::string formatted(const char* format, Value... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

bool is_terminal() {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  return terminal;
}

std::string present_text(const recorded_space* s) {
  switch (s == nullptr ? present_row::unknown : s->present) {
    case present_row::unknown: return "?";
    case present_row::none: return "no row";
    case present_row::fails: return "fails";
    case present_row::runs: return time_text(s->present_seconds);
  }
  return "?";
}

std::string gain_words(const tuned_case& t) {
  switch (t.timings.present) {
    case present_row::unknown: return "today's time unknown";
    case present_row::none: return "no row today";
    case present_row::fails: return "today's row fails";
    case present_row::runs: return formatted("%5.2fx today's speed", t.timings.present_seconds / t.found.seconds);
  }
  return {};
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds < 1e-6) return formatted("%.3g ns", 1e9 * seconds);
  if (seconds < 1e-3) return formatted("%.3g us", 1e6 * seconds);
  return formatted("%.3g ms", 1e3 * seconds);
}

void progress::say(const std::string& text) const {
  if (!quiet_) std::fprintf(stderr, "%s%s\n", is_terminal() ? "\r\033[K" : "", text.c_str());
}

void progress::starts(const tuning_case& c) {
  if (quiet_ || !is_terminal()) return;
  std::fprintf(stderr, "\r\033[K[%d/%d] %s ...   %s", done_ + 1, cases_, key_of(c).c_str(), time_left().c_str());
  std::fflush(stderr);
}

void progress::ends(const tuned_case& t) {
  ++done_;
  std::string line = formatted("[%d/%d] %-24s ", done_, cases_, t.timings.of.c_str());
  if (t.has_winner)
    line += formatted("%9s  %4.0f%% of bound%s  %s%s", time_text(t.found.seconds).c_str(), 100 * t.found.fraction,
                      t.timings.suspect ? " SUSPECT" : "", gain_words(t).c_str(), t.found.tie ? " (tie)" : "");
  else
    line += "no candidate works";
  line += formatted("  tried %zu", t.timings.candidates.size());
  if (t.failed > 0) line += formatted(", %d failed (%.80s)", t.failed, t.failure.c_str());
  say(line + "  " + time_left());
}

std::string progress::time_left() const {
  if (done_ == 0) return {};
  const double left = watch_.seconds() / done_ * (cases_ - done_);
  return left < 90 ? formatted("%.0f s left", left) : formatted("%.0f min left", left / 60);
}

std::string table_of(const record_file& f, const recording& timings, const family& gemm) {
  std::string text = f.device + ", " + f.target + "\n" +
                     formatted("%-24s %10s %10s %7s %9s  %s\n", "case", "today", "tuned", "gain", "of bound", "tuning");
  std::vector<double> gains, fractions;
  bool new_sizes = false;
  for (const record& r : f.records) {
    const recorded_space* today = space_in(timings, r.of);
    const bool runs = today != nullptr && today->present == present_row::runs;
    if (runs) gains.push_back(today->present_seconds / r.seconds);
    new_sizes = new_sizes || (today != nullptr && today->present == present_row::none);
    const bool suspect = today != nullptr && today->suspect;
    if (!suspect) fractions.push_back(r.fraction);
    text += formatted("%-24s %10s %10s %7s %8.0f%%  ", key_of(r.of).c_str(), present_text(today).c_str(),
                      time_text(r.seconds).c_str(), runs ? formatted("%.2fx", gains.back()).c_str() : "-",
                      100 * r.fraction);
    text += text_of(gemm, r.winner) + (r.tie ? " (tie)" : "") + (suspect ? "  SUSPECT" : "") + "\n";
  }
  const std::size_t suspects = f.records.size() - fractions.size();
  if (suspects > 0) text += std::string("SUSPECT: ") + suspect_words + "\n";
  if (new_sizes) text += "no row: the library has no kernel of these sizes today, its generic row runs\n";
  const std::string against = gains.empty() ? ""
                                            : formatted("%.2f times today's speed (%zu of %zu cases), ",
                                                        bench::geometric_mean(gains), gains.size(), f.records.size());
  const std::string left_out = suspects > 0 ? formatted(" (%zu SUSPECT, left out)", suspects) : "";
  const std::string of_bound =
      fractions.empty() ? "bounds unknown" : formatted("%.0f%% of the bound", 100 * bench::geometric_mean(fractions));
  return text + "geometric mean: " + against + of_bound + left_out + "\n";
}

std::string ways_text(const recording& timings) {
  std::string text = formatted("%-48s %10s", "case", "best");
  for (const char* name : matrix_way::names) text += formatted(" %9s", name);
  text += "\n";
  for (const recorded_space& s : timings.spaces) {
    double best[matrix_way::count], least = std::numeric_limits<double>::infinity();
    std::fill(best, best + matrix_way::count, least);
    for (const recorded_candidate& c : s.candidates) {
      double& of_way = best[as_tuning<matrix_tuning>(c.of).way];
      of_way = std::min(of_way, true_seconds(c));
      least = std::min(least, of_way);
    }
    text += formatted("%-48s %10s", s.of.c_str(), time_text(least).c_str());
    for (const double seconds : best)
      text += std::isfinite(seconds) ? formatted(" %9.3f", seconds / least) : formatted(" %9s", "-");
    text += "\n";
  }
  return text;
}

}  // namespace tessera::tune
