// SPDX-License-Identifier: BSD-3-Clause
// The folder of compiled code: bounded, the least recently used entries first, with several processes at work.
#include "gpu/code_cache.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gpu/cache_size.hpp"
#include "testing/catch.hpp"
#include "testing/scratch.hpp"

using namespace tessera;
using namespace tessera::device;

namespace fs = std::filesystem;

namespace {

const cached_code code_of_100_bytes{{"kernel"}, std::string(100, 'x')};

fs::path file_in(const std::string& folder, const std::string& name) { return fs::path(folder) / name; }

// As if it had been used that long ago.
void age(const fs::path& file, std::chrono::hours by) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - by);
}

void write_entry(const std::string& folder, const std::string& key, std::chrono::hours old) {
  REQUIRE(write_code(folder, key, code_of_100_bytes) == "");
  age(file_in(folder, key + ".code"), old);
}

std::vector<std::string> keys_in(const std::string& folder) {
  std::vector<std::string> keys;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".code") keys.push_back(entry.path().stem());
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

TEST_CASE("the code that was not used for the longest time is removed first", "[cache]") {
  const tessera::testing::scratch_folder own;
  const std::string folder = own.path().string();
  using hours = std::chrono::hours;
  write_entry(folder, "a", hours(4));
  write_entry(folder, "b", hours(3));
  write_entry(folder, "c", hours(2));
  write_entry(folder, "d", hours(1));
  const std::uint64_t each = fs::file_size(file_in(folder, "a.code"));
  CHECK(keep_newest(folder, 4 * each, "d") == 4 * each);
  CHECK(keys_in(folder).size() == 4);
  REQUIRE(read_code(folder, "a"));  // used: now the newest
  CHECK(keep_newest(folder, 3 * each, "d") == 3 * each);
  CHECK(keys_in(folder) == std::vector<std::string>{"a", "c", "d"});
  CHECK(keep_newest(folder, 2 * each + each / 2, "c") == 2 * each);
  CHECK(keys_in(folder) == std::vector<std::string>{"a", "c"});
  // The entry that was just written stays, whatever the bound.
  CHECK(keep_newest(folder, 0, "c") == each);
  CHECK(keys_in(folder) == std::vector<std::string>{"c"});
  CHECK(keep_newest(folder, 0, "") == 0);
  CHECK(keep_newest(folder + "/nowhere", 0, "") == 0);
}

TEST_CASE("files that are no code stay, parts of writers that ended do not", "[cache]") {
  const tessera::testing::scratch_folder own;
  const std::string folder = own.path().string();
  for (const char* name : {"journal.json", "other.part", "k.code.1.0.part", "k.code.2.0.part"})
    std::ofstream(file_in(folder, name)) << std::string(1000, 'x');
  for (const char* name : {"journal.json", "other.part", "k.code.1.0.part"})
    age(file_in(folder, name), std::chrono::hours(25));
  keep_newest(folder, 0, "");
  CHECK(fs::exists(file_in(folder, "journal.json")));
  CHECK(fs::exists(file_in(folder, "other.part")));
  CHECK_FALSE(fs::exists(file_in(folder, "k.code.1.0.part")));
  CHECK(fs::exists(file_in(folder, "k.code.2.0.part")));  // perhaps somebody is writing it
}

TEST_CASE("entries are whole or absent while others write and remove", "[cache]") {
  const tessera::testing::scratch_folder own;
  const std::string folder = own.path().string();
  const auto work = [&](int number) {
    for (int i = 0; i < 150; ++i) {
      const std::string key = "k" + std::to_string((number + i) % 7);
      if (number % 2 == 0) {
        write_code(folder, key, code_of_100_bytes);
        keep_newest(folder, 400, key);
      } else if (const auto code = read_code(folder, key)) {
        if (code->machine_code != code_of_100_bytes.machine_code) std::abort();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(work, t);
  }
  CHECK(keep_newest(folder, 400, "") <= 400);
}

TEST_CASE("sizes of caches are bytes, or K, M or G of them", "[cache]") {
  CHECK(bytes_in_text("0") == 0u);
  CHECK(bytes_in_text("1500000") == 1500000u);
  CHECK(bytes_in_text("3K") == 3072u);
  CHECK(bytes_in_text("64m") == std::uint64_t{64} << 20);
  CHECK(bytes_in_text("2G") == std::uint64_t{2} << 30);
  for (const char* wrong : {"", "G", "-1", "2T", "1.5G", "2GB", " 2G", "99999999999999999999", "18446744073709551615K"})
    CHECK_FALSE(bytes_in_text(wrong).has_value());
  const auto with = [](const char* value) {
    setenv("TESSERA_CACHE_SIZE", value, 1);
    const cache_size size = disk_cache_size();
    unsetenv("TESSERA_CACHE_SIZE");
    return size;
  };
  CHECK(with("5M").bytes == std::uint64_t{5} << 20);
  CHECK(with("5M").problem.empty());
  CHECK(with("much").bytes == disk_cache_size().bytes);
  CHECK(with("much").problem == "TESSERA_CACHE_SIZE=much is no number of bytes such as 500M or 2G");
  CHECK(disk_cache_size().bytes == std::uint64_t{1} << 30);
}
