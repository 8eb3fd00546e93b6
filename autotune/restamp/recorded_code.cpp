// SPDX-License-Identifier: BSD-3-Clause
// Compiles records' winners as a plan or an operator would, and hashes what comes out, without names.
#include "restamp/recorded_code.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/element/jit_element.hpp>
#include <tessera/detail/element/jit_matrix.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/tuning_records.hpp>

#include "record.hpp"
#include "restamp/object_code.hpp"
#include "space/as_config.hpp"
#include "space/element_space.hpp"
#include "space/matrix_space.hpp"
#include "work/child_process.hpp"
#include "work/content_hash.hpp"

namespace tessera::tune {

namespace {

constexpr double most_seconds = 4 * 3600;

// In any order.
std::string hash_of_code(const jit_code& code, const std::string& name) {
  if (code.machine_code.empty()) throw error(name + " does not compile: " + code.first_error());
  const object_code object = read_object(code.machine_code, name);
  std::vector<std::uint64_t> all = hashes_of(object, names_elsewhere(object));
  std::sort(all.begin(), all.end());
  return hexadecimal(hash_of({reinterpret_cast<const char*>(all.data()), all.size() * sizeof all[0]}));
}

int capability_of(const record_file& f) {
  tuning_records facts;
  facts.on = target::cuda;
  facts.compute_capability = f.compute_capability;
  return facts.capability();
}

// By case.
std::map<std::string, std::string> code_of_records(const record_file& f, const std::string& hash,
                                                   const std::vector<std::string>& cases) {
  std::vector<std::string> product_names, element_names, matrix_names;
  std::vector<jit_gemm> products;
  std::vector<jit_element> elements;
  std::vector<jit_matrix> matrices;
  for (const record& r : f.records) {
    if ((r.source_hash.empty() ? f.source_hash : r.source_hash) != hash) continue;
    if (!cases.empty() && std::find(cases.begin(), cases.end(), key_of(r.of)) == cases.end()) continue;
    (r.of.is_of_matrices() ? matrix_names : r.of.element ? element_names : product_names).push_back(key_of(r.of));
    if (r.of.is_of_matrices())
      matrices.push_back(jit_matrix_of(r.of, r.winner));
    else if (r.of.element)
      elements.push_back(jit_element_of(r.of, r.winner));
    else
      products.push_back({r.of.type, r.of.m, r.of.n, r.of.k, as_tuning<gpu_gemm_tuning>(r.winner), r.of.layouts});
  }
  const jit_options how{.cache_folder = cases.empty() ? default_cache_folder() : std::string()};
  std::map<std::string, std::string> codes;
  const auto add = [&](const auto& kernels, const std::vector<std::string>& names) {
    if (kernels.empty()) return;
    const std::vector<jit_code> made = jit_compile(kernels, how, capability_of(f));
    for (std::size_t i = 0; i < made.size(); ++i) codes[names[i]] = hash_of_code(made[i], names[i]);
  };
  add(products, product_names);
  add(elements, element_names);
  add(matrices, matrix_names);
  return codes;
}

// What another tuner prints, by case.
std::map<std::string, std::string> code_by(const std::string& tuner, const std::string& own, const std::string& file,
                                           const std::string& hash, const std::vector<std::string>& cases) {
  command asked{.words = {tuner, "code", file, "--hash", hash}, .seconds = most_seconds};
  for (const std::string& one : cases) asked.words.insert(asked.words.end(), {"--case", one});
  const finished done = run(asked);
  if (!done.ok())
    throw error(tuner + " code " + file + ": " +
                (done.timed_out ? "it takes over four hours" : done.output.substr(0, done.output.find('\n'))));
  std::map<std::string, std::string> codes;
  std::istringstream lines(done.output);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t space = line.find(' '); space != std::string::npos)
      codes[line.substr(space + 1)] = line.substr(0, space);
  if (codes["own"] != own)
    throw error(tuner + " is older than the kernels of its build; build its target tessera_tune");
  codes.erase("own");
  return codes;
}

}  // namespace

int run_code(const std::string& file, const std::string& hash, const std::vector<std::string>& cases) {
  const record_file f = read_records(file);
  if (f.target != name_of(target::cuda)) throw error(file + ": records of " + f.target + ", not of a GPU");
  const std::string_view own = f.family == "matrix"    ? matrix_source_hash()
                               : f.family == "element" ? element_source_hash(target::cuda)
                                                       : kernel_source_hash(target::cuda);
  std::printf("%s own\n", std::string(own).c_str());
  for (const auto& [name, code] : code_of_records(f, hash, cases)) std::printf("%s %s\n", code.c_str(), name.c_str());
  return 0;
}

tuner_comparison compared_tuners(const tuner_of_build& former, const tuner_of_build& latter, const std::string& file) {
  constexpr int rounds = 8;
  constexpr std::size_t most_again = 20;  // more of them are no chance
  std::map<std::string, std::set<std::string>> of_former, of_latter;
  tuner_comparison all;
  for (int round = 0; round < rounds; ++round) {
    for (const auto& [name, code] : code_by(former.program, former.own, file, former.own, all.differences))
      of_former[name].insert(code);
    for (const auto& [name, code] : code_by(latter.program, latter.own, file, former.own, all.differences))
      of_latter[name].insert(code);
    all.kernels = of_former.size();
    all.differences.clear();
    for (const auto& [name, codes] : of_former) {
      const std::set<std::string>& others = of_latter[name];
      const bool same = std::any_of(codes.begin(), codes.end(), [&](const auto& c) { return others.contains(c); });
      if (!same) all.differences.push_back(name);
    }
    if (all.differences.empty() || all.differences.size() > most_again) break;
  }
  return all;
}

}  // namespace tessera::tune
