// SPDX-License-Identifier: BSD-3-Clause
// Loader and storer of a patch's vectors: small ones in cache, whose slots a list gives (src/element/patches.hpp).
#pragma once

#include <tessera/cpu/detail/element/rows.hpp>

#include "block_loop.hpp"
#include "src/element/patches.hpp"

namespace tessera::detail {

/// The vector of a patch: slot s of component c at data[s + slots c].
template <class P>
struct patch_vector {
  P* data;
  const patch_lists& lists;
  const patch_lists::piece& piece;
  index_t first_block;  // of D

  // f(transfer, the block's list) with lists of 16 or 32 bits.
  template <class T, class F>
  void with_list(const element_kernels<T>& by, index_t block, const F& f) const {
    const index_t at = piece.list + lists.lanes * lists.of->entries * (block - first_block);
    if (lists.is_wide())
      f(by.wide, lists.wide.data() + at);
    else
      f(by.narrow, lists.narrow.data() + at);
  }
  index_t bytes() const { return lists.lanes * lists.of->entries * lists.of->components * index_t(sizeof(*data)); }
};

template <class T>
class patch_loader {
 public:
  patch_loader(const element_kernels<T>& kernels, const patch_vector<const T>& x) : kernels_(kernels), x_(x) {}

  void load(const lane_elements& which, int, int component, T* to) const {
    x_.with_list(kernels_, which.block, [&](const auto& by, const auto* slots) {
      by.take(x_.data + x_.piece.slots * component, slots, x_.lists.of->signs, x_.lists.of->entries, to);
    });
  }
  index_t bytes() const { return x_.bytes(); }
  bool is_contiguous() const { return false; }
  const T* block(index_t) const { return nullptr; }

 private:
  const element_kernels<T>& kernels_;
  patch_vector<const T> x_;
};

template <class T>
class patch_storer {
 public:
  patch_storer(const element_kernels<T>& kernels, const patch_vector<T>& y) : kernels_(kernels), y_(y) {}

  void set_nontemporal(bool) {}
  void store(const lane_elements& which, int, int component, const T* from, T*) const {
    y_.with_list(kernels_, which.block, [&](const auto& by, const auto* slots) {
      by.add(from, slots, y_.lists.of->signs, y_.lists.of->entries, which.active, y_.data + y_.piece.slots * component);
    });
  }
  void finish(const lane_elements&, int, T*) const {}
  void end_chunk() const {}
  index_t staging() const { return 0; }
  index_t bytes() const { return y_.bytes(); }
  bool is_contiguous() const { return false; }

 private:
  const element_kernels<T>& kernels_;
  patch_vector<T> y_;
};

}  // namespace tessera::detail
