// SPDX-License-Identifier: BSD-3-Clause
// What the strategies of the mass operator have in common: an interface, and what each is made from.
#pragma once

#include "shapes.hpp"
#include "tables.hpp"

#include <tessera/fem/mass.hpp>

#include <memory>
#include <string>

namespace tessera::fem {

/// One strategy, ready to run. Operands arrive checked: x and y as (d,d[,d]), M as (d,d[,d],d,d[,d]), one an element.
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

/// What a strategy is made from. Outlives the call that makes it in no part: forms move out or copy what they keep.
template <class T>
struct mass_parts {
  const mesh& domain;
  const quadrature_grid& grid;
  const basis& functions;
  const mass_options& options;
  shape element, points, matrix;  // (d,d[,d]), (q1,q2[,q3]), (d,d[,d],d,d[,d])

  index_t elements() const { return domain.elements(); }
  space_kind space() const { return options.space; }
  /// E-vectors and matrices to make plans for.
  operand vector() const { return packed_operand(scalar_of<T>, space(), element, elements(), nullptr); }
  operand matrices() const { return packed_operand(scalar_of<T>, space(), matrix, elements(), nullptr); }
  /// D in the operator's type and space.
  field<T> point_data() const {
    const std::vector<double> D = mass_at_points(domain, grid, options.rho);
    return field<T>(space(), points, elements(), std::vector<T>(D.begin(), D.end()));
  }
};

/// A chain with its workspace; made when it is first needed.
template <class Make>
void make_once(std::unique_ptr<chain>& made, buffer& workspace, space_kind space, index_t count, Make make) {
  if (made) return;
  made = std::make_unique<chain>(make());
  if (const std::size_t bytes = made->workspace_bytes(count); bytes > workspace.bytes()) workspace = buffer(space, bytes);
}

template <class T>
std::unique_ptr<mass_form<T>> make_matrix_form(const mass_parts<T>& parts);
template <class T>
std::unique_ptr<mass_form<T>> make_evaluation_form(const mass_parts<T>& parts);
template <class T>
std::unique_ptr<mass_form<T>> make_matrix_free_form(const mass_parts<T>& parts);

}  // namespace detail
}  // namespace tessera::fem
