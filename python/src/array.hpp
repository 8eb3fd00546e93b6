// SPDX-License-Identifier: BSD-3-Clause
// array: what Python hands over, by the buffer protocol or DLPack, without a copy.
#pragma once

#include <cstdint>
#include <string>

#include <nanobind/nanobind.h>

#include <tessera/core/scalar_type.hpp>
#include <tessera/core/types.hpp>
#include <tessera/space.hpp>

#include "stream.hpp"

namespace tessera::python {

namespace nb = nanobind;

/// The entries of a Python array: they stay as long as this does. Entry (i0, i1, ...) is at data + i0 stride[0] + ...
/// entries. Move only.
class array {
 public:
  /// Throws TypeError for what is no array and for entries that Tessera has no type for, ValueError for strides that
  /// are no whole entries. `name` is for the text: "operand 1". `stream`: the CUDA stream in which the caller will use
  /// an array of a GPU; its owner makes that stream wait for its own work. Memory of a GPU that is not the current one
  /// is a ValueError, and tessera::error where none can be used.
  array(nb::handle from, const char* name, call_stream stream = {});
  array(const array&) = delete;
  array(array&& other) noexcept;
  array& operator=(const array&) = delete;
  array& operator=(array&&) = delete;
  ~array();

  void* data() const { return data_; }
  scalar_type type() const { return type_; }
  space_kind space() const { return space_; }
  /// Which GPU its memory is of; 0 for a CPU.
  int device() const { return device_; }
  bool is_writable() const { return writable_; }
  int rank() const { return rank_; }
  index_t extent(int d) const { return extent_[d]; }
  index_t stride(int d) const { return stride_[d]; }
  index_t size() const;
  /// Whether entries lie one behind the other in the order of Python's indices, the last fastest.
  bool is_contiguous() const;

 private:
  /// False where the object cannot give its entries so, and has DLPack, too.
  bool take_buffer(nb::handle from, const array_kind& kind, const char* name);
  void take_dlpack(nb::handle from, const array_kind& kind, const char* name, call_stream stream);
  void set_packed_strides();
  void release() noexcept;

  void* data_ = nullptr;
  scalar_type type_ = scalar_type::f64;
  space_kind space_ = space_kind::cpu;
  bool writable_ = false;
  bool has_buffer_ = false;
  int rank_ = 0;
  int device_ = 0;
  index_t extent_[max_rank];  // the first rank_
  index_t stride_[max_rank];
  Py_buffer buffer_;             // of the buffer protocol, if has_buffer_
  PyObject* capsule_ = nullptr;  // of DLPack
};

/// "float64": the name that numpy and others have for it.
const char* dtype_name(scalar_type type);
/// Whether there is a type of that name.
bool is_dtype(const char* name);
/// The type of that name. Throws ValueError, listing all.
scalar_type type_of_dtype(const char* name);

/// Whether numpy may take an object for an array: it is one of numpy's or like one, in host memory, or no array at all.
bool is_for_numpy(nb::handle x, const char* name);

/// Throws TypeError for entries of another type.
void check_type(const array& a, const char* name, scalar_type type);

/// The number of the GPU that is current, of what is in that space; 0 for a CPU.
int current_gpu(space_kind space);
/// Throws ValueError for memory of another GPU than the one that `whose`, "the operator", is on.
void check_device(const array& a, const char* name, int gpu, const char* whose);

/// The entries of a vector or another contiguous array of exactly `entries` entries of that type, in that space, which
/// will be written or not: for operators. Throws TypeError for another type, ValueError for what else is another.
void* entries_of(const array& a, const char* name, scalar_type type, index_t entries, space_kind space, bool written);

}  // namespace tessera::python
