// SPDX-License-Identifier: BSD-3-Clause
// Element matrix kernels as they are set up and compiled, without a GPU: rules fit, couplings are the functions', NVRTC
// takes the sources.
#include <tessera/element/couplings.hpp>
#include <tessera/element/matrix_choice.hpp>
#include <tessera/element/operators.hpp>

#include <string>

#include "compiled_kernel.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr matrix_storage storages[] = {matrix_storage::full, matrix_storage::lower_packed};

matrix_sizes sizes_of(operator_kind kind, int dim, int p, int q, int bytes, matrix_storage how) {
  return matrix_sizes_of(kind, dim, p + 1, q, p + 1, coupled_components(kind, dim), bytes, how);
}

device::matrix_kernel kernel_of(operator_kind kind, const matrix_sizes& s, scalar_type type = scalar_type::f64) {
  return {.type = type,
          .stored = type,
          .function = pointwise_name(name_of(kind), s.dim),
          .sizes = s,
          .mirrored = s.trial >= 3,
          .tuning = default_matrix_tuning(s)};
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
              for (const matrix_storage how : storages) {
                const gpu_limits limits = gpu_limits_of(architecture);
                const matrix_sizes s = sizes_of(kind, dim, p, p + more, bytes, how);
                const matrix_tuning t = default_matrix_tuning(s, limits);
                INFO(name_of(kind) << " " << dim << "-D p " << p << " q " << p + more << ", sm_" << architecture);
                if (architecture == 90 || p <= 4) CHECK(std::string(why_unfit(s, t, limits)).empty());
                if (architecture == 90 && kind == operator_kind::mass)
                  CHECK(4 * matrix_layout{s, t}.bytes() <= limits.all_shared_bytes);
              }
}

TEST_CASE("gpu matrix kernel: what cannot run is said", "[element]") {
  const matrix_sizes s = sizes_of(operator_kind::mass, 3, 2, 4, 8, matrix_storage::full);
  const matrix_tuning good = default_matrix_tuning(s);
  const auto why = [&](auto change) {
    matrix_tuning t = good;
    change(t);
    return std::string(why_unfit(s, t));
  };
  CHECK(why([](matrix_tuning&) {}).empty());
  CHECK(why([](matrix_tuning& t) { t.slices = 4; }) == "a block has columns that there are not");
  CHECK(why([](matrix_tuning& t) { t.strips = 0; }) == "a block has columns that there are not");
  CHECK(why([](matrix_tuning& t) { t.strips = 2; }) == "slices of a block are not whole");
  CHECK(why([](matrix_tuning& t) { t.slices = 1; }) == "matrices of a block are not whole");
  CHECK(why([](matrix_tuning& t) { t.threads = 100; }) == "threads are not whole warps of a block");
  CHECK(why([](matrix_tuning& t) { t.pads[1] = -1; }) == "lines in shared memory overlap");
  CHECK(why([](matrix_tuning& t) { t.blocks = 33; }) == "too many blocks are asked for");
  const matrix_sizes large = matrix_sizes_of(operator_kind::elasticity, 3, 40, 40, 40, 3, 8, matrix_storage::full);
  CHECK(std::string(why_unfit(large, default_matrix_tuning(large))) == "columns of a matrix do not fit shared memory");
  CHECK(why([](matrix_tuning& t) { t.elements = 64; }) == "columns of a matrix do not fit shared memory");
}

TEST_CASE("gpu matrix kernel: every column of a line has one thread", "[element]") {
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
    for (int p = 1; p <= 6; ++p) {
      const matrix_sizes s = sizes_of(kind, 3, p, p + 2, 8, matrix_storage::full);
      const matrix_layout layout{s, default_matrix_tuning(s)};
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
      for (const matrix_storage how : storages) check_code(kernel_of(kind, sizes_of(kind, dim, 2, 4, 8, how)), 90);
      check_code(kernel_of(kind, sizes_of(kind, dim, 2, 4, 8, matrix_storage::full)), 80);
    }
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion}) {
    for (const int p : {1, 3, 6}) check_code(kernel_of(kind, sizes_of(kind, 3, p, p + 2, 8, matrix_storage::full)), 90);
    check_code(kernel_of(kind, sizes_of(kind, 2, 8, 10, 8, matrix_storage::full)), 90);
    check_code(kernel_of(kind, sizes_of(kind, 3, 3, 5, 4, matrix_storage::full), scalar_type::f32), 90);
  }
  device::matrix_kernel mixed = kernel_of(
      operator_kind::convection, matrix_sizes_of(operator_kind::convection, 3, 4, 5, 3, 1, 8, matrix_storage::full));
  mixed.own_test = true;
  mixed.stored = scalar_type::f32;
  check_code(mixed, 90);
}

TEST_CASE("gpu matrix kernel: NVRTC takes every order, and leaves nothing in local memory", "[element][nvrtc][.long]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
    for (const int dim : {2, 3})
      for (int p = 1; p <= (dim == 3 ? 6 : 8); ++p)
        for (const int more : {1, 2})
          check_code(kernel_of(kind, sizes_of(kind, dim, p, p + more, 8, matrix_storage::full)), 90);
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3})
      check_code(kernel_of(kind, sizes_of(kind, dim, 2, 4, 8, matrix_storage::lower_packed)), 80);
}
