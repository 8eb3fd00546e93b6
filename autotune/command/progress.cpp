// SPDX-License-Identifier: BSD-3-Clause
// Lines on standard error while the run goes on; the table is the caller's to print.
#include "command/progress.hpp"

#include <cstdio>

#include <unistd.h>

#include "statistics.hpp"

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
    line += formatted("%9s  %4.0f%% of bound  %5.2fx the default%s", time_text(t.found.seconds).c_str(),
                      100 * t.found.fraction, t.found.initial_seconds / t.found.seconds, t.found.tie ? " (tie)" : "");
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

std::string table_of(const record_file& f, const family& gemm) {
  std::string text =
      f.device + ", " + f.target + "\n" +
      formatted("%-24s %10s %10s %7s %9s  %s\n", "case", "default", "tuned", "gain", "of bound", "tuning");
  std::vector<double> gains, fractions;
  for (const record& r : f.records) {
    const double gain = r.initial_seconds > 0 ? r.initial_seconds / r.seconds : 0;
    if (gain > 0) gains.push_back(gain);
    fractions.push_back(r.fraction);
    text += formatted("%-24s %10s %10s %6.2fx %8.0f%%  ", key_of(r.of).c_str(),
                      r.initial_seconds > 0 ? time_text(r.initial_seconds).c_str() : "fails",
                      time_text(r.seconds).c_str(), gain, 100 * r.fraction);
    text += text_of(gemm, r.winner) + (r.tie ? " (tie)" : "") + "\n";
  }
  return text + formatted("geometric mean: %.2f times the default's speed, %.0f%% of the bound\n",
                          bench::geometric_mean(gains), 100 * bench::geometric_mean(fractions));
}

}  // namespace tessera::tune
