// SPDX-License-Identifier: BSD-3-Clause
// On a GPU: the pass of a function of entries, the measured peaks, and every peer for contractions that is found.
#include <cmath>
#include <vector>

#include <tessera/memory.hpp>

#include "entry_types.hpp"
#include "gpu/entry_function.hpp"
#include "measure/gpu/device.hpp"
#include "peers/separate_passes.hpp"
#include "tccg_case.hpp"
#include "testing/catch.hpp"
#include "testing/gpu.hpp"

namespace bench = tessera::bench;
using tessera::scalar_type;
using unit = bench::device::matrix_unit;

TEST_CASE("leaky ReLU in device memory, of any length, to other memory and in place", "[gpu][sanitize]") {
  if (tessera::testing::no_gpu()) return;
  for (scalar_type type : {scalar_type::f64, scalar_type::f32, scalar_type::f16, scalar_type::bf16})
    for (std::size_t n : {1, 7, 8, 2047, 4099})
      bench::with_type(type, [&](auto entry) {
        using T = decltype(entry);
        if constexpr (!tessera::is_complex<T>) {
          std::vector<T> x(n), y(n + 1, T(7.0f));
          for (std::size_t i = 0; i < n; ++i) x[i] = T(float(i % 5) - 2.0f);
          tessera::buffer from(tessera::space_kind::gpu, n * sizeof(T)),
              to(tessera::space_kind::gpu, (n + 1) * sizeof(T));
          bench::device::upload(from.data(), x.data(), n * sizeof(T));
          bench::device::upload(to.data(), y.data(), (n + 1) * sizeof(T));
          bench::device::leaky_relu_pass(type, from.data(), to.data(), n, 0.5);
          bench::device::leaky_relu_pass(type, to.data(), to.data(), n, 0.5);
          bench::device::download(y.data(), to.data(), (n + 1) * sizeof(T));
          int wrong = 0;
          for (std::size_t i = 0; i < n; ++i) wrong += double(y[i]) != (double(x[i]) > 0 ? 1 : 0.25) * double(x[i]);
          INFO(name_of(type) << " " << n);
          CHECK(wrong == 0);
          CHECK(double(y[n]) == 7);
        }
      });
}

TEST_CASE("peaks of matrix instructions are in the order of the types' widths", "[gpu]") {
  if (tessera::testing::no_gpu()) return;
  CHECK(bench::device::min_plus_peak(scalar_type::f32) > 1e11);
  const double in_double = bench::device::matrix_peak(unit::f64);
  if (bench::device::this_device().capability != 90) {
    CHECK(in_double == 0);
    return;
  }
  const double tf32 = bench::device::matrix_peak(unit::tf32), half = bench::device::matrix_peak(unit::f16),
               bfloat = bench::device::matrix_peak(unit::bf16);
  CHECK(in_double > bench::device::fma_peak(scalar_type::f64, false));
  CHECK(tf32 > 3 * in_double);
  CHECK(half > 1.5 * tf32);
  CHECK(bfloat > 0.8 * half);
  CHECK(half < 2e15);
}

TEST_CASE("peers for contractions on a GPU are right in every row that they take", "[gpu]") {
  if (tessera::testing::no_gpu()) return;
  bench::setting s;
  s.on = tessera::target::cuda;
  s.with.search_seconds = 0.2;
  const auto precisions = {bench::product_precision::exact, bench::product_precision::tf32};
  for (const bench::peer& p : bench::contraction_peers()) {
    if (!p.found || p.space != tessera::space_kind::gpu) continue;
    for (scalar_type type : {scalar_type::f64, scalar_type::f32, scalar_type::f16, scalar_type::c32})
      for (double beta : {0.0, 1.0})
        for (auto precision : precisions)
          for (int row : {1, 7, 12, 14, 19, 28, 31, 48}) {
            s.with.type = type;
            s.with.beta = beta;
            s.with.precision = precision;
            bench::workload work = bench::tccg_case(bench::tccg_rows[row - 1], row == 12 ? 0.02 : 0.2, s.with);
            bench::place(work, s);
            const bench::contraction_call call = bench::contraction_call_for(work, s);
            const bool with_function = row == 1 && !is_complex_type(type) && !p.only_multiplies;
            if (with_function) work.leaky_slope = bench::leaky_slope;
            const auto made =
                with_function ? bench::by_separate_passes(p, call, bench::leaky_slope) : p.prepare_contraction(call);
            if (!made.run) continue;
            work.out().fill();
            made.run();
            INFO(p.name << " " << name_of(type) << " beta " << beta << " " << work.label << " " << made.describe);
            const bench::verdict found =
                bench::check(p.only_multiplies ? bench::product_of_same_sizes(work, call) : work);
            // cuTENSOR rounds a product to half before it adds the old output, and rounds again.
            CHECK(found.error <= (type == scalar_type::f16 && beta != 0 ? 2 : 1) * found.bound);
          }
  }
}
