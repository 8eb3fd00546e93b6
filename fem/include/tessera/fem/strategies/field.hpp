// SPDX-License-Identifier: BSD-3-Clause
// field: packed tensors, one per element or one for all, in a memory space that is chosen at run time.
#pragma once

#include <tessera/copy.hpp>
#include <tessera/memory.hpp>
#include <tessera/operand.hpp>

#include <string>
#include <vector>

namespace tessera::fem {

/// An operand over packed column-major tensors of `sizes`, entry i of tensor e at data[i + sizes.size() e].
operand packed_operand(scalar_type type, space_kind space, const shape& sizes, index_t count, const void* data);

/// The same memory as one tensor shared by all elements.
operand shared_operand(scalar_type type, space_kind space, const shape& sizes, const void* data);

/// Owns `count` packed tensors: an E-vector, the element matrices, or data at points. As an argument of a plan or a
/// chain it is a batch; `shared()` is its first tensor, shared by all elements. T is float or double.
template <class T>
class field {
 public:
  using value_type = T;

  field() = default;
  /// Zeroed. Throws on sizes that overflow, and status::no_device for space gpu without one.
  field(space_kind space, const shape& sizes, index_t count)
      : space_(space), sizes_(sizes), count_(count), memory_(space, checked_bytes()) {}

  /// A copy of `values`, which has sizes.size() entries for each of `count` tensors.
  field(space_kind space, const shape& sizes, index_t count, const std::vector<T>& values)
      : field(space, sizes, count) {
    set(values);
  }

  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  space_kind space() const { return space_; }
  const shape& sizes() const { return sizes_; }
  index_t count() const { return count_; }
  std::size_t bytes() const { return memory_.bytes(); }

  operand batch() { return packed_operand(scalar_of<T>, space_, sizes_, count_, data()); }
  operand batch() const {
    operand o = packed_operand(scalar_of<T>, space_, sizes_, count_, data());
    o.writable = false;
    return o;
  }
  operand shared() const { return shared_operand(scalar_of<T>, space_, sizes_, data()); }

  std::vector<T> host() const {
    std::vector<T> values(static_cast<std::size_t>(sizes_.size() * count_));
    copy_operand(batch(), packed_operand(scalar_of<T>, space_kind::cpu, sizes_, count_, values.data()), std::nullopt);
    return values;
  }
  void set(const std::vector<T>& values) {
    if (static_cast<index_t>(values.size()) != sizes_.size() * count_)
      throw error("field::set: " + std::to_string(values.size()) + " values for " + std::to_string(count_) +
                      " tensors of extents " + text_of(sizes_),
                  status::shape_mismatch);
    operand from = packed_operand(scalar_of<T>, space_kind::cpu, sizes_, count_, values.data());
    from.writable = false;
    copy_operand(from, batch(), std::nullopt);
  }

 private:
  std::size_t checked_bytes() const {
    check_extents("field", sizes_.data(), sizes_.rank());
    check_batch("field", count_, sizes_.size() * static_cast<index_t>(sizeof(T)), text_of(sizes_));
    return static_cast<std::size_t>(count_ * sizes_.size()) * sizeof(T);
  }

  space_kind space_ = space_kind::cpu;
  shape sizes_;
  index_t count_ = 0;
  buffer memory_;
};

/// For plans, chains and copies: a field is a batch.
template <class T>
operand operand_of(field<T>& f) {
  return f.batch();
}
template <class T>
operand operand_of(const field<T>& f) {
  return f.batch();
}

}  // namespace tessera::fem
