// SPDX-License-Identifier: BSD-3-Clause
// The structures of DLPack, by which array libraries hand each other their arrays: both versions of the exchange.
#pragma once

#include <cstdint>

namespace tessera::python::dlpack {

enum device : std::int32_t { on_cpu = 1, on_cuda = 2, on_cuda_host = 3, on_cuda_managed = 13 };
enum code : std::uint8_t { is_integer = 0, is_unsigned = 1, is_float = 2, is_bfloat = 4, is_complex = 5, is_bool = 6 };

struct device_type {
  std::int32_t kind;
  std::int32_t id;
};

struct data_type {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct tensor {
  void* data;
  device_type device;
  std::int32_t rank;
  data_type type;
  std::int64_t* shape;
  std::int64_t* strides;  // in entries; null: contiguous, the last index fastest
  std::uint64_t byte_offset;
};

/// A capsule of the name "dltensor".
struct managed_tensor {
  tensor what;
  void* context;
  void (*release)(managed_tensor*);
};

inline constexpr std::uint64_t read_only = 1;

/// A capsule of the name "dltensor_versioned".
struct versioned_tensor {
  std::uint32_t major, minor;
  void* context;
  void (*release)(versioned_tensor*);
  std::uint64_t flags;
  tensor what;
};

}  // namespace tessera::python::dlpack
