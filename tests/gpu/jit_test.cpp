// SPDX-License-Identifier: BSD-3-Clause
// Rows compiled at run time: compiled without a GPU, kept and found again on disk; on a GPU, run against the reference.
#include <tessera/detail/jit.hpp>
#include <tessera/gpu/detail/graph.hpp>

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "products.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"
#include "testing/scratch.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

namespace fs = std::filesystem;

constexpr gpu_gemm_tuning small{.matrices = 8, .threads = 64, .tile_rows = 2, .tile_cols = 2};

constexpr packed_layouts other_layouts[]{
    {packed_layout::by_rows},
    {packed_layout::by_cols, packed_layout::by_rows},
    {packed_layout::by_rows, packed_layout::by_rows, packed_layout::by_rows},
    {packed_layout::shared_by_cols},
    {packed_layout::shared_by_rows, packed_layout::by_rows},
    {packed_layout::by_cols, packed_layout::shared_by_cols},
    {packed_layout::by_cols, packed_layout::shared_by_rows, packed_layout::by_rows}};

// On tensor cores: sizes whose last squares are ragged in every direction, all ways to lie, C over an input.
std::vector<jit_gemm> by_warps() {
  constexpr scalar_type f64 = scalar_type::f64;
  std::vector<jit_gemm> all{{f64, 8, 8, 4, {2, 64, 1, 2, 0, 0, 1, 1}},    {f64, 16, 8, 12, {2, 32, 2, 2, 0, 1, 2, 1}},
                            {f64, 32, 32, 32, {1, 64, 2, 8, 0, 0, 2, 1}}, {f64, 31, 31, 31, {2, 128, 2, 8, 0, 0, 1, 1}},
                            {f64, 17, 19, 23, {4, 96, 3, 6, 0, 0, 1, 1}}, {f64, 1, 3, 2, {4, 128, 1, 2, 1, 0, 1, 1}},
                            {f64, 18, 22, 26, {2, 64, 2, 4, 0, 0, 2, 1}}};
  for (const packed_layouts& layouts : other_layouts)
    for (const int over_a : {0, 1, 2}) {
      all.push_back({f64, 13, 9, 14, {2, 128, 1, 4, over_a, 0, 1, 1}, layouts});
      all.push_back({f64, 16, 24, 8, {2, 64, 2, 6, over_a, over_a == 2, 2, 1}, layouts});
    }
  return all;
}

}  // namespace

TEST_CASE("gpu jit: every axis compiles, for architectures with and without bulk copies", "[nvrtc]") {
  if (no_jit()) return;
  std::vector<jit_gemm> wanted;
  for (const int over_a : {0, 1})
    for (const int loads : {0, 1})
      for (const int vector : {1, 2})
        wanted.push_back({scalar_type::f64, 4, 5, 3, {8, 64, 2, 2, over_a, loads, vector}});
  wanted.push_back({scalar_type::f32, 7, 7, 7, small});
  for (const int vector : {1, 2}) wanted.push_back({scalar_type::f64, 16, 20, 9, {2, 64, 2, 4, 0, 0, vector, 1}});
  for (const int architecture : {75, 80, 90})
    for (const jit_code& code : jit_compile(wanted, {.cache_folder = {}, .threads = 2}, architecture)) {
      INFO(code.log);
      CHECK_FALSE(code.machine_code.empty());
      REQUIRE(code.entries.size() == 4);
      for (const std::string& name : code.entries) CHECK(name.find("packed_gemm") != std::string::npos);
    }
}

TEST_CASE("gpu jit: what does not compile has a log", "[nvrtc]") {
  if (no_jit()) return;
  const std::vector<jit_gemm> bad{{scalar_type::f64, 5, 5, 5, {.matrices = 8, .threads = 64, .tile_rows = 0}}};
  const jit_code code = jit_compile(bad, {}, 90).front();
  CHECK(code.machine_code.empty());
  CHECK_FALSE(code.log.empty());
  CHECK(code.first_error().find("error") != std::string::npos);
}

TEST_CASE("gpu jit: code is kept, and an entry that was truncated or changed is compiled again", "[nvrtc]") {
  if (no_jit()) return;
  const scratch_folder own;
  const fs::path folder = own / "cache";  // which is not there yet
  const std::vector<jit_gemm> wanted{{scalar_type::f64, 3, 3, 3, small}};
  const jit_options options{.cache_folder = folder, .threads = 1};
  const jit_code first = jit_compile(wanted, options, 90).front();
  CHECK_FALSE(first.from_cache);
  const jit_code again = jit_compile(wanted, options, 90).front();
  CHECK(again.from_cache);
  CHECK(again.machine_code == first.machine_code);
  CHECK(again.entries == first.entries);
  CHECK_FALSE(jit_compile(wanted, options, 80).front().from_cache);

  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
  const jit_code rebuilt = jit_compile(wanted, options, 90).front();
  CHECK_FALSE(rebuilt.from_cache);
  CHECK(rebuilt.machine_code == first.machine_code);

  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-7, std::ios::end);
    file.put('\x5a');
  }
  CHECK_FALSE(jit_compile(wanted, options, 90).front().from_cache);
  CHECK(jit_compile(wanted, options, 90).front().from_cache);
}

