// SPDX-License-Identifier: BSD-3-Clause
// What is computed in a zone: gradients at its points, plane by plane, the point function, and sums over the points.
// The same code is run by a CPU, with a zone in each lane of a vector, and by the threads of a block of a GPU.
#pragma once

#include <tessera/hydro/gas_point.hpp>

namespace tessera::detail {

/// What a call computes.
struct force_task {
  bool forces = true, power = true;
  int velocities = 1;   ///< 2: the power is that of another velocity
  bool source = false;  ///< power from the source that keeps the Taylor-Green vortex steady
};

/// Sizes of a direction that are known when the program is compiled, as a GPU has them.
template <int dimension, int of_nodes, int of_energies, int of_points>
struct static_zone {
  static constexpr int dim = dimension;
  static constexpr int nodes() { return of_nodes; }
  static constexpr int energies() { return of_energies; }
  static constexpr int points() { return of_points; }
};
/// The same at run time. `Where` identifies the translation unit, see the instruction sets.
template <int dimension, class Where>
struct any_zone {
  static constexpr int dim = dimension;
  int of_nodes = 2, of_energies = 1, of_points = 2;
  constexpr int nodes() const { return of_nodes; }
  constexpr int energies() const { return of_energies; }
  constexpr int points() const { return of_points; }
};

/// Where things are in the memory of a zone, in numbers. What is read together is side by side, so that a thread of a
/// GPU reads pairs: components, padded to an even number, and in a line of points a slot for what is derived in which
/// direction. Lines are two numbers off a multiple of four, so that threads that read across them are not in one bank.
template <class Zone>
struct zone_layout {
  Zone is;
  force_task task;

  static constexpr int dim = Zone::dim;
  static constexpr int power_of(int base, int exponent) {
    int product = 1;
    for (int i = 0; i < exponent; ++i) product *= base;
    return product;
  }
  static constexpr int even(int count) { return (count + 1) / 2 * 2; }
  static constexpr int components = even(dim);          ///< of a node
  static constexpr int slots = even(2 * dim);           ///< of a node of a plane: values, then slopes across it
  static constexpr int derivatives = even(dim * dim);   ///< [c][direction] of a point
  static constexpr int stresses = even(dim * dim + 1);  ///< the same, and the power
  constexpr int fields() const { return 1 + task.velocities; }
  constexpr int zone_nodes() const { return power_of(is.nodes(), dim); }
  constexpr int zone_energies() const { return power_of(is.energies(), dim); }
  constexpr int zone_points() const { return power_of(is.points(), dim); }
  constexpr int plane_nodes() const { return power_of(is.nodes(), dim == 1 ? 1 : 2); }
  constexpr int plane_energies() const { return power_of(is.energies(), dim == 1 ? 1 : 2); }
  /// Lines of a plane of points.
  constexpr int lines() const { return dim == 1 ? 1 : is.points(); }
  constexpr int planes() const { return dim == 3 ? is.points() : 1; }
  constexpr int line_of(int count) const { return is.points() * count + (is.points() * count % 4 == 2 ? 0 : 2); }
  constexpr int energy_line() const { return is.points() | 1; }

