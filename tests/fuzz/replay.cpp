// SPDX-License-Identifier: BSD-3-Clause
// main() where there is no libFuzzer: runs the files and folders that are named, each file as one input.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  std::printf("%s\n", file.filename().string().c_str());
  std::fflush(stdout);  // whatever happens next, the log ends with the input that did it
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
}

}  // namespace

int main(int count, char** names) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(names[i])) {
      files.emplace_back(names[i]);
      continue;
    }
    for (const auto& each : std::filesystem::directory_iterator(names[i]))
      if (each.is_regular_file()) files.push_back(each.path());
  }
  std::ranges::sort(files);
  for (const auto& file : files) replay(file);
  std::printf("%zu inputs\n", files.size());
  return files.empty() ? 1 : 0;
}
