// SPDX-License-Identifier: BSD-3-Clause
// Elements in patches: what one thread computes at once, from and to a small vector of its own that stays in cache.
//
// A patch has a small vector of slots. A number that no other patch has, an interior one, has one slot; these come
// first. Of a number that other patches have, too, a shared one, each entry of an element has its own slot. y of
// interior numbers is summed in the patch and written once, that of shared numbers afterwards, in the order of
// elements. So each number of y is the sum of the same terms in the same order, whatever the patches and threads are.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tessera/element/global_evaluation.hpp>

#include "restriction_state.hpp"

namespace tessera::detail {

/// Elements at positions [first, last) of the order, in blocks of as many as D has lanes.
struct element_patch {
  index_t first = 0, last = 0;
};

/// The elements in an order in which neighbours are close: each next one shares as many numbers as possible with those
/// before it in its group of about `together` elements.
std::vector<index_t> close_order(const restriction_state& r, index_t together);

/// One patch after the other of at most `most` elements, cut at multiples of `lanes` where a part does not end.
std::vector<element_patch> patches_of(std::span<const index_t> elements_of_parts, index_t lanes, index_t most);

/// Numbers of an L-vector, with 32 bits where that is enough.
struct number_list {
  std::vector<std::int32_t> narrow;
  std::vector<std::int64_t> wide;

  number_list() = default;
  number_list(const std::vector<index_t>& all, index_t below) {
    if (below <= index_t(std::numeric_limits<std::int32_t>::max()))
      narrow.assign(all.begin(), all.end());
    else
      wide.assign(all.begin(), all.end());
  }
  index_t size() const { return index_t(narrow.size() + wide.size()); }
  /// f(their address).
  template <class F>
  void with(const F& f) const {
    if (wide.empty())
      f(narrow.data());
    else
      f(wide.data());
  }
};

/// The slots of a restriction's numbers, patch by patch.
struct patch_lists {
  struct piece {
    index_t list = 0;              // its first entry of narrow or wide
    index_t slot = 0;              // its first slot's place in numbers
    index_t slots = 0;             // of a component
    index_t interior = 0;          // so many come first
    index_t shared = 0;            // its first entry of the shared ones, of all patches one after the other
    index_t first_interior = 0;    // its first one of all patches
    index_t run = 0, run_end = 0;  // of the interior's numbers
    index_t constrained = 0, constrained_end = 0;
  };
  /// Numbers one after the other.
  struct run {
    index_t number = 0, length = 0;
  };
  static constexpr index_t most_narrow = 1 << 15;

  const restriction_state* of = nullptr;
  index_t lanes = 1;
  index_t most_slots = 0;  // of a patch and a component
  std::vector<piece> pieces;
  /// Slot of entry i of lane w of block b, at w + lanes (i + n b), b from the patch's first block on. The highest bit:
  /// its sign is the opposite. With 16 bits where all patches have at most 2^15 slots.
  std::vector<std::uint16_t> narrow;
  std::vector<std::uint32_t> wide;
  number_list interior;                   // numbers of component 0 of the interior slots of all patches
  std::vector<run> runs;                  // the same of pieces with long ones, without which a piece has none
  number_list outer;                      // of shared slots, as they follow each other
  std::vector<std::int32_t> constrained;  // slot + slots component, patch by patch
  /// Numbers of component 0 that several patches share, those with as many terms one after the other; and the places of
  /// their terms among the shared slots, `count` a number, in the order of elements.
  struct group {
    index_t count = 0, first = 0, last = 0;  // numbers [first, last) of `shared`
    index_t term = 0;                        // the first one's in `terms`
  };
  std::vector<group> groups;
  number_list shared;
  std::vector<std::int32_t> terms;
  std::vector<index_t> untouched;  // numbers, of any component, that no element has

  bool is_wide() const { return !wide.empty(); }
  index_t shared_slots() const { return index_t(terms.size()); }
};

/// What an application between L-vectors keeps until all its patches have run.
template <class T>
struct shared_terms {
  T* terms = nullptr;      // of numbers that patches share, element_patches::terms of each component of y
  double* dots = nullptr;  // where x.y is wanted: element_backend::dot_numbers
};

/// What patches are made from. Callers check it.
struct patch_request {
  std::shared_ptr<const restriction_state> x, y;
  patch_options options;
  std::span<const index_t> elements_of_parts;
};

/// The patches of a global evaluation. Each backend has its own derived class, and may downcast what it made.
struct element_patches {
  std::vector<index_t> order;
  std::vector<index_t> first_of_part;  // patch; the last entry is their number
  index_t most = 0;                    // elements of a patch
  index_t shared_numbers = 0;          // of component 0
  index_t terms = 0;                   // of shared numbers, of a component
  double seconds = 0;                  // that making it took

  element_patches() = default;
  element_patches(element_patches&&) = default;
  element_patches& operator=(element_patches&&) = default;
  virtual ~element_patches() = default;
  index_t count() const { return first_of_part.back(); }
  index_t elements() const { return index_t(order.size()); }
};

/// Those of a CPU.
struct listed_patches : element_patches {
  std::vector<element_patch> patches;
  std::shared_ptr<const patch_lists> x, y;

  bool has_one_restriction() const { return x == y; }
};

/// `lanes`: elements that share a block of D.
std::shared_ptr<listed_patches> listed_patches_of(const patch_request& request, index_t lanes);

/// The order of elements that sums go by, without parts, for patches of about `together` elements.
std::vector<index_t> order_of_sums(const patch_request& request, index_t together);
/// The position of each element in an order.
std::vector<index_t> positions_in(std::span<const index_t> order);
/// Brings the elements of a part together, in that order.
void sort_by_parts(const patch_request& request, std::vector<index_t>& order);
/// The first patch of each part, and their number.
std::vector<index_t> first_patches_of_parts(const patch_request& request, std::span<const element_patch> patches);

/// `position` of an element in the order that sums go by, `order` the elements of all patches.
std::shared_ptr<const patch_lists> lists_of(const std::shared_ptr<const restriction_state>& r,
                                            std::span<const index_t> order, std::span<const index_t> position,
                                            std::span<const element_patch> patches, index_t lanes);

}  // namespace tessera::detail
