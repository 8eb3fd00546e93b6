// SPDX-License-Identifier: BSD-3-Clause
// Vectors of a case: in host memory, or in device memory with a copy back.
#pragma once

#include <tessera/memory.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include "measure/gpu/device.hpp"

namespace tessera::demo {

class vector {
 public:
  vector(space_kind space, index_t size) : memory_(space, std::size_t(size) * sizeof(double)) {}
  vector(space_kind space, std::span<const double> values) : vector(space, index_t(values.size())) {
    if (space == space_kind::gpu)
      bench::device::upload(data(), values.data(), values.size_bytes());
    else
      std::copy(values.begin(), values.end(), data());
  }

  double* data() const { return static_cast<double*>(memory_.data()); }
  std::size_t size() const { return memory_.bytes() / sizeof(double); }
  /// In host memory.
  vector host() const {
    vector there(space_kind::cpu, index_t(size()));
    if (memory_.space() == space_kind::gpu)
      bench::device::download(there.data(), data(), memory_.bytes());
    else
      std::copy_n(data(), size(), there.data());
    return there;
  }
  std::span<const double> values() const { return {data(), size()}; }

 private:
  buffer memory_;
};

/// Numbers in [-1, 1] without a pattern.
inline vector random_vector(index_t size) {
  vector v(space_kind::cpu, size);
  double* const to = v.data();
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < size; ++i) {
    const auto bits = std::uint64_t(i + 1) * 0x9e3779b97f4a7c15u;
    to[i] = double((bits ^ bits >> 29) % 20001) * 1e-4 - 1;
  }
  return v;
}

/// The largest difference, relative to the largest entry of `right`; infinite if there is a NaN.
inline double difference(std::span<const double> got, std::span<const double> right) {
  double off = 0, scale = 0;
  bool whole = got.size() == right.size();
#pragma omp parallel for schedule(static) reduction(max : off, scale) reduction(&& : whole)
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double now = std::abs(got[i] - right[i]);
    whole = whole && now < INFINITY;
    off = std::max(off, now);
    scale = std::max(scale, std::abs(right[i]));
  }
  return whole && scale > 0 ? off / scale : INFINITY;
}

}  // namespace tessera::demo