TEST_CASE("gpu jit: a folder that cannot be written costs the cache only", "[nvrtc]") {
  if (no_jit()) return;
  const std::vector<jit_gemm> wanted{{scalar_type::f64, 3, 3, 3, small}};
  const jit_code code = jit_compile(wanted, {.cache_folder = "/dev/null/tessera", .threads = 1}, 90).front();
  CHECK_FALSE(code.machine_code.empty());
  CHECK(code.cache_problem.find("/dev/null/tessera") != std::string::npos);
}

TEST_CASE("gpu jit: the cache on disk keeps the code that was used last, up to TESSERA_CACHE_SIZE", "[nvrtc]") {
  if (no_jit()) return;
  const scratch_folder own;
  const jit_options options{.cache_folder = own.path(), .threads = 1};
  const auto compile = [&](const char* most, index_t n) {
    setenv("TESSERA_CACHE_SIZE", most, 1);
    const std::vector<jit_gemm> wanted{{scalar_type::f64, n, n, n, small}};
    const jit_code code = jit_compile(wanted, options, 90).front();
    unsetenv("TESSERA_CACHE_SIZE");
    CHECK_FALSE(code.machine_code.empty());
    return code;
  };
  const std::size_t bytes = compile("1G", 3).machine_code.size();
  for (const fs::directory_entry& entry : fs::directory_iterator(own.path()))
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  CHECK(compile("1G", 2).cache_problem.empty());
  CHECK(own.files() == 2);
  compile("1G", 3);  // used again: the other one is the older one now
  for (const fs::directory_entry& entry : fs::directory_iterator(own.path()))
    if (fs::last_write_time(entry.path()) < fs::file_time_type::clock::now() - std::chrono::minutes(30))
      FAIL("an entry that was read has its old time");
  compile("1", 4);  // is larger: not kept, and none of the others
  CHECK(own.files() == 0);
  compile(std::to_string(3 * bytes / 2).c_str(), 3);
  compile(std::to_string(3 * bytes / 2).c_str(), 2);  // no room for both
  CHECK(own.files() == 1);
  CHECK(compile("1G", 2).from_cache);
  CHECK(compile("1 gigabyte", 5).cache_problem.find("TESSERA_CACHE_SIZE=1 gigabyte") != std::string::npos);
  CHECK(compile("1", 6).cache_problem.find("more than the cache's 1") != std::string::npos);
}

TEMPLATE_TEST_CASE("gpu jit: compiled rows compute their products", "[gpu][sanitize]", float, double) {
  if (absent()) return;
  std::vector<jit_gemm> wanted;
  std::vector<product> products;
  for (const index_t n : {1, 3, 8, 13})
    for (const int axes : {0, 1, 2, 3}) {
      const int over_a = axes & 1, tile = n < 3 ? 1 : over_a ? 4 : 2;
      wanted.push_back({scalar_of<TestType>, n, n, n, {4, 64, tile, tile, over_a, axes >> 1}});
    }
  wanted.push_back({scalar_of<TestType>, 5, 9, 4, {4, 96, 3, 2, 1, 1}});
  wanted.push_back({scalar_of<TestType>, 6, 9, 4, {3, 64, 2, 3, 0, 0, 2}});
  wanted.push_back({scalar_of<TestType>, 8, 5, 16, {4, 64, 4, 2, 1, 0, 2}});
  wanted.push_back({scalar_of<TestType>, 6, 4, 8, {4, 64, 4, 2, 0, 0, 2}});  // the last rows' tiles are ragged
  wanted.push_back({scalar_of<TestType>, 3, 5, 7, {1, 32, 1, 2}});           // shares that start inside pieces
  wanted.push_back({scalar_of<TestType>, 1, 1, 1, {1, 32, 1, 1}});           // and reach back over several blocks
  for (const packed_layouts& layouts : other_layouts) {
    for (const int over_a : {0, 1, 2})
      wanted.push_back({scalar_of<TestType>, 5, 7, 3, {4, 96, 2, 2, over_a, 0, 1}, layouts});
    for (const int loads : {0, 1}) {
      wanted.push_back({scalar_of<TestType>, 5, 7, 16, {4, 96, 2, 2, 0, loads, 1}, layouts});   // lines of whole pieces
      wanted.push_back({scalar_of<TestType>, 23, 6, 23, {2, 32, 4, 4, 0, loads, 1}, layouts});  // many loads a thread
    }
  }
  if constexpr (sizeof(TestType) == 4) wanted.push_back({scalar_type::f32, 8, 6, 5, {4, 64, 4, 2, 0, 0, 4}});
  if constexpr (sizeof(TestType) == 8) {
    const std::vector<jit_gemm> multiplied_by_warps = by_warps();
    wanted.insert(wanted.end(), multiplied_by_warps.begin(), multiplied_by_warps.end());
  }
  const std::vector<jit_code> codes = jit_compile(wanted, {});
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const jit_kernel kernel(wanted[i], codes[i]);
    CHECK(kernel.registers() > 0);
    CHECK(kernel.local_bytes() == 0);
    for (const double beta : {0.0, -0.5})
      for (const int shift : {0, 1, 2, 3}) {
        product d;
        d.m = wanted[i].m, d.n = wanted[i].n, d.k = wanted[i].k;
        d.batch = 37;
        d.trans_left = is_by_rows(wanted[i].layouts.left), d.trans_right = is_by_rows(wanted[i].layouts.right);
        d.trans_out = is_by_rows(wanted[i].layouts.out);
        d.shared_left = is_shared(wanted[i].layouts.left), d.shared_right = is_shared(wanted[i].layouts.right);
        d.beta = beta;
        d.alpha = shift % 2 == 0 ? 1 : -0.75;
        d.shift = shift;
        arranged_product<TestType> a(d, unsigned(i));
        device_entries<TestType> left(a.entries(0)), right(a.entries(2)), out(a.entries(4));
        TestType* const data[5] = {left.data(), nullptr, right.data(), nullptr, out.data()};
        kernel.run(a.on(data, true), {});
        device::stream_synchronize(nullptr);
        const auto found = judge(a, out.read());
        INFO(i << " beta " << beta << " shift " << shift);
        CHECK(found.error <= 1.0);
        CHECK_FALSE(found.wrote_elsewhere);
      }
  }
}

