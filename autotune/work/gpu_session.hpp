// SPDX-License-Identifier: BSD-3-Clause
// The worker's side of GPU candidates: loads compiled rows, checks and times them.
//
// Requests and answers, as in work/worker.hpp:
//   {"do": "gpu device"}                                  {"how", "name", "capability", "driver", "toolkit",
//   "clock_mhz"}
//   {"do": "gpu limits"}                                  {"how", "bandwidth_stream", ..., "flops_f64"}
//   {"do": "gpu case", "target", "type", ...}             the case of what follows, a product or an element operator
//                                                         {"how": "ok"}
//   {"do": "gpu load", "tuning": [...], "cache": folder}  {"how", "registers", "local_bytes"}
//   {"do": "gpu check", "tuning", "cache"}                {"how": "ok" or "wrong", "reason"}
//   {"do": "gpu time", "tuning", "cache", "least"}        {"how", "seconds", "mhz", "watts"}
#pragma once

#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include <tessera/detail/jit.hpp>

#include "tuning_case.hpp"
#include "work/element_check.hpp"
#include "work/gpu_timing.hpp"
#include "work/matrix_check.hpp"

namespace tessera::tune {

class gpu_session {
 public:
  /// Throws if the device or the driver fails.
  nlohmann::json answer(const nlohmann::json& request);

 private:
  const jit_kernel& kernel(const nlohmann::json& request);
  const jit_element_kernel& element_kernel(const nlohmann::json& request);
  const jit_matrix_kernel& matrix_kernel(const nlohmann::json& request);
  std::string fault_of(const jit_kernel& kernel, const nlohmann::json& request);
  std::string fault_of(const jit_element_kernel& kernel, const nlohmann::json& request);
  std::string fault_of(const jit_matrix_kernel& kernel, const nlohmann::json& request);
  template <class Kernel>
  nlohmann::json answer_about(const Kernel& kernel, const nlohmann::json& request);
  gpu_timing_ground& ground();

  tuning_case case_;
  std::map<std::string, jit_kernel> kernels_;
  std::map<std::string, jit_element_kernel> element_kernels_;
  std::map<std::string, jit_matrix_kernel> matrix_kernels_;
  std::optional<element_judge> judge_;
  std::optional<matrix_judge> matrix_judge_;
  std::optional<gpu_timing_ground> grounds_[2];  // of each type, kept from case to case
};

}  // namespace tessera::tune