  // Coefficients of the zone: field f of node i, energies; sums.
  constexpr int field(int f, int i) const { return (f * zone_nodes() + i) * components; }
  constexpr int force(int i) const { return field(fields(), 0) + i * components; }
  constexpr int energy() const { return force(task.forces ? zone_nodes() : 0); }
  constexpr int power() const { return energy() + zone_energies(); }
  // In the plane of points: along x and y still coefficients (3-D), then along x only.
  constexpr int layer(int f, int i) const {
    return even(power() + (task.power ? zone_energies() : 0)) + (f * plane_nodes() + i) * slots;
  }
  constexpr int row(int f, int i, int k) const {
    return layer(dim == 3 ? fields() : 0, 0) + (f * is.nodes() + i) * line_of(derivatives) + k * derivatives;
  }
  // At the points of the plane.
  constexpr int stress(int line, int k) const {
    return row(dim == 1 ? 0 : fields(), 0, 0) + line * line_of(stresses) + k * stresses;
  }
  constexpr int energy_layer() const { return stress(lines(), 0); }
  constexpr int energy_row(int i) const {
    return energy_layer() + (dim == 3 ? plane_energies() : 0) + i * energy_line();
  }
  constexpr int size() const { return even(energy_row(dim == 1 ? 0 : is.energies())); }
};

/// Tables of a direction.
struct zone_tables {
  const double* nodes;     // of the nodes' functions: value and slope of function i at point k at 2 (k + points i)
  const double* energies;  // values of the energies' functions, at k + points i
  const double* weights;   // of the rule
};

/// Group: each(count, ..., f) calls f(zone, i, ...) for all zones of the group and all i < count, the last count
/// fastest, in parallel; sync() ends that. Memory: at(zone) is the zone's memory, numbers S.
/// Data: what a zone has, see its uses.
template <class Zone, class S, class Group, class Memory, class Data>
struct zone_program {
  zone_layout<Zone> at;
  hydro::gas_rules rules;
  zone_tables tables;
  Group& group;
  Memory memory;
  Data& data;

  static constexpr int dim = Zone::dim;

  constexpr void run() {
    take();
    group.sync();
    for (int plane = 0; plane < at.planes(); ++plane) {
      if constexpr (dim == 3) {
        to_plane(plane);
        group.sync();
      }
      if constexpr (dim >= 2) {
        to_rows();
        group.sync();
      }
      at_points(plane);
      group.sync();
      from_points();
      if constexpr (dim >= 2) {
        group.sync();
        from_rows(plane);
      }
    }
    group.sync();
    give();
  }

 private:
  constexpr int nodes() const { return at.is.nodes(); }
  constexpr int points() const { return at.is.points(); }
  constexpr int energies() const { return at.is.energies(); }
  // Of function `function` at a point.
  struct value_and_slope {
    S value, slope;
  };
  constexpr value_and_slope of_node(int point, int function) const {
    const double* const pair = aligned(tables.nodes + 2 * (point + points() * function));
    return {S(pair[0]), S(pair[1])};
  }
  constexpr S energy(int point, int function) const { return S(tables.energies[point + points() * function]); }
  // Numbers that are read in pairs.
  template <class T>
  static constexpr T* aligned(T* p) {
    return static_cast<T*>(__builtin_assume_aligned(p, 2 * sizeof(double)));
  }

  constexpr void take() {
    group.each(at.zone_nodes(), [&](int zone, int i) {
      S* const m = memory.at(zone);
      const auto number = data.number(zone, i);
      for (int f = 0; f < at.fields(); ++f)
        for (int c = 0; c < dim; ++c) m[at.field(f, i) + c] = data.node(number, f, c);
      if constexpr (dim == 3)
        if (at.task.forces)
          for (int c = 0; c < dim; ++c) m[at.force(i) + c] = S(0.0);
    });
    group.each(at.zone_energies(), [&](int zone, int i) {
      S* const m = memory.at(zone);
      m[at.energy() + i] = data.energy(zone, i);
      if constexpr (dim == 3)
        if (at.task.power) m[at.power() + i] = S(0.0);
    });
  }

  // Along z: values and slopes in a plane of points.
  constexpr void to_plane(int plane) {
    group.each(at.fields(), at.plane_nodes(), [&](int zone, int f, int i) {
      S* const m = memory.at(zone);
      S sum[2 * dim];
      for (S& each : sum) each = S(0.0);
      for (int j = 0; j < nodes(); ++j) {
        const value_and_slope by = of_node(plane, j);
        const S* const u = aligned(m + at.field(f, i + at.plane_nodes() * j));
        for (int c = 0; c < dim; ++c) {
          sum[c] = sum[c] + by.value * u[c];
          sum[dim + c] = sum[dim + c] + by.slope * u[c];
        }
      }
      S* const to = aligned(m + at.layer(f, i));
      for (int c = 0; c < 2 * dim; ++c) to[c] = sum[c];
    });
    group.each(at.plane_energies(), [&](int zone, int i) {
      S* const m = memory.at(zone);
      S sum(0.0);
      for (int j = 0; j < energies(); ++j) sum = sum + energy(plane, j) * m[at.energy() + i + at.plane_energies() * j];
      m[at.energy_layer() + i] = sum;
    });
  }

