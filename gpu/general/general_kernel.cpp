// SPDX-License-Identifier: BSD-3-Clause
// Compiles and queues general contractions.
#include <tessera/gpu/detail/general/general_kernel.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tessera/gpu/detail/general/general_source.hpp>

namespace tessera::device {

namespace {

constexpr index_t most_blocks = 0x7fffffff;

bool begins_at_pairs(const void* at, index_t stride) {
  return reinterpret_cast<std::uintptr_t>(at) % 16 == 0 && stride % 2 == 0;
}

}  // namespace

general_kernel::general_kernel(const general_form& form, const tessera::detail::general_tile& tile, bool reads_out)
    : name_("general f64 by tensor cores (" + tessera::detail::text_of(tile, form) + ")"), exchanged_(tile.exchanged) {
  const general_code made = general_source(form, tile, reads_out);
  code_ = &ready_code("a general contraction", made.source);
  threads_ = made.threads;
  shared_bytes_ = made.shared_bytes;
  blocks_ = made.blocks;
}

void general_kernel::run(const general_arguments& of, index_t batch, void* stream) const {
  const bool pairs = begins_at_pairs(of.left, of.left_stride) && begins_at_pairs(of.right, of.right_stride) &&
                     begins_at_pairs(of.out, of.out_stride);
  // A launch has so many blocks at most.
  const index_t at_once = std::max<index_t>(1, most_blocks / blocks_);
  general_arguments now = of;
  if (exchanged_) {
    std::swap(now.left, now.right);
    std::swap(now.left_stride, now.right_stride);
  }
  for (index_t first = 0; first < batch; first += at_once) {
    const index_t count = std::min(at_once, batch - first);
    void* parameters[] = {&now};
    code_->queue(pairs ? 0 : 1, blocks_ * count, 1, threads_, shared_bytes_, parameters, stream);
    now.left += now.left_stride * count;
    now.right += now.right_stride * count;
    now.out += now.out_stride * count;
  }
}

}  // namespace tessera::device
