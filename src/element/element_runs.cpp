// SPDX-License-Identifier: BSD-3-Clause
// Records hold for what stays in a core's cache and for what no cache holds; between the two, the rule does.
#include "element_runs.hpp"

#include <tessera/device_facts.hpp>

namespace tessera::detail {

namespace {

std::string text_of(const element_run& r) {
  std::string text = r.ahead == 0 ? "nothing is asked for ahead" : std::to_string(r.ahead) + " KiB ahead";
  if (r.ahead > 0 && r.near != 0) text += r.near == 1 ? " into the first cache" : " close to its use";
  if (r.ahead > 0 && r.asks > 1) text += ", each line " + std::to_string(r.asks) + " times";
  return text + (r.stream != 0 ? ", y past the caches" : "");
}
std::string text_of(const element_run_choice& c) { return text_of(c.run) + " by " + c.from; }

}  // namespace

element_runs::element_runs(const element_kernel_facts& f, target on, const std::optional<element_run>& given)
    : given_(given),
      cache_by_rule_(ruled_element_run(f, on, memory_regime::cache)),
      stream_by_rule_(ruled_element_run(f, on, memory_regime::stream)),
      cache_(choose_element_run(f, on, memory_regime::cache)),
      stream_(choose_element_run(f, on, memory_regime::stream)) {}

element_run element_runs::of(target on, index_t bytes, bool is_usual) const {
  if (given_) return *given_;
  const bool stays = bytes <= core_cache_bytes(), streams = bytes > last_level_cache_bytes(on);
  if (is_usual && stays) return cache_.run;
  if (is_usual && streams) return stream_.run;
  element_run between = !is_usual ? ruled_element_run({}, on, stays ? memory_regime::cache : memory_regime::stream)
                        : stays   ? cache_by_rule_
                                  : stream_by_rule_;
  if (!streams) between.stream = 0;
  return between;
}

std::string element_runs::describe() const {
  if (given_) return text_of(*given_) + " as given";
  return "in cache " + text_of(cache_) + ", from memory " + text_of(stream_);
}

}  // namespace tessera::detail
