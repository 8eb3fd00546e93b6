// SPDX-License-Identifier: BSD-3-Clause
// Tables of chapter 2 of D. Sinkin's thesis (docs/models.md) by the models of bench/models: formats, peaks, limits,
// linear indices and paths of a node; with its misprints corrected, so that a printed error fails.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <tessera/tensor.hpp>

#include "models/chip.hpp"
#include "models/conditioning.hpp"
#include "models/known_machines.hpp"
#include "models/linear_index.hpp"
#include "models/number_formats.hpp"
#include "models/roofline.hpp"
#include "models/throughput.hpp"
#include "models/topology.hpp"
#include "testing/failure.hpp"

namespace models = tessera::bench::models;
using models::number_format;
using tessera::index_t;
using tessera::testing::check_failure;

namespace {

constexpr auto invalid_model = tessera::status::invalid_argument;

// As a table prints it, with that many digits.
double to_digits(double value, int digits) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - (digits - 1));
  return std::round(value / unit) * unit;
}

bool is_printed(double value, double printed, int digits) {
  return std::abs(to_digits(value, digits) / printed - 1) < 1e-9;
}

using matrix_2x2 = std::array<std::array<double, 2>, 2>;

template <class Read>
matrix_2x2 product_of(const matrix_2x2& A, const matrix_2x2& B, Read&& read) {
  matrix_2x2 C{};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < 2; ++k) sum = std::fma(float(read(A[i][k])), float(read(B[k][j])), sum);
      C[i][j] = double(sum);
    }
  return C;
}

}  // namespace

TEST_CASE("Sinkin's thesis, Table 2.1: fields of number formats") {
  struct {
    const char* name;
    int bits, exponent, bias, fraction;
  } const printed[] = {{"f64", 64, 11, 1023, 52}, {"f32", 32, 8, 127, 23}, {"tf32", 19, 8, 127, 10},
                       {"bf16", 16, 8, 127, 7},   {"f16", 16, 5, 15, 10},  {"f8-e5m2", 8, 5, 15, 2},
                       {"f8-e4m3", 8, 4, 7, 3}};
  for (const auto& row : printed) {
    INFO(row.name);
    const number_format& f = models::format_called(row.name);
    CHECK(models::total_bits(f) == row.bits);
    CHECK(f.exponent_bits == row.exponent);
    CHECK(models::exponent_bias(f) == row.bias);
    CHECK(f.fraction_bits == row.fraction);
  }
  check_failure(invalid_model, {"'fp16'", "f64, f32, tf32, bf16, f16"}, [] { models::format_called("fp16"); });
  check_failure(invalid_model, {"f8-e4m3", "no infinities"},
                [] { models::largest_number(models::format_called("f8-e4m3")); });
}

TEST_CASE("Sinkin's thesis, Table 2.2: range and spacing of number formats") {
  struct {
    const char* name;
    double largest, smallest, epsilon;
  } const printed[] = {{"f64", 0, 2.2e-308, 2.2e-16},  // the printed 1.8e308 is no double
                       {"f32", 3.4e38, 1.2e-38, 1.2e-7},
                       {"tf32", 3.4e38, 1.2e-38, 9.8e-4},
                       {"bf16", 3.4e38, 1.2e-38, 7.8e-3},  // printed: 3.3e38; it is 3.39e38
                       {"f16", 65504, 6.1e-5, 9.8e-4}};
  for (const auto& row : printed) {
    INFO(row.name);
    const number_format& f = models::format_called(row.name);
    if (row.largest == 0)
      CHECK(is_printed(models::largest_number(f) / 1e300, 1.8e8, 2));
    else
      CHECK(is_printed(models::largest_number(f), row.largest, row.largest == 65504 ? 5 : 2));
    CHECK(is_printed(models::smallest_normal(f), row.smallest, 2));
    // The caption has 2^-p of p significant bits, the implicit one among them. The table's values are 2^-(p - 1).
    CHECK(is_printed(models::spacing_at_one(f), row.epsilon, 2));
    const int p = f.fraction_bits + 1;
    CHECK(models::spacing_at_one(f) == std::ldexp(1.0, -(p - 1)));
    CHECK_FALSE(is_printed(std::ldexp(1.0, -p), row.epsilon, 2));
    CHECK(models::unit_roundoff(f) == std::ldexp(1.0, -p));
    CHECK(models::rounded_to(f, 1 + models::spacing_at_one(f)) > 1);
    CHECK(models::rounded_to(f, 1 + models::unit_roundoff(f)) == 1);  // between two numbers: to the even one
  }
  const number_format &f64 = models::format_called("f64"), &f32 = models::format_called("f32");
  CHECK(models::spacing_at_one(f64) == std::numeric_limits<double>::epsilon());
  CHECK(models::spacing_at_one(f32) == std::numeric_limits<float>::epsilon());
  CHECK(models::largest_number(f64) == std::numeric_limits<double>::max());
  CHECK(models::largest_number(f32) == std::numeric_limits<float>::max());
}

