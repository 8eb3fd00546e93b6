// SPDX-License-Identifier: BSD-3-Clause
// Plans on the GPU: Table 1 exactly in integers, chains, products, groups, copies, and what is refused.
#include <numeric>
#include <thread>

#include <tessera/tessera.h>
#include <tessera/tessera.hpp>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"
#include "testing/table1_plan.hpp"

using namespace tessera;
using namespace tessera::testing;
using table1::row;

namespace {

// Every operand so; of some the first input is shared.
void check_table(const arrangement& how, bool shared, index_t count, scaling scale = assign) {
  row_variant v;
  for (arrangement& a : v.how) a = how;
  v.shared[0] = shared;
  for (const row& r : table1::rows) {
    INFO(r.name << " " << r.text << ", batch of " << count);
    CHECK(count_wrong<double>(r, target::cuda, v, count, scale) == 0);
    CHECK(count_wrong<float>(r, target::cuda, v, count, scale) == 0);
  }
}

template <class Batch>
void fill_integers(Batch& b, int seed) {
  int state = seed;
  for (auto& entry : b) {
    state = (state * 37 + 11) % 101;
    entry = typename Batch::value_type(state % 9 - 4);
  }
}

}  // namespace

TEST_CASE("gpu plan: Table 1, exact in integers", "[gpu][plan][sanitize]") {
  if (no_gpu()) return;
  check_table({}, false, 7);
  check_table({}, true, 5, {2, 1});
}

TEST_CASE("gpu plan: Table 1 over gaps, misaligned, interleaved, permuted and tabulated operands", "[gpu][plan]") {
  if (no_gpu()) return;
  check_table({.gap = 2, .start = 1}, true, 9);
  check_table({.lanes = 4}, false, 8, {1, 1});
  check_table({.lanes = 4}, true, 7);
  check_table({.order = 1, .gap = 1}, false, 5);
  check_table({.gap = 1, .table = true}, true, 5, {-1, 2});
}

TEST_CASE("gpu plan: products, transposes and groups equal the CPU's", "[gpu][plan]") {
  if (no_gpu()) return;
  auto a = make_batch<double>(of_size(5_c, 3_c), 33), b = make_batch<double>(of_size(5_c, 3_c), 33);
  fill_integers(a, 1);
  fill_integers(b, 2);
  auto da = make_batch<double>(gpu, of_size(5_c, 3_c), 33), db = make_batch<double>(gpu, of_size(5_c, 3_c), 33);
  copy(a, da);
  copy(b, db);
  const auto wanted = trans(a) * b;
  const auto product = trans(da) * db;
  static_assert(std::is_same_v<decltype(product), const batch<double, gpu, extents<3, 3>>>);
  auto back = make_batch<double>(of_size(3_c, 3_c), 33);
  copy(product, back);
  CHECK(std::equal(back.begin(), back.end(), wanted.begin()));

  const auto outer = a * trans(b);
  const auto device_outer = da * trans(db);
  auto outer_back = make_batch<double>(of_size(5_c, 5_c), 33);
  copy(device_outer, outer_back);
  CHECK(std::equal(outer_back.begin(), outer_back.end(), outer.begin()));
}

TEST_CASE("gpu plan: groups of tensors that were allocated apart", "[gpu][plan]") {
  if (no_gpu()) return;
  const auto sizes = of_size(4_c, 4_c);
  using device_tensor = tensor<double, gpu, extents<4, 4>>;
  std::vector<device_tensor> memory;
  for (int i = 0; i < 9; ++i) memory.push_back(make_tensor<double>(gpu, sizes));
  auto left = make_group<double>(gpu, sizes), right = make_group<double>(gpu, sizes),
       out = make_group<double>(gpu, sizes);
  auto host = make_tensor<double>(sizes);
  for (int i = 0; i < 6; ++i) {
    std::iota(host.begin(), host.end(), double(i));
    copy(host, memory[std::size_t(i)]);
    (i < 3 ? left : right).push_back(memory[std::size_t(i)]);
  }
  for (int i = 6; i < 9; ++i) out.push_back(memory[std::size_t(i)]);
  batch_gemm(left, right, out);
  for (int i = 0; i < 3; ++i) {
    copy(memory[std::size_t(6 + i)], host);
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += double(1 + 4 * k + i) * double(k + 4 * 2 + i + 3);
    CHECK(host(1, 2) == sum);
  }
}

