// SPDX-License-Identifier: BSD-3-Clause
// Loaders and storers: how x comes into the lanes of a kernel, and y out of them. Here those of E-vectors.
//
// Kernels compute on lanes: entry i of lane w is at [w + lanes i] in scratch memory, which stays in L1. How x and y are
// stored elsewhere is known only to two template arguments of the loop that calls the kernel (application.hpp). So
// another kind of vector is another Loader and Storer, and the compiled kernels stay the same.
//
// A Loader has
//   void load(const lane_elements&, int side, int component, T* to) const;
//     One component of x of these elements, to lanes. An inactive lane gets the element that it repeats.
//   index_t bytes() const;
//     Of x that a block of elements reads, for one side.
//   bool is_contiguous() const;
//     Whether a block's elements are one piece of memory, followed by those of the next block. If so, x is prefetched:
//   const T* block(index_t b) const;
//     Where the elements lanes b, lanes b + 1, ... of side 0 begin.
// A Storer has
//   void store(const lane_elements&, int side, int component, const T* from, T* staging) const;
//     One component of y from lanes. y of inactive lanes stays as it is.
//   void finish(const lane_elements&, int side, T* staging) const;
//     After the last component of each block and side.
//   void end_chunk() const;
//     After the last block of a thread, before other threads may read y.
//   index_t staging() const;
//     The numbers of scratch memory that store() and finish() need.
//   index_t bytes() const;
//   bool is_contiguous() const;
//     As for x.
//   void set_nontemporal(bool);
//     Whether non-temporal stores are wanted. A Storer may ignore it.
// An application has a copy of both, which may refer to memory of the caller.
#pragma once

#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/element/layout.hpp>

#include "block_loop.hpp"

namespace tessera::detail {

/// An E-vector of which every component of an element has `entries` entries.
template <class P>
struct e_vector {
  P* data;
  index_t side;  // from one right hand side to the next
  element_layout layout;
  index_t entries, components;

  /// Whether elements one after the other, with all their components, are one piece of memory.
  bool is_contiguous() const {
    return layout.entry == 1 && layout.lanes == 1 && layout.block == entries * components &&
           (components == 1 || layout.component == entries);
  }
  /// Where the lanes of a block have component c.
  lane_starts<P> starts(const lane_elements& which, index_t lanes, int of_side, int c) const {
    lane_starts<P> result;
    result.step = layout.entry;
    result.active = which.active;
    P* const all = data + of_side * side;
    if (layout.lanes == 1) {
      P* const from = all + layout.start(0, c);
      for (index_t w = 0; w < lanes; ++w) result.start[w] = from + layout.block * which.element[w];
      result.adjacent = layout.block == 1 && which.block >= 0 && which.active == unsigned((1ull << lanes) - 1);
      return result;
    }
    result.adjacent = true;
    for (index_t w = 0; w < lanes; ++w) {
      result.start[w] = all + layout.start(which.element[w], c);
      result.adjacent = result.adjacent && result.start[w] == result.start[0] + w;
    }
    return result;
  }
};

/// The Loader of E-vectors.
template <class T>
class e_vector_loader {
 public:
  /// `in_order`: blocks are of elements one after the other.
  e_vector_loader(const element_kernels<T>& kernels, const e_vector<const T>& x, bool in_order)
      : kernels_(kernels), x_(x), contiguous_(in_order && x.is_contiguous()) {}

  void load(const lane_elements& which, int side, int component, T* to) const {
    kernels_.gather(x_.starts(which, kernels_.lanes, side, component), x_.entries, to);
  }
  index_t bytes() const { return x_.entries * x_.components * kernels_.lanes * index_t(sizeof(T)); }
  bool is_contiguous() const { return contiguous_; }
  const T* block(index_t b) const { return x_.data + x_.layout.start(b * kernels_.lanes); }

 private:
  const element_kernels<T>& kernels_;
  e_vector<const T> x_;
  bool contiguous_;
};

/// The Storer of E-vectors, y = or y +=. With non-temporal stores the y of a block is collected in the staging buffer
/// first, so that whole lines are written.
template <class T>
class e_vector_storer {
 public:
  e_vector_storer(const element_kernels<T>& kernels, const e_vector<T>& y, bool in_order, bool add)
      : kernels_(kernels), y_(y), contiguous_(in_order && y.is_contiguous()), add_(add) {}

  void set_nontemporal(bool wanted) { nontemporal_ = wanted && contiguous_ && !add_; }

  void store(const lane_elements& which, int side, int component, const T* from, T* staging) const {
    kernels_.scatter(from, y_.entries,
                     is_staged(which) ? staged(staging, component) : y_.starts(which, kernels_.lanes, side, component),
                     add_);
  }
  void finish(const lane_elements& which, int side, T* staging) const {
    if (is_staged(which))
      kernels_.stream(staging, block_entries(), y_.data + side * y_.side + y_.layout.start(which.element[0]));
  }
  void end_chunk() const {
    if (nontemporal_) kernels_.end_stream();
  }
  index_t staging() const { return nontemporal_ ? block_entries() : 0; }
  index_t bytes() const { return block_entries() * index_t(sizeof(T)); }
  bool is_contiguous() const { return contiguous_; }

 private:
  unsigned all_lanes() const { return unsigned((1ull << kernels_.lanes) - 1); }
  index_t block_entries() const { return y_.entries * y_.components * kernels_.lanes; }
  bool is_staged(const lane_elements& which) const { return nontemporal_ && which.active == all_lanes(); }
  lane_starts<T> staged(T* staging, int component) const {
    lane_starts<T> result;
    result.active = all_lanes();
    for (index_t w = 0; w < kernels_.lanes; ++w)
      result.start[w] = staging + y_.entries * (component + y_.components * w);
    return result;
  }

  const element_kernels<T>& kernels_;
  e_vector<T> y_;
  bool contiguous_, add_, nontemporal_ = false;
};

}  // namespace tessera::detail
