// SPDX-License-Identifier: BSD-3-Clause
// Element operators B^T D B for FE codes: from orders, points and the nodes of the elements, on raw E-vectors.
#pragma once

#include <tessera/element/evaluation.hpp>
#include <tessera/fem/basis.hpp>
#include <tessera/fem/dense_element.hpp>
#include <tessera/fem/mesh.hpp>
#include <tessera/fem/quadrature.hpp>
#include <tessera/fem/simplex.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tessera::fem {

/// C(k,l) = derivative at points[k] of the polynomial that is 1 at points[l] and 0 at the others, (q,q) column-major.
/// Exact for polynomials of degree below q: G = C B for functions of such degree. Exactly symmetric points have an
/// exactly antisymmetric table: C(q-1-k, q-1-l) == -C(k,l). Throws unless the points ascend.
std::vector<double> differentiation_matrix(const std::vector<double>& points);

enum class points_kind {
  gauss,         ///< Gauss-Legendre
  gauss_lobatto  ///< with the end points; with as many points as functions of the same kind, values need no
                 ///< interpolation
};

/// Of elements: products of segments, or triangles and tetrahedra. In 1-D both are segments.
enum class element_shape { cube, simplex };

/// Functions of one unknown: a basis in each direction, or of total degree on simplices.
struct function_space {
  basis_kind kind = basis_kind::gauss_lobatto;
  int order = 1;
};

/// When D is computed.
enum class element_form {
  partial_assembly,  ///< once, and stored
  matrix_free        ///< at every application, from the nodes
};

struct element_operator_options {
  operator_kind kind = operator_kind::mass;
  function_space trial{};                ///< of x
  std::optional<function_space> test{};  ///< of y; empty: that of x
  int components = 1;                    ///< of x and y; dim for elasticity
  /// Points in each direction, of simplices those of simplex_rule. 0: order of x + 2, of simplices + 1.
  int points = 0;
  points_kind rule = points_kind::gauss;
  element_form form = element_form::partial_assembly;
  point_storage storage = point_storage::same;
  std::optional<target> on{};  ///< target::cuda: x, y, matrices and diagonals are in device memory
  element_shape shape = element_shape::cube;
  /// Functions and points of the calling code; spaces, points, rule and shape are ignored then.
  std::optional<dense_element> tables{};
};

/// The elements of a code with its own mesh: n = (order + 1)^dim nodes each, the images of the Gauss-Lobatto points of
/// the unit segment, square or cube, first direction fastest; of simplices the nodes of simplex_basis. If the operator
/// has tables, nodes are those of their geometry, and the order is ignored.
template <class T>
struct element_nodes {
  int dim = 3;
  int order = 1;
  index_t elements = 0;
  /// matrix_free reads them at every application; on a GPU directly from device memory; other coordinates are copied
  /// there.
  const T* coordinates = nullptr;
  element_layout layout{};  ///< entry i, component c, element e; default: conventional
  /// As in geometry_spec: constants, or numbers at the points.
  std::vector<double> coefficients{};
  const T* coefficients_at_points = nullptr;
  int coefficients_given = 0;
};

template <class T>
class global_operator;

/// y (+)= A x, A = B^T D B of every element. E-vectors are conventional unless a layout says otherwise: entry i of
/// component c of element e at i + n (c + C e), n = d^dim, i = i1 + d (i2 + d i3), or the functions in order of
/// simplex_basis and of tables.
template <class T>
class element_operator {
 public:
  /// Throws where a determinant is not positive, naming element and point; for the faults that `basis` and `gauss`
  /// name; and if sizes, layouts and coefficients do not match.
  element_operator(const element_nodes<T>& nodes, const element_operator_options& options);
  /// D of the calling code: factor f of point k of element e at D[f + factors (k + points e)]; copied, from host memory
  /// or, for a GPU, from either.
  element_operator(int dim, index_t elements, const T* D, const element_operator_options& options);
  /// A pointwise function of the calling code, with its D; `kind` is ignored.
  element_operator(const compiled_function<T>& function, index_t elements, const T* D,
                   const element_operator_options& options);

  int dim() const { return evaluation_.dim(); }
  index_t elements() const { return data_.elements(); }
  int components() const { return evaluation_.components(); }            ///< of x
  int test_components() const { return evaluation_.test_components(); }  ///< of y
  index_t trial_size() const { return evaluation_.trial_size(); }        ///< entries of a component of an element of x
  index_t test_size() const { return evaluation_.test_size(); }
  const evaluation<T>& kernel() const { return evaluation_; }
  point_data<T>& data() { return data_; }
  const point_data<T>& data() const { return data_; }
  element_layout x_layout() const { return element_layout::conventional(trial_size(), components()); }
  element_layout y_layout() const { return element_layout::conventional(test_size(), test_components()); }

  /// y = A x, conventional E-vectors. On a GPU it is queued in stream 0; `application::in` names another.
  void apply(const T* x, T* y) const { run(x, y, false); }
  /// y += A x.
  void add(const T* x, T* y) const { run(x, y, true); }
  /// Anything else: layouts, several right hand sides, some of the elements. y may be stored in place of x, see
  /// `application`.
  void apply(const element_set& which, const application<T>& a) const { evaluation_.apply(which, a, data_); }

  /// The matrices of elements [first, first + count), consecutive: full, M(i,j) at i + t j, t and d being all entries
  /// of y and x of an element, or of symmetric ones the lower triangle by columns, M(i,j), i >= j, at i + j (2 d - j -
  /// 1) / 2. On a GPU built-in operators with stored D have a kernel for it, which is queued in `in`; on a CPU the mass
  /// has one, and all operators of simplices and tables. All others are computed by columns, with one application per
  /// entry of x, and are complete on return. Throws if `how` is a lower triangle and the operator is not known to be
  /// symmetric, and if a user's function is not linear.
  void assemble(index_t first, index_t count, T* M, matrix_storage how = matrix_storage::full,
                stream_view in = {}) const;
  /// Entries of an element's matrix.
  index_t matrix_entries(matrix_storage how = matrix_storage::full) const;
  /// How matrices are computed: "by columns", or the kernel.
  std::string describe_assembly(matrix_storage how = matrix_storage::full) const;
  /// The diagonals of the matrices, in y's layout. Throws unless x and y have the same functions, and a user's function
  /// is linear.
  void diagonal(T* y) const;

  /// As text: sizes, kernel and its tuning, and how D is stored; brief without the latter.
  std::string describe(detail_level how = detail_level::full) const {
    return evaluation_.describe(how) + (how == detail_level::full ? "; D " + data_.describe() : "");
  }

 private:
  friend class global_operator<T>;
  // With the kernel of another operator of these options.
  element_operator(const evaluation<T>& by, const element_nodes<T>& nodes, const element_operator_options& options);
  element_operator(const evaluation<T>& by, index_t elements, const T* D, const element_operator_options& options);

  void run(const T* x, T* y, bool adds) const {
    apply(element_set::range(0, elements()),
          {.x = x, .x_layout = x_layout(), .y = y, .y_layout = y_layout(), .add = adds});
  }
  bool has_kernel_of_matrices(matrix_storage how) const;

  evaluation<T> evaluation_;
  point_data<T> data_;
};

extern template class element_operator<float>;
extern template class element_operator<double>;

/// The tables of a simplex by the options, with geometry of that order.
dense_element simplex_element(int dim, int geometry_order, const element_operator_options& options);

/// The nodes of a mesh of this library, which must outlive them.
element_nodes<double> nodes_of(const mesh& domain);

}  // namespace tessera::fem