TEST_CASE("gpu plan: a chain over blocks of elements equals the CPU's", "[gpu][plan]") {
  if (no_gpu()) return;
  auto b1 = make_tensor<double>(of_size(4_c, 3_c));
  auto x = make_batch<double>(of_size(3_c, 3_c), 501);
  auto y = make_batch<double>(of_size(4_c, 4_c), 501);
  fill_integers(b1, 3);
  fill_integers(x, 4);
  const contraction second("kj,ij->ik"), first("kj,jl->kl");
  const chain on_cpu({{second, {operand_of(b1)}}, {first, {operand_of(b1)}}}, operand_of(x), operand_of(y));
  buffer work(space_kind::cpu, on_cpu.workspace_bytes(501));
  on_cpu.run(x, y, work);

  auto db1 = make_tensor<double>(gpu, of_size(4_c, 3_c));
  auto dx = make_batch<double>(gpu, of_size(3_c, 3_c), 501);
  auto dy = make_batch<double>(gpu, of_size(4_c, 4_c), 501);
  copy(b1, db1);
  copy(x, dx);
  const chain on_gpu({{second, {operand_of(db1)}}, {first, {operand_of(db1)}}}, operand_of(dx), operand_of(dy));
  buffer device_work(space_kind::gpu, on_gpu.workspace_bytes(501));
  stream queue;
  on_gpu.run(dx, dy, device_work, queue);
  auto back = make_batch<double>(of_size(4_c, 4_c), 501);
  copy(dy, back, queue);
  queue.synchronize();
  CHECK(std::equal(back.begin(), back.end(), y.begin()));
}

TEST_CASE("gpu plan: copies with a change of layout, and asynchronous ones equal blocking ones", "[gpu][plan]") {
  if (no_gpu()) return;
  auto host = make_batch<float>(of_size(5_c, 3_c), 100), back = make_batch<float>(of_size(5_c, 3_c), 100);
  fill_integers(host, 5);
  auto rows = make_batch<float>(gpu, row_major(of_size<5, 3>()), 100);
  copy(host, rows);
  copy(rows, back);
  CHECK(std::equal(host.begin(), host.end(), back.begin()));

  auto lanes = make_batch<float>(gpu, interleave<8>(of_size<5, 3>()), 100);
  copy(rows, lanes);
  std::fill(back.begin(), back.end(), 0.f);
  copy(lanes, back);
  CHECK(std::equal(host.begin(), host.end(), back.begin()));

  auto same = make_batch<float>(gpu, of_size(5_c, 3_c), 100);
  stream queue;
  copy(host, same, queue);
  std::fill(back.begin(), back.end(), 0.f);
  copy(same, back, queue);
  queue.synchronize();
  CHECK(std::equal(host.begin(), host.end(), back.begin()));
}

TEST_CASE("gpu plan: one plan from several threads and streams", "[gpu][plan]") {
  if (no_gpu()) return;
  auto a = make_batch<double>(of_size(6_c, 6_c), 200);
  fill_integers(a, 6);
  const auto wanted = a * a;
  auto da = make_batch<double>(gpu, of_size(6_c, 6_c), 200);
  copy(a, da);
  auto sample = make_batch<double>(gpu, of_size(6_c, 6_c), 200);
  const plan p = make_plan(contraction("ik,kj->ij"), da, da, sample);
  int right[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      stream queue;
      auto out = make_batch<double>(gpu, of_size(6_c, 6_c), 200);
      auto back = make_batch<double>(of_size(6_c, 6_c), 200);
      for (int i = 0; i < 10; ++i) p.run_on(queue, da, da, out);
      copy(out, back, queue);
      queue.synchronize();
      right[t] = std::equal(back.begin(), back.end(), wanted.begin());
    });
  for (std::thread& t : threads) t.join();
  for (int ok : right) CHECK(ok == 1);
}

