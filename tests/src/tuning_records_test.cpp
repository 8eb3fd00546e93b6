// SPDX-License-Identifier: BSD-3-Clause
// The one reader of record files, of plans, the tuner and the build: what a record says, and what is refused.
#include <tessera/tuning_records.hpp>

#include <string>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const std::string small_product =
    R"({"type": "f64", "regime": "cache", "m": 5, "n": 6, "k": 7, "tuning": {"columns": 3}})";
const std::string gpu_element =
    R"({"family": "element", "dim": 2, "d": 3, "q": 4, "t": 3, "trial": "2 value gradient", "test": "gradient",
        "factors": 6, "type": "f64", "stored": "f32", "tuning": {"threads": 96, "pitch_plane": 16,
        "pitch_element": 40000}})";
const std::string cpu_element =
    R"({"family": "element", "dim": 3, "d": 3, "q": 3, "t": 3, "trial": "gradient", "test": "gradient", "factors": 6,
        "type": "f64", "stored": "f64", "nodal": true, "regime": "cache", "tuning": {"nontemporal": 0}})";

tuning_records read(const char* target, const std::string& records) {
  return read_tuning_records(std::string(R"({"schema": 1, "device": "d", "target": ")") + target +
                             R"(", "source_hash": "of the file", "records": [)" + records + "]}");
}

std::string with(std::string text, const std::string& part, const std::string& by) {
  REQUIRE(text.find(part) != std::string::npos);
  return text.replace(text.find(part), part.size(), by);
}

void refuses(const char* target, const std::string& record, std::initializer_list<std::string_view> words) {
  INFO(record);
  check_failure(status::invalid_argument, words, [&] { read(target, record); });
  check_failure(status::invalid_argument, {"record 0"}, [&] { read(target, record); });
}

void refuses_file(const std::string& text, std::initializer_list<std::string_view> words) {
  INFO(text.substr(0, 200));
  check_failure(status::invalid_argument, words, [&] { read_tuning_records(text); });
}

std::string packed_record(const std::string& form) {
  return R"({"form": ")" + form +
         R"(", "type": "f64", "regime": "stream", "m": 81, "n": 10, "k": 9, "tuning": {"matrices": 1}})";
}

}  // namespace

