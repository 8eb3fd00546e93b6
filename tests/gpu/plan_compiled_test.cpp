// SPDX-License-Identifier: BSD-3-Clause
// GPU rows compiled while a plan is made: the tuning of a record given at run time, and, for sizes that have no row,
// the nearest record's or the model's. They are named, and they compute; other operands do without.
#include <chrono>
#include <cstdlib>
#include <limits>
#include <optional>
#include <thread>

#include <tessera/detail/jit.hpp>
#include <tessera/tessera.hpp>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/given_records.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Asks for a tuning that no build has, also at a size that has no row; in force until its end.
class odd_records : public given_records {
 public:
  odd_records()
      : given_records(
            R"({"schema": 1, "device": "NVIDIA Test", "target": "cuda", "compute_capability": "9.0", "records": [)" +
            record("f64", 6, 6, 6) + ",\n" + record("f32", 7, 5, 3) + "]}\n") {}

 private:
  static std::string record(const char* type, int m, int n, int k) {
    const auto size = [](const char* name, int value) {
      return std::string("\"") + name + "\": " + std::to_string(value);
    };
    return std::string("{\"type\": \"") + type + "\", \"regime\": \"stream\", " + size("m", m) + ", " + size("n", n) +
           ", " + size("k", k) +
           R"(, "tuning": {"matrices": 8, "threads": 96, "tile_rows": 2, "tile_cols": 1, "over_a": 0, "loads": 1}})";
  }
};

// Kernels are kept here and nowhere else, and compiling is not switched off; until its end.
class own_cache {
 public:
  own_cache() {
    keep("TESSERA_CACHE");
    keep("TESSERA_JIT");
    setenv("TESSERA_CACHE", folder_.path().c_str(), 1);
    unsetenv("TESSERA_JIT");
  }
  ~own_cache() {
    for (const auto& [name, value] : before_)
      if (value)
        setenv(name, value->c_str(), 1);
      else
        unsetenv(name);
  }

 private:
  void keep(const char* name) {
    const char* value = std::getenv(name);
    before_.emplace_back(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
  }

  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
  scratch_folder folder_;
};

template <class T, class A, class B, class C>
void check_against_cpu(const plan& p, A& a, B& b, C& c, const contraction& what = contraction("ik,kj->ij")) {
  auto host_a = make_batch<T>(a.extents(), a.count());
  auto host_b = make_batch<T>(b.extents(), b.count());
  auto host_c = make_batch<T>(c.extents(), c.count());
  auto found = make_batch<T>(c.extents(), c.count());
  int next = 0;
  for (T& x : host_a) x = T(next++ % 7 - 3);
  for (T& x : host_b) x = T(next++ % 5 - 2);
  copy(host_a, a);
  copy(host_b, b);
  p.run(a, b, c);
  copy(c, found);
  make_plan(what, host_a, host_b, host_c).run(host_a, host_b, host_c);
  // Small integers: exact.
  CHECK(std::equal(found.begin(), found.end(), host_c.begin()));
}

}  // namespace

TEST_CASE("gpu plan: a record given at run time is compiled as it stands", "[gpu][plan]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const own_cache cache;
  const odd_records in_force;
  const contraction product("ik,kj->ij");
  auto a = make_batch<double>(gpu, of_size(6, 6), 101), b = make_batch<double>(gpu, of_size(6, 6), 101),
       c = make_batch<double>(gpu, of_size(6, 6), 101);
  const plan square = make_plan(product, a, b, c);
  CHECK(square.row().find("compiled at run time: 8 products per block of 96 threads, tile 2x1") != std::string::npos);
  CHECK(square.describe().find(in_force.path) != std::string::npos);
  check_against_cpu<double>(square, a, b, c);

  auto d = make_batch<float>(gpu, of_size(7, 3), 13), e = make_batch<float>(gpu, of_size(3, 5), 13),
       f = make_batch<float>(gpu, of_size(7, 5), 13);
  const plan oblong = make_plan(product, d, e, f);
  CHECK(oblong.row().find("gemm f32 7x5x3, packed, compiled at run time") != std::string::npos);
  check_against_cpu<float>(oblong, d, e, f);
}

