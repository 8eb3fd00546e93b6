// SPDX-License-Identifier: BSD-3-Clause
// Element operators on the GPU: by the checks that hold on a CPU, and what is the GPU's own.
#include "e_vector_checks.hpp"
#include "element_both_sides.hpp"
#include "element_checks.hpp"
#include "own_functions.hpp"
#include "own_source.hpp"
#include "testing/failure.hpp"

#include <tessera/cpu/element/own_function.hpp>
#include <tessera/element/source_function.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>

#include <cmath>
#include <numeric>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::basis_kind;
using fem::element_operator;
using fem::element_operator_options;

}  // namespace

TEST_CASE("gpu element operators: small ones of every kind are their definition", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  const element_operator_options o{.trial = {.order = 2}, .points = 4, .on = target::cuda};
  check_all_dimensions<double>(o, 5);
  check_all_dimensions<float>(o, 9);
}

TEST_CASE("gpu element operators: orders and points", "[fem][element][gpu]") {
  if (absent()) return;
  for (const int p : {1, 3, 4})
    for (const int more : {1, 2, 4}) {
      const element_operator_options o{.trial = {.order = p}, .points = p + more, .on = target::cuda};
      check_all_operators<double, 2>(o, 29);
      if (p < 4) check_all_operators<double, 3>(o, 17);
    }
  for (const int p : {4, 5, 6, 7, 8})
    for (const int more : {1, 2}) {
      const element_operator_options o{.trial = {.order = p}, .points = p + more, .on = target::cuda};
      check_definition<double, pointwise::mass<3>>(o, 3);
      check_definition<double, pointwise::diffusion<3>>(
          {.kind = operator_kind::diffusion, .trial = {.order = p}, .points = p + more, .on = target::cuda},
          p < 6 ? 3 : 1);
    }
  for (const int p : {9, 12, 16})
    check_definition<double, pointwise::mass<2>>({.trial = {.order = p}, .points = p + 2, .on = target::cuda}, 5);
}

TEST_CASE("gpu element operators: nodal, mixed spaces, components", "[fem][element][gpu]") {
  if (absent()) return;
  check_all_dimensions<double>(
      {.trial = {.order = 3}, .points = 4, .rule = fem::points_kind::gauss_lobatto, .on = target::cuda}, 5);
  check_all_dimensions<double>(
      {.trial = {.order = 3}, .test = fem::function_space{basis_kind::bernstein, 2}, .points = 5, .on = target::cuda},
      5);
  check_definition<double, pointwise::mass<3>>(
      {.trial = {.order = 2}, .components = 3, .points = 4, .on = target::cuda}, 5);
  check_definition<double, pointwise::diffusion<2>>(
      {.kind = operator_kind::diffusion, .trial = {.order = 2}, .components = 5, .points = 4, .on = target::cuda}, 6);
}

TEST_CASE("gpu element operators: layouts, subsets, right hand sides, +=", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  check_layouts(both_sides());
}

// Orders whose elements warps hold where records of an H200 serve: one a warp, and four.
TEST_CASE("gpu element operators: in 3-D, some of the elements and +=", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  const std::vector<index_t> some{10, 3, 4, 0, 9};
  const auto check = [&](operator_kind kind, int p, int q) {
    const both_sides s({.kind = kind, .trial = {.order = p}, .points = q}, 3);
    INFO(s.gpu.describe());
    application<double> a{.x_layout = s.gpu.x_layout(), .y_layout = s.gpu.y_layout()};
    for (const bool adds : {false, true}) {
      a.add = adds;
      CHECK(agree(s, element_set::range(0, s.elements), a, s.entries));
      CHECK(agree(s, element_set::range(2, 7), a, s.entries));
      CHECK(agree(s, element_set::of(some), a, s.entries));
    }
  };
  check(operator_kind::mass, 5, 7);
  check(operator_kind::mass, 3, 4);
  check(operator_kind::diffusion, 5, 7);
  check(operator_kind::diffusion, 2, 4);
}

