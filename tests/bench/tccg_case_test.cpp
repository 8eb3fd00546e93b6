// SPDX-License-Identifier: BSD-3-Clause
// Rows of TCCG as cases: what is counted, what bounds them, and how far results may be off.
#include "tccg_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/error.hpp>

#include "testing/catch.hpp"

namespace bench = tessera::bench;
using tessera::scalar_type;
using unit = tessera::bench::device::matrix_unit;

TEST_CASE("bytes and flops of a row: each tensor once, and the result twice where it is added to") {
  bench::options o;
  const bench::workload first = bench::tccg_case(bench::tccg_rows[0], 1, o);
  CHECK(first.flops == 2.0 * 312 * 312 * 24 * 312);
  CHECK(first.bytes == 8.0 * (312.0 * 312 * 24 + 312.0 * 312 * 312 + 312.0 * 24));
  CHECK(first.inner == 312);
  CHECK(first.facts["extents"]["c"] == 24);
  o.beta = 1;
  o.type = {scalar_type::f16, scalar_type::f32, scalar_type::f32};
  const bench::workload added = bench::tccg_case(bench::tccg_rows[0], 1, o);
  CHECK(added.bytes == 2 * 4.0 * 312 * 312 * 24 + 2.0 * (312.0 * 312 * 312 + 312.0 * 24));
  o.type = scalar_type::c64;
  CHECK(bench::tccg_case(bench::tccg_rows[0], 1, o).flops == 4 * first.flops);
  // 312 and 24 become 31 and 2.
  CHECK(bench::tccg_case(bench::tccg_rows[0], 0.1, {}).flops == 2.0 * 31 * 31 * 2 * 31);
}

TEST_CASE("the roof is that of the instructions that suit the types") {
  const auto exact = bench::product_precision::exact, tf32 = bench::product_precision::tf32,
             tf32x3 = bench::product_precision::tf32x3;
  const tessera::product_types in_double{scalar_type::f32, scalar_type::f32, scalar_type::f64};
  CHECK(bench::roof_for(scalar_type::f64, exact).unit == unit::f64);
  CHECK(bench::roof_for(scalar_type::c64, tf32).unit == unit::f64);
  CHECK(bench::roof_for(in_double, exact).unit == unit::f64);
  CHECK_FALSE(bench::roof_for(scalar_type::f32, exact).unit);
  CHECK_FALSE(bench::roof_for(scalar_type::c32, exact).unit);
  CHECK(bench::roof_for(scalar_type::f32, tf32).unit == unit::tf32);
  CHECK(bench::roof_for(scalar_type::f32, tf32).products == 1);
  CHECK(bench::roof_for(scalar_type::f32, tf32x3).products == 3);
  CHECK(bench::roof_for(scalar_type::f16, exact).unit == unit::f16);
  CHECK(bench::roof_for({scalar_type::bf16, scalar_type::f32, scalar_type::f32}, exact).unit == unit::bf16);
}

TEST_CASE("the bound is the longer of the movement and the flops at the roof, whatever the row uses") {
  bench::setting s;
  s.on = tessera::default_cpu_target();
  s.with.reps = 5;
  const auto limit_at = [&](double roof) {
    s.roof = 0;
    s.measure_roof = [roof] { return roof; };
    bench::workload work = bench::tccg_case(bench::tccg_rows[0], 0.06, s.with);
    const std::vector<tessera::operand> operands = bench::place(work, s);
    bench::measure_again(s);
    const tessera::plan planned = bench::tccg_plan(work, operands, s);
    const auto run = [&] { planned.run_operands(operands.data(), 3, {}); };
    return bench::measured(work, s, {{"tessera", run, ""}}, planned).limit;
  };
  const double flops = bench::tccg_case(bench::tccg_rows[0], 0.06, s.with).flops;
  const bench::bound low = limit_at(1e6), high = limit_at(1e18);
  CHECK(low.peak == 1e6);
  CHECK(low.seconds == flops / 1e6);
  CHECK(low.by == std::string("flops"));
  CHECK(high.peak == 1e18);
  CHECK(high.by == std::string("bandwidth"));
  CHECK(high.seconds > flops / 1e18);
}