  // Along y. Direction 0: values as yet, 1: derived by y, 2: by z.
  constexpr void to_rows() {
    group.each(at.fields(), nodes(), points(), [&](int zone, int f, int i, int k) {
      S* const m = memory.at(zone);
      S sum[dim * dim];
      for (S& each : sum) each = S(0.0);
      for (int j = 0; j < nodes(); ++j) {
        const value_and_slope by = of_node(k, j);
        const S* const u = aligned(m + (dim == 3 ? at.layer(f, i + nodes() * j) : at.field(f, i + nodes() * j)));
        for (int c = 0; c < dim; ++c) {
          sum[dim * c] = sum[dim * c] + by.value * u[c];
          sum[dim * c + 1] = sum[dim * c + 1] + by.slope * u[c];
          if constexpr (dim == 3) sum[dim * c + 2] = sum[dim * c + 2] + by.value * u[dim + c];
        }
      }
      S* const to = aligned(m + at.row(f, i, k));
      for (int n = 0; n < dim * dim; ++n) to[n] = sum[n];
    });
    group.each(energies(), points(), [&](int zone, int i, int k) {
      S* const m = memory.at(zone);
      S sum(0.0);
      for (int j = 0; j < energies(); ++j)
        sum = sum + energy(k, j) * m[(dim == 3 ? at.energy_layer() : at.energy()) + i + energies() * j];
      m[at.energy_row(i) + k] = sum;
    });
  }

  // Along x: all derivatives of `count` fields from `first` on at point k of a line.
  template <int first, int count>
  constexpr void gradients(const S* m, int k, int line, hydro::matrix<dim, S> (&of)[count]) const {
    for (auto& each : of)
      for (int c = 0; c < dim; ++c)
        for (int g = 0; g < dim; ++g) each[c][g] = S(0.0);
    for (int j = 0; j < nodes(); ++j) {
      const value_and_slope by = of_node(k, j);
      for (int f = 0; f < count; ++f) {
        const S* const u = aligned(m + (dim == 1 ? at.field(first + f, j) : at.row(first + f, j, line)));
        for (int c = 0; c < dim; ++c)
          for (int g = 0; g < dim; ++g) of[f][c][g] = of[f][c][g] + (g == 0 ? by.slope : by.value) * u[dim * c + g];
      }
    }
  }

  constexpr void at_points(int plane) {
    group.each(at.lines(), points(), [&](int zone, int line, int k) {
      S* const m = memory.at(zone);
      const int point = k + points() * (line + points() * plane);
      hydro::gas_at_point<dim, S> is;
      data.set_point(zone, point, is);
      hydro::matrix<dim, S> of[2];
      gradients<0, 2>(m, k, line, of);
      is.jacobian = of[0];
      is.velocity_gradient = of[1];
      is.energy = S(0.0);
      for (int j = 0; j < energies(); ++j)
        is.energy = is.energy + energy(k, j) * m[dim == 1 ? at.energy() + j : at.energy_row(j) + line];
      is.weight =
          S(tables.weights[k] * (dim >= 2 ? tables.weights[line] : 1.0) * (dim == 3 ? tables.weights[plane] : 1.0));
      const auto force = hydro::force_of<dim, S>(is, rules);
      data.limit(zone, point, force.rate);
      S* const to = aligned(m + at.stress(line, k));
      if (at.task.forces)
        for (int c = 0; c < dim; ++c)
          for (int g = 0; g < dim; ++g) to[dim * c + g] = force.stress[c][g];
      if (!at.task.power) return;
      if (at.task.velocities == 2) {
        hydro::matrix<dim, S> other[1];
        gradients<2, 1>(m, k, line, other);
        is.velocity_gradient = other[0];
      }
      S sum(0.0);
      for (int c = 0; c < dim; ++c)
        for (int g = 0; g < dim; ++g) sum = sum + force.stress[c][g] * is.velocity_gradient[c][g];
      if constexpr (dim == 2)
        if (at.task.source) sum = sum + is.weight * force.determinant * source(m, k, line);
      to[dim * dim] = sum;
    });
  }
  constexpr S source(const S* m, int k, int line) const {
    S x[2] = {S(0.0), S(0.0)};
    for (int j = 0; j < nodes(); ++j)
      for (int c = 0; c < 2; ++c) x[c] = x[c] + of_node(k, j).value * m[at.row(0, j, line) + dim * c];
    return hydro::taylor_green_source(x[0], x[1]);
  }

