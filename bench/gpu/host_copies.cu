// SPDX-License-Identifier: BSD-3-Clause
// Times copies between page-locked host memory and the GPU.
#include <algorithm>
#include <cstring>

#include "gpu/host_copies.hpp"
#include "measure/gpu/checked.cuh"
#include "measure/statistics.hpp"
#include "measure/stopwatch.hpp"

namespace tessera::bench::device {

namespace {

class locked_memory {
 public:
  explicit locked_memory(std::size_t bytes) { checked(cudaMallocHost(&memory_, bytes), "allocate page-locked memory"); }
  ~locked_memory() { cudaFreeHost(memory_); }
  locked_memory(const locked_memory&) = delete;
  locked_memory& operator=(const locked_memory&) = delete;
  unsigned char* get() const { return static_cast<unsigned char*>(memory_); }

 private:
  void* memory_ = nullptr;
};

void check_round_trip(const locked_memory& host, const device_array& there, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) host.get()[i] = static_cast<unsigned char>(i * 7 + i / 251);
  checked(cudaMemcpy(there.as<void>(), host.get(), bytes, cudaMemcpyHostToDevice), "copy to the device");
  std::memset(host.get(), 0, bytes);
  checked(cudaMemcpy(host.get(), there.as<void>(), bytes, cudaMemcpyDeviceToHost), "copy to the host");
  for (std::size_t i = 0; i < bytes; ++i)
    if (host.get()[i] != static_cast<unsigned char>(i * 7 + i / 251))
      throw error("copies between host and GPU: byte " + std::to_string(i) + " came back changed",
                  status::launch_failure);
}

}  // namespace

std::vector<models::transfer_sample> time_host_copies(copy_direction direction, const std::vector<double>& sizes,
                                                      int reps) {
  const auto most = std::size_t(*std::max_element(sizes.begin(), sizes.end()));
  const locked_memory host(most);
  const device_array there(most);
  check_round_trip(host, there, most);
  const auto copy = [&](std::size_t bytes) {
    if (direction == copy_direction::to_device)
      checked(cudaMemcpy(there.as<void>(), host.get(), bytes, cudaMemcpyHostToDevice), "copy to the device");
    else
      checked(cudaMemcpy(host.get(), there.as<void>(), bytes, cudaMemcpyDeviceToHost), "copy to the host");
    checked(cudaDeviceSynchronize(), "wait for a copy");
  };
  std::vector<models::transfer_sample> all;
  for (const double bytes : sizes) {
    copy(std::size_t(bytes));
    std::vector<double> seconds;
    for (int r = 0; r < reps; ++r) {
      const stopwatch watch;
      copy(std::size_t(bytes));
      seconds.push_back(watch.seconds());
    }
    all.push_back({bytes, median(seconds)});
  }
  return all;
}

}  // namespace tessera::bench::device
