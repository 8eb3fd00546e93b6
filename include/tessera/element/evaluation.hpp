// SPDX-License-Identifier: BSD-3-Clause
// evaluation: y (+)= B^T D(B x) of every element, by one fused kernel; the run-time interface of the element kernels.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tessera/detail_level.hpp>
#include <tessera/element/at_point.hpp>
#include <tessera/element/dense_basis.hpp>
#include <tessera/element/element_run.hpp>
#include <tessera/element/element_set.hpp>
#include <tessera/element/layout.hpp>
#include <tessera/element/matrix_storage.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/element/points_block.hpp>
#include <tessera/space.hpp>
#include <tessera/stream.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// What an operator is, on the reference segment, square or cube, by the tables of one direction. Column-major.
struct evaluation_spec {
  operator_kind kind = operator_kind::mass;
  int dim = 3;
  /// Components of the vector field: dim for elasticity, any number for the others, which treat each component alike.
  int components = 1;
  int trial = 0, points = 0, test = 0;  ///< d, q, t: functions of u, points, functions of y in each direction
  std::vector<double> interpolate;      ///< B (q,d): u's functions at the points
  std::vector<double> differentiate;    ///< C (q,q): derivatives at the points of the polynomials through them
  std::vector<double> test_functions;   ///< (q,t); empty: B, and t = d
  /// G (q,d): derivatives of u's functions at the points, and those of the test functions (q,t). Empty: C times the
  /// functions, which requires at least as many points as functions. If given, kernels apply these tables directly.
  std::vector<double> gradients{}, test_gradients{};
  std::optional<target> on{};  ///< target::cuda: x, y and D are in device memory; empty: the default CPU one
  /// On a CPU, how all applications go over the elements: for tuners. Empty: by records, else by rules.
  std::optional<element_run> run{};
  /// On a CPU, where the elements are between applications, in cache or in memory (stream): results may be written by
  /// non-temporal stores, with the same bits. Empty: by the bytes that an application moves.
  std::optional<memory_regime> regime{};
};

template <class T>
struct element_function;

/// A pointwise function as text, from which kernels of the GPU are compiled while the program runs.
struct function_source {
  std::string type;  ///< the struct's name, with its namespaces
  /// What declares it. It may include <tessera/element/pointwise.hpp>, <tessera/element/point_field.hpp> and
  /// <tessera/core/math.hpp>, and nothing else.
  std::string text;
};

/// A pointwise function of the user's with the kernel that was compiled around it: what `own_function` of
/// <tessera/cpu/element/own_function.hpp> makes of a struct. With its `source` it runs on a GPU, too; `source_function`
/// of <tessera/element/source_function.hpp> makes one that runs there only. Without such kernels `at_points` is called
/// for blocks of points, by whatever CPU target the operator is made for.
template <class T>
struct compiled_function {
  std::string name = "a user's function";
  int dim = 3;
  int trial_components = 1, test_components = 1;
  bool slopes = false;  // of u or of the test functions
  int factors = 0;
  target isa = target::reference;  // that the kernels are compiled for
  std::shared_ptr<const element_function<T>> mirrored, any_tables;
  std::shared_ptr<const void> state;  // the struct itself
  point_shape trial{}, test{};        // what it takes of u and gives to the test functions
  function_source source{};
  points_function<T> at_points = nullptr;  // its state is `state`; for derivatives that are given
};

/// How D is kept between applications.
enum class point_storage { same, in_float };

template <class T>
class evaluation;
template <class T>
class global_evaluation;

namespace detail {
template <class T>
struct point_source;
template <class T>
struct evaluation_state;
/// For code of the library.
template <class T>
const evaluation_state<T>& state_of(const evaluation<T>& of);
}  // namespace detail

