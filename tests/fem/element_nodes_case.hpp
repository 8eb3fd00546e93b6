// SPDX-License-Identifier: BSD-3-Clause
// An element kernel of the GPU that computes D, on the host: every thread's program, phase by phase, against the CPU's
// stored D.
#pragma once

#include "seeded.hpp"

#include <tessera/detail/element/operator_facts.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/gpu/detail/element/collocated.cuh>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/element/direct.cuh>
#include <tessera/gpu/detail/element/node_layout.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace tessera::testing {

/// The kernel's sizes, `nodes` geometry nodes a direction; functions of order p - 1 of another basis for y where
/// `own_test`. Most: all coefficients that the operator takes.
struct nodes_sizes {
  int p = 1, q = 3, nodes = 2;
  bool most = false, at_points = false;
  bool nodal = false, own_test = false, mirrored = true;
  int last = 0, elements = 1;
  bool several = false, unit = true, direct = false, staged = false;

  constexpr int t() const { return own_test ? p : p + 1; }
};

template <class T, operator_kind kind, int dim, nodes_sizes s>
class nodes_case {
  using function = operator_function<kind, dim>;
  static constexpr int d = s.p + 1, q = s.q, t = s.t(), coupled = coupled_components(kind, dim);
  static constexpr int given = s.most ? coefficients_of(kind, dim).most : coefficients_of(kind, dim).fewest;
  using form = device::element_form<dim, d, q, t, s.nodal, s.own_test, s.mirrored>;
  static constexpr int side = form::side, lines = device::power_of(side, dim - 1);
  static constexpr int threads = (s.elements * lines + 31) / 32 * 32;
  // Some room between lines, planes and elements.
  static constexpr int line = side + 1, plane = line * side + 2,
                       element = dim == 3 ? plane * side + 3 : line * side + 3;
  using shape =
      device::element_shape<s.elements, threads, 1, s.last, 0, s.direct, s.staged, line, plane, element, false>;
  using source = device::from_nodes<kind, s.nodes, given, s.at_points>;
  using data = device::computed_data<T, source, function, form, shape, s.several, device::e_vector_loader<T, s.unit>,
                                     device::e_vector_storer<T, s.unit>>;
  using program = device::program_with_nodes<
      std::conditional_t<s.direct, device::direct_program<data>, device::collocated_program<data>>>;

