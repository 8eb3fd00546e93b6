// SPDX-License-Identifier: BSD-3-Clause
// Records hold for what stays in a core's cache and for what no cache holds; between the two, the rule does.
#include "element_runs.hpp"

#include <tessera/detail/tuning_text.hpp>
#include <tessera/device_facts.hpp>

namespace tessera::detail {

namespace {

std::string words_of(const element_run_choice& c) { return text_of(c.run) + " (" + c.from.text() + ")"; }

// Of applications that no record is measured with.
element_run of_others(target on, memory_regime in) { return ruled_element_run({}, on, in); }

std::string text_of(const element_run_choice& cache, const element_run_choice& stream,
                    std::optional<memory_regime> in) {
  if (in == memory_regime::cache) return "in cache: " + words_of(cache);
  if (in == memory_regime::stream) return "from memory: " + words_of(stream);
  return "in cache: " + words_of(cache) + "; from memory: " + words_of(stream);
}

}  // namespace

element_runs::element_runs(const element_kernel_facts& f, target on, const std::optional<element_run>& given,
                           std::optional<memory_regime> in)
    : given_(given),
      in_(in),
      cache_by_rule_(ruled_element_run(f, on, memory_regime::cache)),
      stream_by_rule_(ruled_element_run(f, on, memory_regime::stream)),
      cache_(choose_element_run(f, on, memory_regime::cache)),
      stream_(choose_element_run(f, on, memory_regime::stream)) {}

element_run element_runs::of(target on, index_t bytes, bool is_usual) const {
  if (given_) return *given_;
  const bool stays = in_ ? *in_ == memory_regime::cache : bytes <= core_cache_bytes();
  const bool streams = in_ ? *in_ == memory_regime::stream : bytes > last_level_cache_bytes(on);
  if (is_usual && stays) return cache_.run;
  if (is_usual && streams) return stream_.run;
  element_run between = !is_usual ? of_others(on, stays ? memory_regime::cache : memory_regime::stream)
                        : stays   ? cache_by_rule_
                                  : stream_by_rule_;
  if (!streams) between.nontemporal = 0;
  return between;
}

std::string element_runs::describe(detail_level how) const {
  const std::string &cache = cache_.from.name, &stream = stream_.from.name;
  if (how == detail_level::brief) {
    if (given_) return "tuning: as given";
    if (in_) return "tuning: " + (*in_ == memory_regime::cache ? cache : stream);
    return cache == stream ? "tuning: " + cache : "tuning in cache: " + cache + ", from memory: " + stream;
  }
  if (given_) return text_of(*given_) + " (as given)";
  return text_of(cache_, stream_, in_);
}

std::string element_runs::describe_by_rule(target on, detail_level how) const {
  if (given_) return describe(how);
  if (how == detail_level::brief) return "tuning: default";
  const auto of = [&](memory_regime in) { return element_run_choice{of_others(on, in), {"default"}}; };
  return text_of(of(memory_regime::cache), of(memory_regime::stream), in_);
}

}  // namespace tessera::detail
