// SPDX-License-Identifier: BSD-3-Clause
// Element matrix kernels as they are set up and compiled, without a GPU: rules fit, couplings are the functions', NVRTC
// takes the sources.
#include <tessera/detail/element/couplings.hpp>
#include <tessera/detail/element/matrix_choice.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/gpu/detail/element/matrix_layout.hpp>

#include <string>

#include "compiled_kernel.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

matrix_facts facts_of(operator_kind kind, int dim, int p, int q, int bytes, bool packed) {
  return {.kind = kind,
          .dim = dim,
          .trial = p + 1,
          .points = q,
          .test = p + 1,
          .components = coupled_components(kind, dim),
          .mirrored = p >= 2,
          .entry_bytes = bytes,
          .packed = packed};
}

matrix_tuning ruled(const matrix_facts& f, const gpu_limits& limits = {}) {
  return ruled_matrix_tuning(matrix_way::columns, f, limits).value();
}

matrix_layout layout_of(const matrix_facts& f, const matrix_tuning& t) {
  matrix_sizes s{.dim = f.dim, .trial = f.trial, .points = f.points, .test = f.test, .components = f.components};
  s.entry_bytes = f.entry_bytes;
  s.packed = f.packed;
  with_function(f.kind, f.dim, [&]<class F>(const F&) {
    for (int a = 0; a < F::dim; ++a) s.pairs[a] = couplings<F>::count(a);
    s.slopes = F::trial.gradient || F::test.gradient;
  });
  return {s, t};
}

device::matrix_kernel kernel_of(const matrix_facts& f) {
  const scalar_type type = f.entry_bytes == 8 ? scalar_type::f64 : scalar_type::f32;
  return {type, type, pointwise_name(name_of(f.kind), f.dim), f, ruled(f)};
}

void check_code(const device::matrix_kernel& kernel, int architecture) { check_compiles(kernel, architecture, 0); }

}  // namespace

TEST_CASE("couplings are those of the pointwise functions", "[element]") {
  using diffusion = couplings<pointwise::diffusion<3>>;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(diffusion::between(i, j).factor == pointwise::symmetric_index(3, i, j));
  CHECK_FALSE(diffusion::between(3, 3).is_there());
  CHECK(diffusion::count(2) == 9);
  CHECK(diffusion::count(1) == 9);
  CHECK(diffusion::count(0) == 4);
  using mass = couplings<pointwise::mass<2>>;
  CHECK(mass::between(2, 2).factor == 0);
  CHECK(mass::count(1) == 1);
  CHECK(mass::count(0) == 1);
  using helmholtz = couplings<pointwise::helmholtz<2>>;
  CHECK(helmholtz::between(2, 2).factor == 0);
  CHECK(helmholtz::between(1, 0).factor == 2);
  CHECK_FALSE(helmholtz::between(2, 0).is_there());
  CHECK(helmholtz::count(1) == 5);
  CHECK(helmholtz::count(0) == 4);
  using convection = couplings<pointwise::convection<3>>;
  CHECK(convection::between(3, 1).factor == 1);
  CHECK_FALSE(convection::between(1, 3).is_there());
  CHECK(convection::count(0) == 2);
  CHECK(couplings<pointwise::elasticity<3>>::between(0, 2).factor == coupling::mixed);
}

TEST_CASE("gpu matrix kernel: the rules' blocks fit, several of them", "[element]") {
  for (const int architecture : {75, 80, 86, 90})
    for (const operator_kind kind : all_operator_kinds)
      for (const int dim : {1, 2, 3})
        for (int p = 1; p <= (dim == 3 ? 6 : 16); ++p)
          for (const int more : {1, 2})
            for (const int bytes : {4, 8})
              for (const bool packed : {false, true}) {
                const gpu_limits limits = gpu_limits_of(architecture);
                const matrix_facts f = facts_of(kind, dim, p, p + more, bytes, packed);
                const matrix_tuning t = ruled(f, limits);
                INFO(name_of(kind) << " " << dim << "-D p " << p << " q " << p + more << ", sm_" << architecture);
                if (architecture == 90 || p <= 4) CHECK(std::string(why_unfit(f, t, limits)).empty());
                if (architecture == 90 && kind == operator_kind::mass)
                  CHECK(4 * layout_of(f, t).bytes() <= limits.all_shared_bytes);
              }
}

