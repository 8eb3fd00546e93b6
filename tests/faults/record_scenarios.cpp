// SPDX-License-Identifier: BSD-3-Clause
// A record file given at run time: read, in force, and gone.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <tessera/overlay.hpp>
#include <tessera/tessera.hpp>

#include "scenario.hpp"
#include "testing/targets.hpp"

namespace tessera::faults {

namespace {

std::string records_for(target on) {
  const std::string head = std::string("{\"schema\": 1, \"device\": \"Example\", \"target\": \"") + name_of(on) +
                           "\", \"source_hash\": \"none\", \"records\": [";
  const std::string gemm = R"({"type": "f64", "regime": "cache", "m": 5, "n": 4, "k": 4, "tuning": {"columns": 3}})";
  const std::string element =
      R"({"family": "element", "dim": 2, "d": 3, "q": 4, "t": 3, "trial": "value", "test": "value", "factors": 1, )"
      R"("type": "f64", "stored": "f64", "regime": "cache", "tuning": {"prefetch_kib": 8, "nontemporal": 0}})";
  return head + gemm + ", " + element + "]}";
}

class record_file {
 public:
  explicit record_file(target on) { std::ofstream(path_) << records_for(on); }
  record_file(const record_file&) = delete;
  ~record_file() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ =
      (std::filesystem::temp_directory_path() / ("tessera_faults_" + std::to_string(getpid()) + ".json")).string();
};

named_scenario overlaid(target on) {
  return {std::string("records at run time, ") + name_of(on), [on](int threads) {
            const auto file = std::make_shared<record_file>(on);
            const auto m = std::make_shared<std::vector<double>>(std::size_t(3000));
            const auto path = std::make_shared<std::string>(file->path());
            return scenario{[=](said& words) {
              struct restored {
                ~restored() { overlay_records(std::string()); }
              } afterwards;
              overlay_records(*path);
              const auto x = view_batch(m->data(), of_size(5, 4), 20),
                         y = view_batch(m->data() + 1000, of_size(4, 4), 20);
              auto z = view_batch(m->data() + 2000, of_size(5, 4), 20);
              const std::string text =
                  make_plan(contraction("ik,kj->ij"), x, y, z, {.on = on, .threads = threads}).describe();
              // The file's name is that of the process.
              words.add(text.find(*path) != std::string::npos ? "by the file" : text);
              static_cast<void>(file);
            }};
          }};
}

}  // namespace

scenarios record_scenarios() {
  scenarios all;
  for (const target on : testing::cpu_targets())
    if (on != target::reference) all.push_back(overlaid(on));
  return all;
}

}  // namespace tessera::faults
