// SPDX-License-Identifier: BSD-3-Clause
// Suite stride: bandwidth that loads and stores leave of memory's where neighbours are entries apart.
#include <bit>
#include <cstdio>

#include <tessera/error.hpp>

#include "run_case.hpp"
#include "sizes.hpp"
#include "stride_case.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

case_results stride_results(stride_case& c, unsigned stride, unsigned entries, setting& s) {
  const double bytes = c.useful_bytes();
  const double bandwidth = s.memory->level_for(bytes).line.bandwidth;
  std::vector<contender> all;
  std::vector<result> ways;
  for (const bool masked : {false, true}) {
    const char* const name = masked ? "masked" : "bijective";
    all.push_back({name, [&c, stride, masked] { c.run(stride, masked); }});
    run_for_profiler(s, name, all.back().pass);
    result& way = ways.emplace_back();
    way.impl = name;
    way.checked = c.check(stride, masked);
    way.describe = masked ? "(t stride) & (n - 1)" : "(t mod n / stride) stride + t / (n / stride)";
    way.predicted = c.predicted(stride, masked, *s.memory);
  }
  const measurement m =
      measure_until_trusted(all, all.size(), protocol_for(s), [&](const std::vector<timing>&, bool) -> bound {
        return {.seconds = bytes / bandwidth, .bandwidth = bandwidth, .honest = honest_movement(space_of(s), bytes)};
      });
  for (std::size_t i = 0; i < ways.size(); ++i) {
    ways[i].time = m.times[i];
    ways[i].suspect = m.suspect[i];
  }
  return {.label = "stride " + std::to_string(stride),
          .facts = {{"stride", stride}, {"entries", entries}, {"sector_bytes", c.sector_bytes()}},
          .target = name_of(s.on),
          .row = "",
          .flops = double(entries),
          .bytes = bytes,
          .limit = m.limit,
          .all = std::move(ways),
          .measured = m.measured,
          .predicted = c.predicted(stride, false, *s.memory)};
}

// Time, rate of useful bytes, the rate over that of the first stride, and the model's.
std::string line_of_stride(const case_results& c, const case_results& first) {
  char text[64];
  std::snprintf(text, sizeof text, "%-11s", c.label.c_str());
  std::string line = text;
  for (std::size_t i = 0; i < c.all.size(); ++i) {
    const result &r = c.all[i], &of_first = first.all[i];
    std::snprintf(text, sizeof text, " | %10s %8.1f %6.3f %6.3f", duration(r.time.seconds.median).c_str(),
                  c.bytes / r.time.seconds.median * 1e-9, of_first.time.seconds.median / r.time.seconds.median,
                  of_first.predicted->seconds / r.predicted->seconds);
    line += text;
    if (!r.checked.correct()) line += " WRONG";
  }
  return line + mark_of(c.all.front());
}

}  // namespace

int run_stride(const options& given) {
  options o = given;
  o.type = scalar_type::f32;
  std::vector<unsigned> strides;
  for (const std::string_view part : split(o.strides, ',')) {
    strides.push_back(unsigned(parse_integer(part, "strides", 1, 1 << 20)));
    if (!std::has_single_bit(strides.back())) throw error("strides: '" + std::string(part) + "' is not a power of 2");
  }
  report to(o, {});
  setting s = make_setting(o, {}, to);
  const auto entries = unsigned(o.entries.value_or(space_of(s) == space_kind::gpu ? 1 << 27 : 1 << 24));
  stride_case c(space_of(s), entries, o.threads);
  to.note(std::to_string(entries) + " floats, each loaded and stored; GB/s of useful bytes, their ratio to the first " +
          "stride's, and that of the model: sectors of " + std::to_string(int(c.sector_bytes())) + " bytes");
  char text[128];
  std::snprintf(text, sizeof text, "%-11s | %10s %8s %6s %6s | %10s %8s %6s %6s", "", "bijective", "GB/s", "ratio",
                "model", "masked", "GB/s", "ratio", "model");
  to.note(text);
  std::vector<case_results> cases;
  for (const unsigned stride : strides) {
    cases.push_back(stride_results(c, stride, entries, s));
    to.keep(cases.back());
    to.note(line_of_stride(cases.back(), cases.front()));
  }
  return to.finish();
}

}  // namespace tessera::bench
