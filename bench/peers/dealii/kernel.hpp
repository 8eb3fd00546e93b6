// SPDX-License-Identifier: BSD-3-Clause
// The loop of a deal.II user over E-vectors: read and transpose, evaluate, multiply by D, integrate, transpose and
// write.
#pragma once

#include "peers/dealii/lanes.hpp"

#include <deal.II/matrix_free/evaluation_flags.h>
#include <deal.II/matrix_free/evaluation_selector.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/fe_evaluation_data.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "peers/dealii/box_cells.hpp"
#include "peers/dealii/cell_loop.hpp"

namespace tessera::bench::dealii_peer {

/// The data of FEEvaluation: tables of a space, and a thread's own memory for one group of cells.
using evaluation = dealii::FEEvaluationData<3, lanes, false>;

/// Groups of lane_count elements: the groups first .. last - 1.
using kernel = void(const cell_loop& loop, evaluation& on, index_t first, index_t last);

/// All elements of a box, with the loop and the vectors of MatrixFree.
using box_kernel = void(const box_cells& cells, bool gradients);

struct kernel_row {
  int p, q;
  kernel* mass;
  kernel* diffusion;
  box_kernel* box;
};

/// By order, in one translation unit each.
std::vector<kernel_row> orders_1_to_4();
std::vector<kernel_row> orders_5_to_6();
std::vector<kernel_row> orders_7_to_8();

template <int points>
void multiply_values(const double* D, lanes* values) {
  for (int k = 0; k < points; ++k) {
    lanes d;
    d.load(D + k * int(lane_count));
    values[k] *= d;
  }
}

/// D's factors are 00 01 02 11 12 22; gradients are stored by direction.
template <int points>
void multiply_gradients(const double* D, lanes* gradients) {
  for (int k = 0; k < points; ++k) {
    lanes d[6];
    for (int f = 0; f < 6; ++f) d[f].load(D + (6 * k + f) * int(lane_count));
    const lanes g0 = gradients[k], g1 = gradients[k + points], g2 = gradients[k + 2 * points];
    gradients[k] = d[0] * g0 + d[1] * g1 + d[2] * g2;
    gradients[k + points] = d[1] * g0 + d[3] * g1 + d[4] * g2;
    gradients[k + 2 * points] = d[2] * g0 + d[4] * g1 + d[5] * g2;
  }
}

template <int p, int q, bool gradients>
void run(const cell_loop& loop, evaluation& on, index_t first, index_t last) {
  constexpr unsigned functions = (p + 1) * (p + 1) * (p + 1);
  constexpr int points = q * q * q;
  constexpr auto what = gradients ? dealii::EvaluationFlags::gradients : dealii::EvaluationFlags::values;
  using selector = dealii::SelectEvaluator<3, p, q, lanes>;
  lanes* const coefficients = on.begin_dof_values();
  for (index_t group = first; group < last; ++group) {
    const index_t element = group * lane_count;
    const unsigned filled = unsigned(std::min<index_t>(lane_count, loop.elements - element));
    unsigned offsets[lane_count];  // lanes beyond the last element repeat the group's first one
    for (unsigned l = 0; l < lane_count; ++l) offsets[l] = l < filled ? l * functions : 0;
    dealii::vectorized_load_and_transpose(functions, loop.x + element * functions, offsets, coefficients);
    selector::evaluate(1, what, coefficients, on);
    const double* const D = loop.D + group * index_t(points * lane_count * (gradients ? 6 : 1));
    if constexpr (gradients)
      multiply_gradients<points>(D, on.begin_gradients());
    else
      multiply_values<points>(D, on.begin_values());
    selector::integrate(1, what, coefficients, on);
    double* const y = loop.y + element * functions;
    if (filled == lane_count) {
      dealii::vectorized_transpose_and_store(loop.add, functions, coefficients, offsets, y);
      continue;
    }
    for (unsigned l = 0; l < filled; ++l)
      for (unsigned i = 0; i < functions; ++i)
        y[l * functions + i] = (loop.add ? y[l * functions + i] : 0) + coefficients[i][l];
  }
}

template <int p, int q>
void run_box(const box_cells& cells, bool gradients) {
  constexpr int points = q * q * q;
  using evaluator = dealii::FEEvaluation<3, p, q, 1, double, lanes>;
  const auto what = gradients ? dealii::EvaluationFlags::gradients : dealii::EvaluationFlags::values;
  const auto some = [&](const auto& all, vector& y, const vector& x, const std::pair<unsigned, unsigned>& range) {
    evaluator on(all);
    for (unsigned batch = range.first; batch < range.second; ++batch) {
      on.reinit(batch);
      on.read_dof_values(x);
      on.evaluate(what);
      const double* const D = reinterpret_cast<const double*>(cells.D.data() + index_t(batch) * points * cells.factors);
      if (gradients)
        multiply_gradients<points>(D, on.begin_gradients());
      else
        multiply_values<points>(D, on.begin_values());
      on.integrate(what);
      on.distribute_local_to_global(y);
    }
  };
  const std::function<void(const dealii::MatrixFree<3, double, lanes>&, vector&, const vector&,
                           const std::pair<unsigned, unsigned>&)>
      loop = some;
  cells.all.cell_loop(loop, cells.y, cells.x, true);
}

/// first, first + 1, ... each with p + 1 and p + 2 points.
template <int first, int... i>
std::vector<kernel_row> rows_from(std::integer_sequence<int, i...>) {
  return {{first + i, first + i + 1, run<first + i, first + i + 1, false>, run<first + i, first + i + 1, true>,
           run_box<first + i, first + i + 1>}...,
          {first + i, first + i + 2, run<first + i, first + i + 2, false>, run<first + i, first + i + 2, true>,
           run_box<first + i, first + i + 2>}...};
}

}  // namespace tessera::bench::dealii_peer
