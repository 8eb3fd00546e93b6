// SPDX-License-Identifier: BSD-3-Clause
// Everything at points of elements or of their faces: geometry, values and gradients of functions, loads, integrals.
#pragma once

#include <tessera/element/restriction.hpp>
#include <tessera/fem/boundary.hpp>
#include <tessera/fem/element_operator.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::fem {

/// The coefficients of a function, or what a load is added to: a conventional E-vector, or an L-vector with its
/// restriction, which must stay. Constrained numbers are like the others.
template <class T>
struct fe_vector {
  T* at = nullptr;
  const restriction* numbers = nullptr;

  fe_vector(T* e_vector) : at(e_vector) {}  // NOLINT: an E-vector is its address
  fe_vector(T* l_vector, const restriction& of) : at(l_vector), numbers(&of) {}
};

/// A point, mapped to its place in an element. Of the arrays dim entries a direction are used.
template <class T>
struct mapped_point {
  index_t element = 0;
  int face = -1;         ///< of the element; -1 inside
  int tag = 0;           ///< of the face
  index_t number = 0;    ///< k + points() i, k the point, i the element or the face in the list
  T x[3] = {};           ///< coordinates; NaN where tables have no values of the geometry
  T J[3][3] = {};        ///< J[c][a]: derivative of coordinate c in direction a of the reference element
  T inverse[3][3] = {};  ///< of J: [a][c]
  T weight = 0;          ///< the quadrature weight times det J; on faces times the surface measure
  T normal[3] = {};      ///< on faces: the outward unit normal
};

/// Writes the numbers that a function has at a point. Called by several threads at once.
template <class T>
using function_at_points = std::function<void(const mapped_point<T>& p, T* numbers)>;

namespace detail {
template <class T>
struct points_state;
}

/// The quadrature points of all elements, or of listed faces of elements. Numbers at points are in the order of D:
/// number f of point k of element (or face) i at [f + F (k + points() i)]. It computes on a CPU; vectors may be in
/// device memory, and are copied then (work on them in streams that are not stream 0 must be complete), coordinates may
/// not. Results are the same bits for any number of threads.
template <class T>
class element_points {
 public:
  /// Points and functions of x (`trial`, `components`) are those of an operator with these options; what else they say
  /// is ignored. Throws where element_operator does, naming an inverted element and the point. The coordinates must
  /// stay as they are.
  element_points(const element_nodes<T>& nodes, const element_operator_options& options);
  /// Points on faces: as many in each direction. Throws where a face is not in range, and for tables.
  element_points(const element_nodes<T>& nodes, std::span<const boundary_face> faces,
                 const element_operator_options& options);

  int dim() const;
  int components() const;     ///< C, of functions
  index_t elements() const;   ///< of the nodes
  index_t count() const;      ///< elements or faces that have points
  index_t points() const;     ///< of each of them
  index_t functions() const;  ///< of a component of an element
  bool on_faces() const;
  /// "27 points in each of 8 elements, 1 component of 8 functions, f64".
  std::string describe() const;

  /// f at all points, `numbers` of them at each: D of a function of your own, values for a load, anything.
  std::vector<T> evaluate(int numbers, const function_at_points<T>& f) const;
  void evaluate(int numbers, const function_at_points<T>& f, T* out) const;

  void coordinates(T* out) const;        ///< dim numbers
  void jacobians(T* out) const;          ///< J[c][a] at c + dim a of dim^2
  void inverse_jacobians(T* out) const;  ///< J^-1[a][c] at a + dim c of dim^2
  void weights(T* out) const;            ///< w det J; on faces w dS
  void normals(T* out) const;            ///< dim numbers; throws unless on faces

  /// Of the function u: C values, c.
  void values(fe_vector<const T> u, T* out) const;
  /// Its derivatives in space, direction d of component c at d + dim c.
  void gradients(fe_vector<const T> u, T* out) const;
  /// Its derivatives in the directions of the reference element.
  void reference_gradients(fe_vector<const T> u, T* out) const;

  /// b_i = integral of f phi_i, f by its C values at the points: body forces, or, on faces, fluxes and tractions.
  /// Entries of b that no point reaches become 0; `add_load` adds to b.
  void load(const T* f, fe_vector<T> b) const { transposed(f, false, b, false); }
  void add_load(const T* f, fe_vector<T> b) const { transposed(f, false, b, true); }
  /// b_i = integral of F . grad phi_i, F like the result of gradients().
  void gradient_load(const T* F, fe_vector<T> b) const { transposed(F, true, b, false); }
  void add_gradient_load(const T* F, fe_vector<T> b) const { transposed(F, true, b, true); }

  /// The integral of f, over all elements or faces: sums in double, of each element, then of these in their order.
  /// f is called by several threads at once.
  double integral(const std::function<double(const mapped_point<T>& p)>& f) const;
  /// Of f(point, values of u, gradients of u in space), those parts that `takes` names; others are null pointers.
  double integral(fe_vector<const T> u, point_shape takes,
                  const std::function<double(const mapped_point<T>& p, const T* value, const T* gradient)>& f) const;

 private:
  using integrand = std::function<double(const mapped_point<T>& p, const T* value, const T* gradient)>;
  void write(const char* method, int numbers, const function_at_points<T>& f, T* out) const;
  double sum(const fe_vector<const T>* u, point_shape takes, const integrand& f) const;
  void differentiate(const char* operation, fe_vector<const T> u, bool in_space, T* out) const;
  void transposed(const T* f, bool of_gradients, fe_vector<T> b, bool add) const;
  std::shared_ptr<const detail::points_state<T>> state_;
};

extern template class element_points<float>;
extern template class element_points<double>;

}  // namespace tessera::fem
