// SPDX-License-Identifier: BSD-3-Clause
// What element_points keeps, and what a thread computes from it for one element or face.
#pragma once

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/detail/element/geometry_factors.hpp>
#include <tessera/fem/points.hpp>

#include "point_tables.hpp"

#include <cmath>
#include <vector>

namespace tessera::fem::detail {

template <class T>
struct points_state {
  /// Points in an element, or on one of its faces.
  struct place {
    point_tables<T> functions, geometry;
    std::vector<T> weights;
    T normal[3] = {};  // outward; its length is the measure of the reference face over that of the weights
  };

  element_nodes<T> nodes;
  element_layout layout{};  // of the coordinates
  int components = 1;
  bool on_faces = false;
  std::vector<boundary_face> faces;
  std::vector<place> places;  // one, or one a face of the reference element
  point_data<T> checked;      // D of the mass, which reads the same coordinates

  index_t count() const { return on_faces ? index_t(faces.size()) : nodes.elements; }
  index_t points() const { return places[0].functions.points(); }
  index_t functions() const { return places[0].functions.functions(); }
  index_t element(index_t i) const { return on_faces ? faces[std::size_t(i)].element : i; }
  const place& at(index_t i) const { return places[on_faces ? std::size_t(faces[std::size_t(i)].face) : 0]; }
};

/// Throws where options, nodes and faces do not fit together, and where a determinant is not positive.
template <class T>
points_state<T> points_in_elements(const element_nodes<T>& nodes, const element_operator_options& options);
template <class T>
points_state<T> points_on_faces(const element_nodes<T>& nodes, std::span<const boundary_face> faces,
                                const element_operator_options& options);

/// The points of one element or face, mapped, and a function there.
template <class T>
class point_work {
 public:
  explicit point_work(const points_state<T>& s);

  /// Element or face i.
  void map(index_t i);
  /// Its point k.
  mapped_point<T> point(index_t k);
  /// The determinant at the point that was asked for last.
  T determinant() const { return determinant_; }

  /// Entries of u in the element: (n, C).
  void gather(const fe_vector<const T>& u);
  /// Of these (Q, C), and in direction a (Q, C, a).
  const T* values();
  const T* slopes();
  /// Of what these computed at point k: (C), and in space (dim, C), p being the point.
  const T* value_at(index_t k);
  const T* gradient_at(const mapped_point<T>& p, index_t k);
  /// out (n, C) = integrals of f phi_i, and of f . grad phi_i, f being numbers at all points of all elements.
  void load(const T* f, T* out);
  void gradient_load(const T* f, T* out);

 private:
  template <int dim>
  void finish(mapped_point<T>& p, T weight);

  const points_state<T>& s_;
  const typename points_state<T>::place* place_ = nullptr;
  int dim_;
  index_t q_, n_, i_ = 0;
  T determinant_ = 0;
  std::vector<T> coordinates_, x_, J_, u_, values_, slopes_, sum_, work_, at_point_;
};

/// Goes over elements or faces on all threads. All memory is allocated before the first one, so that nothing has been
/// written where there is none.
template <class T>
class point_loop {
 public:
  /// For up to `most` of them at a time.
  point_loop(const points_state<T>& s, index_t most) {
    const index_t chunks = batch_chunks(most);
    work_.reserve(std::size_t(chunks));
    for (index_t chunk = 0; chunk < chunks; ++chunk) work_.emplace_back(s);
  }
  /// f(work, i) for each element or face i, mapped.
  template <class F>
  void run(index_t first, index_t last, const F& f) {
    for_batch_chunks(last - first, index_t(work_.size()), [&](index_t chunk, index_t begin, index_t end) {
      point_work<T>& work = work_[std::size_t(chunk)];
      for (index_t i = first + begin; i < first + end; ++i) {
        work.map(i);
        f(work, i);
      }
    });
  }

 private:
  std::vector<point_work<T>> work_;
};

}  // namespace tessera::fem::detail
