// SPDX-License-Identifier: BSD-3-Clause
// Makes point data: stored as given, stored from the geometry, or computed at every use.
#include <type_traits>

#include <tessera/cpu/parallel.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>

#include "computed_points.hpp"
#include "scratch.hpp"
#include "stored_points.hpp"

namespace tessera {

namespace {

template <class T, class Stored>
std::shared_ptr<detail::stored_points<T, Stored>> filled(const detail::evaluation_state<T>& s,
                                                         const detail::computed_points<T>& from) {
  auto made = std::make_shared<detail::stored_points<T, Stored>>(s, from.elements());
  struct work {
    const detail::computed_points<T>* from;
    detail::stored_points<T, Stored>* to;
  } context{&from, made.get()};
  const index_t lanes = s.lanes();
  for_batch_chunks((from.elements() + lanes - 1) / lanes,
                   [](const void* given, index_t first, index_t last) {
                     const work& w = *static_cast<const work*>(given);
                     const index_t width = w.from->lanes();
                     T* const scratch =
                         static_cast<T*>(detail::thread_scratch::of(std::size_t(w.from->scratch()) * sizeof(T)));
                     for (index_t b = first; b < last; ++b) {
                       detail::lane_elements elements;
                       for (index_t i = 0; i < width; ++i)
                         elements.element[i] = b * width + i < w.from->elements() ? b * width + i : b * width;
                       w.to->set_block(b, w.from->block(elements, scratch));
                     }
                   },
                   &context);
  return made;
}

}  // namespace

template <class T>
point_data<T> point_data<T>::stored(const evaluation<T>& by, index_t elements, point_storage how) {
  if (elements < 0) throw error("point_data: " + std::to_string(elements) + " elements", status::invalid_argument);
  if (how == point_storage::in_float)
    return point_data(std::make_shared<detail::stored_points<T, float>>(*by.state_, elements));
  return point_data(std::make_shared<detail::stored_points<T, T>>(*by.state_, elements));
}

template <class T>
point_data<T> point_data<T>::stored(const evaluation<T>& by, const geometry_spec<T>& from, point_storage how) {
  const detail::computed_points<T> points(*by.state_, from);
  points.check_determinants();
  if (how == point_storage::in_float) return point_data(filled<T, float>(*by.state_, points));
  return point_data(filled<T, T>(*by.state_, points));
}

template <class T>
point_data<T> point_data<T>::computed(const evaluation<T>& by, const geometry_spec<T>& from) {
  auto points = std::make_shared<detail::computed_points<T>>(*by.state_, from);
  points->check_determinants();
  return point_data(std::move(points));
}

template <class T>
index_t point_data<T>::elements() const {
  return source_->elements();
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
  if (first < 0 || count < 0 || first + count > elements())
    throw error("point_data::set: elements " + std::to_string(first) + " to " + std::to_string(first + count) + " of " +
                std::to_string(elements()));
  if (values == nullptr && count > 0) throw error("point_data::set: values are a null pointer", status::null_pointer);
  source_->set(first, count, values);
}

template class point_data<float>;
template class point_data<double>;

}  // namespace tessera