TEST_CASE("Sinkin's thesis, section 2.3.3: encoding, absorption, and one rounding instead of two") {
  const number_format& f16 = models::format_called("f16");
  const models::stored_fields s = models::fields_of(f16, 0.15625);
  CHECK((s.sign == 0 && s.exponent == 0b01100 && s.fraction == 0b0100000000));
  CHECK(models::fields_of(f16, 1024).exponent == 0b11001);
  CHECK(models::fields_of(f16, 0.5).exponent == 0b01110);
  CHECK(models::fields_of(f16, -0.5).sign == 1);
  CHECK(models::rounded_to(f16, 1024 + 0.5) == 1024);
  CHECK(models::rounded_to(models::format_called("f32"), 1024 + 0.5) == 1024.5);
  CHECK(models::rounded_to(f16, 65519) == 65504);
  CHECK(std::isinf(models::rounded_to(f16, 65520)));
  CHECK(models::truncated_to(f16, 65520) == 65504);
  CHECK(models::rounded_to(f16, 0x1p-25) == 0);
  CHECK(models::rounded_to(f16, 0x1.8p-25) == 0x1p-24);  // the smallest one that is not normal
  check_failure(invalid_model, {"number format", "a normal number of f16"}, [&] { models::fields_of(f16, 0.1); });

  volatile float a = 1 + 0x1p-12F, c = -(1 + 0x1p-11F);
  volatile float product = a * a;  // stored, so that no compiler fuses it with the sum
  CHECK(product + c == 0);
  CHECK(std::fma(a, a, c) == 0x1p-24F);
  CHECK(is_printed(0x1p-24, 5.96e-8, 3));
  // Rounding of a format is that of the machine.
  for (const double value : {1.0 / 3, 2.0 / 3, 1e-40, -7.77e20, 3.5e38})
    CHECK(models::rounded_to(models::format_called("f32"), value) == double(float(value)));
}

TEST_CASE("Sinkin's thesis, section 2.2.3: condition numbers, and the bound of a sum's rounding") {
  CHECK(models::sum_condition(1, 0.8) == 1);
  CHECK(models::sum_condition(1, -0.999999) == Approx(2e6).epsilon(1e-5));
  CHECK(std::isinf(models::sum_condition(3, -3)));
  CHECK(models::dot_condition({1, 2}, {3, 4}) == 1);
  CHECK(models::dot_condition({1, 2, 4}, {2, 3, -1}) == 3);
  CHECK(std::isinf(models::dot_condition({1, 1}, {1, -1})));
  CHECK(models::rounding_bound(0, 0x1p-24) == 0);
  CHECK(models::rounding_bound(1024, 0x1p-24) == 0x1p-14 / (1 - 0x1p-14));
  // Sums in float of 1 to 500 terms: off by less than the bound, and by more than a hundredth of it at times.
  double largest_part = 0;
  float sum = 0;
  double exact = 0, magnitudes = 0;
  for (int k = 1; k <= 500; ++k) {
    const float a = 1.0F / float(k), b = float(k % 7 - 3) + 0.1F;
    sum += a * b;
    exact += double(a) * double(b);
    magnitudes += std::abs(double(a) * double(b));
    const double bound = models::rounding_bound(k, models::unit_roundoff(models::format_called("f32"))) * magnitudes;
    CHECK(std::abs(double(sum) - exact) <= bound);
    largest_part = std::max(largest_part, std::abs(double(sum) - exact) / bound);
  }
  CHECK(largest_part > 0.01);
  check_failure(invalid_model, {"rounding", "terms times unit roundoff", "below 1"},
                [] { models::rounding_bound(3000, 0x1p-11); });
  check_failure(invalid_model, {"condition number", "2 numbers with 1"}, [] { models::dot_condition({1, 2}, {1}); });
  check_failure(invalid_model, {"condition number", "all terms are 0"}, [] { models::sum_condition(0, 0); });
}