TEST_CASE("a record of a product: sizes, axes, hash and figures", "[records]") {
  const tuning_records file =
      read("avx2", small_product + ", " + with(small_product, "\"m\": 5", R"("m": 6, "source_hash": "own",
      "seconds": 2e-9, "runner_up": {"columns": 2}, "runner_up_seconds": 3e-9, "tie": true, "tried": 7)"));
  REQUIRE(file.records.size() == 2);
  const tuning_record &a = file.records[0], &b = file.records[1];
  CHECK(file.on == target::avx2);
  CHECK(file.capability() == 0);
  CHECK((a.m == 5 && a.n == 6 && a.k == 7 && a.in == memory_regime::cache && a.type == scalar_type::f64));
  CHECK(tuning_from<cpu_gemm_tuning>(a.tuning) == cpu_gemm_tuning{.columns = 3});
  CHECK(a.runner_up.empty());
  CHECK(file.hash_of(a) == "of the file");
  CHECK(file.hash_of(b) == "own");
  CHECK(tuning_from<cpu_gemm_tuning>(b.runner_up) == cpu_gemm_tuning{.columns = 2});
  CHECK((b.measured.seconds == 2e-9 && b.measured.runner_up_seconds == 3e-9));
  CHECK((b.measured.tie && b.measured.tried == 7));
}

TEST_CASE("how operands of a GPU's product lie", "[records]") {
  const auto layouts = [](const std::string& form) { return read("cuda", packed_record(form)).records[0].layouts; };
  CHECK(layouts("packed, A shared") ==
        packed_layouts{packed_layout::shared_by_cols, packed_layout::by_cols, packed_layout::by_cols});
  CHECK(layouts("packed, B shared by rows") ==
        packed_layouts{packed_layout::by_cols, packed_layout::shared_by_rows, packed_layout::by_cols});
  CHECK(layouts("packed, A by rows, B shared, C by rows") ==
        packed_layouts{packed_layout::by_rows, packed_layout::shared_by_cols, packed_layout::by_rows});
  refuses("cuda", packed_record("packed"), {"\"m\" is 81", "1..32"});
  for (const char* form : {"packed, A", "packed, C shared", "packed, B shared, A shared"})
    refuses("cuda", packed_record(form), {form, "known: packed", "and the like"});
  refuses("avx2", packed_record("packed, A shared"), {"packed, A shared", "known: packed"});
  check_failure(status::invalid_argument, {"record 1", "a second one for cuda f64 stream 81x10x9, packed, A shared"},
                [] { read("cuda", packed_record("packed, A shared") + ", " + packed_record("packed, A shared")); });
}

TEST_CASE("a record of an element operator on a GPU", "[records]") {
  const tuning_record r = read("cuda", gpu_element).records.at(0);
  CHECK((r.family == record_family::element && r.in == memory_regime::stream));
  const element_kernel_facts& f = r.of;
  CHECK((f.dim == 2 && f.trial == 3 && f.points == 4 && f.test == 3 && f.factors == 6));
  CHECK((f.of_trial.components == 2 && f.of_trial.value && f.of_trial.gradient));
  CHECK((f.of_test.components == 1 && !f.of_test.value && f.of_test.gradient));
  CHECK((f.entry_bytes == 8 && f.stored_bytes == 4 && !f.several && f.repeats == 1 && !f.nodal));
  element_tuning wanted;
  wanted.threads = 96, wanted.pitch[1] = 16, wanted.pitch_element = 40000;
  CHECK(tuning_from<element_tuning>(r.tuning) == wanted);
  const tuning_record several = read("cuda", with(gpu_element, "\"q\"", "\"repeats\": 3, \"q\"")).records.at(0);
  CHECK((several.of.several && several.of.repeats == 3));
  refuses("cuda", with(gpu_element, "\"q\"", "\"repeats\": 1, \"q\""), {"\"repeats\" is 1", "2..64"});
  refuses("cuda", with(gpu_element, "\"dim\": 2", "\"dim\": 0"), {"\"dim\" is 0", "1..3"});
  refuses("cuda", with(gpu_element, "\"q\": 4, ", ""), {"\"q\" is missing"});
  refuses("cuda", with(gpu_element, "2 value gradient", "1 value"), {"\"trial\" is '1 value'", "value gradient"});
  refuses("cuda", with(gpu_element, "\"stored\": \"f32\"", "\"stored\": \"f16\""), {"\"stored\" is 'f16'"});
  refuses("cuda", with(gpu_element, "pitch_plane", "pitch_plain"), {"unknown axis 'pitch_plain'", "pitch_element"});
  refuses("cuda", with(gpu_element, "40000", "100000"), {"0..99999"});
  refuses("avx2", gpu_element, {"\"regime\" is missing"});
}

TEST_CASE("a record of element matrices", "[records]") {
  const std::string both = R"({"family": "matrix", "operator": "diffusion", "dim": 3, "d": 4, "q": 5, "type": "f64",
      "tuning": {"way": "halves", "threads": 160}})";
  const std::string packed = with(both, "\"type\"", "\"storage\": \"lower_packed\", \"type\"");
  const tuning_record r = read("cuda", both).records.at(0);
  CHECK((r.family == record_family::matrix && r.either && !r.of_matrix.packed));
  CHECK((r.of_matrix.kind == operator_kind::diffusion && r.of_matrix.trial == 4 && r.of_matrix.points == 5));
  CHECK(tuning_from<matrix_tuning>(r.tuning) == matrix_tuning{.way = matrix_way::halves, .threads = 160});
  const tuning_record lower = read("cuda", packed).records.at(0);
  CHECK((!lower.either && lower.of_matrix.packed));
  CHECK(read("cuda", both + ", " + packed).records.size() == 2);
  check_failure(status::invalid_argument, {"record 1", "a second one", "3-D matrices of diffusion, d 4, q 5"},
                [&] { read("cuda", both + ", " + both); });
  refuses("cuda", with(both, "halves", "thirds"), {"\"way\" is 'thirds'", "columns, distinct"});
  refuses("cuda", with(both, "\"halves\"", "2"), {"\"way\" must be a text"});
  refuses("cuda", with(both, "diffusion", "weight"), {"\"operator\" is 'weight'", "mass, diffusion"});
  refuses("cuda", with(packed, "lower_packed", "upper"), {"\"storage\" is 'upper'", "full, lower_packed"});
  refuses("cuda", with(both, "\"matrix\"", "\"matrices\""), {"\"family\" is 'matrices'", "gemm, element, matrix"});
  refuses("avx2", both, {"of GPUs"});
}