TEST_CASE("gpu element operators: D in float, D from device memory, D from the geometry", "[fem][element][gpu]") {
  if (absent()) return;
  const both_sides s;
  const placed<double> x(s.x, true), y(s.x, true), z(s.x, true), D(s.D, true);
  element_operator_options o = s.options(true);
  element_operator<double> from_device(2, s.elements, D.data(), o);
  s.gpu.apply(x.data(), y.data());
  from_device.apply(x.data(), z.data());
  CHECK(y.read() == z.read());

  std::vector<double> rounded(s.D);
  for (double& d : rounded) d = static_cast<float>(d);
  element_operator<double> wanted(2, s.elements, rounded.data(), o);
  o.storage = point_storage::in_float;
  element_operator<double> A(2, s.elements, s.D.data(), o), B(2, s.elements, D.data(), o);
  wanted.apply(x.data(), y.data());
  A.apply(x.data(), z.data());
  CHECK(y.read() == z.read());
  B.apply(x.data(), z.data());
  CHECK(y.read() == z.read());
  CHECK(2 * A.data().bytes() == wanted.data().bytes());
  CHECK(A.describe().find("stored in device memory, f32") != std::string::npos);
  std::vector<double> back(s.D.size());
  A.data().get(0, s.elements, back.data());
  CHECK(back == rounded);
  from_device.data().get(0, s.elements, back.data());
  CHECK(back == s.D);
  check_failure(status::wrong_space, {"point_data::get", "device memory"},
                [&] { A.data().get(0, s.elements, x.data()); });

  const fem::mesh domain({3, 2, 2}, 2, bubble(3, 0.15));
  const fem::element_nodes<double> nodes = fem::nodes_of(domain);
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion, operator_kind::elasticity}) {
    element_operator_options of_kind{
        .kind = kind, .trial = {.order = 3}, .components = coupled_components(kind, 3), .points = 5};
    const element_operator<double> on_cpu(nodes, of_kind);
    of_kind.on = target::cuda;
    const element_operator<double> on_gpu(nodes, of_kind);
    const std::vector<double> corners(domain.coordinates().begin(), domain.coordinates().end());
    const placed<double> coordinates(corners, true);
    fem::element_nodes<double> there = nodes;
    there.coordinates = coordinates.data();
    const element_operator<double> gpu_too(there, of_kind);
    std::vector<double> u = seeded<double>(on_cpu.trial_size() * on_cpu.components() * on_cpu.elements(), 6), v(u);
    const placed<double> gu(u, true), gv(u, true), gw(u, true);
    on_cpu.apply(u.data(), v.data());
    on_gpu.apply(gu.data(), gv.data());
    gpu_too.apply(gu.data(), gw.data());
    CHECK(near(gv.read(), v));
    CHECK(gv.read() == gw.read());
  }
}

TEST_CASE("gpu element operators: functions of a user's own, from their text", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  const index_t elements = 5;
  const int p = 2, q = 4;
  const std::vector<double> D = seeded<double>(q * q * q * 9 * elements, 3);
  const fem::function_space energy{basis_kind::gauss, p - 1}, velocity{basis_kind::gauss_lobatto, p};
  const auto check = [&]<class Function>(const Function& function, const std::string& name,
                                         const element_operator_options& given) {
    compiled_function<double> both = own_function<double>(function, name);
    both.source = own_source(name);
    element_operator_options o = given;
    const element_operator<double> on_cpu(both, elements, D.data(), o);
    o.on = target::cuda;
    const element_operator<double> on_gpu(both, elements, D.data(), o);
    const element_operator<double> only(source_function<double>(function, name, own_source(name)), elements, D.data(),
                                        given);
    const std::vector<double> x = seeded<double>(on_cpu.trial_size() * on_cpu.components() * elements, 4);
    std::vector<double> y(entry(on_cpu.test_size() * on_cpu.test_components() * elements));
    const placed<double> gx(x, true), gy(y, true), gz(y, true);
    on_cpu.apply(x.data(), y.data());
    on_gpu.apply(gx.data(), gy.data());
    only.apply(gx.data(), gz.data());
    INFO(on_gpu.describe());
    CHECK(near(gy.read(), y));
    CHECK(gy.read() == gz.read());
  };
  check(force{}, "force", {.trial = energy, .test = velocity, .points = q});
  check(work{}, "work", {.trial = velocity, .test = energy, .components = 3, .points = q});
  check(damping_of_cube{2.5}, "damping_of_cube", {.trial = velocity, .points = q});
}

namespace {

// x and y in device memory, queued behind what is in the stream.
// snippet device
void apply_on_gpu(const double* D, index_t elements, const double* x, double* y, stream_view in) {
  const fem::element_operator<double> A(3, elements, D,
                                        {.kind = operator_kind::diffusion, .trial = {.order = 3}, .on = target::cuda});
  const element_set all = element_set::range(0, elements);
  A.apply(all, {.x = x, .x_layout = A.x_layout(), .y = y, .y_layout = A.y_layout(), .in = in});
}
// end snippet

}  // namespace

TEST_CASE("gpu element operators: an application in a stream of the caller's", "[fem][element][gpu]") {
  if (absent()) return;
  const std::vector<double> D = seeded<double>(125 * 6 * 7, 1), x = seeded<double>(64 * 7, 2);
  const placed<double> gx(x, true), gy(x, true);
  const stream own;
  apply_on_gpu(D.data(), 7, gx.data(), gy.data(), own);
  own.synchronize();
  std::vector<double> y(x);
  const element_operator<double> on_cpu(3, 7, D.data(), {.kind = operator_kind::diffusion, .trial = {.order = 3}});
  on_cpu.apply(x.data(), y.data());
  CHECK(near(gy.read(), y));
}

