// SPDX-License-Identifier: BSD-3-Clause
// Serves requests about general contractions on the GPU.
#include "general/general_session.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <tessera/error.hpp>

#include "general/general_json.hpp"
#include "measure/gpu/device.hpp"
#include "measure/gpu/nvml.hpp"
#include "measure/stopwatch.hpp"

namespace tessera::tune {

using nlohmann::json;

namespace {

constexpr std::size_t bytes_for_limits = std::size_t(1) << 30;
constexpr int most_threads = 16;  // of the compiler
// A cache may keep what was used last: what is used until the same memory comes again is larger.
constexpr std::size_t times_cache = 4, cache_of_unknown = std::size_t(64) << 20;
constexpr double share_of_memory = 0.7;

json limits_json() {
  namespace device = bench::device;
  return {{"how", "ok"},
          {"bandwidth", device::copy_bandwidth(bytes_for_limits)},
          {"matrix_f64", device::fma_peak(scalar_type::f64, true)},
          {"flops_f64", device::fma_peak(scalar_type::f64, false)},
          {"flops_f32", device::fma_peak(scalar_type::f32, false)}};
}

general_call call_of(const jit_general_kernel& kernel) {
  return [&kernel](const void* left, const void* right, void* out) { kernel.run(left, right, out, {}); };
}

struct made_kernel {
  std::optional<jit_general_kernel> kernel;
  double seconds = 0;
  std::string reason;
};

}  // namespace

json general_session::compile(const json& tiles) {
  std::vector<made_kernel> made(tiles.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < made.size();) {
      const bench::stopwatch watch;
      try {
        made[i].kernel.emplace(of_.form, of_.kind, tile_in(ordered_json(tiles[i]), of_.form));
      } catch (const std::exception& e) {
        made[i].reason = e.what();
      }
      made[i].seconds = watch.seconds();
    }
  };
  std::vector<std::jthread> threads;
  const auto wanted = std::min<std::size_t>(
      {made.size(), std::size_t(std::max(1u, std::thread::hardware_concurrency())), std::size_t(most_threads)});
  for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(work);
  work();
  threads.clear();  // waits for them
  json all = json::array();
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (made[i].kernel) kernels_.emplace(tiles[i].dump(), *made[i].kernel);
    all.push_back({{"seconds", made[i].seconds}, {"reason", made[i].reason}});
  }
  return {{"how", "ok"}, {"made", std::move(all)}};
}

const jit_general_kernel& general_session::kernel(const json& tile) {
  const std::string key = tile.dump();
  const auto found = kernels_.find(key);
  if (found != kernels_.end()) return found->second;
  return kernels_.emplace(key, jit_general_kernel(of_.form, of_.kind, tile_in(ordered_json(tile), of_.form)))
      .first->second;
}

general_ground& general_session::ground() {
  if (!ground_) {
    const bench::device::facts& here = bench::device::this_device();
    const std::size_t cache = here.l2_bytes == 0 ? cache_of_unknown : here.l2_bytes;
    ground_.emplace(of_, space_kind::gpu, times_cache * cache,
                    std::size_t(share_of_memory * double(here.memory_bytes)));
  }
  return *ground_;
}

json general_session::answer(const json& request) {
  const std::string what = request.at("do");
  if (what == "general limits") return limits_json();
  if (what == "general case") {
    ground_.reset();  // before the next one needs its memory
    kernels_.clear();
    of_ = problem_in(ordered_json(request));
    ground();
    return {{"how", "ok"}, {"copies", ground().copies()}};
  }
  if (what == "general compile") return compile(request.at("tiles"));
  const general_call run = call_of(kernel(request.at("tile")));
  if (what == "general check") {
    const general_ground::verdict v = ground().check(run);
    return {{"how", v.fault.empty() ? "ok" : "wrong"}, {"reason", v.fault}, {"other_was_wrong", v.other_was_wrong}};
  }
  if (what != "general time") return {{"how", "failed"}, {"reason", "unknown request " + what}};
  const double seconds = ground().seconds(run, request.at("least"));
  return {{"how", "ok"}, {"seconds", seconds}, {"mhz", bench::nvml::clock_mhz()}, {"watts", bench::nvml::watts()}};
}

}  // namespace tessera::tune
