// SPDX-License-Identifier: BSD-3-Clause
// The tables of the suite models: given machines and rates, lines and rows, and choices that are refused.
#include "model_tables.hpp"

#include <sched.h>

#include <vector>

#include "on_node.hpp"
#include "testing/failure.hpp"

namespace bench = tessera::bench;
using tessera::testing::check_failure;

namespace {

constexpr auto refused = tessera::status::invalid_argument;

const bench::model_table& table_called(const std::vector<bench::model_table>& all, const std::string& name) {
  for (const bench::model_table& table : all)
    if (table.name == name) return table;
  FAIL("no table " << name);
  return all.front();
}

int cores_of_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

}  // namespace

TEST_CASE("models: the tables of a machine by its data sheet are those of Sinkin's thesis") {
  const std::vector<bench::model_table> all =
      bench::model_tables(bench::given_machine("a100-40gb"), bench::model_choice{}, "f32");
  REQUIRE(all.size() == 5);  // no transfers and no energy, which a data sheet has not
  const bench::model_table& products = table_called(all, "products");
  REQUIRE(products.rows.size() == 5);
  CHECK(products.rows[0]["padded"] == nlohmann::json({48, 96, 64}));
  CHECK(products.rows[0]["padded_intensity"].get<double>() == Approx(6.854).epsilon(1e-3));
  CHECK(products.rows[0]["attainable"].get<double>() == Approx(6.854 * 1555e9).epsilon(1e-3));
  CHECK(products.rows[0]["by"] == "bandwidth");
  CHECK(products.lines[2].find("11.7%") != std::string::npos);
  CHECK(table_called(all, "ridge_points").rows[1]["ridge"].get<double>() == Approx(12.54).epsilon(1e-3));
  CHECK(table_called(all, "largest_squares").rows[1]["f64"] == 83);
  CHECK(table_called(all, "largest_squares").rows[2]["f64"] == 1290);  // L2: 3 * 1290^2 * 8 bytes of 40 MB
  CHECK(table_called(all, "speedup").rows[0]["limit"].get<double>() == Approx(10));
  const nlohmann::json& update = table_called(all, "two_site_updates").rows[0];
  CHECK(update["direct_terms"] == 16'777'216);
  CHECK(update["direct_seconds"].get<double>() == Approx(2 * 16'777'216 / 19.5e12));
  CHECK(update["fused_seconds"].get<double>() < update["staged_seconds"].get<double>());
}

TEST_CASE("models: given rates replace the machine's, and energy needs all three of its parts") {
  bench::model_choice given;
  given.bandwidth_gb_s = 2000;
  given.f64_tflop_s = 10;
  given.tf32_tflop_s = 100;
  bench::machine_figures figures = bench::given_machine("h100-sxm5");
  apply_given_rates(figures, given);
  CHECK(figures.roof("f64").peak == 10e12);
  CHECK(figures.roof("f64").bandwidth == 2000e9);
  CHECK(figures.roof("f32").peak == 67e12);
  given.base_watts = 100;
  check_failure(refused, {"--base-watts", "all three"}, [&] { apply_given_rates(figures, given); });
  given.pj_per_flop = 10;
  given.pj_per_byte = 50;
  apply_given_rates(figures, given);
  figures.latency = 3e-6;
  figures.paths = {{"a copy", {.latency = 2e-6, .bandwidth = 1e12}}};
  const std::vector<bench::model_table> all = bench::model_tables(figures, given, "f64");
  const nlohmann::json& product = table_called(all, "energy").rows[4];
  const double flops = 2.0 * 128 * 128 * 64, bytes = flops / (32.0 / 6), seconds = product["seconds"].get<double>();
  CHECK(product["joules"].get<double>() == Approx(100 * seconds + 10e-12 * flops + 50e-12 * bytes));
  CHECK(product["energy_delay"].get<double>() == Approx(product["joules"].get<double>() * seconds));
  CHECK(table_called(all, "transfers").rows[0]["half_performance_bytes"].get<double>() == Approx(2e6));
  const nlohmann::json& update = table_called(all, "two_site_updates").rows[0];
  CHECK(update["staged_seconds"].get<double>() > 6e-6);
  CHECK((update["fused_seconds"].get<double>() > 3e-6 && update["fused_seconds"].get<double>() < 6e-6));
}

