// SPDX-License-Identifier: BSD-3-Clause
// D in device memory, factor by factor, in the operator's type or in float.
#pragma once

#include <functional>

#include <tessera/memory.hpp>
#include <tessera/scalar.hpp>

#include "device_operator.hpp"
#include "src/element/operator_sizes.hpp"
#include "src/element/point_source.hpp"

namespace tessera::detail {

/// On the device, with the kernels that take it.
template <class T>
struct device_source : point_source<T> {
  /// Queues an application of `by`.
  virtual void apply(const device_operator<T>& by, const element_set& which, const application<T>& a,
                     int repeats) const = 0;
  /// Nothing where D is not stored.
  virtual const void* data() const { return nullptr; }
  virtual scalar_type stored_as() const { return scalar_of<T>; }
  space_kind space() const override { return space_kind::gpu; }
};

/// Factor f of point k of element e stands at [k + points (f + factors e)].
template <class T, class Stored>
class device_points : public device_source<T> {
 public:
  device_points(const operator_sizes& s, index_t elements);

  /// Elements [first, first + count): `values_of` writes factor f of point k to values[f + factors k].
  void set_by(index_t first, index_t count, const std::function<void(index_t element, T* values)>& values_of);
  void set(index_t first, index_t count, const T* values) override;
  void apply(const device_operator<T>& by, const element_set& which, const application<T>& a,
             int repeats) const override;

  const void* data() const override { return memory_.data(); }
  Stored* values() { return static_cast<Stored*>(memory_.data()); }
  scalar_type stored_as() const override { return scalar_of<Stored>; }
  index_t elements() const override { return elements_; }
  index_t lanes() const override { return 1; }
  index_t block_entries() const override { return points_ * factors_; }
  std::size_t bytes() const override { return memory_.bytes(); }
  std::string describe() const override {
    return std::string("stored in device memory, ") + name_of(scalar_of<Stored>);
  }

 private:
  index_t elements_, points_;
  int factors_;
  buffer memory_;
};

}  // namespace tessera::detail