  // Sums over x: direction 0 is to be summed with values along y, 1 with slopes, 2 with slopes along z.
  constexpr void from_points() {
    if (at.task.forces)
      group.each(nodes(), at.lines(), [&](int zone, int i, int line) {
        S* const m = memory.at(zone);
        S sum[dim * dim];
        for (S& each : sum) each = S(0.0);
        for (int k = 0; k < points(); ++k) {
          const value_and_slope by = of_node(k, i);
          const S* const s = aligned(m + at.stress(line, k));
          for (int n = 0; n < dim * dim; ++n) sum[n] = sum[n] + (n % dim == 0 ? by.slope : by.value) * s[n];
        }
        S* const to = aligned(m + (dim == 1 ? at.force(i) : at.row(0, i, line)));
        for (int n = 0; n < dim * dim; ++n) to[n] = sum[n];
      });
    if (at.task.power)
      group.each(energies(), at.lines(), [&](int zone, int i, int line) {
        S* const m = memory.at(zone);
        S sum(0.0);
        for (int k = 0; k < points(); ++k) sum = sum + energy(k, i) * m[at.stress(line, k) + dim * dim];
        m[dim == 1 ? at.power() + i : at.energy_row(i) + line] = sum;
      });
  }

  // Sums over y, and in 3-D what the plane adds.
  constexpr void from_rows(int plane) {
    if (at.task.forces)
      group.each(nodes(), nodes(), [&](int zone, int j, int i) {
        S* const m = memory.at(zone);
        S across[dim], along[dim];
        for (int c = 0; c < dim; ++c) across[c] = along[c] = S(0.0);
        for (int k = 0; k < points(); ++k) {
          const value_and_slope by = of_node(k, j);
          const S* const x = aligned(m + at.row(0, i, k));
          for (int c = 0; c < dim; ++c) {
            across[c] = across[c] + by.value * x[dim * c] + by.slope * x[dim * c + 1];
            if constexpr (dim == 3) along[c] = along[c] + by.value * x[dim * c + 2];
          }
        }
        const int node = i + nodes() * j;
        if constexpr (dim == 3) {
          for (int l = 0; l < nodes(); ++l) {
            const value_and_slope by = of_node(plane, l);
            S* const sums = aligned(m + at.force(node + at.plane_nodes() * l));
            for (int c = 0; c < dim; ++c) sums[c] = sums[c] + by.value * across[c] + by.slope * along[c];
          }
        } else {
          for (int c = 0; c < dim; ++c) m[at.force(node) + c] = across[c];
        }
      });
    if (at.task.power)
      group.each(energies(), energies(), [&](int zone, int j, int i) {
        S* const m = memory.at(zone);
        S across(0.0);
        for (int k = 0; k < points(); ++k) across = across + energy(k, j) * m[at.energy_row(i) + k];
        S* const sums = m + at.power() + i + energies() * j;
        if constexpr (dim == 3) {
          for (int l = 0; l < energies(); ++l) {
            S& sum = sums[at.plane_energies() * l];
            sum = sum + energy(plane, l) * across;
          }
        } else {
          *sums = across;
        }
      });
  }

  constexpr void give() {
    if (at.task.forces)
      group.each(dim, at.zone_nodes(),
                 [&](int zone, int c, int i) { data.give_force(zone, c, i, memory.at(zone)[at.force(i) + c]); });
    if (at.task.power)
      group.each(at.zone_energies(),
                 [&](int zone, int i) { data.give_power(zone, i, memory.at(zone)[at.power() + i]); });
    data.give_limit();
  }
};

}  // namespace tessera::detail
