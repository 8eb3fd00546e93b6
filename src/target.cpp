// SPDX-License-Identifier: BSD-3-Clause
// The targets of this machine, and the one that plans use.
#include <tessera/target.hpp>

#include <cstdlib>
#include <string>

#include <tessera/compiled_targets.hpp>
#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/detail/nearest_name.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera {

namespace {

target best_cpu_target() {
  target best = target::reference;
  for (target t : all_targets)
    if (t != target::cuda && is_available(t)) best = t;
  return best;
}

std::string names() {
  std::string all;
  for (target t : available_targets()) all += std::string(all.empty() ? "" : ", ") + name_of(t);
  return all;
}

}  // namespace

target target_from_name(std::string_view name) {
  if (name == "best") return best_cpu_target();
  for (target t : all_targets)
    if (name == name_of(t)) return t;
  std::vector<std::string_view> known{"best"};
  for (target t : all_targets) known.emplace_back(name_of(t));
  throw error("target: no target is called '" + std::string(name) + "'" + did_you_mean(name, known) +
                  "; known here: best, " + names(),
              status::no_target);
}

bool is_available(target t) {
  if (t == target::reference) return true;
  if (t == target::cuda) return device::available();
  return rows_of(t) != nullptr && machine_runs(t);
}

std::vector<target> available_targets() {
  std::vector<target> found;
  for (target t : all_targets)
    if (is_available(t)) found.push_back(t);
  return found;
}

std::vector<target> compiled_cpu_targets() {
  std::vector<target> found;
  for (target t : all_targets)
    if (t != target::reference && t != target::cuda && rows_of(t) != nullptr) found.push_back(t);
  return found;
}

target default_cpu_target() {
  const char* forced = std::getenv("TESSERA_TARGET");
  if (forced == nullptr || *forced == 0) return best_cpu_target();
  target wanted = target::reference;
  try {
    wanted = target_from_name(forced);
  } catch (const error& e) {
    throw error(std::string("TESSERA_TARGET=") + forced + ": " + e.what(), e.code());
  }
  if (!is_available(wanted))
    throw error(std::string("target: TESSERA_TARGET=") + forced + " is not available here; available: " + names(),
                status::no_target);
  return wanted == target::cuda ? best_cpu_target() : wanted;
}

}  // namespace tessera