TEST_CASE("Sinkin's thesis, section 2.3.3: a product of 2 x 2 in tf32") {
  const matrix_2x2 A{{{3.1415927, 1.2345679}, {2.7182817, 0.9876543}}},
      B{{{0.9876543, 2.7182817}, {1.2345679, 3.1415927}}};
  const number_format& tf32 = models::format_called("tf32");
  const auto cut = [&](double x) { return models::truncated_to(tf32, x); };
  const auto close = [](double value, double printed, double half_unit) {
    return std::abs(value - printed) <= half_unit * (1 + 1e-6);
  };
  CHECK(close(cut(A[0][0]), 3.1406250, 5e-8));
  CHECK(close(cut(A[0][1]), 1.2343750, 5e-8));
  CHECK(close(cut(A[1][0]), 2.7167969, 5e-8));
  CHECK(close(cut(A[1][1]), 0.9873047, 5e-8));
  const matrix_2x2 by_tf32 = product_of(A, B, cut), by_f32 = product_of(A, B, [](double x) { return x; });
  const matrix_2x2 printed_tf32{{{4.6244, 12.4091}, {3.9010, 10.4817}}},
      printed_f32{{{4.6270, 12.4182}, {3.9040, 10.4919}}};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      INFO(i << ", " << j);
      CHECK(close(by_tf32[i][j], printed_tf32[i][j], 1e-4));  // some are cut, not rounded
      CHECK(close(by_f32[i][j], printed_f32[i][j], 1e-4));
      const double error = 1 - by_tf32[i][j] / by_f32[i][j];
      CHECK((error > 5e-4 && error < 1e-3));
      CHECK(error < 2 * models::spacing_at_one(tf32));
    }
}

