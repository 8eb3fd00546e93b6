// SPDX-License-Identifier: BSD-3-Clause
// The GPU for benchmarks: copies, event timing, facts for the disclosure, and its measured limits.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "measure/gpu/matrix.hpp"
#include "measure/limits/cpu.hpp"

namespace tessera::bench::device {

struct facts {
  bool present = false;
  std::string name, driver, runtime;
  std::string bus;  // PCI bus id
  int multiprocessors = 0;
  int capability = 0;  // 90 for 9.0
  std::size_t memory_bytes = 0, l2_bytes = 0;
  std::size_t shared_bytes = 0;        // of a multiprocessor
  std::size_t block_shared_bytes = 0;  // of a block, at most
  int threads = 0;                     // of a multiprocessor, at most
  double clock_mhz = 0;                // the highest
};

/// `present` is false without a device and in a build without CUDA; every other function then throws.
const facts& this_device();

void upload(void* to, const void* from, std::size_t bytes);
void download(void* to, const void* from, std::size_t bytes);
/// Sets every bit, which gives NaN in floating-point numbers.
void fill_with_ones(void* to, std::size_t bytes);

/// Between events around `passes` calls on the default stream.
double seconds(const std::function<void()>& pass, long passes);

/// Runs the pass, and waits for it, between the calls that a profiler takes as the range to look at.
void run_for_profiler(const std::function<void()>& pass);

/// Bytes read and written a second by the best of several copy kernels over two arrays of `bytes` in all.
double copy_bandwidth(std::size_t bytes);

/// Queues a copy that moves this many bytes in all, half of them read, between arrays of its own.
std::function<void()> copy_pass(std::size_t bytes);

/// Queues a kernel that reads and writes this many bytes, in arrays of its own: each block reads its part, then writes
/// 32 KB.
std::function<void()> mixed_pass(std::size_t read, std::size_t written);

/// Flop/s of FMA chains; for f64 on devices with fast matrix instructions `matrix` measures those.
double fma_peak(scalar_type type, bool matrix);

/// Queues FMA chains of f64 or f32, and the flops that they do.
struct chain_pass {
  std::function<void()> run;
  double flops = 0;
};
chain_pass fma_pass(scalar_type type);

/// Additions and minima a second, of f32 or f64, half of each.
double min_plus_peak(scalar_type type);

/// Flop/s of matrix instructions, the better of mma and wgmma; 0 on devices that it is not measured on.
double matrix_peak(matrix_unit unit);

std::vector<limit> measure_limits(int reps, const progress_function& progress);

}  // namespace tessera::bench::device