TEST_CASE("gpu plan: what is refused, and what is a no-op", "[gpu][plan]") {
  if (no_gpu()) return;
  auto d = make_batch<double>(gpu, of_size(4_c, 4_c), 3), out = make_batch<double>(gpu, of_size(4_c, 4_c), 3);
  auto h = make_batch<double>(of_size(4_c, 4_c), 3);
  const contraction product("ik,kj->ij");
  const auto code_of = [](auto work) {
    try {
      work();
    } catch (const error& e) {
      CHECK(std::string(e.what()).find("4x4") != std::string::npos);
      return e.code();
    }
    return status::ok;
  };
  CHECK(code_of([&] { make_plan(product, d, h, out); }) == status::wrong_space);
  CHECK(code_of([&] { make_plan(product, d, d, out, plan_options{.on = target::reference}); }) == status::wrong_space);
  const plan p = make_plan(product, d, d, out);
  CHECK(code_of([&] { p.run(d, d, d); }) == status::overlap);
  CHECK(code_of([&] { p.run(h, h, h); }) == status::wrong_space);
  // Host memory that claims to be the device's.
  const auto lie = view_batch(gpu, h.data(), of_size<4, 4>(), 3);
  CHECK_THROWS_AS(p.run(lie, lie, out), error);
  auto none = make_batch<double>(gpu, of_size(4_c, 4_c), 0);
  CHECK_NOTHROW(p.run(none, none, none));
  CHECK(p.describe().find("cuda") != std::string::npos);
  CHECK(p.describe().find("because") != std::string::npos);
}

TEST_CASE("gpu plan: describe names the row that runs", "[gpu][plan]") {
  if (no_gpu()) return;
  auto d = make_batch<double>(gpu, of_size(3_c, 3_c), 5), out = make_batch<double>(gpu, of_size(3_c, 3_c), 5);
  const contraction product("ik,kj->ij");
  const plan dense = make_plan(product, d, d, out);
  CHECK(dense.row().find("3x3x3") != std::string::npos);
  CHECK(dense.describe().find("no row of fixed sizes") == std::string::npos);
  auto wide = make_batch<double>(gpu, of_size(20_c), 5);
  const auto gaps = view_batch(gpu, wide.data(), of_size<3, 3>(), 5, 20);
  const plan scattered = make_plan(product, gaps, gaps, out);
  CHECK(scattered.row().find("generic") != std::string::npos);
  CHECK(scattered.describe().find("stored one after the other") != std::string::npos);
  const plan pointwise = make_plan(contraction("ij,ij->ij"), d, d, out);
  CHECK(pointwise.row().find("pointwise") != std::string::npos);
}

TEST_CASE("gpu plan: through the C API", "[gpu][plan]") {
  if (no_gpu()) return;
  const int64_t extent[] = {3, 3};
  double host[9 * 4], result[9 * 4];
  for (int i = 0; i < 36; ++i) host[i] = i % 5 - 2;
  void *in = nullptr, *out = nullptr;
  REQUIRE(tessera_allocate(&in, TESSERA_GPU, sizeof(host)) == TESSERA_OK);
  REQUIRE(tessera_allocate(&out, TESSERA_GPU, sizeof(host)) == TESSERA_OK);
  const tessera_operand on_host = tessera_packed(TESSERA_F64, TESSERA_CPU, host, 2, extent, 4);
  const tessera_operand back = tessera_packed(TESSERA_F64, TESSERA_CPU, result, 2, extent, 4);
  const tessera_operand a = tessera_packed(TESSERA_F64, TESSERA_GPU, in, 2, extent, 4);
  const tessera_operand c = tessera_packed(TESSERA_F64, TESSERA_GPU, out, 2, extent, 4);
  REQUIRE(tessera_copy(&on_host, &a) == TESSERA_OK);
  const tessera_operand all[] = {a, a, c};
  tessera_plan* p = nullptr;
  REQUIRE(tessera_plan_create(&p, "ik,kj->ij", 1, 0, all, 3, nullptr, 0) == TESSERA_OK);
  CHECK(tessera_plan_run(p, all, 3, nullptr) == TESSERA_OK);
  CHECK(tessera_copy(&c, &back) == TESSERA_OK);
  for (int b = 0; b < 4; ++b) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += host[9 * b + 1 + 3 * k] * host[9 * b + k + 3 * 2];
    CHECK(result[9 * b + 1 + 3 * 2] == sum);
  }
  tessera_plan_destroy(p);
  tessera_free(TESSERA_GPU, in);
  tessera_free(TESSERA_GPU, out);
}
