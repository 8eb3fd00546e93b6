// SPDX-License-Identifier: BSD-3-Clause
// Makes point data: stored as given, stored from the geometry, or computed at every use.
#include <algorithm>
#include <type_traits>
#include <vector>

#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/runtime.hpp>

#include "computed_points.hpp"
#include "device_nodes.hpp"
#include "device_points.hpp"
#include "device_set_up.hpp"
#include "stored_points.hpp"

namespace tessera {

namespace {

template <class T, class Stored>
std::shared_ptr<detail::stored_points<T, Stored>> filled(const detail::evaluation_state<T>& s,
                                                         const detail::computed_points<T>& from) {
  auto made = std::make_shared<detail::stored_points<T, Stored>>(s, from.elements());
  from.compute(detail::number_range<T>::template of<Stored>(),
               [&](index_t block, const T* D) { made->set_block(block, D); });
  return made;
}

// On the device, with the kernel that will read it.
template <class T, class Stored>
std::shared_ptr<detail::device_points<T, Stored>> on_device(const detail::evaluation_state<T>& s, index_t elements) {
  s.device->prepare(scalar_of<Stored>, s.repeats());
  return std::make_shared<detail::device_points<T, Stored>>(s, elements);
}

template <class T, class Stored>
std::shared_ptr<detail::device_points<T, Stored>> filled_on_device(const detail::evaluation_state<T>& s,
                                                                   const detail::device_set_up<T>& from,
                                                                   index_t elements) {
  auto made = on_device<T, Stored>(s, elements);
  from.run(made->values());
  return made;
}

// Entries of coordinates, from the first to the last one that is read.
template <class T>
index_t reach_of(const detail::evaluation_state<T>& s, const geometry_spec<T>& from) {
  index_t nodes = s.dense != nullptr ? from.nodes : 1;
  for (int a = 0; a < s.dim && s.dense == nullptr; ++a) nodes *= from.nodes;
  // The last element, or the last one of the last whole block, in a later lane.
  const index_t last = from.elements - 1, whole = from.elements / from.layout.lanes * from.layout.lanes - 1;
  index_t reach = 0;
  for (const index_t e : {last, whole})
    if (e >= 0) reach = std::max(reach, from.layout.offset(nodes - 1, s.dim - 1, e) + 1);
  return reach;
}

}  // namespace

template <class T>
point_data<T> point_data<T>::stored(const evaluation<T>& by, index_t elements, point_storage how) {
  if (elements < 0) throw error("point_data: " + std::to_string(elements) + " elements", status::invalid_argument);
  if (by.state_->device != nullptr) {
    if (how == point_storage::in_float) return point_data(on_device<T, float>(*by.state_, elements));
    return point_data(on_device<T, T>(*by.state_, elements));
  }
  if (how == point_storage::in_float)
    return point_data(std::make_shared<detail::stored_points<T, float>>(*by.state_, elements));
  return point_data(std::make_shared<detail::stored_points<T, T>>(*by.state_, elements));
}

template <class T>
point_data<T> point_data<T>::stored(const evaluation<T>& by, const geometry_spec<T>& from, point_storage how) {
  const detail::computed_points<T> points(*by.state_, from);
  if (by.state_->device != nullptr) {
    const detail::device_set_up<T> there(*by.state_, points, reach_of(*by.state_, points.spec()));
    if (how == point_storage::in_float) return point_data(filled_on_device<T, float>(*by.state_, there, from.elements));
    return point_data(filled_on_device<T, T>(*by.state_, there, from.elements));
  }
  if (how == point_storage::in_float) return point_data(filled<T, float>(*by.state_, points));
  return point_data(filled<T, T>(*by.state_, points));
}

template <class T>
point_data<T> point_data<T>::computed(const evaluation<T>& by, const geometry_spec<T>& from) {
  if (by.state_->device != nullptr) {
    const detail::computed_points<T> points(*by.state_, from);
    const index_t reach = reach_of(*by.state_, points.spec());
    detail::device_set_up<T>(*by.state_, points, reach).check();
    return point_data(std::make_shared<detail::device_nodes<T>>(*by.state_, points.spec(), points.kind(), reach));
  }
  auto points = std::make_shared<detail::computed_points<T>>(*by.state_, from);
  points->check();
  return point_data(std::move(points));
}

template <class T>
index_t point_data<T>::elements() const {
  return source_->elements();
}
template <class T>
bool point_data<T>::is_stored() const {
  return source_->is_stored();
}
template <class T>
std::size_t point_data<T>::bytes() const {
  return source_->bytes();
}
template <class T>
std::string point_data<T>::describe() const {
  return source_->describe();
}
template <class T>
void point_data<T>::set(index_t first, index_t count, const T* values) {
  if (first < 0 || count < 0 || first > elements() || count > elements() - first)
    throw error("point_data::set: " + std::to_string(count) + " elements from " + std::to_string(first) + " on, of " +
                std::to_string(elements()));
  if (values == nullptr && count > 0) throw error("point_data::set: values are a null pointer", status::null_pointer);
  source_->set(first, count, values);
}

template class point_data<float>;
template class point_data<double>;

}  // namespace tessera
