// SPDX-License-Identifier: BSD-3-Clause
// Measures the limits of GPU 0.
#include <algorithm>
#include <memory>

#include "measure/gpu/checked.cuh"
#include "measure/gpu/device.hpp"
#include "measure/gpu/kernels.cuh"
#include "measure/gpu/matrix.hpp"
#include "measure/stopwatch.hpp"

namespace tessera::bench::device {

namespace {

constexpr unsigned block = 256;

unsigned blocks_for(std::size_t n, std::size_t per_block) { return unsigned((n + per_block - 1) / per_block); }

// Rates of `reps` samples of at least a millisecond; `launch` enqueues one pass that does `work`.
std::vector<double> sample_rates(int reps, double work, const std::function<void()>& launch) {
  launch();
  checked(cudaGetLastError(), "launch a limit kernel");
  long passes = 1;
  while (seconds(launch, passes) < 1e-3) passes *= 2;
  std::vector<double> rates;
  for (int r = 0; r < reps; ++r) rates.push_back(work * double(passes) / seconds(launch, passes));
  return rates;
}

struct mover {
  const char* what;
  bool is_copy;
  double streams;
  void (*launch)(const double2* from, double2* to, std::size_t n);
};

constexpr mover movers[] = {
    {"copy, 1 vector a thread", true, 2,
     [](const double2* f, double2* t, std::size_t n) { copy_once<1><<<blocks_for(n, block), block>>>(f, t, n); }},
    {"copy, 2 vectors a thread", true, 2,
     [](const double2* f, double2* t, std::size_t n) { copy_once<2><<<blocks_for(n, 2 * block), block>>>(f, t, n); }},
    {"copy, 4 vectors a thread", true, 2,
     [](const double2* f, double2* t, std::size_t n) { copy_once<4><<<blocks_for(n, 4 * block), block>>>(f, t, n); }},
    {"copy, striding grid", true, 2,
     [](const double2* f, double2* t, std::size_t n) {
       copy_striding<<<unsigned(this_device().multiprocessors) * 8, block>>>(f, t, n);
     }},
    {"read", false, 1,
     [](const double2* f, double2* t, std::size_t n) { read_all<<<blocks_for(n, 4 * block), block>>>(f, t, n); }},
    {"write", false, 1,
     [](const double2* f, double2* t, std::size_t n) { write_all<<<blocks_for(n, block), block>>>(f, t, n); }},
};

class movement {
 public:
  explicit movement(std::size_t bytes) : n_(bytes / 2 / sizeof(double2)), from_(bytes / 2), to_(bytes / 2) {}
  void pass(const mover& m) const { m.launch(from_.as<double2>(), to_.as<double2>(), n_); }
  std::vector<double> rates(const mover& m, int reps) const {
    return sample_rates(reps, m.streams * double(n_ * sizeof(double2)), [&] { pass(m); });
  }

 private:
  std::size_t n_;
  device_array from_, to_;
};

const mover& best_copy(const movement& data) {
  const mover* best = nullptr;
  double highest = 0;
  for (const mover& m : movers) {
    if (!m.is_copy) continue;
    const double rate = median(data.rates(m, 5));
    if (rate <= highest) continue;
    highest = rate;
    best = &m;
  }
  return *best;
}

constexpr int chain_rounds = 2000;

unsigned chain_blocks() { return unsigned(this_device().multiprocessors) * 8; }

chain_pass made_fma_pass(scalar_type type) {
  const auto out = std::make_shared<device_array>(64);
  const unsigned blocks = chain_blocks();
  const double flops = 2.0 * 32 * chain_rounds * block * blocks;
  if (type == scalar_type::f64)
    return {[=] { fma_chains<<<blocks, block>>>(out->as<double>(), chain_rounds, 0.999, 1e-9); }, flops};
  return {[=] { fma_chains<<<blocks, block>>>(out->as<float>(), chain_rounds, 0.999f, 1e-9f); }, flops};
}

std::vector<double> fma_rates(scalar_type type, int reps) {
  const chain_pass chains = made_fma_pass(type);
  return sample_rates(reps, chains.flops, chains.run);
}

std::vector<double> min_plus_rates(scalar_type type, int reps) {
  const device_array out(64);
  const unsigned blocks = chain_blocks();
  const double steps = 2.0 * 32 * chain_rounds * block * blocks;
  if (type == scalar_type::f64)
    return sample_rates(reps, steps,
                        [&] { min_plus_chains<<<blocks, block>>>(out.as<double>(), chain_rounds, 1e-9, 1e9); });
  return sample_rates(reps, steps,
                      [&] { min_plus_chains<<<blocks, block>>>(out.as<float>(), chain_rounds, 1e-9f, 1e9f); });
}

using chains = double (*)(matrix_unit, void*, int, int);

std::vector<double> matrix_rates(chains launch, matrix_unit unit, int reps) {
  const device_array out(64);
  // A round of a group is as long as some of a warp.
  const int rounds = launch == launch_group_chains ? chain_rounds / 10 : chain_rounds;
  const auto pass = [&] { return launch(unit, out.as<void>(), int(chain_blocks()), rounds); };
  const double flops = pass();
  return sample_rates(reps, flops, pass);
}

bool has_matrix_chains() { return this_device().capability == 90; }

double shared_bytes(int rounds) { return 8.0 * 16 * rounds * block * this_device().multiprocessors * 8; }

std::vector<double> launch_microseconds(int reps) {
  std::vector<double> all;
  for (int r = 0; r < reps; ++r) {
    checked(cudaDeviceSynchronize(), "synchronise");
    const stopwatch watch;
    for (int i = 0; i < 1000; ++i) nothing<<<1, 32>>>();
    checked(cudaDeviceSynchronize(), "empty launches");
    all.push_back(watch.seconds() * 1e3);
  }
  return all;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& v : values) v *= factor;
  return values;
}

}  // namespace

