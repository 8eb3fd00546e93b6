// SPDX-License-Identifier: BSD-3-Clause
// Measures cases and limits with interleaved samples.
#include "limits.hpp"

#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"

namespace tessera::demo {

namespace {

bench::protocol protocol_for(space_kind space, double seconds) {
  bench::protocol p;
  p.reps = {.least = 5, .most = 25};
  p.most_seconds = seconds;
  if (space == space_kind::gpu)
    p.time = bench::device::seconds;
  else
    p.instruments.disturbances = bench::involuntary_switches;
  return p;
}

}  // namespace

limits::limits(const settings& how, bool with_gpu) : how_(how), with_gpu_(with_gpu) {
  // Twice, since an interruption may spoil one.
  for (int i = 0; i < 2; ++i) measure_peaks();
}

void limits::measure_peaks() {
  cpu_flops_ = std::max(cpu_flops_, bench::fma_peak(scalar_type::f64, how_.threads));
  if (with_gpu_) gpu_flops_ = std::max(gpu_flops_, bench::device::fma_peak(scalar_type::f64, false));
}

void limits::measure(outcome& r, const std::vector<contender>& contenders, const bench::arrays& data) {
  attempt(r, contenders, data);
  while (r.disturbed() && r.attempts < bench::most_measurements && !late()) {
    measure_peaks();
    ++r.attempts;
    attempt(r, contenders, data);
  }
}

void limits::attempt(outcome& r, const std::vector<contender>& contenders, const bench::arrays& data) {
  std::vector<bench::contender> all;
  for (const contender& c : contenders) all.push_back({"", c.pass});
  if (r.space == space_kind::cpu)
    for (const bool streaming : {false, true})
      all.push_back({"", [&data, streaming, this] { bench::move_once(data, false, streaming, how_.threads); }});
  else if (r.what == operation::apply)
    all.push_back({"", bench::device::copy_pass(std::size_t(r.bytes()))});
  else {
    const double written = 8 * r.entries(r.elements);
    all.push_back({"", bench::device::mixed_pass(std::size_t(r.bytes() - written), std::size_t(written))});
  }
  const std::vector<bench::timing> timings = bench::measure(all, protocol_for(r.space, how_.seconds));
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    bench::timing& best = r.*contenders[i].result;
    best = bench::better_of(best, timings[i]);
  }
  for (std::size_t i = contenders.size(); i < timings.size(); ++i)
    r.movement = bench::better_of(r.movement, timings[i]);
  r.peak = peak(r.space);
}

bench::timing limits::alone(const std::function<void()>& pass) const {
  bench::timing best;
  for (int i = 0; i < bench::most_measurements; ++i) {
    best = bench::better_of(best, bench::measure({{"", pass}}, protocol_for(space_kind::cpu, how_.seconds))[0]);
    if (bench::disturbance(best).empty() || late()) break;
  }
  return best;
}

}  // namespace tessera::demo