TEST_CASE("Sinkin's thesis, Tables 2.3 to 2.6: peaks of an A100 by its multiprocessors and its clock") {
  const models::chip& a100 = models::a100;
  const auto peak = [&](int multiply_adds) { return models::peak_of(a100, multiply_adds) * 1e-12; };
  // By lanes one number at a time, by lanes several at a time, by matrix instructions: Table 2.3 by rows.
  CHECK(is_printed(peak(a100.scalar_16), 19.5, 3));
  CHECK(peak(a100.f16_lanes) / peak(a100.scalar_16) == 4);
  CHECK(peak(a100.bf16_lanes) / peak(a100.scalar_16) == 2);
  CHECK(is_printed(peak(a100.f64_lanes), 9.7, 2));
  CHECK(is_printed(peak(a100.f32_lanes), 19.5, 3));
  CHECK(is_printed(peak(a100.f16_lanes), 78, 2));
  CHECK(is_printed(peak(a100.bf16_lanes), 39, 2));
  CHECK(is_printed(peak(a100.f64_matrix), 19.5, 3));
  CHECK(is_printed(peak(a100.tf32_matrix), 156, 3));
  CHECK(is_printed(peak(a100.f16_matrix), 312, 3));
  // The thesis calls 1.41 GHz the base clock. It is the boost clock, of which these peaks are: by the base clock,
  // 1.095 GHz, floats had 15.1 TFLOP/s.
  models::chip at_base = a100;
  at_base.clock = 1.095e9;
  CHECK(is_printed(models::peak_of(at_base, a100.f32_lanes) * 1e-12, 15.1, 3));

  const models::known_machine &small = models::machine_called("a100-40gb"),
                              &large = models::machine_called("a100-80gb");
  CHECK(is_printed(models::peak_of(a100, a100.f64_lanes), small.peak_f64, 2));
  CHECK(is_printed(models::peak_of(a100, a100.f32_lanes), small.peak_f32, 3));
  CHECK(is_printed(models::peak_of(a100, a100.tf32_matrix), small.peak_tf32, 3));
  CHECK(small.shared_bytes == a100.shared_bytes);
  CHECK(small.peak_f32 == large.peak_f32);
  CHECK(large.memory_bytes == 2 * small.memory_bytes);
  // Table 2.5: what both cards share, and by how much a kernel below the ridge is faster.
  CHECK((small.l2_bytes == 40'000'000 && small.l2_bytes == large.l2_bytes));
  CHECK((small.nvlink == 600e9 && small.nvlink == large.nvlink));
  const auto below_ridge = [](const models::known_machine& m) {
    return models::attainable({m.peak_f32, m.bandwidth}, 1);
  };
  CHECK(is_printed(below_ridge(large) / below_ridge(small), 1.31, 3));
  // Relative to 9.7 TFLOP/s, as printed in Table 2.6.
  CHECK(is_printed(models::peak_of(a100, a100.f64_matrix) / small.peak_f64, 2.0, 2));
  CHECK(is_printed(small.peak_f32 / small.peak_f64, 2.0, 2));
  CHECK(is_printed(small.peak_tf32 / small.peak_f64, 16.1, 3));
  CHECK(is_printed(models::peak_of(a100, a100.f16_matrix) / small.peak_f64, 32.2, 3));
  check_failure(invalid_model, {"chip", "multiprocessors", "0"}, [] { models::peak_of({}, 64); });
  check_failure(invalid_model, {"multiply-adds a cycle", "0"}, [&] { models::peak_of(a100, 0); });
}