double copy_bandwidth(std::size_t bytes) {
  const movement data(bytes);
  return median(data.rates(best_copy(data), 5));
}

std::function<void()> copy_pass(std::size_t bytes) {
  const auto data = std::make_shared<movement>(std::max<std::size_t>(bytes, 2 * sizeof(double2)));
  return [data, &with = best_copy(*data)] { data->pass(with); };
}

std::function<void()> mixed_pass(std::size_t read, std::size_t written) {
  constexpr int vectors = 8;  // of 16 bytes by 256 threads: 32 KB
  const auto count = [](std::size_t bytes) { return std::max<std::size_t>(bytes / sizeof(double2), 1); };
  const auto from = std::make_shared<device_array>(count(read) * sizeof(double2));
  const auto to = std::make_shared<device_array>(count(written) * sizeof(double2));
  return [=, n_from = count(read), n_to = count(written)] {
    read_then_write<vectors>
        <<<blocks_for(n_to, vectors * block), block>>>(from->as<double2>(), n_from, to->as<double2>(), n_to);
  };
}

double fma_peak(scalar_type type, bool matrix) {
  if (matrix && type == scalar_type::f64 && has_matrix_chains()) return matrix_peak(matrix_unit::f64);
  return median(fma_rates(type, 5));
}

chain_pass fma_pass(scalar_type type) { return made_fma_pass(type); }

double min_plus_peak(scalar_type type) { return median(min_plus_rates(type, 5)); }

double matrix_peak(matrix_unit unit) {
  if (!has_matrix_chains()) return 0;
  const double single = median(matrix_rates(launch_matrix_chains, unit, 5));
  return unit == matrix_unit::f64 ? single : std::max(single, median(matrix_rates(launch_group_chains, unit, 5)));
}

std::vector<limit> measure_limits(int reps, const progress_function& progress) {
  std::vector<limit> all;
  const auto add = [&](limit l) {
    all.push_back(std::move(l));
    if (progress) progress(all.back());
  };
  struct {
    const char* where;
    std::size_t bytes;
  } const places[] = {{"L2", 24u << 20}, {"DRAM", std::size_t(2) << 30}};
  for (const auto& place : places) {
    const movement data(place.bytes);
    for (const mover& m : movers)
      add({m.what, place.where, "", 1, "GB/s", summarise(scaled(data.rates(m, reps), 1e-9))});
  }
  const device_array out(64);
  constexpr int rounds = 1000;
  const unsigned blocks = unsigned(this_device().multiprocessors) * 8;
  add({"read, 16 bytes a thread", "shared", "", 1, "GB/s",
       summarise(scaled(
           sample_rates(reps, shared_bytes(rounds), [&] { read_shared<<<blocks, block>>>(out.as<double>(), rounds); }),
           1e-9))});
  for (scalar_type type : {scalar_type::f64, scalar_type::f32})
    add({"fma", "cuda", name_of(type), 1, "GFLOP/s", summarise(scaled(fma_rates(type, reps), 1e-9))});
  for (scalar_type type : {scalar_type::f64, scalar_type::f32})
    add({"add and min", "cuda", name_of(type), 1, "Gop/s", summarise(scaled(min_plus_rates(type, reps), 1e-9))});
  for (matrix_unit unit : {matrix_unit::f64, matrix_unit::tf32, matrix_unit::f16, matrix_unit::bf16}) {
    if (!has_matrix_chains()) break;
    const auto of = [&](const char* what, chains launch) {
      add({what, "cuda", name_of(unit), 1, "GFLOP/s", summarise(scaled(matrix_rates(launch, unit, reps), 1e-9))});
    };
    of(unit == matrix_unit::tf32 ? "mma m16n8k8" : "mma m16n8k16", launch_matrix_chains);
    if (unit != matrix_unit::f64)
      of(unit == matrix_unit::tf32 ? "wgmma m64n128k8" : "wgmma m64n128k16", launch_group_chains);
  }
  add({"empty kernel in a stream", "launch", "", 1, "us", summarise(launch_microseconds(reps))});
  return all;
}

}  // namespace tessera::bench::device
