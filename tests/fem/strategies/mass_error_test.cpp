// SPDX-License-Identifier: BSD-3-Clause
// Tests that the mass operator refuses what cannot work, in words, before anything is written.
#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include <tessera/error.hpp>
#include <tessera/fem/strategies/mass.hpp>

#include <string>
#include <vector>

namespace {

using namespace tessera;
using fem::strategy;
using tessera::testing::failure;
using tessera::testing::failure_of;

}  // namespace

TEST_CASE("a mass operator refuses inverted elements, orders and points that cannot be", "[fem]") {
  const fem::mesh folded({4, 1, 1}, 1, [](const fem::point& x) {
    return fem::point{x[0] < 0.6 ? x[0] : 1.3 - x[0], x[1], x[2]};
  });
  const fem::mesh square({2, 2}, 1);
  for (const strategy how : fem::all_strategies) {
    const failure inverted = failure_of([&] { fem::mass_operator<double>(folded, 2, {.how = how}); });
    CHECK(inverted.text.find("geometry: element 3 (3,0,0) is inverted, its determinant at point 0 (0,0,0) is ") == 0);
    CHECK(failure_of([&] { fem::mass_operator<float>(square, 17, {.how = how}); }).text.find("order 17") !=
          std::string::npos);
    CHECK(failure_of([&] {
            fem::mass_operator<float>(square, 2, {.how = how, .points = {3, 0}});
          }).text.find("0 points") != std::string::npos);
  }
  CHECK(failure_of([&] {
          fem::mass_operator<float>(square, 2, {.points = {3, 3, 3}});
        }).text == "mass_operator: points in 3 directions on a mesh in 2-D");
  CHECK(failure_of([&] { fem::mass_operator<float>(square, 2, {.rho = std::vector<double>(3)}); }).text ==
        "coefficient: 3 values for 4 elements of 16 points");
}

TEST_CASE("applying and assembling check shapes, overlap, types and spaces first", "[fem]") {
  const fem::mesh square({2, 2}, 1);
  for (const strategy how : fem::all_strategies) {
    INFO(fem::name_of(how));
    fem::mass_operator<double> M(square, 2, {.how = how});
    fem::field<double> x = M.vector();
    std::vector<double> y(9 * 4, -1.0);
    const auto out = [&](index_t entries, index_t count) { return view_batch(y.data(), of_size(entries), count); };

    const failure small = failure_of([&] { M.apply(x, out(8, 4)); });
    CHECK(small.code == status::shape_mismatch);
    CHECK(small.text ==
          "mass_operator::apply: y is f64 8 (batch of 4, cpu), needed is a batch of 4 packed tensors of extents 3x3");
    CHECK(failure_of([&] { M.apply(x, out(9, 3)); }).code == status::shape_mismatch);
    CHECK(failure_of([&] { M.apply(x, view(y.data(), of_size(36))); }).code == status::shape_mismatch);
    const auto rows = row_major(of_size(3, 3));
    CHECK(failure_of([&] { M.apply(x, view_batch(y.data(), rows, 4)); }).code == status::shape_mismatch);

    CHECK(failure_of([&] { M.apply(x, x); }).code == status::overlap);
    CHECK(failure_of([&] { M.apply(out(9, 4), view_batch(y.data() + 3, of_size(9), 3)); }).code != status::ok);

    const fem::field<float> single(space_kind::cpu, of_size(9), 4);
    CHECK(failure_of([&] { M.apply(single, out(9, 4)); }).code == status::wrong_type);
    const std::vector<double> constant(36);
    CHECK(failure_of([&] { M.apply(x, view_batch(constant.data(), of_size(9), 4)); }).code != status::ok);

    operand null = M.vector().batch();
    null.data = nullptr;
    CHECK(failure_of([&] { M.apply(null, out(9, 4)); }).code == status::null_pointer);
    operand elsewhere = x.batch();
    elsewhere.space = space_kind::gpu;
    CHECK(failure_of([&] { M.apply(elsewhere, out(9, 4)); }).code == status::wrong_space);

    std::vector<double> matrices(81 * 4, -1.0);
    CHECK(failure_of([&] { M.assemble(view_batch(matrices.data(), of_size(9, 8), 4)); }).code ==
          status::shape_mismatch);
    CHECK(matrices == std::vector<double>(81 * 4, -1.0));
    CHECK(y == std::vector<double>(36, -1.0));
  }
}

TEST_CASE("without a GPU a mass operator on it says so", "[fem]") {
  if (is_available(target::cuda)) return;
  CHECK(failure_of([] {
          fem::mass_operator<double>(fem::mesh({2, 2}, 1), 2, {.space = space_kind::gpu});
        }).code == status::no_device);
}
