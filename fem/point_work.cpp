// SPDX-License-Identifier: BSD-3-Clause
// Maps the points of an element or a face, and evaluates a function there.
#include "points_state.hpp"

#include <algorithm>
#include <limits>

namespace tessera::fem::detail {

template <class T>
point_work<T>::point_work(const points_state<T>& s) : s_(s), dim_(s.nodes.dim), q_(s.points()), n_(s.functions()) {
  const index_t dim = dim_, nodes = s.places[0].geometry.functions(), all = n_ * s.components,
                at_points = q_ * s.components;
  index_t work = 0;
  for (const auto& place : s.places)
    work = std::max({work, place.geometry.work(dim), place.functions.work(s.components)});
  coordinates_.resize(std::size_t(nodes * dim));
  x_.resize(std::size_t(q_ * dim), std::numeric_limits<T>::quiet_NaN());
  J_.resize(std::size_t(q_ * dim * dim));
  u_.resize(std::size_t(all));
  sum_.resize(std::size_t(all));
  values_.resize(std::size_t(at_points));
  slopes_.resize(std::size_t(at_points * dim));
  work_.resize(std::size_t(work));
  at_point_.resize(std::size_t(s.components * (dim + 1)));
}

template <class T>
void point_work<T>::map(index_t i) {
  place_ = &s_.at(i);
  i_ = i;
  const index_t e = s_.element(i), nodes = place_->geometry.functions();
  T* to = coordinates_.data();
  for (int c = 0; c < dim_; ++c)
    for (index_t j = 0; j < nodes; ++j) *to++ = s_.nodes.coordinates[s_.layout.offset(j, c, e)];
  if (place_->geometry.has_values()) place_->geometry.values(coordinates_.data(), dim_, x_.data(), work_.data());
  for (int a = 0; a < dim_; ++a)
    place_->geometry.slopes(a, coordinates_.data(), dim_, J_.data() + q_ * dim_ * a, work_.data());
}

template <class T>
template <int dim>
void point_work<T>::finish(mapped_point<T>& p, T weight) {
  T J[dim][dim], A[dim][dim];
  for (int c = 0; c < dim; ++c)
    for (int a = 0; a < dim; ++a) J[c][a] = p.J[c][a];
  determinant_ = geometry::adjugate(J, A);
  for (int a = 0; a < dim; ++a)
    for (int c = 0; c < dim; ++c) p.inverse[a][c] = A[a][c] / determinant_;
  if (!s_.on_faces) {
    p.weight = weight * determinant_;
    return;
  }
  // In double: the square of a small face is no number of float.
  double normal[dim] = {}, square = 0;
  for (int c = 0; c < dim; ++c) {
    for (int a = 0; a < dim; ++a) normal[c] += double(A[a][c]) * double(place_->normal[a]);
    square += normal[c] * normal[c];
  }
  const double measure = std::sqrt(square);
  for (int c = 0; c < dim; ++c) p.normal[c] = T(normal[c] / measure);
  p.weight = T(double(weight) * measure);
}

template <class T>
mapped_point<T> point_work<T>::point(index_t k) {
  mapped_point<T> p{.element = s_.element(i_), .number = k + q_ * i_};
  if (s_.on_faces) {
    p.face = s_.faces[std::size_t(i_)].face;
    p.tag = s_.faces[std::size_t(i_)].tag;
  }
  for (int c = 0; c < dim_; ++c) {
    p.x[c] = x_[std::size_t(k + q_ * c)];
    for (int a = 0; a < dim_; ++a) p.J[c][a] = J_[std::size_t(k + q_ * (c + dim_ * a))];
  }
  const T weight = place_->weights[std::size_t(k)];
  if (dim_ == 1)
    finish<1>(p, weight);
  else if (dim_ == 2)
    finish<2>(p, weight);
  else
    finish<3>(p, weight);
  return p;
}

template <class T>
void point_work<T>::gather(const fe_vector<const T>& u) {
  const index_t e = s_.element(i_), all = n_ * s_.components;
  if (u.numbers == nullptr) {
    std::copy_n(u.at + all * e, all, u_.data());
    return;
  }
  for (index_t i = 0; i < n_; ++i) {
    const index_t offset = u.numbers->offset(i, e), number = offset < 0 ? -1 - offset : offset;
    for (int c = 0; c < s_.components; ++c) {
      const T value = u.at[number + c * u.numbers->component_stride()];
      u_[std::size_t(i + n_ * c)] = offset < 0 ? -value : value;
    }
  }
}

template <class T>
const T* point_work<T>::values() {
  place_->functions.values(u_.data(), s_.components, values_.data(), work_.data());
  return values_.data();
}

template <class T>
const T* point_work<T>::slopes() {
  for (int a = 0; a < dim_; ++a)
    place_->functions.slopes(a, u_.data(), s_.components, slopes_.data() + q_ * s_.components * a, work_.data());
  return slopes_.data();
}

template <class T>
const T* point_work<T>::value_at(index_t k) {
  for (index_t c = 0; c < s_.components; ++c) at_point_[std::size_t(c)] = values_[std::size_t(k + q_ * c)];
  return at_point_.data();
}

template <class T>
const T* point_work<T>::gradient_at(const mapped_point<T>& p, index_t k) {
  T* const gradient = at_point_.data() + s_.components;
  T* to = gradient;
  for (int c = 0; c < s_.components; ++c)
    for (int d = 0; d < dim_; ++d) {
      T sum = 0;
      for (int a = 0; a < dim_; ++a) sum += p.inverse[a][d] * slopes_[std::size_t(k + q_ * (c + s_.components * a))];
      *to++ = sum;
    }
  return gradient;
}

template <class T>
void point_work<T>::load(const T* f, T* out) {
  const index_t C = s_.components;
  for (index_t k = 0; k < q_; ++k) {
    const mapped_point<T> p = point(k);
    for (index_t c = 0; c < C; ++c) values_[std::size_t(k + q_ * c)] = p.weight * f[c + C * p.number];
  }
  place_->functions.transposed_values(values_.data(), C, out, work_.data());
}

template <class T>
void point_work<T>::gradient_load(const T* f, T* out) {
  const index_t C = s_.components, dim = dim_;
  for (index_t k = 0; k < q_; ++k) {
    const mapped_point<T> p = point(k);
    for (index_t c = 0; c < C; ++c)
      for (index_t a = 0; a < dim; ++a) {
        T sum = 0;
        for (index_t d = 0; d < dim; ++d) sum += p.inverse[a][d] * f[d + dim * (c + C * p.number)];
        slopes_[std::size_t(k + q_ * (c + C * a))] = p.weight * sum;
      }
  }
  std::fill_n(out, sum_.size(), T(0));
  for (int a = 0; a < dim_; ++a) {
    place_->functions.transposed_slopes(a, slopes_.data() + q_ * C * a, C, sum_.data(), work_.data());
    for (std::size_t i = 0; i < sum_.size(); ++i) out[i] += sum_[i];
  }
}

template class point_work<float>;
template class point_work<double>;

}  // namespace tessera::fem::detail
