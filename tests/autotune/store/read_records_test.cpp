// SPDX-License-Identifier: BSD-3-Clause
// Records read: what is wrong with a file is named, with the record and the member.
#include <sys/stat.h>

#include <tessera/detail/axes.hpp>

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
  const std::string path = folder / "bad.json";
  write_text(path, text);
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
  write_text(folder / "r.json", head + std::string(good) + "]}");
  const record_file f = read_records(folder / "r.json");
  REQUIRE(f.records.size() == 1);
  const auto axes = axes_of<cpu_gemm_tuning>();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    INFO(axes[i].name);
    const int initial = cpu_gemm_tuning{}.*axes[i].field;
    CHECK(f.records[0].winner.value[i] == (std::string(axes[i].name) == "columns" ? 3 : initial));
  }
}

// All that can be wrong is what the library's reader refuses: tests/src/tuning_records_test.cpp.
TEST_CASE("a file that is no record file is named with the reason", "[store]") {
  refuses("", {"not valid JSON"});
  refuses(with("\"m\": 5", "\"m\": 33"), {"record 0", "\"m\" is 33", "1..32"});
  check_failure(status::invalid_argument, {"absent.json", "cannot be read"}, [] { read_records("absent.json"); });
}

TEST_CASE("records are regular files", "[store]") {
  const scratch_folder folder;
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  check_failure(status::invalid_argument, {"fifo", "it is a FIFO"}, [&] { read_records(folder / "fifo"); });
  check_failure(status::invalid_argument, {"it is a folder"}, [&] { read_records(folder.path().string()); });
}

TEST_CASE("a file that was cut off anywhere is refused", "[store]") {
  const scratch_folder folder;
  write_records(sample_file(), folder / "r.json");
  const std::string text = text_of_file(folder / "r.json");
  const std::size_t closing = text.rfind('}');
  for (std::size_t length = 0; length <= closing; length += 37) {
    write_text(folder / "cut.json", text.substr(0, length));
    CHECK_THROWS_AS(read_records(folder / "cut.json"), error);
  }
}
