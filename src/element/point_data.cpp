// SPDX-License-Identifier: BSD-3-Clause
// Makes point data: stored as given, stored from the geometry, or computed at every use.
#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>

#include "backend.hpp"
#include "output_check.hpp"

namespace tessera {

template <class T>
point_data<T> point_data<T>::stored(const evaluation<T>& by, index_t elements, point_storage how) {
  if (elements < 0) throw error("element data: " + std::to_string(elements) + " elements", status::invalid_argument);
  return point_data(by.state_->on->points(elements, how));
}

template <class T>
point_data<T> point_data<T>::stored(const evaluation<T>& by, const geometry_spec<T>& from, point_storage how) {
  return point_data(by.state_->on->points(from, how));
}

template <class T>
point_data<T> point_data<T>::computed(const evaluation<T>& by, const geometry_spec<T>& from) {
  return point_data(by.state_->on->computed_points(from));
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

namespace {

void check_elements_of_data(const char* operation, index_t first, index_t count, index_t elements, const void* values) {
  if (first < 0 || count < 0 || first > elements || count > elements - first)
    throw error(std::string(operation) + ": " + std::to_string(count) + " elements from " + std::to_string(first) +
                " on, of " + std::to_string(elements));
  if (values == nullptr && count > 0)
    throw error(std::string(operation) + ": values are a null pointer", status::null_pointer);
}

}  // namespace

template <class T>
void point_data<T>::set(index_t first, index_t count, const T* values) {
  check_elements_of_data("point_data::set", first, count, elements(), values);
  source_->set(first, count, values);
}

template <class T>
void point_data<T>::get(index_t first, index_t count, T* values) const {
  check_elements_of_data("point_data::get", first, count, elements(), values);
  if (count == 0) return;
  check_output("point_data::get: values", values, count * source_->block_entries());
  source_->get(first, count, values);
}

template <class T>
void point_data<T>::check_output(const char* what, const T* at, index_t count) const {
  detail::check_aligned(what, at);
  detail::check_apart<T>(what, {element_layout::conventional(count, 1), count, 1, 0, 1}, at, *source_);
}

template class point_data<float>;
template class point_data<double>;

}  // namespace tessera
