// SPDX-License-Identifier: BSD-3-Clause
// The module's entry point: deal.II's tables of the space and the points, and a loop over the cells on the given number
// of threads.
#include "peers/dealii/kernel.hpp"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/matrix_free/shape_info.templates.h>

#include <memory>

namespace tessera::bench::dealii_peer {

namespace {

using shape_info = dealii::internal::MatrixFreeFunctions::ShapeInfo<lanes>;

shape_info shape_of(const cell_loop& loop) {
  const dealii::QGaussLobatto<1> nodes(unsigned(loop.p + 1));
  const dealii::FE_DGQArbitraryNodes<3> space(nodes);
  shape_info shape;
  if (loop.nodal)
    shape.reinit(nodes, space);
  else
    shape.reinit(dealii::QGauss<1>(unsigned(loop.q)), space);
  return shape;
}

// The work arrays of a thread.
struct worker {
  dealii::AlignedVector<lanes> memory;
  evaluation on;
  explicit worker(const shape_info& shape) : on(shape) { on.set_data_pointers(&memory, 1); }
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
};

struct prepared {
  cell_loop loop;
  kernel* run;
  shape_info shape;
  std::vector<std::unique_ptr<worker>> workers;

  prepared(const cell_loop& of, kernel* by) : loop(of), run(by), shape(shape_of(of)) {
    for (int t = 0; t < loop.threads; ++t) workers.push_back(std::make_unique<worker>(shape));
  }

  void operator()() const {
    const index_t groups = (loop.elements + lane_count - 1) / lane_count;
    if (loop.threads == 1) return run(loop, workers[0]->on, 0, groups);
#pragma omp parallel for schedule(static) num_threads(loop.threads)
    for (int t = 0; t < loop.threads; ++t)
      run(loop, workers[std::size_t(t)]->on, groups * t / loop.threads, groups * (t + 1) / loop.threads);
  }
};

// All null if no kernel was compiled for the sizes.
kernel_row find(int p, int q) {
  for (const auto rows : {orders_1_to_4, orders_5_to_6, orders_7_to_8})
    for (const kernel_row& row : rows())
      if (row.p == p && row.q == q) return row;
  return {};
}

}  // namespace

}  // namespace tessera::bench::dealii_peer

extern "C" {

[[gnu::visibility("default")]] tessera::bench::dealii_peer::prepare_function tessera_bench_dealii_prepare;
[[gnu::visibility("default")]] tessera::bench::dealii_peer::prepare_box_function tessera_bench_dealii_prepare_box;
[[gnu::visibility("default")]] const char* tessera_bench_dealii_version();

void tessera_bench_dealii_prepare(const tessera::bench::dealii_peer::cell_loop& loop, std::function<void()>& pass) {
  using namespace tessera::bench::dealii_peer;
  const kernel_row row = find(loop.p, loop.q);
  if (kernel* const run = loop.gradients ? row.diffusion : row.mass)
    pass = [all = std::make_shared<prepared>(loop, run)] { (*all)(); };
}

void tessera_bench_dealii_prepare_box(const tessera::bench::dealii_peer::box_loop& loop, std::function<void()>& pass,
                                      std::function<void()>& fetch) {
  using namespace tessera::bench::dealii_peer;
  box_kernel* const run = find(loop.p, loop.q).box;
  if (run == nullptr) return;
  const auto cells = std::make_shared<box_cells>(loop);
  pass = [cells, run, gradients = loop.gradients] { run(*cells, gradients); };
  fetch = [cells] { cells->fetch(); };
}

const char* tessera_bench_dealii_version() { return "deal.II " DEAL_II_PACKAGE_VERSION; }
}