TEST_CASE("gpu element operators: matrices, diagonals, the same bits again", "[fem][element][gpu]") {
  if (absent()) return;
  const both_sides s;
  const index_t N = 2 * s.n;
  std::vector<double> M(entry(N * N * s.elements)), G(M), diagonal(entry(s.entries)), there(diagonal);
  s.cpu.assemble(0, s.elements, M.data());
  s.cpu.diagonal(diagonal.data());
  const placed<double> gm(G, true), gd(there, true);
  s.gpu.assemble(0, s.elements, gm.data());
  s.gpu.diagonal(gd.data());
  CHECK(near(gm.read(), M));
  CHECK(near(gd.read(), diagonal));

  check_one_by_one(s.gpu, s.x, true);
}

TEST_CASE("gpu element operators: diagonals of every operator are those of a CPU", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  const fem::mesh domain({3, 2, 2}, 1, bubble(3, 0.1));
  for (const operator_kind kind : all_operator_kinds)
    for (const point_storage storage : {point_storage::same, point_storage::in_float})
      for (const int points : {2, 4}) {
        element_operator_options o{.kind = kind,
                                   .trial = {.order = 2},
                                   .components = kind == operator_kind::mass ? 2 : coupled_components(kind, 3),
                                   .points = points,
                                   .storage = storage};
        const element_operator<double> on_cpu(fem::nodes_of(domain), o);
        o.on = target::cuda;
        const element_operator<double> on_gpu(fem::nodes_of(domain), o);
        CHECK(on_gpu.kernel().has_diagonal());
        std::vector<double> wanted(entry(on_cpu.test_size() * on_cpu.test_components() * on_cpu.elements()));
        const placed<double> there(std::vector<double>(wanted.size(), std::nan("")), true);
        on_cpu.diagonal(wanted.data());
        on_gpu.diagonal(there.data());
        INFO(on_gpu.describe());
        CHECK(near(there.read(), wanted));
        if (storage == point_storage::in_float || points == 2) continue;
        o.form = fem::element_form::matrix_free;  // by columns
        const element_operator<double> computed(fem::nodes_of(domain), o);
        const placed<double> anew(std::vector<double>(wanted.size(), std::nan("")), true);
        computed.diagonal(anew.data());
        CHECK(near(anew.read(), wanted));
      }
}

TEST_CASE("gpu element operators: what cannot be is refused", "[fem][element][gpu]") {
  if (absent()) return;
  const both_sides s;
  std::vector<double> host(entry(s.entries));
  const placed<double> there(host, true);
  check_failure(status::wrong_space, {"x is not in device memory"}, [&] { s.gpu.apply(host.data(), there.data()); });
  check_failure(status::wrong_space, {"y is not in device memory"}, [&] { s.gpu.apply(there.data(), host.data()); });
  const std::vector<index_t> list{1, 2};
  const application<double> a{
      .x = there.data(), .x_layout = s.gpu.x_layout(), .y = there.data(), .y_layout = s.gpu.y_layout()};
  check_failure(status::wrong_space, {"the list of elements is not in device memory"},
                [&] { s.gpu.apply(element_set::of(list), a); });
  check_failure(status::wrong_space, {"D is in cpu memory"}, [&] {
    s.gpu.kernel().apply(element_set::range(0, 1), a, point_data<double>::stored(s.cpu.kernel(), 1));
  });
  check_failure(status::no_target, {"a GPU needs the function's source"}, [&] {
    element_operator<double>(own_function<double>(damping_of_cube{1}, "damping"), 1, s.D.data(),
                             {.trial = {.order = 1}, .points = 2, .on = target::cuda});
  });
  const fem::mesh domain({2, 2}, 1), large({1, 1, 1}, 12);
  const element_operator_options computed{
      .trial = {.order = 1}, .form = fem::element_form::matrix_free, .on = target::cuda};
  const element_operator<double> mass(fem::nodes_of(domain), computed);
  element_operator<double> other(fem::nodes_of(domain), computed);
  check_failure(status::shape_mismatch, {"computed at each application of another operator"},
                [&] { mass.kernel().apply(element_set::range(0, 1), a, other.data()); });
  check_failure(status::invalid_argument, {"computed from the geometry"}, [&] { other.data().set(0, 1, s.D.data()); });
  check_failure(status::no_target, {"point_data::get", "keeps none"}, [&] { other.data().get(0, 1, host.data()); });
  check_failure(status::no_target, {"D computed at each application", "does not fit shared memory"}, [&] {
    element_operator<double>(fem::nodes_of(large), {.kind = operator_kind::elasticity,
                                                    .trial = {.order = 12},
                                                    .components = 3,
                                                    .points = 13,
                                                    .form = fem::element_form::matrix_free,
                                                    .on = target::cuda});
  });
  check_failure(status::no_target, {"an element does not fit shared memory"}, [&] {
    element_operator<double>(3, 1, s.D.data(), {.trial = {.order = 16}, .points = 32, .on = target::cuda});
  });
}
