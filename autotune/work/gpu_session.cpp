// SPDX-License-Identifier: BSD-3-Clause
// Serves requests about GPU rows. After a kernel has broken the device's context every later call fails: the tuner then
// starts another worker.
#include "work/gpu_session.hpp"

#include <tessera/error.hpp>

#include "measure/gpu/device.hpp"
#include "measure/gpu/nvml.hpp"
#include "space/as_config.hpp"
#include "space/element_space.hpp"
#include "space/matrix_space.hpp"
#include "work/gpu_check.hpp"
#include "work/worker.hpp"

namespace tessera::tune {

using nlohmann::json;

namespace {

config config_in(const json& tuning) {
  config how;
  for (std::size_t i = 0; i < tuning.size() && i < std::size_t(max_axes); ++i) how.value[i] = tuning[i];
  return how;
}

jit_gemm row_of(const tuning_case& c, const json& tuning) {
  return {c.type, c.m, c.n, c.k, as_tuning<gpu_gemm_tuning>(config_in(tuning)), c.layouts};
}

json device_facts() {
  const bench::device::facts& here = bench::device::this_device();
  if (!here.present) throw error("there is no usable GPU", status::no_device);
  const std::string driver = bench::nvml::driver();
  return {{"how", "ok"},
          {"name", here.name},
          {"capability", here.capability},
          {"driver", driver.empty() ? "CUDA " + here.driver : driver},
          {"toolkit", here.runtime},
          {"multiprocessors", here.multiprocessors},
          {"clock_mhz", here.clock_mhz}};
}

// Of the best copy, beyond L2 and inside of it; of FMA chains.
json device_limits() {
  namespace device = bench::device;
  return {{"how", "ok"},
          {"bandwidth_stream", device::copy_bandwidth(operand_bytes_on_gpu(memory_regime::stream))},
          {"bandwidth_cache", device::copy_bandwidth(operand_bytes_on_gpu(memory_regime::cache))},
          {"flops_f32", device::fma_peak(scalar_type::f32, false)},
          {"flops_f64", device::fma_peak(scalar_type::f64, false)}};
}

}  // namespace

const jit_kernel& gpu_session::kernel(const json& request) {
  const json& tuning = request.at("tuning");
  const std::string key = key_of(case_) + tuning.dump();
  if (const auto found = kernels_.find(key); found != kernels_.end()) return found->second;
  const jit_gemm what = row_of(case_, tuning);
  // Compiled by the tuner before: this reads its machine code.
  const jit_code code = jit_compile({&what, 1}, {.cache_folder = request.at("cache"), .threads = 1}).front();
  if (code.machine_code.empty()) throw error("the row does not compile: " + code.log);
  return kernels_.emplace(key, jit_kernel(what, code)).first->second;
}

const jit_element_kernel& gpu_session::element_kernel(const json& request) {
  const json& tuning = request.at("tuning");
  const std::string key = tuning.dump();
  if (const auto found = element_kernels_.find(key); found != element_kernels_.end()) return found->second;
  return element_kernels_
      .emplace(key, element_kernel_of(jit_element_of(case_, config_in(tuning)), tables_of(*case_.element),
                                      request.at("cache")))
      .first->second;
}

const jit_matrix_kernel& gpu_session::matrix_kernel(const json& request) {
  const json& tuning = request.at("tuning");
  const std::string key = tuning.dump();
  if (const auto found = matrix_kernels_.find(key); found != matrix_kernels_.end()) return found->second;
  return matrix_kernels_
      .emplace(key, matrix_kernel_of(jit_matrix_of(case_, config_in(tuning)), tables_of(*case_.element),
                                     request.at("cache")))
      .first->second;
}

std::string gpu_session::fault_of(const jit_kernel& kernel, const json&) { return gpu_fault_of(kernel, case_); }
std::string gpu_session::fault_of(const jit_element_kernel& kernel, const json& request) {
  if (!judge_) judge_.emplace(case_, request.at("cache"));
  return judge_->fault_of(kernel);
}

std::string gpu_session::fault_of(const jit_matrix_kernel& kernel, const json& request) {
  if (!matrix_judge_) matrix_judge_.emplace(case_, request.at("cache"));
  return matrix_judge_->fault_of(kernel);
}

template <class Kernel>
json gpu_session::answer_about(const Kernel& kernel, const json& request) {
  const std::string what = request.at("do");
  if (what == "gpu load")
    return {{"how", "ok"}, {"registers", kernel.registers()}, {"local_bytes", kernel.local_bytes()}};
  if (what == "gpu check") {
    const std::string fault = fault_of(kernel, request);
    return {{"how", fault.empty() ? "ok" : "wrong"}, {"reason", fault}};
  }
  const double seconds = ground().sample(kernel, case_, request.at("least"));
  return {{"how", "ok"}, {"seconds", seconds}, {"mhz", bench::nvml::clock_mhz()}, {"watts", bench::nvml::watts()}};
}

gpu_timing_ground& gpu_session::ground() {
  std::optional<gpu_timing_ground>& of_type = grounds_[case_.type == scalar_type::f32 ? 0 : 1];
  if (!of_type) of_type.emplace(case_.type);
  return *of_type;
}

json gpu_session::answer(const json& request) {
  const std::string what = request.at("do");
  if (what == "gpu device") return device_facts();
  if (what == "gpu limits") return device_limits();
  if (what == "gpu case") {
    case_ = case_of(request);
    kernels_.clear();
    element_kernels_.clear();
    matrix_kernels_.clear();
    judge_.reset();
    matrix_judge_.reset();
    // Lack of memory for timing is a failure of the device, not of a candidate.
    ground();
    return {{"how", "ok"}};
  }
  if (case_.is_of_matrices()) return answer_about(matrix_kernel(request), request);
  if (case_.element) return answer_about(element_kernel(request), request);
  return answer_about(kernel(request), request);
}

}  // namespace tessera::tune