TEST_CASE("gpu matrix kernel: what cannot run is said", "[element]") {
  const matrix_facts f = facts_of(operator_kind::mass, 3, 2, 4, 8, false);
  const matrix_tuning good = ruled(f);
  const auto why = [&](auto change) {
    matrix_tuning t = good;
    change(t);
    return std::string(why_unfit(f, t));
  };
  CHECK(why([](matrix_tuning&) {}).empty());
  CHECK(why([](matrix_tuning& t) { t.slices = 4; }) == "a block has columns that there are not");
  CHECK(why([](matrix_tuning& t) { t.strips = 0; }) == "a block has columns that there are not");
  CHECK(why([](matrix_tuning& t) { t.strips = 2; }) == "slices of a block are not whole");
  CHECK(why([](matrix_tuning& t) { t.slices = 1; }) == "matrices of a block are not whole");
  CHECK(why([](matrix_tuning& t) { t.threads = 100; }) == "threads are not whole warps of a block");
  CHECK(why([](matrix_tuning& t) { t.pad_plane = -1; }) == "lines in shared memory overlap");
  CHECK(why([](matrix_tuning& t) { t.blocks = 33; }) == "too many blocks are asked for");
  const matrix_facts large = facts_of(operator_kind::elasticity, 3, 39, 40, 8, false);
  CHECK(std::string(why_unfit(large, ruled(large))) == "columns of a matrix do not fit shared memory");
  CHECK(why([](matrix_tuning& t) { t.elements = 64; }) == "columns of a matrix do not fit shared memory");
}

TEST_CASE("gpu matrix kernel: every column of a line has one thread", "[element]") {
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
    for (int p = 1; p <= 6; ++p) {
      const matrix_facts f = facts_of(kind, 3, p, p + 2, 8, false);
      const matrix_layout layout = layout_of(f, ruled(f));
      for (int a = 0; a < 3; ++a) {
        CHECK(layout.splits(a) >= 1);
        CHECK(layout.splits(a) <= layout.columns_along(a));
      }
    }
}

TEST_CASE("gpu matrix kernel: NVRTC takes every operator, and leaves nothing in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3}) {
      for (const bool packed : {false, true}) check_code(kernel_of(facts_of(kind, dim, 2, 4, 8, packed)), 90);
      check_code(kernel_of(facts_of(kind, dim, 2, 4, 8, false)), 80);
    }
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion}) {
    for (const int p : {1, 3, 6}) check_code(kernel_of(facts_of(kind, 3, p, p + 2, 8, false)), 90);
    check_code(kernel_of(facts_of(kind, 2, 8, 10, 8, false)), 90);
    check_code(kernel_of(facts_of(kind, 3, 3, 5, 4, false)), 90);
  }
  matrix_facts f = facts_of(operator_kind::convection, 3, 4, 5, 8, false);
  f.test = 3;
  f.own_test = true;
  device::matrix_kernel mixed = kernel_of(f);
  mixed.stored = scalar_type::f32;
  check_code(mixed, 90);
}

TEST_CASE("gpu matrix kernel: NVRTC takes every order, and leaves nothing in local memory", "[element][nvrtc][.long]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
    for (const int dim : {2, 3})
      for (int p = 1; p <= (dim == 3 ? 6 : 8); ++p)
        for (const int more : {1, 2}) check_code(kernel_of(facts_of(kind, dim, p, p + more, 8, false)), 90);
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3}) check_code(kernel_of(facts_of(kind, dim, 2, 4, 8, true)), 80);
}
