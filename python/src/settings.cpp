// SPDX-License-Identifier: BSD-3-Clause
// Threads, targets, version.
#include "settings.hpp"

#include <atomic>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <omp.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <tessera/compiled_targets.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/target.hpp>
#include <tessera/version.hpp>

#include "keywords.hpp"
#include "parts.hpp"

namespace tessera::python {

namespace {

std::atomic<int> threads_of_calls = 0;

void set_num_threads(nb::handle given) {
  if (PyIndex_Check(given.ptr()) == 0) refuse_object("set_num_threads: count is " + shown(given) + ", not an integer");
  const nb::object number = nb::steal(PyNumber_Index(given.ptr()));
  int count = -1;
  if (!number.is_valid() || !nb::try_cast(number, count) || count < 0)
    refuse_value("set_num_threads(" + shown(given) + "): 0, for all, or a positive number of 32 bits");
  threads_of_calls = count;
}

// OpenMP's threads do not exist in the child of a fork, which would wait for them for ever. No region takes more than
// the calling thread, whatever number a plan was made for.
void after_fork_in_child() { omp_set_max_active_levels(0); }

std::vector<std::string> targets() {
  std::vector<std::string> names;
  for (const target t : available_targets()) names.emplace_back(name_of(t));
  return names;
}

// The file of the OpenMP runtime that this module calls, whatever others are loaded.
std::string openmp_library() {
  Dl_info about{};
  if (dladdr(reinterpret_cast<void*>(&omp_get_max_threads), &about) == 0 || about.dli_fname == nullptr) return "";
  return about.dli_fname;
}

nb::dict facts() {
  nb::dict cpu, gpu, all;
  std::vector<std::string> compiled;
  for (const target t : compiled_cpu_targets()) compiled.emplace_back(name_of(t));
  cpu["name"] = device_name(target::reference);
  cpu["compiled_targets"] = compiled;
  cpu["default_target"] = std::string(name_of(default_cpu_target()));
  cpu["cache_bytes_of_a_core"] = core_cache_bytes();
  cpu["last_cache_bytes"] = last_level_cache_bytes(target::reference);
  gpu["available"] = is_available(target::cuda);
  if (is_available(target::cuda))
    gpu["name"] = device_name(target::cuda);
  else
    gpu["why_not"] = no_gpu_text(why_no_gpu());
  const std::string no_compiler = why_no_jit();
  gpu["nvrtc"] = no_compiler.empty() ? "found" : no_compiler;
  gpu["kernel_cache"] = default_cache_folder();
  all["cpu"] = cpu;
  all["gpu"] = gpu;
  return all;
}

}  // namespace

std::string no_gpu_text(std::string why_no_gpu) {
  const std::string advice = "use tessera::cpu";
  if (const std::size_t at = why_no_gpu.find(advice); at != std::string::npos)
    why_no_gpu.replace(at, advice.size(), "use a CPU");
  return why_no_gpu;
}

int default_threads() { return threads_of_calls.load(std::memory_order_relaxed); }

void add_settings(nb::module_& m) {
  m.def("set_num_threads", &set_num_threads, nb::arg("count"), nb::sig("def set_num_threads(count: int) -> None"),
        "Threads of all calls and plans made from now on that name none; 0: as many as OpenMP takes.");
  m.def("get_num_threads", &default_threads, "What set_num_threads was given last, at first 0.");
  m.def("_after_fork_in_child", &after_fork_in_child, "From then on this thread computes alone.");
  m.def(
      "_expect_leaks", [] { nb::set_leak_warnings(false); }, "No report of leaked objects at exit.");
  m.def("targets", &targets, "Where this machine can run: \"reference\", its instruction sets, and \"cuda\".");
  m.def(
      "default_target", [] { return std::string(name_of(default_cpu_target())); },
      "The instruction set of CPU plans that name none: the best, or that of TESSERA_TARGET in the environment.");
  m.def("_facts", &facts);
  m.def("_openmp_library", &openmp_library);
  m.attr("__version__") =
      std::to_string(version_major) + "." + std::to_string(version_minor) + "." + std::to_string(version_patch);
}

}  // namespace tessera::python