TEST_CASE("a record of an element operator on a CPU, and the names that its axes had before", "[records]") {
  const tuning_record r = read("avx2", cpu_element).records.at(0);
  CHECK((r.in == memory_regime::cache && r.of.nodal));
  CHECK(tuning_from<element_run>(r.tuning) == element_run{.nontemporal = 0});
  const std::string now = R"({"prefetch_kib": 16, "nontemporal": 0, "prefetch_level": 2, "prefetch_repeats": 3})",
                    before = R"({"ahead": 16, "stream": 0, "near": 2, "asks": 3})";
  for (const std::string& names : {now, before})
    CHECK(
        tuning_from<element_run>(read("avx2", with(cpu_element, "{\"nontemporal\": 0}", names)).records.at(0).tuning) ==
        element_run{16, 0, 2, 3});
  CHECK(read("avx2", with(small_product, "\"columns\": 3", "\"stream\": 1")).records.at(0).tuning ==
        read("avx2", with(small_product, "\"columns\": 3", "\"nontemporal\": 1")).records.at(0).tuning);
  refuses("avx2", with(cpu_element, "\"nontemporal\": 0", "\"nontemporal\": 0, \"stream\": 1"),
          {"both \"nontemporal\" and \"stream\", its former name"});
  refuses("avx2", with(cpu_element, "\"nodal\": true", "\"nodal\": 1"), {"\"nodal\" must be true or false"});
  refuses("avx2", with(cpu_element, "\"nontemporal\": 0", "\"prefetch_kib\": 4097"), {"0..4096"});
}

TEST_CASE("the compute capability of a GPU's records", "[records]") {
  const auto capability = [](const std::string& text) {
    return read_tuning_records(R"({"schema": 1, "device": "d", "target": "cuda", "compute_capability": ")" + text +
                               R"(", "records": []})")
        .capability();
  };
  CHECK(capability("9.0") == 90);
  CHECK(capability("12.1") == 121);
  CHECK(capability("") == 0);
  for (const char* wrong : {"9", "9.", ".0", "90", "9.00", "nine", "9.0.0", "1234.5", "-1.0"})
    check_failure(status::invalid_argument, {"\"compute_capability\" is", wrong, "like 9.0"},
                  [&] { capability(wrong); });
}

TEST_CASE("tunings that the sizes of a record cannot have", "[records]") {
  const auto why = [](const char* target, const std::string& record) {
    const tuning_records file = read(target, record);
    return why_impossible(file.records.at(0), file.on, gpu_limits_of(90));
  };
  CHECK(why("avx2", small_product).empty());
  CHECK(why("cuda", gpu_element).empty());
  const std::string tall = with(small_product, "\"m\": 5", "\"m\": 32");
  CHECK(why("avx2", with(tall, "\"columns\": 3", "\"columns\": 6, \"row_vectors\": 4")).find("cannot have") !=
        std::string::npos);
  CHECK(why("cuda", with(packed_record("packed, A shared"), "\"matrices\": 1", "\"matrices\": 512"))
            .find("cannot have") != std::string::npos);
  CHECK(why("avx2", with(cpu_element, "\"nontemporal\": 0", "\"nontemporal\": 1")).find("stays in cache") !=
        std::string::npos);
}

TEST_CASE("a text that is no record file is refused with the reason", "[records]") {
  refuses_file("", {"not valid JSON", "line 1"});
  refuses_file("[1, 2", {"not valid JSON", "too early"});
  refuses_file("{}x", {"more text"});
  refuses_file("{\n\n  \"schema\" 1}", {"line 3", "':'"});
  refuses_file("{\"schema\": 01}", {"start with 0"});
  refuses_file("{\"schema\": \"\\x\"}", {"escape"});
  refuses_file("[]", {"object"});
  refuses_file(R"({"device": "d"})", {"\"schema\" is missing"});
  refuses_file(R"({"schema": 7})", {"\"schema\" is 7", "schema 1"});
  refuses_file(R"({"schema": "1"})", {"\"schema\"", "integer"});
  refuses_file(R"({"schema": 1, "target": "avx2", "records": []})", {"\"device\" is missing"});
  refuses_file(R"({"schema": 1, "device": "d", "target": "mmx", "records": []})", {"mmx", "avx512", "cuda"});
  refuses_file(R"({"schema": 1, "device": "d", "target": "reference", "records": []})", {"reference"});
  refuses_file(R"({"schema": 1, "device": "d", "target": "avx2"})", {"\"records\" is missing"});
}