TEST_CASE("gpu jit: more blocks than a row of the grid has", "[gpu]") {
  if (absent()) return;
  const jit_gemm what{scalar_type::f32, 1, 1, 1, {4, 32, 1, 1}};
  const jit_kernel kernel(what, jit_compile({&what, 1}, {}).front());
  product d;
  d.batch = (1 << 22) + 5;
  arranged_product<float> a(d, 1);
  device_entries<float> left(a.entries(0)), right(a.entries(2)), out(a.entries(4));
  float* const data[5] = {left.data(), nullptr, right.data(), nullptr, out.data()};
  kernel.run(a.on(data, true), {});
  device::stream_synchronize(nullptr);
  const auto found = judge(a, out.read());
  CHECK(found.error <= 1.0);
  CHECK_FALSE(found.wrote_elsewhere);
}

TEST_CASE("gpu jit: a kernel that goes away waits for its runs, and stays in graphs that captured it", "[gpu]") {
  if (absent()) return;
  const jit_gemm what{scalar_type::f64, 7, 7, 7, small};
  const jit_code code = jit_compile({&what, 1}, {}).front();
  product d;
  d.m = d.n = d.k = 7;
  d.batch = 20000;
  arranged_product<double> a(d, 1);
  device_entries<double> left(a.entries(0)), right(a.entries(2)), out(a.entries(4));
  double* const data[5] = {left.data(), nullptr, right.data(), nullptr, out.data()};
  const stream queue;
  for (int again = 0; again < 20; ++again) jit_kernel(what, code).run(a.on(data, true), queue);
  queue.synchronize();
  CHECK(judge(a, out.read()).error <= 1.0);
  std::optional<jit_kernel> kernel(std::in_place, what, code);
  kernel->run(a.on(data, true), queue);
  queue.synchronize();
  const device::graph captured("a kernel that goes away", queue,
                               [&](stream_view on) { kernel->run(a.on(data, true), on); });
  kernel.reset();
  out.write(a.entries(4));
  for (int again = 0; again < 5; ++again) captured.launch(stream_view(queue).handle());
  queue.synchronize();
  CHECK(judge(a, out.read()).error <= 1.0);
}

TEST_CASE("gpu jit: a kernel refuses problems that are not its own", "[gpu]") {
  if (absent()) return;
  const jit_gemm what{scalar_type::f64, 3, 3, 3, small};
  const jit_kernel kernel(what, jit_compile({&what, 1}, {}).front());
  problem<double> p;
  p.m = p.n = p.k = 4;
  check_failure(status::internal, {"gemm f64 3x3x3"}, [&] { kernel.run(p, {}); });
  check_failure(status::internal, {"gemm f64 3x3x3"}, [&] { kernel.run(problem<float>{}, {}); });
  check_failure(status::launch_failure, {"load gemm f64 3x3x3"}, [&] {
    jit_kernel(what, {.machine_code = "no code", .entries = std::vector<std::string>(4, "none"), .log = {}});
  });
}
