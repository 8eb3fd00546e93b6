// SPDX-License-Identifier: BSD-3-Clause
// Operators and solvers of the masses, and vectors that integrate.
#include <tessera/fem/hydro/gas_masses.hpp>

#include <algorithm>
#include <optional>

#include <tessera/detail/solver/cholesky.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/memory.hpp>
#include <tessera/solver/batched_cholesky.hpp>
#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/vector_sums.hpp>

#include "../dense_inverse.hpp"

namespace tessera::fem {

namespace {

// Of iterations in the place of Cholesky's factors: to rounding.
constexpr double exact_tolerance = 1e-15;

using numbers = std::vector<double>;

element_operator_options mass_of(const gas_spaces& in, const function_space& functions, int components,
                                 space_kind space) {
  element_operator_options options{
      .kind = operator_kind::mass, .trial = functions, .components = components, .points = in.line_points};
  if (space == space_kind::gpu) options.on = target::cuda;
  return options;
}

std::shared_ptr<const buffer> brought(const numbers& from, space_kind space) {
  auto made = std::make_shared<buffer>(space, from.size() * sizeof(double));
  copy_memory(made->data(), from.data(), made->bytes());
  return made;
}
const double* at(const std::shared_ptr<const buffer>& from) { return static_cast<const double*>(from->data()); }

}  // namespace

struct gas_masses::state {
  const gas_spaces& in;
  gas_mass_options options;
  space_kind space;
  global_operator<double> velocity, interpolated;  // of the exact density, and of that at the points
  numbers node_masses;
  std::shared_ptr<const buffer> masses, shares, integrals;  // of nodes, of nodes by the points' density, of energies
  std::optional<conjugate_gradient<double>> velocity_iterations{};
  std::optional<batched_cholesky<double>> factors{};
  std::optional<element_operator<double>> energy{};
  std::optional<evaluation<double>> to_gauss{};
  std::optional<point_data<double>> of_gauss{};
  std::optional<conjugate_gradient<double>> energy_iterations{};
  buffer product;
  inner_product dot;
  long iterations = 0, failed = 0, without_numbers = 0;

  function_space kinematic() const { return {basis_kind::gauss_lobatto, in.order}; }
  function_space thermodynamic() const { return {gas_energy_basis(in.energy_order).kind(), in.energy_order}; }

  state(const gas_spaces& of, const gas_mass_options& with, space_kind where)
      : in(of),
        options(with),
        space(where),
        velocity(in.dim, in.exact_density.data(), in.unknowns(in.dim, true), mass_of(in, kinematic(), in.dim, space)),
        interpolated(in.dim, in.mass.data(), in.unknowns(in.dim, false), mass_of(in, kinematic(), in.dim, space)),
        product(space, std::size_t(in.kinematic()) * sizeof(double)),
        dot(std::max(in.kinematic(), in.thermodynamic()), space) {
    set_shares();
    set_velocity_iterations();
    if (options.energy == energy_solver::conjugate_gradients)
      set_energy_iterations({}, solver_options(1));
    else if (in.energies <= tessera::detail::most_cholesky_rows)
      set_factors();
    else
      set_energy_iterations(energy_preconditioner(), {.relative = exact_tolerance,
                                                      .norm = residual_norm::preconditioned,
                                                      .max_iterations = options.most_iterations});
  }

  conjugate_gradient_options solver_options(int systems) const {
    return {.relative = options.tolerance,
            .norm = residual_norm::preconditioned,
            .max_iterations = options.most_iterations,
            .systems = systems};
  }

  // What integrates: M 1 of a component, and the sums of the energies' functions.
  void set_shares() {
    const restriction free = in.unknowns(1, false);
    const numbers ones(std::size_t(in.nodes.count), 1.0);
    const auto share = [&](const numbers& density) {
      numbers made(ones.size());
      const global_operator<double> mass(in.dim, density.data(), free, mass_of(in, kinematic(), 1, space_kind::cpu));
      mass.apply(ones.data(), made.data());
      return made;
    };
    node_masses = share(in.exact_density);
    masses = brought(node_masses, space);
    shares = brought(share(in.mass), space);
    numbers of_energies(std::size_t(in.thermodynamic())), e(of_energies.size(), 1.0);
    const element_operator<double> mass(in.dim, in.zones, in.mass.data(),
                                        mass_of(in, thermodynamic(), 1, space_kind::cpu));
    mass.apply(e.data(), of_energies.data());
    integrals = brought(of_energies, space);
  }

  // Where a wall holds a component, the preconditioner is 0, and so the component is.
  void set_velocity_iterations() {
    numbers diagonal(std::size_t(in.kinematic()));
    const global_operator<double> scalar(in.dim, in.exact_density.data(), in.unknowns(1, false),
                                         mass_of(in, kinematic(), 1, space_kind::cpu));
    scalar.diagonal(diagonal.data());
    for (index_t i = 0; i < in.nodes.count; ++i) diagonal[std::size_t(i)] = 1 / diagonal[std::size_t(i)];
    for (int c = 1; c < in.dim; ++c)
      std::copy_n(diagonal.begin(), in.nodes.count, diagonal.begin() + std::ptrdiff_t(in.nodes.count * c));
    for (const index_t wall : in.nodes.walls) diagonal[std::size_t(wall)] = 0;
    const linear_operator<double> A(
        in.kinematic(),
        [this](const double* x, double* y, stream_view on) {
          velocity.apply({.x = x, .y = y, .rows = constrained_rows::zero, .in = on});
        },
        space);
    velocity_iterations.emplace(A, linear_operator<double>::diagonal(in.kinematic(), brought(diagonal, space)),
                                solver_options(in.dim));
  }