TEST_CASE("products that are not exact, and functions, may be further off, by their roundings") {
  bench::workload work = bench::tccg_case(bench::tccg_rows[0], 0.1, [] {
    bench::options o;
    o.type = scalar_type::f32;
    return o;
  }());
  const double exact = bench::error_bound(work);
  CHECK(exact == bench::gamma_bound(work.inner + 2, scalar_type::f32));
  work.leaky_slope = 0.01;
  const double with_function = bench::error_bound(work);
  CHECK(with_function > exact);
  CHECK(with_function < exact + bench::gamma_bound(9, scalar_type::f32));
  work.leaky_slope.reset();
  work.precision = bench::product_precision::tf32x3;
  const double three = bench::error_bound(work);
  work.precision = bench::product_precision::tf32;
  CHECK(exact < three);
  CHECK(three < 1e-5);
  CHECK(bench::error_bound(work) > 0x1p-8);
  CHECK(bench::error_bound(work) < 0x1p-7);
}

TEST_CASE("least sums are compared with least sums") {
  bench::setting s;
  s.on = tessera::default_cpu_target();
  bench::workload work = bench::tccg_case(bench::tccg_rows[0], 0.04, s.with);
  bench::place(work, s);
  work.is_min_plus = true;
  // C(a,b,c) = min over d of A(b,d,a) + B(d,c), of 12, 12, 1 and 12.
  const auto* const a = static_cast<const double*>(work.operands[0].host().data);
  const auto* const b = static_cast<const double*>(work.operands[1].host().data);
  auto* const c = static_cast<double*>(work.out().memory());
  const int n = 12;
  REQUIRE(work.out().host().entries() == n * n);
  for (int i = 0; i < n * n; ++i) {
    c[i] = a[i / n + n * n * (i % n)] + b[0];
    for (int d = 1; d < n; ++d) c[i] = std::min(c[i], a[i / n + n * d + n * n * (i % n)] + b[d]);
  }
  CHECK(bench::check(work).correct());
  const double right = c[n * n - 1];
  c[n * n - 1] = std::nextafter(right, 9.0);
  CHECK(bench::check(work).correct());
  for (const double wrong : {right + 1e-12, right - 1e-12, std::numeric_limits<double>::quiet_NaN()}) {
    c[n * n - 1] = wrong;
    CHECK_FALSE(bench::check(work).correct());
  }
}

TEST_CASE("contractions of integers are of small numbers, and must be exact") {
  for (const tessera::product_types type :
       {tessera::product_types(scalar_type::i32), tessera::product_types(scalar_type::i64),
        tessera::product_types(scalar_type::i16, scalar_type::i32, scalar_type::i32)}) {
    bench::setting s;
    s.on = tessera::default_cpu_target();
    s.with.type = type;
    s.with.beta = 3;
    INFO(bench::type_name(type));
    bench::workload work = bench::tccg_case(bench::tccg_rows[0], 0.04, s.with);
    CHECK(bench::error_bound(work) == 0);
    const std::vector<tessera::operand> operands = bench::place(work, s);
    int least = 9, most = -9;
    for (tessera::index_t i = 0; i < 12 * 12; ++i) {
      const double value = work.operands[0].initial(i).re;
      CHECK(value == std::floor(value));
      least = std::min(least, int(value));
      most = std::max(most, int(value));
    }
    CHECK((least == -4 && most == 3));
    work.out().fill();
    bench::tccg_plan(work, operands, s).run_operands(operands.data(), 3, {});
    CHECK(bench::check(work).correct());
    // One off, at the start of the result: the low byte of an entry.
    ++*static_cast<unsigned char*>(work.out().memory());
    CHECK_FALSE(bench::check(work).correct());
    work.out().fill_nan();
    CHECK_FALSE(bench::check(work).correct());
  }
  bench::options o;
  o.type = scalar_type::i32;
  o.beta = 0.5;
  CHECK_THROWS_AS(bench::tccg_case(bench::tccg_rows[0], 0.1, o), tessera::error);
  o.beta = 1;
  o.entry_function = "leaky_relu";
  CHECK_THROWS_AS(bench::tccg_case(bench::tccg_rows[0], 0.1, o), tessera::error);
}

TEST_CASE("pairs and functions are refused where they have no meaning") {
  bench::options o;
  o.operations = "min_plus";
  o.beta = 1;
  CHECK_THROWS_AS(bench::tccg_case(bench::tccg_rows[0], 0.1, o), tessera::error);
  o.beta = 0;
  o.type = scalar_type::f16;
  CHECK_THROWS_AS(bench::tccg_case(bench::tccg_rows[0], 0.1, o), tessera::error);
  bench::options complex;
  complex.entry_function = "leaky_relu";
  complex.type = scalar_type::c64;
  CHECK_THROWS_AS(bench::tccg_case(bench::tccg_rows[0], 0.1, complex), tessera::error);
}
