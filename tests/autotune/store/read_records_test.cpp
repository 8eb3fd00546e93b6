// SPDX-License-Identifier: BSD-3-Clause
// Records read: what is wrong with a file is named, with the record and the member.
#include <sys/stat.h>

#include <tessera/axes.hpp>

#include "store/record_json.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include "sample_records.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

namespace {

const char* const head = R"({"schema": 1, "device": "d", "target": "avx2", "records": [)";
const char* const good = R"({"type": "f64", "regime": "cache", "m": 5, "n": 5, "k": 5, "tuning": {"columns": 3}})";

void refuses(const std::string& text, std::initializer_list<std::string_view> words) {
  const scratch_folder folder;
  const std::string path = folder.file("bad.json");
  put(path, text);
  INFO(text);
  check_failure(status::invalid_argument, words, [&] { read_records(path); });
  check_failure(status::invalid_argument, {path}, [&] { read_records(path); });
}

// The good record with a part of it replaced.
std::string with(const std::string& part, const std::string& by) {
  std::string text = good;
  return head + text.replace(text.find(part), part.size(), by) + "]}";
}

}  // namespace

TEST_CASE("axes that a record leaves out have their initial values", "[store]") {
  const scratch_folder folder;
  put(folder.file("r.json"), head + std::string(good) + "]}");
  const record_file f = read_records(folder.file("r.json"));
  REQUIRE(f.records.size() == 1);
  const auto axes = axes_of<cpu_gemm_tuning>();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    INFO(axes[i].name);
    const int initial = cpu_gemm_tuning{}.*axes[i].field;
    CHECK(f.records[0].winner.value[i] == (std::string(axes[i].name) == "columns" ? 3 : initial));
  }
}

TEST_CASE("a file that is not a record file is refused with the reason", "[store]") {
  refuses("", {"not valid JSON"});
  refuses("[1, 2", {"not valid JSON", "too early"});
  refuses("[]", {"object"});
  refuses(R"({"device": "d"})", {"\"schema\" is missing"});
  refuses(R"({"schema": 7, "device": "d", "target": "avx2", "records": []})", {"\"schema\" is 7", "schema 1"});
  refuses(R"({"schema": "1", "device": "d", "target": "avx2", "records": []})", {"\"schema\"", "integer"});
  refuses(R"({"schema": 1, "target": "avx2", "records": []})", {"\"device\" is missing"});
  refuses(R"({"schema": 1, "device": "d", "target": "mmx", "records": []})", {"mmx", "avx512", "cuda"});
  refuses(R"({"schema": 1, "device": "d", "target": "reference", "records": []})", {"reference"});
  refuses(R"({"schema": 1, "device": "d", "target": "avx2"})", {"\"records\" is missing"});
  check_failure(status::invalid_argument, {"absent.json", "cannot be read"}, [] { read_records("absent.json"); });
}

TEST_CASE("a wrong record is named with what is wrong", "[store]") {
  refuses(with("\"f64\"", "\"f16\""), {"record 0", "\"type\"", "f16", "f32, f64"});
  refuses(with("\"cache\"", "\"disk\""), {"record 0", "\"regime\"", "disk"});
  refuses(with("\"m\": 5", "\"m\": 33"), {"record 0", "\"m\" is 33", "1..32"});
  refuses(with("\"m\": 5", "\"m\": 0"), {"\"m\" is 0"});
  refuses(with("\"m\": 5", "\"m\": -1"), {"\"m\" is -1"});
  refuses(with("\"m\": 5", "\"m\": 18446744073709551615"), {"\"m\""});
  refuses(with("\"m\": 5", "\"m\": 5.5"), {"\"m\" must be an integer", "5.5"});
  refuses(with("\"m\": 5, ", ""), {"\"m\" is missing"});
  refuses(with("\"columns\"", "\"colums\""), {"unknown axis 'colums'", "row_vectors", "columns"});
  refuses(with("{\"columns\": 3}", "3"), {"tuning", "object"});
  refuses(with("\"columns\": 3", "\"columns\": \"3\""), {"\"columns\" must be"});
  refuses(with("\"columns\": 3", "\"columns\": -3"), {"\"columns\" is -3"});
  refuses(with("\"m\": 5", "\"family\": \"assembly\", \"m\": 5"), {"\"family\"", "assembly", "gemm"});
  refuses(with("\"m\": 5", "\"tie\": 1, \"m\": 5"), {"\"tie\"", "true or false"});
  refuses(head + std::string(good) + "," + good + "]}", {"record 1", "second", "avx2 f64 cache 5x5x5"});
  refuses(head + std::string("7]}"), {"record 0", "object"});
}

TEST_CASE("a record with figures that no clock gives is refused by name", "[store]") {
  const auto figure = [](const std::string& member) { return with("\"m\": 5", member + ", \"m\": 5"); };
  for (const char* wrong : {"\"seconds\": 1e-300", "\"seconds\": 0", "\"seconds\": -1e-9", "\"seconds\": 1e300",
                            "\"initial_seconds\": 1e-20", "\"runner_up_seconds\": 1e7", "\"mad\": -1e-9",
                            "\"fraction\": 1e300", "\"clock_mhz\": -1", "\"watts\": 1e9"}) {
    const std::string name = std::string(wrong).substr(0, std::string(wrong).find(':'));
    refuses(figure(wrong), {"record 0", name});
  }
  refuses(figure("\"seconds\": 1e999"), {"\"seconds\" is 1e999"});
  refuses(figure("\"seconds\": NaN"), {"not valid JSON"});
  refuses(figure("\"seconds\": null"), {"\"seconds\" must be a number"});
  const scratch_folder folder;
  put(folder.file("r.json"), figure("\"seconds\": 2e-11, \"initial_seconds\": 0, \"mad\": 0"));
  CHECK(read_records(folder.file("r.json")).records[0].seconds == 2e-11);
}

TEST_CASE("what would overflow the stack or the memory, or be read in two ways, is refused", "[store]") {
  refuses(std::string(1000000, '['), {"nested"});
  std::string deep = "7";
  for (int i = 0; i < 100000; ++i) deep = "[" + std::move(deep) + "]";
  refuses(with("3}", deep + "}"), {"nested"});
  refuses(with("\"m\": 5", "\"m\": 6, \"m\": 5"), {"\"m\" is there twice"});
  refuses(with("\"m\": 5", "\"m\": \"" + std::string(100000, 'x') + "\""), {"\"m\" must be an integer", "xxx..."});
  refuses(with("\"f64\"", "\"\xff\""), {"not valid JSON"});
  refuses(with("\"m\": 5", "\"m\": 1e300"), {"\"m\" must be an integer"});
}

TEST_CASE("records are regular files", "[store]") {
  const scratch_folder folder;
  REQUIRE(mkfifo(folder.file("fifo").c_str(), 0600) == 0);
  check_failure(status::invalid_argument, {"fifo", "it is a FIFO"}, [&] { read_records(folder.file("fifo")); });
  check_failure(status::invalid_argument, {"it is a folder"}, [&] { read_records(folder.path.string()); });
}

TEST_CASE("a file that was cut off anywhere is refused", "[store]") {
  const scratch_folder folder;
  write_records(sample_file(), folder.file("r.json"));
  const std::string text = text_in(folder.file("r.json"));
  const std::size_t closing = text.rfind('}');
  for (std::size_t length = 0; length <= closing; length += 37) {
    put(folder.file("cut.json"), text.substr(0, length));
    CHECK_THROWS_AS(read_records(folder.file("cut.json")), error);
  }
}
