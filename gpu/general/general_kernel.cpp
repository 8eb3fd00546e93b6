// SPDX-License-Identifier: BSD-3-Clause
// Compiles and queues general contractions.
#include <tessera/gpu/detail/general/general_kernel.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <tessera/detail/general_cost.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "../fresh_code.hpp"

namespace tessera::device {

namespace {

using tessera::detail::general_kind;
using tessera::detail::general_tile;

constexpr index_t most_blocks = 1 << 20;  // of a launch in one dimension
constexpr int aligned_bytes = 16;

int architecture_of(const device_info& gpu) { return 10 * gpu.major + gpu.minor; }

void check_general(const general_form& form, const general_kind& kind, const general_tile& tile) {
  const device_info gpu = info();
  const int least = least_architecture(kind, tile);
  if (architecture_of(gpu) < least)
    throw error("general contraction, " + text_of(kind) + ": it needs a GPU of compute capability " +
                    std::to_string(least / 10) + "." + std::to_string(least % 10) + ", and this is one of " +
                    std::to_string(gpu.major) + "." + std::to_string(gpu.minor),
                status::no_target);
  for (const general_digits* list : {&form.rows, &form.cols, &form.inner, &form.batch})
    if (list->size() > INT32_MAX)
      throw error("a general contraction over an index of " + std::to_string(list->size()) + ", beyond 32 bits",
                  status::overflow);
}

bool begins_well(const void* at, index_t stride, int bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % aligned_bytes == 0 && stride * bytes % aligned_bytes == 0;
}

const void* behind(const void* place, index_t bytes) {
  return place == nullptr ? nullptr : static_cast<const char*>(place) + bytes;
}

}  // namespace

bool has_general_kernel(const general_kind& kind) { return architecture_of(info()) >= least_architecture(kind); }

general_kernel::general_kernel(const general_form& form, const general_kind& kind, const general_tile& tile)
    : name_("general " + text_of(kind) + " (" + tessera::detail::text_of(tile, form) + ")"),
      tile_(tile),
      has_addend_(kind.reads_out || kind.addend),
      has_own_addend_(kind.addend.has_value()),
      bytes_left_(int(size_of(kind.left))),
      bytes_right_(int(size_of(kind.right))),
      bytes_addend_(int(size_of(kind.addend.value_or(kind.out)))),
      bytes_out_(int(size_of(kind.out))) {
  check_general(form, kind, tile);
  const auto limits = gpu_limits_of(architecture_of(info()));
  const general_code made = general_source(form, kind, tile, limits);
  if (made.shared_bytes > limits.shared_bytes)
    throw error(name_ + ": a block needs " + std::to_string(made.shared_bytes) +
                    " bytes of shared memory, and the GPU has " + std::to_string(limits.shared_bytes) + " for one",
                status::no_target);
  sized_code fresh = fresh_code("a general contraction", made.source);
  code_ = std::move(fresh.code);
  code_bytes_ = fresh.bytes;
  threads_ = made.threads;
  shared_bytes_ = made.shared_bytes;
  adding_ = made.adding;
  part_bytes_ = made.part_bytes;
  tiles_ = made.tiles;
  resident_ = index_t(made.together) * info().sms;
}

std::size_t general_kernel::workspace_bytes(index_t batch) const {
  if (!tile_.has_parts()) return 0;
  // Some more than the plan is made for, as a plan may run over more.
  constexpr index_t small = index_t(4) << 20;
  const index_t most = std::max<index_t>(1, tessera::detail::most_workspace_of_sum / part_bytes_);
  return std::size_t(part_bytes_ * std::clamp<index_t>(std::max(batch, small / part_bytes_), 1, most));
}

void general_kernel::run(const general_arguments& of, index_t batch, void* stream, kernel_workspace workspace) const {
  if (!has_addend_ && !(of.beta == complex<double>(0)))
    throw error("a general contraction with beta that its kernel was not made for", status::internal);
  const auto well = [&](const void* at, index_t stride, int bytes) {
    return begins_well(at, batch > 1 ? stride : 0, bytes);
  };
  const bool aligned = well(of.left, of.left_stride, bytes_left_) && well(of.right, of.right_stride, bytes_right_) &&
                       well(of.out, of.out_stride, bytes_out_) &&
                       (!has_own_addend_ || well(of.addend, of.addend_stride, bytes_addend_));
  general_arguments now = of;
  if (tile_.exchanged) {
    std::swap(now.left, now.right);
    std::swap(now.left_stride, now.right_stride);
  }
  if (tile_.has_parts()) return run_in_parts(now, aligned, batch, stream, workspace);
  now.tiles = tiles_ * batch;
  const index_t all = tile_.splits > 1 ? now.tiles * tile_.splits : std::min(now.tiles, resident_);
  queue(now, {aligned ? 0u : 1u, all, tile_.splits, threads_, shared_bytes_}, stream);
}

void general_kernel::queue(general_arguments& now, const launch& what, void* stream) const {
  const index_t at_once = most_blocks / what.group * what.group;
  for (now.first_block = 0; now.first_block < what.blocks; now.first_block += at_once) {
    void* parameters[] = {&now};
    code_->queue(what.kernel, std::min(at_once, what.blocks - now.first_block), 1, what.threads, what.shared_bytes,
                 parameters, stream);
  }
}

// As many tensors at a time as the workspace has room for.
void general_kernel::run_in_parts(general_arguments& now, bool aligned, index_t batch, void* stream,
                                  const kernel_workspace& workspace) const {
  const index_t together = index_t(workspace.bytes) / part_bytes_;
  if (together == 0)
    throw error("a general contraction with " + std::to_string(part_bytes_) +
                    " bytes of parts of sums in a workspace of " + std::to_string(workspace.bytes),
                status::internal);
  now.parts = workspace.data;
  const int bytes_left = tile_.exchanged ? bytes_right_ : bytes_left_,
            bytes_right = tile_.exchanged ? bytes_left_ : bytes_right_;
  for (index_t left = batch; left > 0;) {
    const index_t count = std::min(together, left);
    now.tiles = tiles_ * count;
    queue(now, {aligned ? 0u : 1u, now.tiles * tile_.splits, 1, threads_, shared_bytes_}, stream);
    queue(now, {aligned ? 2u : 3u, now.tiles * adding_.blocks, 1, adding_.threads, adding_.shared_bytes}, stream);
    now.left = behind(now.left, count * now.left_stride * bytes_left);
    now.right = behind(now.right, count * now.right_stride * bytes_right);
    now.addend = behind(now.addend, count * now.addend_stride * bytes_addend_);
    now.out = const_cast<void*>(behind(now.out, count * now.out_stride * bytes_out_));
    left -= count;
  }
}

}  // namespace tessera::device