 public:
  /// The largest difference from the CPU's, 1 being many times what rounding does. Whatever differs when threads of a
  /// phase run in another order counts as infinite, as does what is written that should not be.
  static double worst(index_t count, std::vector<index_t> which, bool listed, bool add) {
    const int repeats = s.several ? 2 : 1, sides = s.several ? 2 : 1, components = coupled * repeats;
    const index_t nx = device::power_of(d, dim), ny = device::power_of(t, dim);
    const index_t room = (std::max(nx, ny) * components + 4) * (count + 3);
    application<T> a{
        .x_layout =
            s.unit ? element_layout::conventional(nx, components) : element_layout::interleaved(nx, components, 3),
        .y_layout = s.unit ? element_layout::conventional(ny, components) : element_layout::by_node(ny, components),
        .add = add,
        .sides = sides,
        .x_side = room,
        .y_side = room};
    const std::vector<T> x = seeded<T>(room * sides, 7);
    std::vector<T> wanted = seeded<T>(room * sides, 9), forth = wanted, back = wanted;

    fem::element_nodes<T> nodes{.dim = dim, .order = s.nodes - 1, .elements = count};
    // Neither of the layouts is the default where entries of x and y do not lie side by side.
    const index_t n = device::power_of(s.nodes, dim);
    nodes.layout = s.unit ? element_layout::conventional(n, dim) : element_layout::interleaved(n, dim, 2);
    const std::vector<T> coordinates = coordinates_of(count, nodes.layout);
    const std::vector<T> at_points = coefficients(count * device::power_of(q, dim));
    nodes.coordinates = coordinates.data();
    if (s.at_points) {
      nodes.coefficients_at_points = at_points.data();
      nodes.coefficients_given = given;
    } else {
      nodes.coefficients.assign(at_points.begin(), at_points.begin() + given);
    }

    a.x = x.data(), a.y = wanted.data();
    const fem::element_operator<T> on_cpu(nodes, options(components));
    on_cpu.apply(listed ? element_set::of(which) : element_set::range(which.front(), which.front() + size(which)), a);

    device::element_arguments<T> arguments{
        .x = x.data(),
        .x_layout = a.x_layout,
        .y_layout = a.y_layout,
        .list = listed ? which.data() : nullptr,
        .first = which.front(),
        .count = size(which),
        .x_side = room,
        .y_side = room,
        .repeats = repeats,
        .sides = sides,
        .add = add,
        .nodes = {.coordinates = nodes.coordinates, .layout = nodes.layout, .coefficients = at_points.data()}};
    const std::vector<T> constants = constants_of(nodes);
    arguments.y = forth.data();
    run(arguments, constants, false);
    arguments.y = back.data();
    run(arguments, constants, true);
    if (forth != back) return std::numeric_limits<double>::infinity();

    double off = 0, largest = 1;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const double here = std::abs(double(forth[i]) - double(wanted[i]));
      off = here <= off ? off : std::isnan(here) ? std::numeric_limits<double>::infinity() : here;
      largest = std::max(largest, std::abs(double(wanted[i])));
    }
    return off / (largest * 1000 * double(std::numeric_limits<T>::epsilon()));
  }

 private:
  static index_t size(const std::vector<index_t>& of) { return index_t(of.size()); }
  static fem::quadrature_rule rule() { return s.nodal ? fem::gauss_lobatto(q) : fem::gauss(q); }
  static fem::basis trial_basis() { return fem::basis(fem::basis_kind::gauss_lobatto, s.p); }
  static fem::basis test_basis() { return s.own_test ? fem::basis(fem::basis_kind::bernstein, t - 1) : trial_basis(); }
  static fem::element_operator_options options(int components) {
    fem::element_operator_options o{.kind = kind,
                                    .trial = {.order = s.p},
                                    .components = components,
                                    .points = q,
                                    .rule = s.nodal ? fem::points_kind::gauss_lobatto : fem::points_kind::gauss};
    if (s.own_test) o.test = fem::function_space{fem::basis_kind::bernstein, t - 1};
    return o;
  }

  // Boxes of sides 1, 1.5, 2 whose nodes are moved a little.
  static std::vector<T> coordinates_of(index_t count, const element_layout& layout) {
    const std::vector<double> nodes = fem::gauss_lobatto(s.nodes).points;
    const index_t n = device::power_of(s.nodes, dim);
    const std::vector<T> moves = seeded<T>(n * dim * count, 21);
    std::vector<T> all(std::size_t(n * dim * (count + 2)), std::numeric_limits<T>::quiet_NaN());
    for (index_t e = 0; e < count; ++e)
      for (int c = 0; c < dim; ++c)
        for (index_t i = 0; i < n; ++i) {
          const index_t own = i / device::power_of(s.nodes, c) % s.nodes;
          all[std::size_t(layout.offset(i, c, e))] = T((1 + 0.5 * c) * nodes[std::size_t(own)]) +
                                                     T(0.06 / s.nodes) * moves[std::size_t(i + n * (c + dim * e))];
        }
    return all;
  }
  static std::vector<T> coefficients(index_t points) {
    std::vector<T> all = seeded<T>(points * given, 22);
    for (T& c : all) c += T(2);
    return all;
  }
  static std::vector<T> constants_of(const fem::element_nodes<T>& nodes) {
    element_kernel_facts facts = facts_of(kind, dim, d, q, int(sizeof(T)));
    facts.test = t;
    facts.nodal = s.nodal;
    facts.geometry = s.nodes;
    const fem::basis_tables trial = fem::tabulate(trial_basis(), rule()), test = fem::tabulate(test_basis(), rule()),
                            geometry = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, s.nodes - 1), rule());
    const bool own_slopes = q < d || q < t;
    const std::vector<double> none;
    return device::constants_of<T>(facts, s.mirrored, s.own_test, s.direct,
                                   {trial.B, fem::differentiation_matrix(rule().points), test.B,
                                    own_slopes ? trial.G : none, own_slopes ? test.G : none},
                                   {.interpolate = geometry.B,
                                    .weights = rule().weights,
                                    .coefficients = nodes.coefficients,
                                    .gradients = q < s.nodes ? geometry.G : none});
  }

  // Threads of a phase in ascending or descending order: were one to read what another one writes in the same phase,
  // the two would differ.
  static void run(const device::element_arguments<T>& a, const std::vector<T>& constants, bool descending) {
    typename program::tables parameter;
    std::copy(constants.begin(), constants.end(), parameter.at);
    const function own{};
    for (index_t block = 0; block * s.elements < a.count; ++block) {
      std::vector<T> shared(std::size_t(program::shared_entries), std::numeric_limits<T>::quiet_NaN());
      std::vector<program> all;
      for (int thread = 0; thread < threads; ++thread)
        all.emplace_back(a, parameter, own, shared.data(), nullptr, block, descending ? threads - 1 - thread : thread);
      step<0>(all);
      for (int round = 0; round < all.front().rounds(); ++round) phase<0>(all, round);
    }
  }
  template <int number>
  static void step(std::vector<program>& all) {
    if constexpr (number < program::steps_before) {
      for (program& thread : all) thread.template before<number>();
      step<number + 1>(all);
    }
  }
  template <int number>
  static void phase(std::vector<program>& all, int round) {
    for (program& thread : all) thread.template run<number>(round);
    if constexpr (number + 1 < program::phases) phase<number + 1>(all, round);
  }
};

}  // namespace tessera::testing
