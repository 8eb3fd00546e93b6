// SPDX-License-Identifier: BSD-3-Clause
// The device part of the benchmarks in a build without CUDA: there is no device.
#include <tessera/error.hpp>

#include "measure/gpu/device.hpp"

namespace tessera::bench::device {

namespace {

[[noreturn]] void absent(const char* operation) {
  throw error(std::string(operation) + ": no device, tessera-bench was built without CUDA", status::no_device);
}

}  // namespace

const facts& this_device() {
  static const facts none;
  return none;
}

void upload(void*, const void*, std::size_t) { absent("upload"); }
void download(void*, const void*, std::size_t) { absent("download"); }
void fill_with_ones(void*, std::size_t) { absent("fill"); }
void run_for_profiler(const std::function<void()>&) { absent("a profiler's range"); }
double seconds(const std::function<void()>&, long) { absent("device timing"); }
double copy_bandwidth(std::size_t) { absent("copy bandwidth"); }
std::function<void()> copy_pass(std::size_t) { absent("copy"); }
std::function<void()> mixed_pass(std::size_t, std::size_t) { absent("read and write"); }
double fma_peak(scalar_type, bool) { absent("FMA peak"); }
chain_pass fma_pass(scalar_type) { absent("FMA chains"); }
double min_plus_peak(scalar_type) { absent("additions and minima"); }
double matrix_peak(matrix_unit) { absent("peak of matrix instructions"); }
std::vector<limit> measure_limits(int, const progress_function&) { absent("device limits"); }

}  // namespace tessera::bench::device
