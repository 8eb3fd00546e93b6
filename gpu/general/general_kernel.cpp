// SPDX-License-Identifier: BSD-3-Clause
// Compiles and queues general contractions.
#include <tessera/gpu/detail/general/general_kernel.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/general/general_source.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "../fresh_code.hpp"

namespace tessera::device {

namespace {

using tessera::detail::general_by;
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

}  // namespace

int least_architecture(const general_kind& kind, const general_tile& tile) {
  return kind.by == general_by::mma_f64 || tile.splits > 1 ? 90 : 80;
}
bool has_general_kernel(const general_kind& kind) { return architecture_of(info()) >= least_architecture(kind, {}); }

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
  const general_code made = general_source(form, kind, tile);
  sized_code fresh = fresh_code("a general contraction", made.source);
  code_ = std::move(fresh.code);
  code_bytes_ = fresh.bytes;
  threads_ = made.threads;
  shared_bytes_ = made.shared_bytes;
  tiles_ = made.tiles;
  resident_ = index_t(made.together) * info().sms;
}

void general_kernel::run(const general_arguments& of, index_t batch, void* stream) const {
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
  now.tiles = tiles_ * batch;
  const index_t all = tile_.splits > 1 ? now.tiles * tile_.splits : std::min(now.tiles, resident_),
                at_once = most_blocks / tile_.splits * tile_.splits;
  for (now.first_block = 0; now.first_block < all; now.first_block += at_once) {
    void* parameters[] = {&now};
    code_->queue(aligned ? 0 : 1, std::min(at_once, all - now.first_block), 1, threads_, shared_bytes_, parameters,
                 stream);
  }
}

}  // namespace tessera::device