  void set_factors() {
    const element_operator<double> mass(in.dim, in.zones, in.exact_density.data(),
                                        mass_of(in, thermodynamic(), 1, space));
    const buffer M(space, std::size_t(in.energies * in.energies * in.zones) * sizeof(double));
    mass.assemble(0, in.zones, static_cast<double*>(M.data()));
    factors.emplace(in.energies, in.zones, static_cast<const double*>(M.data()), space);
  }
  // In the basis of Lagrange polynomials of Gauss points the matrix is nearly diagonal, and it is that where the
  // density does not vary in a zone: z = T^-1 D^-1 T^-T r, T being the values of the energy's functions at these
  // points.
  linear_operator<double> energy_preconditioner() {
    const int n = in.energy_order + 1;
    const basis_tables values = tabulate(gas_energy_basis(in.energy_order), gauss(n));
    const numbers inverse = detail::inverse(values.B, n);
    evaluation_spec spec{.kind = operator_kind::mass, .dim = in.dim, .trial = n, .points = n};
    spec.interpolate.resize(inverse.size());
    for (std::size_t i = 0; i < std::size_t(n); ++i)
      for (std::size_t k = 0; k < std::size_t(n); ++k)
        spec.interpolate[k + std::size_t(n) * i] = inverse[i + std::size_t(n) * k];
    if (space == space_kind::gpu) spec.on = target::cuda;
    to_gauss.emplace(spec);
    of_gauss.emplace(point_data<double>::stored(*to_gauss, in.zones));
    const element_operator<double> mass(in.dim, in.zones, in.exact_density.data(),
                                        mass_of(in, {basis_kind::gauss, in.energy_order}, 1, space_kind::cpu));
    numbers D(std::size_t(in.thermodynamic()));
    mass.diagonal(D.data());
    for (double& each : D) each = 1 / each;
    of_gauss->set(0, in.zones, D.data());
    return {in.thermodynamic(),
            [this](const double* r, double* z, stream_view on) {
              to_gauss->apply(element_set::range(0, in.zones), {.x = r, .y = z, .in = on}, *of_gauss);
            },
            space};
  }
  void set_energy_iterations(const linear_operator<double>& by, const conjugate_gradient_options& with) {
    energy.emplace(in.dim, in.zones, in.exact_density.data(), mass_of(in, thermodynamic(), 1, space));
    const linear_operator<double> A(
        in.thermodynamic(),
        [this](const double* x, double* y, stream_view on) {
          energy->apply(element_set::range(0, in.zones),
                        {.x = x, .x_layout = energy->x_layout(), .y = y, .y_layout = energy->y_layout(), .in = on});
        },
        space);
    energy_iterations.emplace(A, by, with);
  }

  void count(std::span<const solve_result> results) {
    const auto any = [&](const auto& is) { return std::any_of(results.begin(), results.end(), is); };
    if (any([](const solve_result& each) { return !each.solved(); })) ++failed;
    if (any([](const solve_result& each) { return each.outcome == solve_outcome::not_a_number; })) ++without_numbers;
  }
};

gas_masses::gas_masses(const gas_spaces& in, const gas_mass_options& options, space_kind space)
    : state_(std::make_unique<state>(in, options, space)) {}
gas_masses::~gas_masses() = default;

void gas_masses::solve_velocity(const double* b, double* a) {
  const std::vector<solve_result> results = state_->velocity_iterations->solve_each_from_zero(b, a);
  for (const solve_result& each : results) state_->iterations += each.iterations;
  state_->count(results);
}

void gas_masses::solve_energy(const double* r, double* de) {
  if (state_->factors) return state_->factors->solve(r, de);
  const solve_result result = state_->energy_iterations->solve_from_zero(r, de);
  state_->count({&result, 1});
}

const std::vector<double>& gas_masses::node_masses() const { return state_->node_masses; }
std::string gas_masses::describe_energy_solver() const {
  if (state_->factors) return state_->factors->describe();
  return state_->to_gauss ? "conjugate gradients, preconditioned in the basis of Gauss points" : "conjugate gradients";
}
long gas_masses::velocity_iterations() const { return state_->iterations; }
long gas_masses::failures() const { return state_->failed; }
long gas_masses::without_numbers() const { return state_->without_numbers; }

double gas_masses::internal_energy(const double* e) const {
  return state_->dot(state_->in.thermodynamic(), e, at(state_->integrals));
}
double gas_masses::kinetic_energy(const double* v) const {
  auto* const Mv = static_cast<double*>(state_->product.data());
  state_->interpolated.apply(v, Mv);
  return state_->dot(state_->in.kinematic(), v, Mv) / 2;
}
double gas_masses::momentum(const double* v, int c) const {
  const index_t n = state_->in.nodes.count;
  return state_->dot(n, v + n * c, at(state_->masses));
}
double gas_masses::potential_energy(const double* x, const point& gravity) const {
  const index_t n = state_->in.nodes.count;
  double sum = 0;
  for (int c = 0; c < state_->in.dim; ++c)
    if (gravity[std::size_t(c)] != 0) sum -= gravity[std::size_t(c)] * state_->dot(n, x + n * c, at(state_->shares));
  return sum;
}

}  // namespace tessera::fem
