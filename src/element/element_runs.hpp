// SPDX-License-Identifier: BSD-3-Clause
// How an operator's applications go over the elements, by what they move: what was chosen when it was made.
#pragma once

#include <optional>
#include <string>

#include <tessera/element/element_run.hpp>

namespace tessera::detail {

class element_runs {
 public:
  /// The rules, of the mass.
  element_runs() = default;
  /// By records where there are some for these facts. `given` holds for all applications.
  element_runs(const element_kernel_facts& f, target on, const std::optional<element_run>& given);

  /// For an application that moves `bytes`; `is_usual`: as those that records are measured with.
  element_run of(target on, index_t bytes, bool is_usual) const;

  /// "in cache nothing is asked for ahead by rule, from memory 8 KiB ahead, y past the caches by rule"
  std::string describe() const;

 private:
  std::optional<element_run> given_;
  element_run cache_by_rule_ = ruled_element_run({}, target::reference, memory_regime::cache),
              stream_by_rule_ = ruled_element_run({}, target::reference, memory_regime::stream);
  element_run_choice cache_{cache_by_rule_, "rule"}, stream_{stream_by_rule_, "rule"};
};

}  // namespace tessera::detail
