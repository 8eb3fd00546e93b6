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

/// D in device memory, or what it is computed from, and the kernels that take it.
template <class T>
struct device_source : point_source<T> {
  virtual device_data<T> data() const = 0;
  /// The kernels of that operator, or those in their place that compute D; throws where D is of another one.
  virtual const device_operator<T>& kernels_of(const device_operator<T>& by) const { return by; }
  space_kind space() const override { return space_kind::gpu; }
};

/// Factor f of point k of element e is at [k + points (f + factors e)].
template <class T, class Stored>
class device_points : public device_source<T> {
 public:
  device_points(const operator_sizes& s, index_t elements);

  /// Elements [first, first + count): `values_of` writes factor f of point k to values[f + factors k].
  void set_by(index_t first, index_t count, const std::function<void(index_t element, T* values)>& values_of);
  void set(index_t first, index_t count, const T* values) override;
  void get(index_t first, index_t count, T* values) const override;

  device_data<T> data() const override { return {.D = memory_.data(), .stored = scalar_of<Stored>}; }
  Stored* values() { return static_cast<Stored*>(memory_.data()); }
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
