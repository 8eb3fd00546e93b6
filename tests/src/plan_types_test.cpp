// SPDX-License-Identifier: BSD-3-Clause
// Element types in plans: which there are, what describe() says of them, conj in chains and executors, and
// what is refused.
#include <tessera/chain.hpp>
#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/executor.hpp>
#include <tessera/tessera.hpp>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/says.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const contraction product("ik,kj->ij");

template <class T>
bool kernels_of(target where) {
  return where != target::reference && rows_of(where)->generic<T>() != nullptr;
}

// Views of 2x2 matrices of any type, each of memory of its own.
template <class T>
struct square {
  T data[4]{};
  auto view() { return tessera::view(data, of_size(2, 2)); }
};

}  // namespace

TEST_CASE("types: the table names them, and each sum by its usual type", "[types]") {
  CHECK(std::string(name_of(product_types(scalar_type::f16))) == "f16");
  CHECK(product_types(scalar_type::bf16).sum == scalar_type::f32);
  CHECK(std::string(name_of({scalar_type::f32, scalar_type::f32, scalar_type::f64})) == "f32/f64");
  CHECK_FALSE(is_known({scalar_type::f64, scalar_type::f32, scalar_type::f64}));
  CHECK_FALSE(is_known({scalar_type::f16, scalar_type::f16, scalar_type::f16}));
  CHECK(known_product_names().find("c64, f32/f64, f16-f32") != std::string::npos);
  static_assert(tuned_like(scalar_type::c32) == scalar_type::f64 && tuned_like(scalar_type::c64) == scalar_type::f64);
  static_assert(tuned_like(scalar_type::f16) == scalar_type::f32 && tuned_like(scalar_type::f64) == scalar_type::f64);
}

TEST_CASE("types: a plan says which types it multiplies, and by which kernels", "[types][describe]") {
  square<half> a, b;
  square<float> c;
  square<complex<double>> u, v, w;
  square<complex<float>> x, y, z;
  for (const target where : cpu_targets()) {
    const std::string text = make_plan(product, a.view(), b.view(), c.view(), on(where)).describe();
    const std::string of_complex = make_plan(product, u.view(), conj(v.view()), w.view(), on(where)).describe();
    const std::string of_halves =
        make_plan(contraction("ij,ij->ij"), a.view(), b.view(), c.view(), on(where)).describe();
    const std::string entries = make_plan(contraction("ij,ij->ij"), x.view(), y.view(), z.view(), on(where)).describe();
    INFO(text << of_complex << of_halves << entries);
    const bool has_f32 = kernels_of<float>(where), has_f64 = kernels_of<double>(where);
    CHECK(says(text, has_f32 ? "gemm f16-f32 by f32 kernels, generic" : "gemm f16-f32 plain loops"));
    CHECK(says(of_complex, has_f64 ? "gemm c64 by f64 kernels, generic" : "gemm c64 plain loops"));
    CHECK(says(of_halves, has_f32 ? "pointwise f16-f32 by f32 kernels, any size" : "pointwise f16-f32 plain loops"));
    CHECK(says(entries, has_f32 ? "pointwise c32 any size" : "pointwise c32 plain loops"));
    CHECK(says(text, where == target::reference ? "the reference has plain loops only"
                     : has_f32                  ? "rows of fixed sizes are of f32 and f64 only"
                                                : "TESSERA_TYPES"));
  }
}

TEST_CASE("types: what is not in the table is refused, with the types", "[types][errors]") {
  square<float> a32, b32;
  square<double> b64, c64;
  square<half> a16, c16;
  square<bfloat16> brain;
  square<complex<double>> z;
  check_failure(status::wrong_type, {"input 1 is f16, input 2 bf16, the output f16", "2x2", "f16-f32"},
                [&] { make_plan(product, a16.view(), brain.view(), c16.view()); });
  check_failure(status::wrong_type, {"input 1 is f32, input 2 f32, the output f64", "sums in f32"},
                [&] { make_plan(product, a32.view(), b32.view(), c64.view()); });
  // Where the type of the sums is named, there are plain loops.
  for (const target where : cpu_targets()) {
    const plan narrow =
        make_plan(contraction("ik,kj->ij", sums_in<float>()), b64.view(), b64.view(), c64.view(), on(where));
    const plan wide =
        make_plan(contraction("ik,kj->ij", sums_in<double>()), a16.view(), brain.view(), c16.view(), on(where));
    CHECK(says(narrow.describe(), "general f64 with sums in f32 plain loops"));
    CHECK(says(wide.describe(), "general f16, bf16 -> f16 with sums in f64 plain loops"));
  }
  check_failure(status::wrong_type, {"input 2 c64"}, [&] { make_plan(product, b64.view(), z.view(), c64.view()); });
  check_failure(status::wrong_type, {"imaginary part", "sums are in f64"}, [&] {
    make_plan(contraction("ik,kj->ij", {complex<double>(0, 1), 0}), b64.view(), b64.view(), c64.view());
  });
}