/// The map to each element, and the coefficients in D at its points. For an evaluation by dense tables, `nodes` is the
/// number of geometry functions of an element, `gradients` has their derivatives as in a dense_basis, there is one
/// weight for each point, and `interpolate` is ignored.
template <class T>
struct geometry_spec {
  index_t elements = 0;
  int nodes = 2;                    ///< geometry functions in each direction
  std::vector<double> interpolate;  ///< (q,nodes): the geometry functions at the points
  std::vector<double> weights;      ///< one for each point of the element, or one for each point of a direction
  /// (q,nodes): derivatives of the geometry functions at the points. Empty: C of the operator times `interpolate`,
  /// which requires q >= nodes.
  std::vector<double> gradients{};
  const T* coordinates = nullptr;  ///< dim components of nodes^dim entries an element; must stay while in use
  element_layout layout{};         ///< default: the conventional layout
  /// One set for all points, or, where `at_points`, coefficient c of point k of element e at
  /// at_points[c + given (k + points e)], which must stay, too. mass {rho}; diffusion {kappa} or the symmetric matrix
  /// 00 01 11 or 00 01 02 11 12 22; helmholtz {rho, kappa or matrix}; convection the velocity; elasticity
  /// {lambda, mu}; advection_diffusion {kappa or matrix, velocity}. Empty: all are 1.
  std::vector<double> coefficients{};
  const T* at_points = nullptr;
  int given = 0;
};

/// D of elements 0 .. elements - 1, one of
/// - stored, in the library's own order: blocks of as many elements as `evaluation::lanes()` (partial assembly),
///   or, for a GPU, factor by factor in device memory;
/// - computed from the geometry of a block whenever it is needed (matrix-free).
///
/// For a GPU, `geometry_spec` and `set` may name host or device memory. D from the geometry is computed there, and
/// determinants are checked there. D that is computed at each application reads coordinates and coefficients at points
/// where they are in device memory, so that they must stay; from host memory they are copied once.
template <class T>
class point_data {
 public:
  /// Stored, zero.
  static point_data stored(const evaluation<T>& by, index_t elements, point_storage how = point_storage::same);
  /// Stored, computed now. Throws, naming element and point, where a determinant is not positive, a coordinate or
  /// coefficient is not finite, or D overflows or underflows in its storage type.
  static point_data stored(const evaluation<T>& by, const geometry_spec<T>& from,
                           point_storage how = point_storage::same);
  /// Computed at each application. Determinants and D are checked once, now. On a GPU it is for applications of `by`
  /// only, whose kernels compute it, and weights are one for each point of a direction. A GPU refuses dense tables,
  /// coupled components with fewer points than functions, and elements that do not fit shared memory.
  static point_data computed(const evaluation<T>& by, const geometry_spec<T>& from);

  index_t elements() const;
  /// False if D is computed at each application.
  bool is_stored() const;
  /// Bytes that are kept between applications.
  std::size_t bytes() const;
  /// "stored, f64" and the like.
  std::string describe() const;

  /// Stored D from plain order, factor f of point k of element e at values[f + factors (k + points e)], for the `count`
  /// elements from `first` on. Throws where D is computed.
  void set(index_t first, index_t count, const T* values);
  /// D in plain order, as set() takes it, into host memory: what is stored, after rounding where that is in float, or
  /// what an application would compute. Throws for a GPU that computes D at each application.
  void get(index_t first, index_t count, T* values) const;

  /// Throws, naming `what`, where `count` entries at `at` cannot take results of an operator with this D: their address
  /// is no multiple of an entry's bytes, or they overlap the caller's memory that D is computed from.
  void check_output(const char* what, const T* at, index_t count) const;

 private:
  friend class evaluation<T>;
  friend class global_evaluation<T>;
  explicit point_data(std::shared_ptr<detail::point_source<T>> source) : source_(std::move(source)) {}
  std::shared_ptr<detail::point_source<T>> source_;
};

/// One application. No two entries of y may have one address, no stride is negative, and x and y have no entry in
/// common; but y may replace x, at one address and with one layout, except on a GPU by dense tables. A
/// list that names an element twice is refused where y is added to or replaces x.
template <class T>
struct application {
  const T* x = nullptr;
  element_layout x_layout{};  ///< default: the conventional layout, also for y_layout
  T* y = nullptr;
  element_layout y_layout{};
  bool add = false;  ///< y += instead of y =
  /// Number of right-hand sides, at least 1: side r of x starts at x + r x_side, side r of y at y + r y_side.
  int sides = 1;
  index_t x_side = 0, y_side = 0;
  stream_view in{};  ///< GPU: what the application is queued in
};

