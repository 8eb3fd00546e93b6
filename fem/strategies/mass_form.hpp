// SPDX-License-Identifier: BSD-3-Clause
// The common part of the mass operator's strategies: the interface, and the input of each.
#pragma once

#include "assembly.hpp"
#include "grid_tables.hpp"
#include "shapes.hpp"

#include <tessera/fem/strategies/mass.hpp>

#include <memory>
#include <string>

namespace tessera::fem {

/// One strategy, ready to run. Operands are already checked: x and y as (d,d[,d]), M as (d,d[,d],d,d[,d]), one an
/// element.
template <class T>
class mass_form {
 public:
  virtual ~mass_form() = default;
  virtual void apply(const operand& x, const operand& y, stream_view on) = 0;
  virtual void assemble(const operand& M, stream_view on) = 0;
  virtual std::size_t stored_bytes() const = 0;
  virtual std::string describe() const = 0;
  virtual std::string describe_assembly() const = 0;
};

namespace detail {

/// The input of a strategy. Forms copy what they need of it.
template <class T>
struct mass_parts {
  const mesh& domain;
  const quadrature_grid& grid;
  const basis& functions;
  const mass_options& options;
  shape element, points, matrix;  // (d,d[,d]), (q1,q2[,q3]), (d,d[,d],d,d[,d])

  index_t elements() const { return domain.elements(); }
  space_kind space() const { return options.space; }
  /// E-vectors and matrices for making plans.
  operand vector() const { return packed_operand(scalar_of<T>, space(), element, elements(), nullptr); }
  operand matrices() const { return packed_operand(scalar_of<T>, space(), matrix, elements(), nullptr); }
  /// D in the operator's type and space.
  field<T> point_data() const {
    const std::vector<double> D = mass_at_points(domain, grid, options.rho, options.plans);
    return field<T>(space(), points, elements(), std::vector<T>(D.begin(), D.end()));
  }
};

/// Makes the near-optimal assembly of a form at the first request.
template <class T>
class assembly_on_demand {
 public:
  assembly_on_demand(const mass_parts<T>& parts, const operand& D, const operand& M)
      : functions_(parts.functions), grid_(parts.grid), D_(D), M_(M), plans_(parts.options.plans) {}

  void run(const operand& D, const operand& M, stream_view on) {
    if (!made_) made_ = std::make_unique<near_optimal_assembly<T>>(functions_, grid_, D_, M_, plans_);
    made_->run(D, M, on);
  }
  std::string describe() const {
    return made_ ? made_->describe() : near_optimal_assembly<T>(functions_, grid_, D_, M_, plans_).describe();
  }

 private:
  basis functions_;
  quadrature_grid grid_;
  operand D_, M_;  // the operands that the chain is made for
  plan_options plans_;
  std::unique_ptr<near_optimal_assembly<T>> made_;
};

template <class T>
std::unique_ptr<mass_form<T>> make_matrix_form(const mass_parts<T>& parts);
template <class T>
std::unique_ptr<mass_form<T>> make_evaluation_form(const mass_parts<T>& parts);
template <class T>
std::unique_ptr<mass_form<T>> make_matrix_free_form(const mass_parts<T>& parts);

}  // namespace detail
}  // namespace tessera::fem