TEST_CASE("types: conj is of inputs, and of every run alike", "[types][errors]") {
  square<complex<double>> a, b, c;
  check_failure(status::invalid_argument, {"the output is c"},
                [&] { make_plan(product, a.view(), b.view(), conj(c.view())); });
  check_failure(status::invalid_argument, {"the output is conjugated"}, [&] {
    const operand all[] = {operand_of(a), operand_of(b), conj(operand_of(c))};
    make_plan_of(product, all, 3, {});
  });
  const plan made = make_plan(product, conj(a), b, c);
  check_failure(status::invalid_argument, {"input 1 is not conjugated"}, [&] { made.run(a, b, c); });
  check_failure(status::invalid_argument, {"input 2 is conjugated"}, [&] { made.run(conj(a), conj(b), c); });
  c.data[0] = 7;
  check_failure(status::invalid_argument, {"the source is conjugated"}, [&] { copy(conj(a.view()), c.view()); });
  CHECK(c.data[0] == 7);
}

TEST_CASE("types: chains take them: 16-bit intermediates, conjugated steps", "[types]") {
  square<half> table, x;
  square<float> y;
  for (int i = 0; i < 4; ++i) table.data[i] = half(float(i)), x.data[i] = half(float(1 - i));
  const chain twice({{product, {operand_of(table)}}, {product, {operand_of(table)}}}, operand_of(x), operand_of(y));
  buffer workspace(space_kind::cpu, twice.workspace_bytes(1));
  auto in = view(x.data, of_size(2, 2));
  auto out = view(y.data, of_size(2, 2));
  twice.run(in, out, workspace);
  const float t[] = {0, 1, 2, 3}, start[] = {1, 0, -1, -2};  // column-major
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      float sum = 0;
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l) sum += t[i + 2 * k] * t[k + 2 * l] * start[l + 2 * j];
      CHECK(y.data[i + 2 * j] == sum);
    }

  square<complex<double>> a, z, w;
  a.data[0] = {0, 1};
  a.data[3] = {2, -1};
  z.data[0] = {1, 0};
  z.data[3] = {0, 1};
  const chain back({{product, {operand_of(a)}}, {product, {conj(operand_of(a))}}}, operand_of(z), operand_of(w));
  buffer space(space_kind::cpu, back.workspace_bytes(1));
  back.run(view(z.data, of_size(2, 2)), view(w.data, of_size(2, 2)), space);
  CHECK(w.data[0] == complex<double>(1, 0));
  CHECK(w.data[3] == complex<double>(0, 5));
}

TEST_CASE("types: executors keep apart what differs in conj, in factors and in sums", "[types]") {
  std::vector<square<complex<float>>> a(4), b(4), c(4);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) {
      a[std::size_t(i)].data[k] = {float(i + k), 1};
      b[std::size_t(i)].data[k] = {1, float(k - i)};
    }
  const auto item = [&](int i) {
    const auto at = std::size_t(i);
    const contraction what("ik,kj->ij", {i == 3 ? complex<double>(0, 1) : complex<double>(1), 0});
    return make_item(what, i % 2 == 0 ? operand_of(a[at]) : conj(operand_of(a[at])), operand_of(b[at]),
                     operand_of(c[at]));
  };
  const executor list({item(0), item(1), item(2), item(3)});
  CHECK(list.shapes() == 3);
  list.run();
  for (int i = 0; i < 4; ++i) {
    square<complex<float>> alone;
    const auto at = std::size_t(i);
    executor_item one = item(i);
    one.operands.back() = operand_of(alone);
    executor({one}).run();
    for (int k = 0; k < 4; ++k) CHECK(alone.data[k] == c[at].data[k]);
  }
  // Halves side by side: their outputs share no entry, so one round will do.
  half x[8]{}, out[6]{};
  std::vector<executor_item> small;
  for (int i = 0; i < 6; ++i)
    small.push_back(
        make_item(product, view(x, of_size(1, 1)), view(x + 1, of_size(1, 1)), view(out + i, of_size(1, 1))));
  CHECK(executor(small).rounds() == 1);
}
