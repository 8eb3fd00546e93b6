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
  /// Derivatives in space of component c at p, its point k.
  void gradient(const mapped_point<T>& p, index_t k, int c, T* to) const;
  /// out (n, C): the transposes of values and slopes, of what `v` (Q, C, dim) holds.
  std::vector<T>& v() { return slopes_; }
  void transposed_values(T* out);
  void transposed_slopes(T* out);

 private:
  template <int dim>
  void finish(mapped_point<T>& p, T weight);

  const points_state<T>& s_;
  const typename points_state<T>::place* place_ = nullptr;
  int dim_;
  index_t q_, n_, i_ = 0;
  T determinant_ = 0;
  std::vector<T> coordinates_, x_, J_, u_, values_, slopes_, sum_, work_;
};

/// f(work, i) for each element or face i, on all threads.
template <class T, class F>
void each_of_points(const points_state<T>& s, index_t first, index_t last, const F& f) {
  for_batch_chunks(last - first, [&](index_t begin, index_t end) {
    point_work<T> work(s);
    for (index_t i = first + begin; i < first + end; ++i) {
      work.map(i);
      f(work, i);
    }
  });
}

}  // namespace tessera::fem::detail
