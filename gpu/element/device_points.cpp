// SPDX-License-Identifier: BSD-3-Clause
// Brings D to the device: from the host some elements at a time, from device memory by a kernel.
#include "device_points.hpp"

#include <algorithm>
#include <vector>

#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/element/points.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "src/element/narrowing_check.hpp"

namespace tessera::detail {

namespace {

std::size_t as_size(index_t i) { return std::size_t(i); }

}  // namespace

template <class T, class Stored>
device_points<T, Stored>::device_points(const operator_sizes& s, index_t elements)
    : elements_(elements),
      points_(s.points()),
      factors_(s.factors),
      memory_(space_kind::gpu, as_size(checked_product("element data: " + s.name + ", D", {elements, points_, factors_},
                                                       sizeof(Stored))) *
                                   sizeof(Stored)) {}

template <class T, class Stored>
void device_points<T, Stored>::set_by(index_t first, index_t count,
                                      const std::function<void(index_t element, T* values)>& values_of) {
  const index_t entries = points_ * factors_;
  const index_t at_once = std::clamp<index_t>((index_t{1} << 22) / entries, 1, std::max<index_t>(count, 1));
  std::vector<T> values(as_size(entries));
  std::vector<Stored> turned(as_size(entries * at_once));
  for (index_t done = 0; done < count; done += at_once) {
    const index_t some = std::min(at_once, count - done);
    for (index_t e = 0; e < some; ++e) {
      values_of(first + done + e, values.data());
      for (index_t k = 0; k < points_; ++k)
        for (index_t f = 0; f < factors_; ++f)
          turned[as_size(k + points_ * (f + factors_ * e))] = Stored(values[as_size(f + factors_ * k)]);
    }
    device::copy(static_cast<Stored*>(memory_.data()) + (first + done) * entries, turned.data(),
                 as_size(some * entries) * sizeof(Stored), device::direction::host_to_device);
  }
}

template <class T, class Stored>
void device_points<T, Stored>::set(index_t first, index_t count, const T* values) {
  const index_t entries = points_ * factors_;
  if (device::is_device_pointer(values)) {
    device::store_points(values, count, points_, factors_, static_cast<Stored*>(memory_.data()) + first * entries);
    device::stream_synchronize(nullptr);
    return;
  }
  check_narrowing<Stored>(values, first, count, points_, factors_);
  set_by(first, count, [&](index_t e, T* to) { std::copy_n(values + (e - first) * entries, entries, to); });
}

template <class T, class Stored>
void device_points<T, Stored>::get(index_t first, index_t count, T* values) const {
  if (device::is_device_pointer(values))
    throw error("point_data::get: values are in device memory; D is read into host memory", status::wrong_space);
  const index_t entries = points_ * factors_;
  const index_t at_once = std::clamp<index_t>((index_t{1} << 22) / entries, 1, std::max<index_t>(count, 1));
  std::vector<Stored> turned(as_size(entries * at_once));
  device::stream_synchronize(nullptr);  // D may still be computed there
  for (index_t done = 0; done < count; done += at_once) {
    const index_t some = std::min(at_once, count - done);
    device::copy(turned.data(), static_cast<const Stored*>(memory_.data()) + (first + done) * entries,
                 as_size(some * entries) * sizeof(Stored), device::direction::device_to_host);
    for (index_t e = 0; e < some; ++e)
      for (index_t k = 0; k < points_; ++k)
        for (index_t f = 0; f < factors_; ++f)
          values[f + factors_ * (k + points_ * (done + e))] = T(turned[as_size(k + points_ * (f + factors_ * e))]);
  }
}

template class device_points<float, float>;
template class device_points<double, double>;
template class device_points<double, float>;

}  // namespace tessera::detail
