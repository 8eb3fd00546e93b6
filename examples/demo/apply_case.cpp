// SPDX-License-Identifier: BSD-3-Clause
// The application of an operator: against theory, the plain loop and the assembled matrix, in results and in time.
#include "bent_box.hpp"
#include "cases.hpp"
#include "csr_matrix.hpp"
#include "gather_scatter.hpp"
#include "plain_operator.hpp"
#include "vectors.hpp"

namespace tessera::demo {

namespace {

double sum_of_products(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

vector applied(const fem::element_operator<double>& A, std::span<const double> x) {
  const space_kind space = A.kernel().space();
  const vector in(space, x), out(space, index_t(x.size()));
  A.apply(in.data(), out.data());
  return out.host();
}

// Mass: 1'M1 is the volume, 1. Diffusion: A 1 is 0; of u = a . X the energy is |a|^2, and A u is 0 at every unknown
// inside, which is the patch test. Returns the largest deviation, relative to A applied to other numbers of that size.
double off_theory(const bent_box& mesh, const gather_scatter& around, const fem::element_operator<double>& A,
                  operator_kind kind) {
  const std::vector<double> one(mesh.number().size(), 1.0);
  const vector of_one = applied(A, one);
  if (kind == operator_kind::mass) return std::abs(sum_of_products(one, of_one.values()) - 1);
  const double scale = largest(applied(A, random_vector(index_t(one.size())).values()).values());

  const std::array<double, 3> a{1, 2, -3};
  const std::vector<double> u = mesh.linear_field(a);
  const vector entries = applied(A, u);
  vector sums(space_kind::cpu, mesh.unknowns());
  around.scatter(entries.data(), sums.data());
  double inside = 0;
  for (index_t i = 0; i < mesh.unknowns(); ++i)
    if (!mesh.on_surface(i)) inside = std::max(inside, std::abs(sums.data()[i]));
  const double energy = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  const double off_energy = std::abs(sum_of_products(u, entries.values()) / energy - 1);
  return std::max({largest(of_one.values()) / scale, inside / (scale * largest(u)), off_energy});
}

fem::element_operator_options options_of(const element_sizes& s, space_kind space) {
  fem::element_operator_options options{.kind = s.kind, .trial = {.order = s.p}, .points = int(s.q())};
  if (space == space_kind::gpu) options.on = target::cuda;
  return options;
}

// y = A x on a mesh of its own, as large as memory allows. The matrix maps unknowns to unknowns.
void measure_matrix(outcome& r, const settings& how, limits& machine) {
  const bent_box mesh(box_of(how.cpu_bytes / csr_matrix::bytes_of_element(r.sizes.p)), r.sizes.p);
  const fem::element_operator<double> A(mesh.nodes(), options_of(r.sizes, space_kind::cpu));
  const csr_matrix matrix(mesh, A);
  const gather_scatter around(mesh.number(), mesh.unknowns());
  const vector x = random_vector(mesh.unknowns());
  vector entries(space_kind::cpu, index_t(mesh.number().size())), y(space_kind::cpu, mesh.unknowns());
  around.gather(x.data(), entries.data());
  around.scatter(applied(A, entries.values()).data(), y.data());
  const vector right = y.host();
  const auto pass = [&] { best_peers().multiply(matrix.view(), x.data(), y.data()); };
  pass();
  r.error = std::max(r.error, difference(y.values(), right.values()));
  r.csr_elements = mesh.elements();
  r.csr = machine.alone(pass);
}

}  // namespace

outcome apply_case(const element_sizes& s, space_kind space, const settings& how, limits& machine) {
  outcome r{.what = operation::apply, .space = space, .sizes = s};
  {
    const double bytes = space == space_kind::cpu ? how.cpu_bytes : how.gpu_bytes;
    const bent_box mesh(box_of(bytes / s.apply_bytes()), s.p);
    const fem::element_operator<double> A(mesh.nodes(), options_of(s, space));
    const gather_scatter around(mesh.number(), mesh.unknowns());
    const plain_operator plain(mesh, s);
    r.elements = mesh.elements();
    r.description = A.describe();

    const index_t entries = s.functions() * mesh.elements();
    const vector x = random_vector(entries), in(space, x.values()), out(space, entries);
    vector y(space_kind::cpu, entries);
    plain.apply(x.data(), y.data());
    A.apply(in.data(), out.data());
    r.error = std::max(off_theory(mesh, around, A, s.kind), difference(out.host().values(), y.values()));

    std::vector<limits::contender> contenders{{[&] { A.apply(in.data(), out.data()); }, &outcome::tessera}};
    const vector before = random_vector(mesh.unknowns()), after(space_kind::cpu, mesh.unknowns());
    if (space == space_kind::cpu) {
      contenders.push_back({[&] { plain.apply(x.data(), y.data()); }, &outcome::plain});
      contenders.push_back({[&] {
                              around.gather(before.data(), in.data());
                              A.apply(in.data(), out.data());
                              around.scatter(out.data(), after.data());
                            },
                            &outcome::with_gather});
    }
    const std::size_t n = std::size_t(entries);
    machine.measure(r, contenders, {x.data(), plain.D().data(), y.data(), n, plain.D().size(), n});
  }
  if (space == space_kind::cpu) measure_matrix(r, how, machine);
  return r;
}

}  // namespace tessera::demo
