// SPDX-License-Identifier: BSD-3-Clause
// Corner forces of as many zones as a vector has lanes.
#pragma once

#include <cstdint>

#include <tessera/cpu/detail/hydro/force_block.hpp>

namespace tessera::simd {

template <class Isa, int dim>
struct force_kernel {
  using vector = typename Isa::template vector<double>;
  using zone = tessera::detail::any_zone<dim, Isa>;
  using layout = tessera::detail::zone_layout<zone>;
  static constexpr index_t lanes = index_t(vector::size);

  /// One zone after the other, in their lanes.
  struct serial {
    template <class F>
    [[gnu::always_inline]] void each(int count, const F& f) const {
      for (int i = 0; i < count; ++i) f(0, i);
    }
    template <class F>
    [[gnu::always_inline]] void each(int first, int second, const F& f) const {
      for (int i = 0; i < first; ++i)
        for (int j = 0; j < second; ++j) f(0, i, j);
    }
    template <class F>
    [[gnu::always_inline]] void each(int first, int second, int third, const F& f) const {
      for (int i = 0; i < first; ++i)
        for (int j = 0; j < second; ++j)
          for (int k = 0; k < third; ++k) f(0, i, j, k);
    }
    [[gnu::always_inline]] void sync() const {}
  };
  struct scratch {
    vector* start;
    [[gnu::always_inline]] vector* at(int) const { return start; }
  };

  /// What the lanes' zones have.
  struct lane_data {
    const force_block& b;
    vector rate = vector(0.0);

    [[gnu::always_inline]] const std::int64_t* number(int, int i) const { return b.numbers + lanes * i; }
    [[gnu::always_inline]] vector node(const std::int64_t* numbers, int f, int c) const {
      alignas(64) double each[lanes];
      const double* const from = b.fields[f] + c * b.stride;
      for (index_t w = 0; w < lanes; ++w) each[w] = from[numbers[w]];
      return vector::load_aligned(each);
    }
    [[gnu::always_inline]] vector energy(int, int i) const {
      alignas(64) double each[lanes];
      for (index_t w = 0; w < lanes; ++w) each[w] = b.energies[b.zone[w] * b.zone_energies + i];
      return vector::load_aligned(each);
    }
    [[gnu::always_inline]] void set_point(int, int point, hydro::gas_at_point<dim, vector>& is) const {
      is.mass = vector::load_aligned(b.mass + lanes * point);
      is.gamma = vector::load_aligned(b.gamma);
      const double* const start = b.start_inverse + lanes * b.start_step * point;
      for (int c = 0; c < dim; ++c)
        for (int g = 0; g < dim; ++g) is.start_inverse[c][g] = vector::load_aligned(start + lanes * (c + dim * g));
    }
    [[gnu::always_inline]] void limit(int, int, const vector& of_point) {
      rate = select(rate < of_point, of_point, rate);
    }
    [[gnu::always_inline]] void give_force(int, int c, int i, const vector& force) const {
      // Rounding of a gas at rest does not move it.
      const vector kept = select(tessera::abs(force) < vector(hydro::smallest_force), vector(0.0), force);
      alignas(64) double each[lanes];
      kept.store_aligned(each);
      for (index_t w = 0; w < b.active; ++w) b.forces[i + b.zone_nodes * (c + dim * b.zone[w])] = each[w];
    }
    [[gnu::always_inline]] void give_power(int, int i, const vector& power) const {
      alignas(64) double each[lanes];
      power.store_aligned(each);
      for (index_t w = 0; w < b.active; ++w) b.power[i + b.zone_energies * b.zone[w]] = each[w];
    }
    [[gnu::always_inline]] void give_limit() const {
      if (b.rates == nullptr) return;
      alignas(64) double each[lanes];
      rate.store_aligned(each);
      for (index_t w = 0; w < b.active; ++w) {
        double& kept = b.rates[b.zone[w]];
        if (!b.highest_rates || kept < each[w]) kept = each[w];
      }
    }
  };

  static constexpr layout layout_of(const force_zone& of, const tessera::detail::force_task& task) {
    return {.is = {.of_nodes = of.nodes, .of_energies = of.energies, .of_points = of.points}, .task = task};
  }
  static index_t scratch_numbers(const force_zone& of, const tessera::detail::force_task& task) {
    return lanes * layout_of(of, task).size();
  }
  [[gnu::flatten]] static void run(const force_block& b) {
    const serial group;
    lane_data data{.b = b};
    tessera::detail::zone_program<zone, vector, const serial, scratch, lane_data>{
        .at = layout_of(b.of, b.task),
        .rules = b.rules,
        .tables = b.tables,
        .group = group,
        .memory = {reinterpret_cast<vector*>(b.scratch)},
        .data = data}
        .run();
  }
};

template <class Isa>
constexpr force_kernels force_kernels_of() {
  return {Isa::name,
          int(force_kernel<Isa, 1>::lanes),
          {&force_kernel<Isa, 1>::run, &force_kernel<Isa, 2>::run, &force_kernel<Isa, 3>::run},
          {&force_kernel<Isa, 1>::scratch_numbers, &force_kernel<Isa, 2>::scratch_numbers,
           &force_kernel<Isa, 3>::scratch_numbers}};
}

}  // namespace tessera::simd
