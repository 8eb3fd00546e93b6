// SPDX-License-Identifier: BSD-3-Clause
// Chains of multiply-adds in threads that hold further numbers in registers.
#include <memory>

#include "gpu/register_kernels.hpp"
#include "measure/gpu/checked.cuh"
#include "measure/gpu/device.hpp"

namespace tessera::bench::device {

namespace {

constexpr int threads_per_block = 256;
constexpr int multiply_adds = 16384;  // of a thread, in all of its chains
constexpr int unrolled = 32;
constexpr int table_entries = 1024;

// The table's entry i is i % 8: all sums are whole numbers below 2^24, and exact.
__host__ __device__ constexpr int entry_of(int i) { return i % 8; }

// `never` is a round that does not come: only the host knows, so the compiler has to keep what is held up to the end.
template <int Held, int Chains>
__global__ void __launch_bounds__(threads_per_block)
    hold_registers(const float* __restrict__ table, float* __restrict__ out, float scale, float shift, int never) {
  const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
  float held[Held + 1], sum[Chains];
#pragma unroll
  for (int i = 0; i < Held; ++i) held[i] = table[(t + i) % table_entries];
#pragma unroll
  for (int c = 0; c < Chains; ++c) sum[c] = float(c);
  for (int r = 0; r < multiply_adds / Chains / unrolled; ++r) {
#pragma unroll
    for (int u = 0; u < unrolled; ++u)
#pragma unroll
      for (int c = 0; c < Chains; ++c) sum[c] = fmaf(sum[c], scale, shift);
    if (r == never) {
#pragma unroll
      for (int i = 0; i < Held; ++i) held[i] = fmaf(held[i], sum[0], shift);
    }
  }
  float total = 0;
#pragma unroll
  for (int c = 0; c < Chains; ++c) total += sum[c];
#pragma unroll
  for (int i = 0; i < Held; ++i) total += held[i];
  out[t] = total;
}

struct memory_of_threads {
  device_array table{table_entries * sizeof(float)}, out;
  unsigned blocks;

  explicit memory_of_threads(unsigned count)
      : out(std::size_t(count) * threads_per_block * sizeof(float)), blocks(count) {
    std::vector<float> values;
    for (int i = 0; i < table_entries; ++i) values.push_back(float(entry_of(i)));
    upload(table.as<void>(), values.data(), values.size() * sizeof(float));
  }
};

template <int Held, int Chains>
long wrong_sums(const memory_of_threads& memory) {
  std::vector<float> sums(std::size_t(memory.blocks) * threads_per_block);
  download(sums.data(), memory.out.as<void>(), sums.size() * sizeof(float));
  long wrong = 0;
  for (std::size_t t = 0; t < sums.size(); ++t) {
    int expected = multiply_adds + Chains * (Chains - 1) / 2;
    for (int i = 0; i < Held; ++i) expected += entry_of((int(t % table_entries) + i) % table_entries);
    wrong += sums[t] != float(expected);
  }
  fill_with_ones(memory.out.as<void>(), sums.size() * sizeof(float));
  return wrong;
}

template <int Held, int Chains>
register_kernel made(const std::shared_ptr<memory_of_threads>& memory) {
  cudaFuncAttributes facts{};
  checked(cudaFuncGetAttributes(&facts, hold_registers<Held, Chains>), "read the registers of a kernel");
  int resident = 0;
  checked(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, hold_registers<Held, Chains>, threads_per_block, 0),
          "read the occupancy of a kernel");
  return {.held = Held,
          .chains = Chains,
          .registers = facts.numRegs,
          .local_bytes = int(facts.localSizeBytes),
          .threads = threads_per_block,
          .resident_blocks = resident,
          .flops = 2.0 * multiply_adds * threads_per_block * memory->blocks,
          .run =
              [memory] {
                hold_registers<Held, Chains><<<memory->blocks, threads_per_block>>>(memory->table.as<float>(),
                                                                                    memory->out.as<float>(), 1, 1, -1);
                checked(cudaGetLastError(), "launch multiply-adds that hold registers");
              },
          .wrong = [memory] { return wrong_sums<Held, Chains>(*memory); }};
}

template <int... Held>
std::vector<register_kernel> all_made(const std::shared_ptr<memory_of_threads>& memory) {
  return {made<Held, 1>(memory)..., made<Held, 4>(memory)...};
}

}  // namespace

std::vector<register_kernel> register_kernels(int waves) {
  const unsigned blocks_to_fill = unsigned(this_device().threads) / threads_per_block;
  const unsigned blocks = unsigned(this_device().multiprocessors) * blocks_to_fill * unsigned(waves);
  return all_made<0, 16, 32, 48, 64, 96, 128>(std::make_shared<memory_of_threads>(blocks));
}

}  // namespace tessera::bench::device