TEST_CASE("Sinkin's thesis, Table 2.7: limits of an A100 and of one of its multiprocessors") {
  const models::chip& a100 = models::a100;
  const models::known_machine& m = models::machine_called("a100-40gb");
  CHECK(is_printed(models::of_one_multiprocessor(a100, m.peak_f32) * 1e-12, 0.18, 2));
  CHECK(is_printed(models::of_one_multiprocessor(a100, m.peak_f64) * 1e-12, 0.090, 2));
  CHECK(is_printed(models::of_one_multiprocessor(a100, models::peak_of(a100, a100.f16_matrix)) * 1e-12, 2.89, 3));
  CHECK(is_printed(models::of_one_multiprocessor(a100, m.bandwidth) * 1e-9, 14.40, 4));
  CHECK(a100.multiprocessors * a100.f32_lanes == 6912);
  CHECK(a100.multiprocessors * a100.f64_lanes == 3456);
  CHECK(models::resident_warps(a100) == 6912);
  CHECK(models::resident_threads(a100) == 221'184);
  CHECK(a100.threads == 32 * a100.warps);
  // Table 2.4: what the model of occupancy has of a multiprocessor.
  constexpr models::multiprocessor of;
  CHECK((of.registers == 65'536 && of.schedulers == 4 && of.warps == a100.warps && of.blocks == a100.blocks));
  CHECK(is_printed(models::ridge_point({m.peak_f32, m.bandwidth}), 12.5, 3));
  CHECK(is_printed(models::ridge_point({m.peak_f64, m.bandwidth}), 6.2, 2));
}

TEST_CASE("Sinkin's thesis, Table 2.8: latencies as bytes that have to be on their way") {
  const models::chip& a100 = models::a100;
  const double bandwidth = models::machine_called("a100-40gb").bandwidth;
  const auto bytes_of = [&](double cycles) {
    return models::of_one_multiprocessor(a100, models::bytes_in_flight(a100, cycles, bandwidth));
  };
  // 500 cycles of device memory: 5.1 KB of each multiprocessor, which a float of each of its 2048 threads is, but not
  // one of each thread at half of the occupancy. 200 cycles of L2 take 2/5 of it, 20 of shared memory 1/25, and a
  // register 1/500: by that bandwidth, which for these levels is a lower bound.
  const double bytes = bytes_of(a100.cycles_of_memory);
  CHECK(is_printed(bytes, 5100, 2));
  CHECK((bytes < 4.0 * a100.threads && bytes > 4.0 * a100.threads / 2));
  CHECK(bytes_of(a100.cycles_of_l2) == Approx(0.4 * bytes));
  CHECK(bytes_of(a100.cycles_of_shared) == Approx(bytes / 25));
  CHECK(bytes_of(a100.cycles_of_registers) == Approx(bytes / 500));
  check_failure(invalid_model, {"latency in cycles", "0"}, [&] { models::bytes_in_flight(a100, 0, 1); });
}

TEST_CASE(
    "Sinkin's thesis, equations 2.2 to 2.4: linear indices, the labels of which are exchanged in three dimensions") {
  CHECK(models::last_index_nearest({4, 3}, {2, 1}) == 7);   // the worked example, and (2.2): i N + j
  CHECK(models::first_index_nearest({4, 3}, {2, 1}) == 6);  // (2.4): j M + i
  const std::vector<index_t> s{4, 3, 5};
  bool has_difference = false;
  std::vector<int> seen(60);
  for (index_t x = 0; x < s[0]; ++x)
    for (index_t y = 0; y < s[1]; ++y)
      for (index_t z = 0; z < s[2]; ++z) {
        // (2.3) is printed as row-major, and "equivalent" to ((i D1) + j) D2 + k. It is column-major.
        const index_t equation_2_3 = x + s[0] * y + s[0] * s[1] * z;
        const index_t after_equation_2_3 = (x * s[1] + y) * s[2] + z;
        const index_t printed_as_column_major = z + s[2] * y + s[2] * s[1] * x;
        CHECK(models::first_index_nearest(s, {x, y, z}) == equation_2_3);
        CHECK(models::last_index_nearest(s, {x, y, z}) == after_equation_2_3);
        CHECK(models::last_index_nearest(s, {x, y, z}) == printed_as_column_major);
        has_difference = has_difference || equation_2_3 != after_equation_2_3;
        ++seen[std::size_t(equation_2_3)];
      }
  CHECK(has_difference);
  CHECK(std::accumulate(seen.begin(), seen.end(), 0) == 60);
  CHECK(*std::max_element(seen.begin(), seen.end()) == 1);
  // Tessera's tensors have the first index nearest.
  auto t = tessera::make_tensor<double>(tessera::of_size(4, 3, 5));
  CHECK(&t(2, 1, 3) - t.data() == models::first_index_nearest(s, {2, 1, 3}));
  check_failure(invalid_model, {"2 indices", "3 dimensions"}, [&] { models::first_index_nearest(s, {1, 1}); });
  check_failure(invalid_model, {"index 1 is 3", "0 to 2"}, [&] { models::last_index_nearest(s, {1, 3, 1}); });
}

TEST_CASE("Sinkin's thesis, Table 2.9: the NUMA domain and cores of each GPU") {
  const models::node_topology& node = models::jureca_node();
  struct {
    int gpu, socket, domain, first, last;
  } const printed[] = {{0, 0, 3, 48, 63}, {1, 0, 1, 16, 31}, {2, 1, 7, 112, 127}, {3, 1, 5, 80, 95}};
  for (const auto& row : printed) {
    INFO("GPU " << row.gpu);
    CHECK(node.domain_of_gpu[std::size_t(row.gpu)] == row.domain);
    CHECK(models::socket_of_domain(node, row.domain) == row.socket);
    const models::core_range cores = models::cores_of_domain(node, row.domain);
    CHECK((cores.first == row.first && cores.last == row.last));
    CHECK(models::path_between(node, row.gpu, row.domain) == models::host_path::local);
  }
  // Table 7.3: the second threads of the cores, of which there are 256 in all, and NV4 between all GPUs.
  struct {
    int domain, first, last;
  } const siblings[] = {{3, 176, 191}, {1, 144, 159}, {7, 240, 255}, {5, 208, 223}};
  for (const auto& row : siblings) {
    const models::core_range second = models::threads_of_domain(node, row.domain, 1);
    CHECK((second.first == row.first && second.last == row.last));
    CHECK(models::threads_of_domain(node, row.domain, 0).first == models::cores_of_domain(node, row.domain).first);
  }
  CHECK(node.links == 4);
  CHECK(models::bandwidth_between_gpus(node) == 100e9);
  // Both ways to three others: Table 2.5's 600 GB/s.
  CHECK(2 * 3 * models::bandwidth_between_gpus(node) == models::machine_called("a100-40gb").nvlink);
  check_failure(invalid_model, {"thread 2", "0 to 1"}, [&] { models::threads_of_domain(node, 0, 2); });
  // The caption of Figure 2.9 calls GPU 0 and domain 3 a path within the socket: by this table that is a local one.
  CHECK(models::path_between(node, 0, 3) == models::host_path::local);
  CHECK(models::path_between(node, 3, 2) == models::host_path::cross_socket);
  CHECK(models::path_between(node, 0, 2) == models::host_path::same_socket);
  check_failure(invalid_model, {"domain 8", "0 to 7"}, [&] { models::path_between(node, 0, 8); });
  check_failure(invalid_model, {"GPU 4", "0 to 3"}, [&] { models::path_between(node, 4, 0); });
}

TEST_CASE("Sinkin's thesis, Table 2.10: classes of paths, and what each takes more than the local one") {
  using models::host_path;
  const models::node_topology& node = models::jureca_node();
  struct {
    int gpu, local, same_socket;
    std::vector<int> cross_socket;
  } const printed[] = {{0, 3, 1, {5, 7}}, {1, 1, 3, {5, 7}}, {2, 7, 5, {1, 3}}, {3, 5, 7, {1, 3}}};
  const models::transfer_line local{.latency = 8e-6, .bandwidth = 25e9};
  constexpr double segment = 0.5e-6, count = 100, volume = 1e9;
  for (const auto& row : printed) {
    INFO("GPU " << row.gpu);
    CHECK(models::domains_by_path(node, row.gpu, host_path::local) == std::vector{row.local});
    CHECK(models::domains_by_path(node, row.gpu, host_path::same_socket) == std::vector{row.same_socket});
    CHECK(models::domains_by_path(node, row.gpu, host_path::cross_socket) == row.cross_socket);
    const auto penalty = [&](int domain, double bandwidth) {
      const host_path path = models::path_between(node, row.gpu, domain);
      return models::transfer_penalty(local, models::line_of_path(local, path, segment, bandwidth), count, volume);
    };
    CHECK(penalty(row.local, 25e9) == 0);
    CHECK(penalty(row.same_socket, 22e9) == Approx(count * segment + volume * (1 / 22e9 - 1 / 25e9)));
    for (const int domain : row.cross_socket)
      CHECK(penalty(domain, 18e9) == Approx(2 * count * segment + volume * (1 / 18e9 - 1 / 25e9)));
  }
  CHECK(models::extra_segments(host_path::local) == 0);
  CHECK(models::extra_segments(host_path::same_socket) == 1);
  CHECK(models::extra_segments(host_path::cross_socket) == 2);
  check_failure(invalid_model, {"node topology", "segment", "-1"},
                [&] { models::line_of_path(local, host_path::local, -1, 1e9); });
}
