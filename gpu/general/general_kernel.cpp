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

namespace tessera::device {

namespace {

constexpr index_t most_blocks = 1 << 20;  // of a launch in one dimension

void check_general(const general_form& form) {
  const device_info gpu = info();
  if (10 * gpu.major + gpu.minor < least_general_architecture)
    throw error("a general contraction by tensor cores needs a GPU of compute capability 9.0, and this is one of " +
                    std::to_string(gpu.major) + "." + std::to_string(gpu.minor),
                status::no_target);
  for (const general_digits* list : {&form.rows, &form.cols, &form.inner, &form.batch})
    for (int i = 0; i < list->count; ++i)
      if (list->at[i].extent > INT32_MAX || list->size() > INT32_MAX)
        throw error("a general contraction over an index of " + std::to_string(list->size()) + ", beyond 32 bits",
                    status::overflow);
}

bool begins_at_pairs(const void* at, index_t stride) {
  return reinterpret_cast<std::uintptr_t>(at) % 16 == 0 && stride % 2 == 0;
}

}  // namespace

bool has_general_kernel(const tessera::detail::general_kind& kind) {
  const device_info gpu = info();
  tessera::detail::general_kind plain;
  plain.reads_out = kind.reads_out;
  return kind == plain && 10 * gpu.major + gpu.minor >= least_general_architecture;
}

general_kernel::general_kernel(const general_form& form, const tessera::detail::general_kind& kind,
                               const tessera::detail::general_tile& tile)
    : name_("general f64 by tensor cores (" + tessera::detail::text_of(tile, form) + ")"),
      exchanged_(tile.exchanged),
      reads_out_(kind.reads_out),
      splits_(tile.splits) {
  check_general(form);
  const general_code made = general_source(form, tile, kind.reads_out);
  code_ = &ready_code("a general contraction", made.source);
  threads_ = made.threads;
  shared_bytes_ = made.shared_bytes;
  blocks_ = made.blocks;
}

void general_kernel::run(const general_arguments& of, index_t batch, void* stream) const {
  if ((!(of.beta == complex<double>(0))) != reads_out_)
    throw error("a general contraction with beta that its kernel was not made for", status::internal);
  const auto begins_at = [&](const void* at, index_t stride) { return begins_at_pairs(at, batch > 1 ? stride : 0); };
  const bool pairs =
      begins_at(of.left, of.left_stride) && begins_at(of.right, of.right_stride) && begins_at(of.out, of.out_stride);
  general_arguments now = of;
  if (exchanged_) {
    std::swap(now.left, now.right);
    std::swap(now.left_stride, now.right_stride);
  }
  const index_t all = blocks_ * batch, at_once = most_blocks / splits_ * splits_;
  for (now.first_block = 0; now.first_block < all; now.first_block += at_once) {
    void* parameters[] = {&now};
    code_->queue(pairs ? 0 : 1, std::min(at_once, all - now.first_block), 1, threads_, shared_bytes_, parameters,
                 stream);
  }
}

}  // namespace tessera::device