TEST_CASE("a wrong record is named with what is wrong", "[records]") {
  const auto changed = [](const std::string& part, const std::string& by,
                          std::initializer_list<std::string_view> words) {
    refuses("avx2", with(small_product, part, by), words);
  };
  refuses("avx2", "7", {"object"});
  changed("\"f64\"", "\"f16\"", {"\"type\"", "f16", "f32, f64"});
  changed("\"cache\"", "\"disk\"", {"\"regime\"", "disk"});
  for (const char* m : {"33", "0", "-1"}) changed("\"m\": 5", std::string("\"m\": ") + m, {"\"m\" is ", m, "1..32"});
  for (const char* m : {"18446744073709551615", "5.5", "1e300"})
    changed("\"m\": 5", std::string("\"m\": ") + m, {"\"m\"", m});
  changed("\"m\": 5, ", "", {"\"m\" is missing"});
  changed("\"columns\"", "\"colums\"", {"unknown axis 'colums'", "row_vectors", "columns"});
  changed("{\"columns\": 3}", "3", {"tuning", "object"});
  for (const char* value : {"\"3\"", "1e9", "true"})
    changed("3}", std::string(value) + "}", {"\"columns\" must be an integer"});
  changed("3}", "-3}", {"\"columns\" is -3"});
  changed("\"m\": 5", "\"family\": \"assembly\", \"m\": 5", {"\"family\"", "assembly", "gemm"});
  changed("\"m\": 5", "\"tie\": 1, \"m\": 5", {"\"tie\"", "true or false"});
  check_failure(status::invalid_argument, {"\"m\" is there twice"},
                [] { read("avx2", with(small_product, "\"m\": 5", "\"m\": 6, \"m\": 5")); });
  check_failure(status::invalid_argument, {"record 1", "second", "avx2 f64 cache 5x6x7"},
                [] { read("avx2", small_product + "," + small_product); });
}

TEST_CASE("a record with figures that no clock gives is refused by name", "[records]") {
  const auto figure = [](const std::string& member) { return with(small_product, "\"m\"", member + ", \"m\""); };
  for (const char* wrong :
       {"\"seconds\": 1e-300", "\"seconds\": 0", "\"seconds\": -1e-9", "\"seconds\": 1e300", "\"seconds\": 1e-400",
        "\"seconds\": 1e999", "\"initial_seconds\": 1e-20", "\"runner_up_seconds\": 1e7", "\"mad\": -1e-9",
        "\"fraction\": 1e300", "\"clock_mhz\": -1", "\"watts\": 1e9"})
    refuses("avx2", figure(wrong), {std::string_view(wrong).substr(0, std::string_view(wrong).find(':'))});
  for (const char* wrong : {"\"fast\"", "null"})
    refuses("avx2", figure(std::string("\"seconds\": ") + wrong), {"\"seconds\" must be a number"});
  check_failure(status::invalid_argument, {"not valid JSON"}, [&] { read("avx2", figure("\"seconds\": NaN")); });
  const tuning_records good = read("avx2", figure("\"seconds\": 2e-11, \"initial_seconds\": 0, \"mad\": 0"));
  CHECK(good.records[0].measured.seconds == 2e-11);
}

TEST_CASE("what would overflow the stack or the memory, or be read in two ways, is refused", "[records]") {
  refuses_file(R"({"schema": 1, "schema": 2})", {"\"schema\" is there twice"});
  for (const char* bytes : {"\xff", "\xc0\x80", "\xed\xa0\x80", "a\xe2\x82"})
    refuses_file(std::string("{\"schema\": 1, \"device\": \"") + bytes + "\"}", {"UTF-8"});
  refuses_file(R"({"schema": 1, "device": "\u0000"})", {"\\u0000"});
  for (const char* half : {"\\ud83d", "\\udc00", "\\ud83dx"})
    refuses_file(std::string("{\"schema\": 1, \"device\": \"") + half + "\"}", {"surrogates"});
  refuses_file(std::string("{\"schema\": 1,\0 2}", 17), {"not valid JSON"});
  refuses_file("[" + std::string(std::size_t(9) << 20, '1') + "]", {"object"});
  std::string many = "[";
  for (int i = 0; i < (1 << 22) + 1; ++i) many += "0,";
  refuses_file(many + "0]", {"more than 4194304 values"});
  refuses_file("{\"schema\": " + std::string(100000, '9') + "}", {"999...", "not an integer"});
  refuses("avx2", with(small_product, "\"m\": 5", "\"m\": \"" + std::string(100000, 'x') + "\""),
          {"\"m\" must be an integer", "xxx..."});
  refuses_file(std::string(1000000, '['), {"nested"});
  std::string deep = "7";
  for (int i = 0; i < 100000; ++i) deep = "[" + std::move(deep) + "]";
  refuses_file(deep, {"nested"});
  const tuning_records good =
      read_tuning_records(R"({"schema": 1, "device": "\u00e4 \u20ac \ud83d\ude00", "target": "avx2", "records": []})");
  CHECK(good.device == "\u00e4 \u20ac \U0001f600");
}
