// SPDX-License-Identifier: BSD-3-Clause
// The measurement loops: interleaved rounds, or one contender after the other in a sustained state.
#include "measure/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "measure/stopwatch.hpp"

namespace tessera::bench {

namespace {

constexpr int fewest_samples = 5;
constexpr int most_attempts = 8;

struct course {
  long passes = 1;
  double spent = 0, joules = 0;
  int disturbed = 0, kept_disturbed = 0;
  std::vector<double> samples;
};

double read(const std::function<double()>& meter) { return meter ? meter() : std::numeric_limits<double>::quiet_NaN(); }

// The shortest of three: on a busy machine an interrupted short pass would look long enough.
double undisturbed_seconds(const contender& c, const protocol& how, long passes) {
  double shortest = how.time(c.pass, passes);
  for (int again = 0; again < 2 && shortest >= how.least_sample && shortest < 100 * how.least_sample; ++again)
    shortest = std::min(shortest, how.time(c.pass, passes));
  return shortest;
}

// Warms up, and determines the number of passes for a sample of at least that length.
long calibrate(const contender& c, const protocol& how, double least_sample) {
  how.time(c.pass, 1);
  long passes = 1;
  double seconds = undisturbed_seconds(c, how, passes);
  while (seconds < least_sample) {
    const double factor = seconds > 0 ? least_sample / seconds * 1.2 : 16;
    passes = std::max(passes + 1, long(double(passes) * std::min(factor, 16.0)));
    seconds = undisturbed_seconds(c, how, passes);
  }
  return passes;
}

void sample(const contender& c, const protocol& how, course& of) {
  for (int attempt = 1;; ++attempt) {
    const double joules = read(how.instruments.joules);
    const long disturbances = how.instruments.disturbances ? how.instruments.disturbances() : 0;
    const double seconds = how.time(c.pass, of.passes);
    of.spent += seconds;
    const bool disturbed = how.instruments.disturbances && how.instruments.disturbances() != disturbances;
    if (disturbed && attempt < most_attempts && of.spent < how.most_seconds) {
      ++of.disturbed;
      continue;
    }
    of.kept_disturbed += disturbed;
    of.joules += read(how.instruments.joules) - joules;
    of.samples.push_back(seconds / double(of.passes));
    return;
  }
}

bool wants_more(const course& of, const protocol& how) {
  const bool over_time = of.spent > how.most_seconds && int(of.samples.size()) >= fewest_samples;
  return !over_time && how.reps.wants_more(of.samples);
}

timing result_of(const course& of, double clock) {
  const double passes = double(of.passes) * double(of.samples.size());
  return {summarise(of.samples), of.passes, of.joules / passes, clock, of.disturbed, of.kept_disturbed, of.samples};
}

std::vector<timing> interleaved(const std::vector<contender>& contenders, const protocol& how) {
  std::vector<course> courses(contenders.size());
  for (std::size_t i = 0; i < contenders.size(); ++i)
    courses[i].passes = calibrate(contenders[i], how, how.least_sample);
  // Each round starts with another contender, so that none always follows the same one.
  for (std::size_t round = 0;; ++round) {
    bool any = false;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const std::size_t j = (i + round) % contenders.size();
      if (!wants_more(courses[j], how)) continue;
      sample(contenders[j], how, courses[j]);
      any = true;
    }
    if (!any) break;
  }
  const double clock = read(how.instruments.clock_mhz);
  std::vector<timing> all;
  for (const course& c : courses) all.push_back(result_of(c, clock));
  return all;
}

std::vector<timing> sustained(const std::vector<contender>& contenders, const protocol& how) {
  std::vector<timing> all;
  for (const contender& c : contenders) {
    course of;
    of.passes = calibrate(c, how, how.sustained_sample);
    for (const stopwatch hot; hot.seconds() < how.sustain;) how.time(c.pass, of.passes);
    while (of.spent < how.sustained_window || int(of.samples.size()) < fewest_samples) sample(c, how, of);
    all.push_back(result_of(of, read(how.instruments.clock_mhz)));
  }
  return all;
}

}  // namespace

double host_seconds(const std::function<void()>& pass, long passes) {
  const stopwatch watch;
  for (long i = 0; i < passes; ++i) pass();
  return watch.seconds();
}

std::vector<timing> measure(const std::vector<contender>& contenders, const protocol& how) {
  if (how.idle_before > 0) std::this_thread::sleep_for(std::chrono::duration<double>(how.idle_before));
  return how.sustain > 0 ? sustained(contenders, how) : interleaved(contenders, how);
}

}  // namespace tessera::bench
