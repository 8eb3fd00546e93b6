// SPDX-License-Identifier: BSD-3-Clause
// The device to tune: its name and limits, and evaluators for its cases.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluator.hpp"
#include "family.hpp"
#include "measure/trust.hpp"
#include "record.hpp"

namespace tessera::tune {

class tuned_device {
 public:
  virtual ~tuned_device() = default;

  /// The head of a record file, without records.
  const record_file& facts() const { return facts_; }
  const machine_limits& limits() const { return limits_; }
  const family& gemm() const { return gemm_; }
  /// For the texts of a case's tunings.
  const family& family_of(const tuning_case& c) const;
  /// The same as facts() for the files of another family.
  record_file facts_of(const std::string& family_name) const;

  /// Compiles the candidates that a search will probably need, many at once.
  virtual void warm_up(const std::vector<tuning_case>& cases, const std::vector<std::vector<config>>& likely) = 0;
  virtual std::unique_ptr<evaluator> evaluator_for(const tuning_case& c, const std::vector<config>& configs) = 0;

  /// The lower bound of the time of one product: the geometric mean of the bounds of C = A B and C += A B. Of an
  /// element, the time of copying as much as it reads and writes.
  bench::bound bound(const tuning_case& c) const;

  /// Keeps the best of each limit: other load on the machine only makes them worse.
  void measure_limits_again();

 protected:
  virtual machine_limits measured_limits() { return limits_; }

  record_file facts_;
  machine_limits limits_;
  family gemm_;
};

/// Measures the device's limits, about a second. Throws if it cannot be tuned: no compiler, no NVRTC.
std::unique_ptr<tuned_device> device_for(target on);

}  // namespace tessera::tune