template <class T>
class evaluation {
 public:
  /// Throws if the sizes of tables do not fit together, or if derivatives are needed, a direction has fewer points than
  /// functions, and `gradients` (`test_gradients`) are not given.
  explicit evaluation(const evaluation_spec& spec);
  /// The same with a function of the user instead of a built-in one. `kind` is ignored, the dimension is that of the
  /// function, and `components` are those of u. `on` is ignored, too, unless it is target::cuda: then the function's
  /// source is compiled for the GPU.
  evaluation(const evaluation_spec& spec, const compiled_function<T>& function);
  /// By dense tables of any sizes. Throws if a table that the function needs does not have these sizes.
  explicit evaluation(const dense_evaluation_spec& spec);
  /// The same with a function of the user: a CPU calls its `at_points`, a GPU compiles its source.
  evaluation(const dense_evaluation_spec& spec, const compiled_function<T>& function);

  int dim() const;
  int components() const;       ///< of x
  int test_components() const;  ///< of y
  index_t trial_size() const;   ///< d^dim, or d of dense tables
  index_t test_size() const;    ///< t^dim, or t
  index_t points() const;       ///< q^dim, or q
  int factors() const;          ///< entries of D at a point
  index_t lanes() const;        ///< elements of a block
  space_kind space() const;     ///< of x, y and D
  /// "diffusion 3-D, d = 3, q = 5, f64: avx2, compiled for these sizes, 4 elements at a time; in cache: no prefetch
  /// (default); from memory: prefetch 8 KiB ahead to L1, y by non-temporal stores (record of this device)". Brief:
  /// "diffusion 3-D, d = 3, q = 5, f64: avx2, compiled for these sizes; tuning in cache: default, from memory: record
  /// of this device".
  std::string describe(detail_level how = detail_level::full) const;

  /// y (+)= B^T D(B x) for the elements of `which`; the others' y stays as it is. Runs may go on at the same time.
  /// On a GPU it is queued; a list of elements is in device memory, and what it names is not checked. The first
  /// application of its kind (entries contiguous or not, one right-hand side or several) compiles its kernel.
  void apply(const element_set& which, const application<T>& a, const point_data<T>& D) const;

  /// Whether the operator is a built-in one. Those are linear.
  bool is_built_in() const;
  /// Whether matrices are known to be symmetric: for symmetric built-in operators with equal trial and test functions.
  bool symmetric() const;
  /// Whether matrices() is available. On a CPU: for the mass, and for all operators by dense tables. On a GPU: for
  /// built-in operators, if a few columns of a matrix fit shared memory.
  bool has_matrices(matrix_storage how) const;
  /// The matrices of elements [first, first + count), contiguous. Throws status::no_target if there is no kernel. On a
  /// GPU they are queued, M is in device memory, and D has to be stored (else status::no_target); the first call
  /// compiles the kernel. A user's function has to be linear, which is not checked here: fem::element_operator does
  /// that.
  void matrices(index_t first, index_t count, T* M, matrix_storage how, const point_data<T>& D,
                stream_view in = {}) const;
  /// "compiled at run time: 4 matrices by 256 threads"; empty where matrices() is not available.
  std::string describe_matrices(matrix_storage how) const;
  /// Whether diagonal() is available: for built-in operators with as many trial as test functions; on a GPU only if an
  /// element fits shared memory.
  bool has_diagonal() const;
  /// The diagonals of the matrices of elements [first, first + count), contiguous, and in each the components of y one
  /// after the other. On a GPU they are queued in stream 0, y is in device memory, and D has to be stored (else
  /// status::no_target).
  void diagonal(index_t first, index_t count, T* y, const point_data<T>& D) const;

 private:
  friend class point_data<T>;
  friend class global_evaluation<T>;
  friend const detail::evaluation_state<T>& detail::state_of<T>(const evaluation<T>& of);
  void make(const evaluation_spec& spec, const compiled_function<T>* function);
  void make(const dense_evaluation_spec& spec, const compiled_function<T>* function);
  template <class Refuse>
  void check_elements(index_t first, index_t count, const point_data<T>& D, const Refuse& refuse) const;
  std::shared_ptr<const detail::evaluation_state<T>> state_;
};

extern template class evaluation<float>;
extern template class evaluation<double>;
extern template class point_data<float>;
extern template class point_data<double>;

}  // namespace tessera