TEST_CASE("gpu plan: transposed operands have rows compiled for them", "[gpu][plan]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const own_cache cache;
  struct example {
    const char *what, *row;
    index_t a[2], b[2];
  };
  for (const example& e : {example{"ki,kj->ij", "packed, A by rows,", {5, 7}, {5, 3}},
                           {"ik,jk->ij", "packed, B by rows,", {7, 5}, {3, 5}},
                           {"ki,jk->ij", "packed, A by rows, B by rows,", {5, 7}, {3, 5}}}) {
    auto a = make_batch<double>(gpu, of_size(e.a[0], e.a[1]), 43),
         b = make_batch<double>(gpu, of_size(e.b[0], e.b[1]), 43), c = make_batch<double>(gpu, of_size(7, 3), 43);
    const contraction what(e.what);
    const plan p = make_plan(what, a, b, c);
    INFO(p.describe());
    CHECK(p.row().find(e.row) != std::string::npos);
    check_against_cpu<double>(p, a, b, c, what);
  }
}

TEST_CASE("gpu plan: a table that all products share has a row compiled for it", "[gpu][plan]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const own_cache cache;
  const contraction first("kj,jbc->kbc"), middle("kj,ajc->akc");
  auto host_table = make_tensor<double>(of_size(4, 3));
  auto table = make_tensor<double>(gpu, of_size(4, 3));
  auto host_x = make_batch<double>(of_size(3, 3, 3), 29);
  auto x = make_batch<double>(gpu, of_size(3, 3, 3), 29);
  int next = 0;
  for (double& v : host_table) v = next++ % 7 - 3;
  for (double& v : host_x) v = next++ % 5 - 2;
  copy(host_table, table);
  copy(host_x, x);
  const auto check = [&](const contraction& what, const auto& of_result, const char* row) {
    auto host_y = make_batch<double>(of_result, 29), found = make_batch<double>(of_result, 29);
    auto y = make_batch<double>(gpu, of_result, 29);
    const plan p = make_plan(what, table, x, y);
    INFO(p.describe());
    CHECK(p.row().find(row) != std::string::npos);
    p.run(table, x, y);
    copy(y, found);
    make_plan(what, host_table, host_x, host_y).run(host_table, host_x, host_y);
    CHECK(std::equal(found.begin(), found.end(), host_y.begin()));
  };
  check(first, of_size(4, 3, 3), "packed, A shared,");
  check(middle, of_size(3, 4, 3), "packed, B shared by rows,");
}

TEST_CASE("gpu plan: operands with gaps do without the compiled kernel", "[gpu][plan]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const own_cache cache;
  const odd_records in_force;
  auto a = make_batch<double>(gpu, of_size(6, 6), 9), b = make_batch<double>(gpu, of_size(6, 6), 9),
       c = make_batch<double>(gpu, of_size(6, 6), 9);
  const plan p = make_plan(contraction("ik,kj->ij"), a, b, c);
  std::vector<double> ones(400, 1.0);
  auto wide = make_batch<double>(gpu, of_size(400), 1);
  copy(view_batch(ones.data(), of_size(400), 1), wide);
  auto out = make_batch<double>(gpu, of_size(6, 6), 9);
  const auto gaps = view_batch(gpu, wide.data(), of_size(6, 6), 9, 40);
  p.run(gaps, gaps, out);
  auto found = make_batch<double>(of_size(6, 6), 9);
  copy(out, found);
  CHECK(std::all_of(found.begin(), found.end(), [](double x) { return x == 6; }));
}

namespace {

// C = A B over NaN, or C += A B over small integers, of one size: compares with the CPU, exactly, and says what ran.
template <class T>
std::string run_and_describe(index_t m, index_t n, index_t k, double beta) {
  constexpr index_t count = 37;
  const contraction what = contraction("ik,kj->ij").scaled(1, beta);
  auto host_a = make_batch<T>(of_size(m, k), count), host_b = make_batch<T>(of_size(k, n), count),
       host_c = make_batch<T>(of_size(m, n), count), found = make_batch<T>(of_size(m, n), count);
  int next = 0;
  for (T& x : host_a) x = T(next++ % 7 - 3);
  for (T& x : host_b) x = T(next++ % 5 - 2);
  for (T& x : host_c) x = beta == 0 ? std::numeric_limits<T>::quiet_NaN() : T(next++ % 9 - 4);
  auto a = make_batch<T>(gpu, of_size(m, k), count), b = make_batch<T>(gpu, of_size(k, n), count),
       c = make_batch<T>(gpu, of_size(m, n), count);
  copy(host_a, a);
  copy(host_b, b);
  copy(host_c, c);
  const plan p = make_plan(what, a, b, c);
  p.run(a, b, c);
  copy(c, found);
  make_plan(what, host_a, host_b, host_c).run(host_a, host_b, host_c);
  INFO(m << "x" << n << "x" << k << ", beta " << beta << ": " << p.describe());
  CHECK(std::equal(found.begin(), found.end(), host_c.begin()));
  return p.describe();
}

}  // namespace

