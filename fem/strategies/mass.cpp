// SPDX-License-Identifier: BSD-3-Clause
// The mass operator: set-up, checks of arguments, and the chosen strategy.
#include <tessera/fem/strategies/geometry.hpp>
#include <tessera/fem/strategies/mass.hpp>

#include "mass_form.hpp"

#include <string>

namespace tessera::fem {

namespace {

quadrature_grid grid_for(const mesh& domain, int order, const std::vector<int>& points) {
  const auto dim = static_cast<std::size_t>(domain.dim());
  if (!points.empty() && points.size() != dim)
    throw error("mass_operator: points in " + std::to_string(points.size()) + " directions on a mesh in " +
                    std::to_string(dim) + "-D",
                status::shape_mismatch);
  return gauss_grid(points.empty() ? std::vector<int>(dim, order + 2) : points);
}

template <class T>
std::unique_ptr<mass_form<T>> make_form(const detail::mass_parts<T>& parts) {
  switch (parts.options.how) {
    case strategy::full_assembly:
    case strategy::near_optimal_assembly: return detail::make_matrix_form(parts);
    case strategy::decomposed_evaluation:
    case strategy::near_optimal_evaluation: return detail::make_evaluation_form(parts);
    case strategy::matrix_free: return detail::make_matrix_free_form(parts);
  }
  throw error("mass_operator: unknown strategy " + std::to_string(static_cast<int>(parts.options.how)));
}

}  // namespace

std::vector<double> mass_at_points(const mesh& domain, const quadrature_grid& grid, const coefficient& rho,
                                   const plan_options& options) {
  std::vector<double> D = jacobian_determinants(domain, grid, options);
  const std::vector<double> values = values_at_points(rho, domain, grid, options), weights = grid.weights();
  for (std::size_t e = 0; e < D.size(); e += weights.size())
    for (std::size_t k = 0; k < weights.size(); ++k) D[e + k] *= weights[k] * values[e + k];
  return D;
}

template <class T>
mass_operator<T>::mass_operator(const mesh& domain, int order, const mass_options& options)
    : dim_(domain.dim()),
      order_(order),
      elements_(domain.elements()),
      size_(detail::cube(dim_, basis(options.kind, order).size()).size()),
      space_(options.space),
      how_(options.how),
      grid_(grid_for(domain, order, options.points)) {
  const basis functions(options.kind, order);
  const std::vector<int> q = grid_.points();
  cost_ = cost_of_mass(how_, {.d = functions.size(),
                              .q = q,
                              .geometry = domain.order() + 1,
                              .varying = !std::holds_alternative<double>(options.rho),
                              .entry_bytes = sizeof(T)});
  form_ = make_form<T>({.domain = domain,
                        .grid = grid_,
                        .functions = functions,
                        .options = options,
                        .element = detail::cube(dim_, functions.size()),
                        .points = detail::box(q),
                        .matrix = detail::matrix_cube(dim_, functions.size())});
}

template <class T>
mass_operator<T>::mass_operator(mass_operator&&) noexcept = default;
template <class T>
mass_operator<T>& mass_operator<T>::operator=(mass_operator&&) noexcept = default;
template <class T>
mass_operator<T>::~mass_operator() = default;

template <class T>
void mass_operator<T>::apply_operands(const operand& x, const operand& y, stream_view on) {
  const shape element = detail::cube(dim_, order_ + 1);
  const operand in = detail::shaped("mass_operator::apply", "x", x, element, elements_);
  const operand out = detail::shaped("mass_operator::apply", "y", y, element, elements_);
  detail::check_apart("mass_operator::apply", in, out);
  form_->apply(in, out, on);
}

template <class T>
void mass_operator<T>::assemble_operand(const operand& M, stream_view on) {
  const shape matrix = detail::matrix_cube(dim_, order_ + 1);
  form_->assemble(detail::shaped("mass_operator::assemble", "M", M, matrix, elements_), on);
}

template <class T>
std::size_t mass_operator<T>::stored_bytes() const {
  return form_->stored_bytes();
}
template <class T>
std::string mass_operator<T>::describe() const {
  return form_->describe();
}
template <class T>
std::string mass_operator<T>::describe_assembly() const {
  return form_->describe_assembly();
}

template class mass_operator<float>;
template class mass_operator<double>;

}  // namespace tessera::fem
