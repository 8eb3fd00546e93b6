// SPDX-License-Identifier: BSD-3-Clause
// Loads of all threads of a CPU.
#include "energy_loads.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <tessera/memory.hpp>

#include "measure/limits/isa.hpp"

namespace tessera::bench {

namespace {

// Each thread once.
template <class Work>
void by_all(int threads, Work&& work) {
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int t = 0; t < threads; ++t) work(std::size_t(t));
}

}  // namespace

std::vector<energy_load> energy_loads_of_cpu(int threads) {
  constexpr std::size_t n = 16u << 20;  // doubles: 128 MiB an array
  constexpr long rounds = 100000;
  const isa_kernels& isa = *available_isas().back();
  const auto memory = std::make_shared<buffer>(space_kind::cpu, 2 * n * sizeof(double));
  const auto begin_of = [threads](std::size_t t) { return n / 64 * t / std::size_t(threads) * 64; };
  const auto copy = [memory, begin_of, &isa](std::size_t t) {
    double* const from = static_cast<double*>(memory->data());
    isa.copy(from + n + begin_of(t), from + begin_of(t), begin_of(t + 1) - begin_of(t));
  };
  // By the threads that copy: so each part is in their memory.
  by_all(threads, [&](std::size_t t) {
    double* const from = static_cast<double*>(memory->data());
    std::fill(from + begin_of(t), from + begin_of(t + 1), 1.5);
    std::fill(from + n + begin_of(t), from + n + begin_of(t + 1), 0.0);
  });
  return {{[=] { by_all(threads, copy); }, 0, 2.0 * n * sizeof(double)},
          {[threads, &isa] { by_all(threads, [&isa](std::size_t) { isa.fma_f64(rounds); }); },
           threads * isa.fma_f64(rounds), 0},
          {[] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }, 0, 0}};
}

}  // namespace tessera::bench
