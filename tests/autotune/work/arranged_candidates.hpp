// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the tuner's worker start from: a folder of their own, a case that runs here, candidates of it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "work/cpu_compiler.hpp"

namespace tessera::tune::testing {

/// A folder that goes with the test.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tessera_tune_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline compiler_settings settings_in(const std::filesystem::path& folder) {
  compiler_settings s = compiler_settings::of_this_build();
  s.cache = folder;
  return s;
}

/// A script that stands for a compiler.
inline std::string fake_compiler(const temporary_folder& folder, const std::string& text) {
  const std::filesystem::path path = folder / "compiler";
  std::ofstream(path) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

inline tuning_case case_of_threes(memory_regime in = memory_regime::cache) {
  return {default_cpu_target(), scalar_type::f64, in, 3, 3, 3};
}

/// The initial config with that value of that axis.
inline config with(config c, const std::string& axis, int value) {
  const std::vector<named_axis>& axes = gemm_family(default_cpu_target()).axes;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].name == axis) c.value[i] = value;
  return c;
}

/// 24 different kernels for 3 x 3.
inline std::vector<config> configs_of_threes() {
  std::vector<config> all;
  const config initial = gemm_family(default_cpu_target()).initial;
  for (const int columns : {1, 2, 3})
    for (const int unroll : {0, 2})
      for (const int matrices : {1, 2, 4, 8})
        all.push_back(with(with(with(initial, "columns", columns), "unroll_k", unroll), "matrices", matrices));
  return all;
}

/// Plain loops that are right, around two places to break them: before the loops, and instead of a result.
inline std::string loops(const std::string& name, const std::string& before, const std::string& result) {
  return "void " + name + "(const tessera::problem<scalar>& p, tessera::index_t first, tessera::index_t last) {\n  " +
         before +
         "\n  for (tessera::index_t e = first; e < last; ++e)\n"
         "    for (tessera::index_t c = 0; c < p.n; ++c)\n"
         "      for (tessera::index_t r = 0; r < p.m; ++r) {\n"
         "        scalar sum = 0;\n"
         "        for (tessera::index_t k = 0; k < p.k; ++k)\n"
         "          sum += p.left[0].start(e)[r + k * p.m] * p.right[0].start(e)[k + c * p.k];\n"
         "        scalar& out = p.out.start(e)[r + c * p.m];\n"
         "        out = " +
         result + ";\n      }\n}\n";
}
inline constexpr char right_result[] = "p.beta == 0 ? p.alpha * sum : p.alpha * sum + p.beta * out";

inline std::string good_loops(const std::string& name) { return loops(name, "", right_result); }

/// Candidates that differ in nothing but their number, which a definition of the test makes different code of.
inline std::vector<config> numbered_configs(int count) {
  std::vector<config> all(std::size_t(count), gemm_family(default_cpu_target()).initial);
  for (int i = 0; i < count; ++i) all[std::size_t(i)].value[max_axes - 1] = i;
  return all;
}
inline int number_of(const candidate& c) { return c.how.value[max_axes - 1]; }

inline std::vector<candidate> candidates_of(const tuning_case& c, const std::vector<config>& configs) {
  std::vector<candidate> all;
  for (const config& each : configs) all.push_back({c, each});
  return all;
}

}  // namespace tessera::tune::testing
