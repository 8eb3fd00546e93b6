// SPDX-License-Identifier: BSD-3-Clause
// Brings nodes and coefficients to the device, and has kernels made that compute D from them.
#include "device_nodes.hpp"

#include <tessera/error.hpp>

namespace tessera::detail {

namespace {

template <class T>
node_functions functions_of(const operator_sizes& s, const checked_geometry<T>& geometry) {
  const geometry_spec<T>& from = geometry.spec();
  const auto refuse = [&](const std::string& why) {
    throw error("element data: " + s.name + ": D computed on a GPU " + why, status::no_target);
  };
  if (index_t(from.weights.size()) != s.q)
    refuse("takes weights of a direction, " + std::to_string(s.q) + ", not " + std::to_string(from.weights.size()));
  return {.nodes = from.nodes,
          .computes = {.kind = geometry.kind(), .given = from.given, .at_points = geometry.varying()},
          .tables = {.interpolate = from.interpolate,
                     .weights = from.weights,
                     .coefficients = geometry.varying() ? std::vector<double>{} : from.coefficients,
                     .gradients = from.gradients}};
}

}  // namespace

template <class T>
device_nodes<T>::device_nodes(const operator_sizes& s, std::shared_ptr<const device_operator<T>> of,
                              const checked_geometry<T>& geometry, index_t reach)
    : elements_(geometry.spec().elements), entries_(s.entries()), nodes_(geometry.spec().nodes), of_(std::move(of)) {
  const geometry_spec<T>& from = geometry.spec();
  const auto by_lines = std::dynamic_pointer_cast<const device_evaluation<T>>(of_);
  if (by_lines == nullptr)
    throw error("element data: " + s.name + ": D of dense tables on a GPU is stored, not computed at each application",
                status::no_target);
  kernels_ = by_lines->computing(functions_of(s, geometry));
  kernels_->prepare(scalar_of<T>, s.repeats());
  const index_t coefficients = geometry.varying() ? from.elements * s.points() * from.given : 0;
  coordinates_ = device::on_device<T>(from.coordinates, reach);
  coefficients_ = device::on_device<T>(from.at_points, coefficients);
  bytes_ = std::size_t(reach + coefficients) * sizeof(T);
  reads_ = geometry.reads();
  for (const auto& [copied, read] :
       {std::pair(coordinates_.data() != from.coordinates, 0), std::pair(coefficients_.data() != from.at_points, 1)})
    if (copied) reads_[std::size_t(read)] = {};
  data_.nodes = {.coordinates = coordinates_.data(), .layout = from.layout, .coefficients = coefficients_.data()};
}

template <class T>
void device_nodes<T>::set(index_t, index_t, const T*) {
  throw error("element data: set: this D is computed from the geometry", status::invalid_argument);
}

template <class T>
void device_nodes<T>::get(index_t, index_t, T*) const {
  throw error("point_data::get: a GPU computes this D at each application, and keeps none", status::no_target);
}

template <class T>
const device_operator<T>& device_nodes<T>::kernels_of(const device_operator<T>& by) const {
  if (&by != of_.get())
    throw error("evaluation::apply: D is computed at each application of another operator", status::shape_mismatch);
  return *kernels_;
}

template <class T>
std::string device_nodes<T>::describe() const {
  return "computed at each application from " + std::to_string(nodes_) + " nodes a direction, " +
         name_of(scalar_of<T>) + ", by a kernel of its own, " + kernels_->describe(detail_level::full);
}

template class device_nodes<float>;
template class device_nodes<double>;

}  // namespace tessera::detail