TEST_CASE("models: paths of a group have their penalty over the fastest one") {
  bench::machine_figures figures = bench::given_machine("a100-80gb");
  figures.paths = {{"a copy", {.latency = 1e-6, .bandwidth = 2e12}},
                   {"host, node 0, to GPU", {.latency = 9e-6, .bandwidth = 20e9}, "to GPU"},
                   {"host, node 1, to GPU", {.latency = 8e-6, .bandwidth = 25e9}, "to GPU"}};
  const std::vector<bench::model_table> all = bench::model_tables(figures, bench::model_choice{}, "f64");
  const bench::model_table& transfers = table_called(all, "transfers");
  REQUIRE(transfers.rows.size() == 3);
  CHECK_FALSE(transfers.rows[0].contains("penalty_of_a_transfer"));
  CHECK(transfers.rows[1]["penalty_of_a_transfer"].get<double>() == Approx(1e-6));
  CHECK(transfers.rows[1]["penalty_of_a_gigabyte"].get<double>() == Approx(0.01));
  CHECK(transfers.rows[2]["penalty_of_a_gigabyte"] == 0);
  REQUIRE(transfers.lines.size() == 5);
  CHECK(transfers.lines[3].find("more than host, node 1, to GPU: 1.00 us a transfer, 10.00 ms a GB") !=
        std::string::npos);
}

TEST_CASE("models: a latency that the times do not show is no latency of 0") {
  bench::machine_figures figures = bench::given_machine("h200");
  figures.paths = {{"copy in L1", {.latency = 0, .bandwidth = 2e11}},
                   {"copy in L2", {.latency = 2e-9, .bandwidth = 1e11}}};
  const std::vector<bench::model_table> all = bench::model_tables(figures, bench::model_choice{}, "f64");
  const bench::model_table& transfers = table_called(all, "transfers");
  REQUIRE(transfers.lines.size() == 4);
  CHECK(transfers.lines[1].find("not seen") != std::string::npos);
  CHECK(transfers.lines[2].find("2.00 ns") != std::string::npos);
  CHECK(transfers.lines[3].find("latency not seen") != std::string::npos);
  CHECK(transfers.rows[0]["latency"].is_null());
  CHECK(transfers.rows[1]["latency"] == 2e-9);
}

TEST_CASE("models: measured speed-ups have their parallel fraction") {
  bench::machine_figures figures = bench::given_machine("a100-80gb");
  figures.speedups = {{"copying", 4, 10, 20}};
  const std::vector<bench::model_table> all = bench::model_tables(figures, bench::model_choice{}, "f64");
  const nlohmann::json row = table_called(all, "speedup").rows.back();
  CHECK(row["speedup"] == 2);
  CHECK(row["fraction"].get<double>() == Approx(2.0 / 3));
}

TEST_CASE("models: wrong choices are quoted") {
  const bench::machine_figures figures = bench::given_machine("a100-40gb");
  bench::model_choice wrong;
  wrong.fractions = "0.5,1.5";
  check_failure(refused, {"--fractions", "'1.5'"}, [&] { bench::model_tables(figures, wrong, "f64"); });
  wrong = {};
  wrong.products = "3x4";
  check_failure(refused, {"'3x4'"}, [&] { bench::model_tables(figures, wrong, "f64"); });
  wrong = {};
  wrong.updates = "0x1x1";
  check_failure(refused, {"--updates, batch", "'0'"}, [&] { bench::model_tables(figures, wrong, "f64"); });
  wrong.updates = "1x16x256,4x32xq";
  check_failure(refused, {"--updates, bond extent", "'q'"}, [&] { bench::model_tables(figures, wrong, "f64"); });
  wrong.updates = "4x32";
  check_failure(refused, {"--updates", "'4x32'", "batch x physical x bond"},
                [&] { bench::model_tables(figures, wrong, "f64"); });
  check_failure(refused, {"peak of f16", "--peak-f16"}, [&] { figures.roof("f16"); });
}

TEST_CASE("a thread moves to a node's cores and back") {
  CHECK(bench::parse_cores("0-3,8") == std::vector<int>{0, 1, 2, 3, 8});
  CHECK_THROWS_AS(bench::parse_cores("0-x"), tessera::error);
  const int before = cores_of_thread();
  {
    const bench::on_node here(0);
    if (here.moved()) CHECK((cores_of_thread() >= 1 && cores_of_thread() <= before));
  }
  CHECK(cores_of_thread() == before);
  const bench::on_node nowhere(4000);
  CHECK_FALSE(nowhere.moved());
  CHECK(cores_of_thread() == before);
}
