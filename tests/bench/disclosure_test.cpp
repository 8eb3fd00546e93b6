// SPDX-License-Identifier: BSD-3-Clause
// What files say of the link of a GPU, by made-up folders of devices.
#include "disclosure.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "testing/catch.hpp"

namespace bench = tessera::bench;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text << '\n'; }

}  // namespace

TEST_CASE("disclosure: the link of a GPU, or unknown") {
  const fs::path devices = fs::temp_directory_path() / ("tessera_devices_" + std::to_string(getpid()));
  const fs::path gpu = devices / "0000:1b:00.0", other = devices / "0000:2c:00.0";
  for (const fs::path& device : {gpu, other}) fs::create_directories(device);
  write(gpu / "current_link_speed", "16.0 GT/s PCIe");
  write(gpu / "current_link_width", "16");
  CHECK(bench::link_of_gpu("0000:1B:00.0", devices) == "16.0 GT/s PCIe x16");
  write(gpu / "max_link_speed", "32.0 GT/s PCIe");
  write(gpu / "max_link_width", "16");
  CHECK(bench::link_of_gpu("0000:1B:00.0", devices) == "16.0 GT/s PCIe x16, at most 32.0 GT/s PCIe x16");
  CHECK(bench::link_of_gpu("0000:2c:00.0", devices) == "unknown");
  write(other / "current_link_speed", "Unknown");
  write(other / "current_link_width", "255");
  CHECK(bench::link_of_gpu("0000:2c:00.0", devices) == "unknown");
  CHECK(bench::link_of_gpu("0000:3d:00.0", devices) == "unknown");
  CHECK(bench::link_of_gpu("", devices) == "unknown");
  fs::remove_all(devices);
}

TEST_CASE("Sinkin's thesis, Table 3.6: what each mandatory item has to hold") {
  const nlohmann::json all = bench::disclose({}, {});
  const struct {
    const char* item;
    std::vector<const char*> parts;
  } printed[] = {
      {"platform", {"gpu", "interconnect", "cpu", "memory_bytes"}},
      {"software", {"gpu_driver", "cuda_runtime", "cuda_compiler", "compiler", "libraries", "profiler"}},
      {"build", {"flags", "type", "math"}},
      {"workloads", {"cases", "inputs"}},
      {"timing", {"warm_up", "sample", "repetitions", "synchronisation"}},
      {"profiling", {"commands", "metrics", "attribution"}},
      {"statistics", {"point", "spread", "interval"}},
      {"correctness", {"tolerance", "reference", "frequency"}},
      {"artifacts", {"run", "compare", "figures"}},
  };
  CHECK(all.size() == std::size(printed));
  for (const auto& row : printed)
    for (const char* part : row.parts) {
      INFO(row.item << ", " << part);
      REQUIRE(all.at(row.item).contains(part));
      const nlohmann::json& value = all[row.item][part];
      // The command line is that of a run, which a test is not.
      if (std::string(part) == "run") continue;
      CHECK((value.is_string() ? !value.get<std::string>().empty() : !value.empty()));
    }
}

TEST_CASE("disclosure: every file says what the GPU is linked by") {
  const std::string text = bench::disclose({}, {})["platform"]["interconnect"];
  CHECK(text.find("one host; GPU: ") == 0);
  const bool is_said = text.find("none") != std::string::npos || text.find("GT/s") != std::string::npos ||
                       text.find("unknown") != std::string::npos;
  CHECK(is_said);
}
