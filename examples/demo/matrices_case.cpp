// SPDX-License-Identifier: BSD-3-Clause
// The matrices of elements: results checked against the application, time compared with writing as many numbers.
#include "bent_box.hpp"
#include "cases.hpp"
#include "plain_operator.hpp"
#include "vectors.hpp"

namespace tessera::demo {

namespace {

// Matrices by columns are slow on a CPU: fewer elements show the same rate. At p = 8 these are 16, two vectors of
// AVX-512.
constexpr double share_by_columns = 0.54;

// y = M x of every element.
void multiply(const vector& M, const vector& x, index_t n, index_t elements, double* y) {
#pragma omp parallel for schedule(static)
  for (index_t e = 0; e < elements; ++e) {
    const double *const own = M.data() + n * n * e, *const from = x.data() + n * e;
    double* const to = y + n * e;
    std::fill_n(to, n, 0.0);
    for (index_t j = 0; j < n; ++j)
      for (index_t i = 0; i < n; ++i) to[i] += own[i + n * j] * from[j];
  }
}

}  // namespace

outcome matrices_case(const element_sizes& s, space_kind space, const settings& how, limits& machine) {
  outcome r{.what = operation::matrices, .space = space, .sizes = s};
  const bool by_columns = space == space_kind::cpu && s.kind == operator_kind::diffusion;
  const double bytes = (space == space_kind::cpu ? how.cpu_bytes : how.gpu_bytes) * (by_columns ? share_by_columns : 1);
  const bent_box mesh(box_of(bytes / s.matrix_bytes()), s.p);
  fem::element_operator_options options{.kind = s.kind, .trial = {.order = s.p}, .points = int(s.q())};
  if (space == space_kind::gpu) options.on = target::cuda;
  const fem::element_operator<double> A(mesh.nodes(), options);
  const plain_operator plain(mesh, s);
  r.elements = mesh.elements();
  r.description = A.describe_assembly();

  const index_t n = s.functions(), entries = n * mesh.elements();
  const vector M(space, n * entries);
  A.assemble(0, mesh.elements(), M.data());
  const vector x = random_vector(entries);
  vector y(space_kind::cpu, entries), right(space_kind::cpu, entries);
  plain.apply(x.data(), right.data());
  multiply(M.host(), x, n, mesh.elements(), y.data());
  r.error = difference(y.values(), right.values());

  // The limit may overwrite the matrices.
  machine.measure(r, {{[&] { A.assemble(0, mesh.elements(), M.data()); }, &outcome::tessera}},
                  {plain.D().data(), nullptr, M.data(), plain.D().size(), 0, M.size()});
  return r;
}

}  // namespace tessera::demo
