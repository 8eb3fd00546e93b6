// SPDX-License-Identifier: BSD-3-Clause
// The mass operator on E-vectors in 2-D and 3-D: applied by any of five strategies, and assembled element by element.
#pragma once

#include <tessera/fem/basis.hpp>
#include <tessera/fem/mesh.hpp>
#include <tessera/fem/strategies/coefficient.hpp>
#include <tessera/fem/strategies/field.hpp>
#include <tessera/fem/strategies/strategy.hpp>
#include <tessera/plan.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tessera::fem {

struct mass_options {
  strategy how = strategy::near_optimal_evaluation;
  basis_kind kind = basis_kind::gauss_lobatto;
  std::vector<int> points{};  ///< Gauss points in each direction; empty: order + 2
  coefficient rho = 1.0;
  space_kind space = space_kind::cpu;  ///< the space of E-vectors and all stored data
  plan_options plans{};
};

template <class T>
class mass_form;

/// M(i,j,e) = sum over points k of phi_i(k) phi_j(k) D(k,e), D = rho weight det J. T is float or double. An E-vector
/// holds d^dim entries an element, entry i = i1 + d (i2 + d i3) of element e at i + stride e, d = order + 1. Plans and
/// workspace are made once (those of `assemble` at its first call); runs allocate nothing. The operator has a single
/// workspace: one call at a time.
template <class T>
class mass_operator {
 public:
  /// Throws if a determinant is not positive, naming element and point; also the errors of `basis`, `gauss` and `mesh`.
  mass_operator(const mesh& domain, int order, const mass_options& options = {});
  mass_operator(mass_operator&&) noexcept;
  mass_operator& operator=(mass_operator&&) noexcept;
  ~mass_operator();

  int dim() const { return dim_; }
  int order() const { return order_; }
  index_t elements() const { return elements_; }
  /// d^dim
  index_t size() const { return size_; }
  const quadrature_grid& grid() const { return grid_; }
  strategy how() const { return how_; }

  /// A zeroed E-vector; zeroed element matrices (d^dim, d^dim), which are large: order 8 in 3-D takes 4 MB an element.
  field<T> vector() const { return field<T>(space_, of_size(size_), elements_); }
  field<T> matrices() const { return field<T>(space_, of_size(size_, size_), elements_); }

  /// y = M x. x and y are fields, batches, views or operands with d^dim packed entries an element, and may not overlap.
  template <class X, class Y>
  void apply(X&& x, Y&& y, stream_view on = {}) {
    apply_operands(operand_of(x), operand_of(y), on);
  }
  void apply_operands(const operand& x, const operand& y, stream_view on);

  /// M(i,j) of every element, packed (d^dim, d^dim) or (d,d[,d],d,d[,d]), by dense contraction for full_assembly and by
  /// the near-optimal chain otherwise; a strategy that stores M copies it.
  template <class Matrices>
  void assemble(Matrices&& M, stream_view on = {}) {
    assemble_operand(operand_of(M), on);
  }
  void assemble_operand(const operand& M, stream_view on);

  /// The cost of one element.
  element_cost cost() const { return cost_; }
  /// Bytes that are actually stored between applications, without the workspace.
  std::size_t stored_bytes() const;
  /// The contractions of an application and the kernel row of each, one per line.
  std::string describe() const;
  /// The same of an assembly.
  std::string describe_assembly() const;

 private:
  int dim_;
  int order_;
  index_t elements_;
  index_t size_;
  space_kind space_;
  strategy how_;
  quadrature_grid grid_;
  element_cost cost_;
  std::unique_ptr<mass_form<T>> form_;
};

extern template class mass_operator<float>;
extern template class mass_operator<double>;

/// D(k,e) = rho weight det J at [k + q e].
std::vector<double> mass_at_points(const mesh& domain, const quadrature_grid& grid, const coefficient& rho,
                                   const plan_options& options = {});

}  // namespace tessera::fem
