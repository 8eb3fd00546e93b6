// SPDX-License-Identifier: BSD-3-Clause
// Brings what D is computed from to the device.
#include "device_set_up.hpp"

#include <vector>

namespace tessera::detail {

template <class T>
device_set_up<T>::device_set_up(const checked_geometry<T>& geometry, index_t reach) : geometry_(geometry) {
  const geometry_spec<T>& from = geometry.spec();
  const auto sent = [](const auto& numbers) {
    const std::vector<T> all(numbers.begin(), numbers.end());
    return device::on_device<T>(all);
  };
  coordinates_ = device::on_device<T>(from.coordinates, reach);
  if (!geometry.dense()) values_ = sent(from.interpolate);
  slopes_ = sent(geometry.derivatives());
  weights_ = sent(geometry.weights());
  coefficients_ = geometry.varying()
                      ? device::on_device<T>(from.at_points, from.elements * geometry.points() * from.given)
                      : sent(from.coefficients);
  what_ = {.coordinates = coordinates_.data(),
           .layout = from.layout,
           .values = values_.data(),
           .slopes = slopes_.data(),
           .weights = weights_.data(),
           .coefficients = coefficients_.data(),
           .given = from.given,
           .varying = geometry.varying(),
           .nodes = from.nodes,
           .q = geometry.q(),
           .points = geometry.points(),
           .elements = from.elements};
}

template <class T>
void device_set_up<T>::refuse(const device::set_up_result& found, const number_range<T>& range) const {
  if (found.bad < 0) geometry_.refuse_too_small(range);
  const index_t e = found.bad / what_.points;
  geometry_.refuse_elements(e, e + 1, found.bad % what_.points, range);
}

template class device_set_up<float>;
template class device_set_up<double>;

}  // namespace tessera::detail
