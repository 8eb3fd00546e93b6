// SPDX-License-Identifier: BSD-3-Clause
// cuTENSOR 2, opened at run time: the part of its C interface that the peers use, and where it is searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/shared_library.hpp"

namespace tessera::bench::cutensor {

/// Its file or folder, in the environment: then it is searched nowhere else.
inline constexpr const char* variable = "TESSERA_CUTENSOR";

// Opaque structures behind pointers.
struct context;
struct tensor_descriptor;
struct operation_descriptor;
struct plan_preference;
struct execution_plan;
struct compute_descriptor;

// Values of its enumerations, which are 32-bit integers.
using status = std::int32_t;
inline constexpr status success = 0, not_supported = 15;
enum class algorithm : std::int32_t { standard = -1, ttgt = -2, tgett = -3, gett = -4, patient = -6 };
enum class workspace : std::int32_t { recommended = 2, most = 3 };
inline constexpr std::int32_t identity_operator = 1, no_jit = 0;
inline constexpr std::int32_t scalar_type_attribute = 1, kernel_rank_attribute = 4, required_workspace_attribute = 0;
enum class data_type : std::int32_t { f32 = 0, f64 = 1, f16 = 2, c32 = 4, c64 = 5, bf16 = 14 };

struct functions {
  status (*create)(context**) = nullptr;
  status (*create_tensor)(const context*, tensor_descriptor**, std::uint32_t modes, const std::int64_t* extents,
                          const std::int64_t* strides, data_type, std::uint32_t alignment) = nullptr;
  status (*destroy_tensor)(tensor_descriptor*) = nullptr;
  status (*create_contraction)(const context*, operation_descriptor**, const tensor_descriptor* a,
                               const std::int32_t* modes_a, std::int32_t operator_a, const tensor_descriptor* b,
                               const std::int32_t* modes_b, std::int32_t operator_b, const tensor_descriptor* c,
                               const std::int32_t* modes_c, std::int32_t operator_c, const tensor_descriptor* d,
                               const std::int32_t* modes_d, const compute_descriptor*) = nullptr;
  status (*destroy_operation)(operation_descriptor*) = nullptr;
  status (*get_of_operation)(const context*, operation_descriptor*, std::int32_t attribute, void* value,
                             std::size_t bytes) = nullptr;
  status (*create_preference)(const context*, plan_preference**, algorithm, std::int32_t jit) = nullptr;
  status (*destroy_preference)(plan_preference*) = nullptr;
  status (*set_of_preference)(const context*, plan_preference*, std::int32_t attribute, const void* value,
                              std::size_t bytes) = nullptr;
  status (*estimate_workspace)(const context*, const operation_descriptor*, const plan_preference*, workspace,
                               std::uint64_t* bytes) = nullptr;
  status (*create_plan)(const context*, execution_plan**, const operation_descriptor*, const plan_preference*,
                        std::uint64_t most_workspace) = nullptr;
  status (*destroy_plan)(execution_plan*) = nullptr;
  status (*get_of_plan)(const context*, const execution_plan*, std::int32_t attribute, void* value,
                        std::size_t bytes) = nullptr;
  status (*contract)(const context*, const execution_plan*, const void* alpha, const void* a, const void* b,
                     const void* beta, const void* c, void* d, void* workspace, std::uint64_t bytes,
                     void* stream) = nullptr;
  const char* (*text_of)(status) = nullptr;
  std::size_t (*version)() = nullptr;
};

/// What to open, in this order: the file or folder of the environment alone; or the loader's folders and those in which
/// Python installed its wheels.
std::vector<std::string> candidates();

class library {
 public:
  /// Opens the first of these that can be opened; it stays open until the program ends. It may then still be unusable:
  /// of another version, without a function, without a device.
  explicit library(const std::vector<std::string>& names);

  bool usable() const { return context_ != nullptr; }
  /// "cuTENSOR 2.8.1", or the reason why it is not usable, in one line.
  const std::string& version() const { return version_; }
  const context* handle() const { return context_; }
  const functions& calls() const { return calls_; }
  /// CUTENSOR_COMPUTE_DESC_ and this: "64F", "3XTF32". Null if it has no such precision.
  const compute_descriptor* precision(const std::string& name) const;
  /// Throws tessera::error naming the function, and what the library says, unless the status is that of success.
  void require(status s, const char* function) const;

 private:
  shared_library file_;
  functions calls_;
  context* context_ = nullptr;
  std::string version_;
};

}  // namespace tessera::bench::cutensor