TEST_CASE("gpu plan: sizes without a row get one from the nearest record or the model", "[gpu][plan]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const own_cache cache;
  for (const double beta : {0.0, 1.0}) {
    CHECK(run_and_describe<double>(8, 8, 9, beta).find("nearest record") != std::string::npos);
    CHECK(run_and_describe<float>(13, 12, 12, beta).find("nearest record") != std::string::npos);
    CHECK(run_and_describe<double>(2, 32, 5, beta).find("model") != std::string::npos);
    CHECK(run_and_describe<float>(31, 1, 3, beta).find("model") != std::string::npos);
    CHECK(run_and_describe<double>(1, 1, 32, beta).find("compiled at run time") != std::string::npos);
    CHECK(run_and_describe<double>(27, 9, 29, beta).find("compiled at run time") != std::string::npos);
  }
}

TEST_CASE("gpu plan: a product larger than a block's memory takes the generic row", "[gpu][plan]") {
  if (no_gpu()) return;
  // C alone has 230 KB, and these are too few multiply-adds for a kernel of general contractions.
  CHECK(run_and_describe<double>(32, 900, 4, 0).find("generic row") != std::string::npos);
}

TEST_CASE("gpu plan: a row compiled now refuses host memory as others do", "[gpu][plan]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const own_cache cache;
  auto a = make_batch<double>(gpu, of_size(8, 9), 5), b = make_batch<double>(gpu, of_size(9, 8), 5),
       c = make_batch<double>(gpu, of_size(8, 8), 5);
  const plan p = make_plan(contraction("ik,kj->ij"), a, b, c);
  REQUIRE(p.row().find("compiled at run time") != std::string::npos);
  std::vector<double> host(5 * 72);
  check_failure(status::wrong_space, {"left operand", "8x8x9"},
                [&] { p.run(view_batch(gpu, host.data(), of_size(8, 9), 5), b, c); });
}

TEST_CASE("gpu plan: nothing is compiled where the caller does not want it", "[gpu][plan]") {
  if (no_gpu()) return;
  auto a = make_batch<double>(gpu, of_size(8, 9), 5), b = make_batch<double>(gpu, of_size(9, 8), 5),
       c = make_batch<double>(gpu, of_size(8, 8), 5);
  const plan p = make_plan(contraction("ik,kj->ij"), a, b, c, plan_options{.compile = false});
  CHECK(p.row().find("generic row") != std::string::npos);
  CHECK(p.describe().find("no record for these sizes") != std::string::npos);
  check_against_cpu<double>(p, a, b, c);
}

TEST_CASE("gpu plan: without waiting, a row is compiled behind for the plans that are made later", "[gpu][plan]") {
  if (no_gpu()) return;
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const own_cache cache;
  const contraction product("ik,kj->ij");
  auto a = make_batch<double>(gpu, of_size(13, 11), 19), b = make_batch<double>(gpu, of_size(11, 21), 19),
       c = make_batch<double>(gpu, of_size(13, 21), 19);
  const plan early = make_plan(product, a, b, c, plan_options{.wait = false});
  CHECK_FALSE(early.is_ready());
  CHECK(early.row().find("generic row") != std::string::npos);
  CHECK(early.describe().find("a kernel for it is being compiled") != std::string::npos);
  check_against_cpu<double>(early, a, b, c);
  for (int i = 0; i < 6000 && !early.is_ready(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(early.is_ready());
  const plan late = make_plan(product, a, b, c, plan_options{.wait = false});
  CHECK(late.row().find("13x21x11, packed, compiled at run time") != std::string::npos);
  CHECK(late.is_ready());
  check_against_cpu<double>(late, a, b, c);
  CHECK(early.row().find("generic row") != std::string::npos);
}
