// SPDX-License-Identifier: BSD-3-Clause
// Copies, event timing and facts of GPU 0.
#include <cuda_profiler_api.h>

#include "measure/gpu/checked.cuh"
#include "measure/gpu/device.hpp"

namespace tessera::bench::device {

namespace {

std::string version_text(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

facts read_facts() {
  facts f;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return f;
  cudaDeviceProp p{};
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return f;
  int driver = 0, runtime = 0, kilohertz = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0);
  char bus[32] = {};
  if (cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess) f.bus = bus;
  f.present = true;
  f.name = p.name;
  f.driver = version_text(driver);
  f.runtime = version_text(runtime);
  f.multiprocessors = p.multiProcessorCount;
  f.capability = 10 * p.major + p.minor;
  f.memory_bytes = p.totalGlobalMem;
  f.l2_bytes = std::size_t(p.l2CacheSize);
  f.shared_bytes = p.sharedMemPerMultiprocessor;
  f.block_shared_bytes = p.sharedMemPerBlockOptin;
  f.threads = p.maxThreadsPerMultiProcessor;
  f.clock_mhz = kilohertz * 1e-3;
  return f;
}

}  // namespace

const facts& this_device() {
  static const facts once = read_facts();
  return once;
}

void upload(void* to, const void* from, std::size_t bytes) {
  checked(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "upload");
}

void download(void* to, const void* from, std::size_t bytes) {
  checked(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "download");
}

void fill_with_ones(void* to, std::size_t bytes) { checked(cudaMemset(to, 0xff, bytes), "fill"); }

void run_for_profiler(const std::function<void()>& pass) {
  // Without a profiler these two do nothing, whatever they return.
  struct range {
    range() { cudaProfilerStart(); }
    ~range() { cudaProfilerStop(); }
  };
  checked(cudaDeviceSynchronize(), "wait before a profiler's range");
  const range looked_at;
  cudaGetLastError();
  pass();
  checked(cudaDeviceSynchronize(), "a pass in a profiler's range");
}

double seconds(const std::function<void()>& pass, long passes) {
  event start, stop;
  start.record();
  for (long i = 0; i < passes; ++i) pass();
  stop.record();
  stop.wait();
  return stop.seconds_since(start);
}

}  // namespace tessera::bench::device
