// SPDX-License-Identifier: BSD-3-Clause
// How an operator's applications loop over the elements, by the bytes that they move: chosen when the operator is made.
#pragma once

#include <optional>
#include <string>

#include <tessera/detail_level.hpp>
#include <tessera/element/element_run.hpp>

namespace tessera::detail {

class element_runs {
 public:
  /// The default policy of the mass operator.
  element_runs() = default;
  /// From records if there are any for these facts, else by default. `given`, if set, is used for all applications;
  /// `in` is where their elements are, if that is not decided by the bytes.
  element_runs(const element_kernel_facts& f, target on, const std::optional<element_run>& given,
               std::optional<memory_regime> in);

  /// For an application that moves `bytes`. `is_usual`: records are measured with applications of its kind.
  element_run of(target on, index_t bytes, bool is_usual) const;

  /// "in cache: no prefetch (default); from memory: prefetch 8 KiB ahead to L1, y by non-temporal stores (record of
  /// this device)"; one of the two where the regime is forced. Brief: "tuning in cache: default, from memory: record of
  /// this device".
  std::string describe(detail_level how) const;
  /// The same for applications of another kind.
  std::string describe_by_rule(target on, detail_level how) const;

 private:
  std::optional<element_run> given_;
  std::optional<memory_regime> in_;
  element_run cache_by_rule_ = ruled_element_run({}, target::reference, memory_regime::cache),
              stream_by_rule_ = ruled_element_run({}, target::reference, memory_regime::stream);
  element_run_choice cache_{cache_by_rule_, {"default"}}, stream_{stream_by_rule_, {"default"}};
};

}  // namespace tessera::detail
