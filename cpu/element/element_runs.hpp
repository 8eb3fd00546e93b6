// SPDX-License-Identifier: BSD-3-Clause
// How an operator's applications go over the elements, by what they move: what was chosen when it was made.
#pragma once

#include <optional>
#include <string>

#include <tessera/detail_level.hpp>
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

  /// "in cache: no prefetch (default); from memory: prefetch 8 KiB ahead to L1, y by non-temporal stores (record of
  /// this device)". Brief: "tuning in cache: default, from memory: record of this device".
  std::string describe(detail_level how) const;

 private:
  std::optional<element_run> given_;
  element_run cache_by_rule_ = ruled_element_run({}, target::reference, memory_regime::cache),
              stream_by_rule_ = ruled_element_run({}, target::reference, memory_regime::stream);
  element_run_choice cache_{cache_by_rule_, {"default"}}, stream_{stream_by_rule_, {"default"}};
};

}  // namespace tessera::detail
