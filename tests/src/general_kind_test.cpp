// SPDX-License-Identifier: BSD-3-Clause
// From contractions to kinds of general kernels: what multiplies, what is read, what may be read as 0.
#include <cmath>
#include <vector>

#include "general/kind_of.hpp"
#include "plan_state.hpp"
#include "testing/catch.hpp"
#include "testing/says.hpp"

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::general_by;
using tessera::detail::general_kind;

namespace {

// Of 2x2 matrices of these types.
general_kind kind_for(const contraction& what, std::vector<scalar_type> types,
                      product_precision precision = product_precision::exact) {
  std::vector<operand> all;
  for (const scalar_type type : types) {
    operand o{.type = type, .entry_bytes = size_of(type), .span = 4};
    o.facts = {.rank = 2, .extent = {2, 2}, .stride = {1, 2}};
    all.push_back(o);
  }
  return detail::general_kind_of(what, {all.data(), int(all.size())}, precision);
}

const contraction kind_product("ik,kj->ij");

}  // namespace

TEST_CASE("general kinds: tensor cores where they are exact, or are allowed not to be", "[general]") {
  using enum scalar_type;
  CHECK(kind_for(kind_product, {f64, f64, f64}).by == general_by::mma_f64);
  CHECK(kind_for(kind_product, {f16, f16, f32}).by == general_by::mma_16);
  CHECK(kind_for(kind_product, {f32, f32, f32}).by == general_by::fma);
  CHECK(kind_for(kind_product, {f32, f32, f32}, product_precision::tf32).by == general_by::mma_tf32);
  CHECK(kind_for(kind_product, {f32, f32, f32}, product_precision::tf32x3).by == general_by::mma_3xtf32);
  CHECK(kind_for(kind_product, {f64, f64, f64}, product_precision::tf32).by == general_by::mma_f64);
  const contraction in_double("ik,kj->ij", sums_in<double>());
  CHECK(kind_for(in_double, {f32, f32, f32}, product_precision::tf32).by == general_by::fma);
  CHECK(kind_for(kind_product, {c64, c64, c64}).by == general_by::fma);
  CHECK(kind_for(kind_product, {i16, i16, i32}).by == general_by::fma);
  CHECK(kind_for(in_double, {f32, f64, f64}).by == general_by::fma);
  CHECK(kind_for(kind_product.over(min_plus), {f64, f64, f64}).by == general_by::fma);
  CHECK(kind_for(kind_product.with({.a = relu}), {f64, f64, f64}).by == general_by::mma_f64);
}

TEST_CASE("general kinds: types, addends and conjugation", "[general]") {
  using enum scalar_type;
  const general_kind plain = kind_for(kind_product, {i16, i16, i32});
  CHECK(plain.left == i16);
  CHECK(plain.out == i32);
  CHECK(plain.sum == i32);
  CHECK_FALSE(plain.reads_out);
  CHECK_FALSE(plain.addend);
  CHECK(plain.functions.empty());
  CHECK(plain.functions_name.empty());
  CHECK(kind_for(contraction("ik,kj->ij", add), {f64, f64, f64}).reads_out);
  // In float 1e-60 is 0.
  CHECK_FALSE(kind_for(contraction("ik,kj->ij", {1, 1e-60}), {f32, f32, f32}).reads_out);
  CHECK(kind_for(contraction("ik,kj->ij", {1, 1e-60}), {f64, f64, f64}).reads_out);
  const general_kind with_addend = kind_for(contraction("ik,kj+ij->ij"), {f64, f64, f32, f64});
  CHECK(with_addend.addend == f32);
  CHECK_FALSE(with_addend.reads_out);
  CHECK_FALSE(kind_for(contraction("ik,kj+ij->ij", {1, 0}), {f64, f64, f32, f64}).addend);
}

TEST_CASE("general kinds: where 0 may stand for what is not there", "[general]") {
  using enum scalar_type;
  const auto zero_adds_nothing = [](const contraction& what) {
    return kind_for(what, {f64, f64, f64}).zero_adds_nothing;
  };
  CHECK(zero_adds_nothing(kind_product));
  CHECK(zero_adds_nothing(kind_product.with({.a = elu(2), .b = leaky_relu(), .result = relu})));
  CHECK(zero_adds_nothing(kind_product.over(or_and)));
  for (const operations& pair : {min_plus, max_plus, max_times})
    CHECK_FALSE(zero_adds_nothing(kind_product.over(pair)));
  const entry_function sine = entry_function::own("sine", "sin(x)", [](auto x) { return std::sin(x); });
  const entry_function cosine = entry_function::own("cosine", "cos(x)", [](auto x) { return std::cos(x); });
  CHECK(zero_adds_nothing(kind_product.with({.a = sine})));
  CHECK_FALSE(zero_adds_nothing(kind_product.with({.a = cosine})));
  CHECK_FALSE(zero_adds_nothing(kind_product.with({.b = cosine})));
  CHECK(zero_adds_nothing(kind_product.with({.result = cosine})));
  CHECK(says(kind_for(kind_product.with({.b = cosine}), {f64, f64, f64}).functions, "cos(x)"));
  CHECK(text_of(kind_for(kind_product.with({.b = cosine}).over(min_plus), {f64, f64, f64})) ==
        "f64 by multiply-adds, min_plus, cosine (B)");
}
