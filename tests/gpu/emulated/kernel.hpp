// SPDX-License-Identifier: BSD-3-Clause
// Kernels of general contractions that were compiled for the host, and running them.
#pragma once

#include <vector>

#include <tessera/gpu/detail/general/general_source.hpp>

#include "cluster.hpp"
#include "kernel_case.hpp"

namespace tessera::testing {

/// For tensors that begin at multiples of 16 bytes, and for any; their names as device::general_source writes them.
/// `add`: what adds up the parts of sums.
struct emulated_kernel {
  const char* name[2];
  void (*run[2])(const device::general_arguments&, char* shared);
  void (*add[2])(const device::general_arguments&, char* shared);
};

/// Of kernel_cases(), one each; write_kernels writes them.
std::vector<emulated_kernel> emulated_kernels();

/// A tensor's memory at a multiple of 16 bytes or so many entries behind one, between entries that nobody changes.
class placed_tensor {
 public:
  placed_tensor(const any_memory& of, index_t shift) : size_(of.bytes.size()) {
    const std::size_t entry = std::size_t(device::size_of(of.type));
    bytes_.resize(size_ + 2 * border, char(0xff));
    // The entry at `start` is the one to begin there.
    const std::size_t first = reinterpret_cast<std::uintptr_t>(bytes_.data()) + std::size_t(of.start) * entry;
    at_ = border / 2 + (16 - (first + border / 2) % 16) % 16 + std::size_t(shift) * entry;
    std::copy(of.bytes.begin(), of.bytes.end(), bytes_.begin() + std::ptrdiff_t(at_));
  }
  char* data() { return bytes_.data() + at_; }
  std::size_t size() const { return size_; }
  std::vector<char> read() { return {data(), data() + size_}; }
  bool has_whole_borders() const {
    const auto is_border = [](char c) { return c == char(0xff); };
    return std::all_of(bytes_.begin(), bytes_.begin() + std::ptrdiff_t(at_), is_border) &&
           std::all_of(bytes_.begin() + std::ptrdiff_t(at_ + size_), bytes_.end(), is_border);
  }

 private:
  static constexpr std::size_t border = 128;
  std::vector<char> bytes_;
  std::size_t size_, at_ = 0;
};

struct emulated_result {
  index_t wrong = 0;  // entries
  bool aligned = false;
};

/// As general_kernel::run launches it, with at most so many blocks where a block goes from tile to tile.
inline emulated_result run_emulated(const kernel_case& c, const emulated_kernel& kernel,
                                    const device::general_code& made, index_t shift, index_t most_blocks,
                                    const emulated_order& order, const std::vector<char>& wanted) {
  const any_case& of = c.of;
  const bool has_second = c.kind.second.extent > 0;
  any_memory less = has_second ? c.given : of.right;
  if (c.adds_one)
    for (std::size_t i = 0; i < less.bytes.size(); i += std::size_t(device::size_of(less.type)))
      write_any(less.type, read_any(less.type, &less.bytes[i]) - any_value(1), &less.bytes[i]);
  placed_tensor left(of.left, shift), second(c.second, shift), right(less, shift), addend(of.addend, shift),
      out(of.out, shift);
  device::general_arguments now = of.arguments(left.data(), right.data(), addend.data(), out.data());
  if (has_second) now.second = c.second.at(second.data(), 0);
  const auto well = [&](const void* at, index_t stride, device::any_type type) {
    return reinterpret_cast<std::uintptr_t>(at) % 16 == 0 &&
           (of.batch == 1 || stride * device::size_of(type) % 16 == 0);
  };
  const bool aligned = well(now.left, now.left_stride, of.types.left) &&
                       well(now.right, now.right_stride, of.types.right) &&
                       well(now.out, now.out_stride, of.types.out) &&
                       (!of.types.addend || well(now.addend, now.addend_stride, *of.types.addend));
  if (c.tile.exchanged) {
    std::swap(now.left, now.right);
    std::swap(now.left_stride, now.right_stride);
  }
  now.tiles = made.tiles * of.batch;
  const int splits = c.tile.splits, together = c.tile.has_parts() ? 1 : splits;
  const index_t blocks = splits > 1 ? now.tiles * splits : std::min(now.tiles, most_blocks);
  std::vector<char> parts(std::size_t(made.part_bytes * of.batch), char(0xff));
  now.parts = parts.data();
  emulated_cluster cluster(together, made.threads, made.shared_bytes, order);
  cluster.may_read(left.data(), left.size());
  cluster.may_read(right.data(), right.size());
  gridDim.x = unsigned(blocks);
  const auto run = kernel.run[aligned ? 0 : 1];
  for (index_t first = 0; first < blocks; first += together)
    cluster.run(int(first), [&](char* shared) { run(now, shared); });
  if (c.tile.has_parts()) {
    emulated_cluster adding(1, made.adding.threads, made.adding.shared_bytes, order);
    for (index_t block = 0; block < now.tiles * made.adding.blocks; ++block)
      adding.run(int(block), [&](char* shared) { kernel.add[aligned ? 0 : 1](now, shared); });
  }
  index_t wrong = of.wrong(out.read(), wanted);
  wrong += !left.has_whole_borders() + !right.has_whole_borders() + !out.has_whole_borders();
  return {wrong, aligned};
}

}  // namespace tessera::testing
