// SPDX-License-Identifier: BSD-3-Clause
// operand: a view without its static types, as plans take it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <tessera/core/lower.hpp>
#include <tessera/detail/member_list.hpp>
#include <tessera/scalar.hpp>
#include <tessera/tensor.hpp>

namespace tessera {

namespace detail {

/// Entries from the first to the last one of a batch of `count` tensors of `span` entries, neither of them 0. The last
/// block may be partly filled, and may start at the same address as the one before it.
constexpr index_t reach_of_batch(index_t count, index_t lanes, index_t stride, index_t span) {
  if (lanes == 1) return (count - 1) * stride + span;
  const index_t last_block = (count - 1) / lanes, last_lane = (count - 1) % lanes;
  const index_t reach = last_block * stride + last_lane;
  const index_t before = last_block == 0 ? 0 : (last_block - 1) * stride + lanes - 1;
  return (reach > before ? reach : before) + span;
}

}  // namespace detail

/// Everything a plan needs to know of an argument. Made from a view, tensor, batch or group by `operand_of`.
struct operand {
  std::optional<scalar_type> type;  // empty: a type without compiled kernels
  std::size_t entry_bytes = 0;
  space_kind space = space_kind::cpu;
  bool writable = true;
  bool conjugated = false;  // complex entries are conjugated when read
  bool batched = false;
  const void* data = nullptr;
  operand_facts facts;
  /// Offset of every entry in column-major order, for layouts that are not affine.
  std::shared_ptr<const std::vector<index_t>> offsets;
  index_t lanes = 1;
  index_t stride = 0;  // between blocks of `lanes` tensors
  index_t count = 1;
  index_t span = 0;  // entries from the lowest to the highest one of a tensor, both included

  /// A group: entry b of the batch starts at members[b], a T* const* in memory of the operand's space, and `data`,
  /// `lanes` and `stride` are ignored.
  bool grouped = false;
  const void* members = nullptr;
  /// These addresses on the host; null for a user's array in device memory.
  std::shared_ptr<const member_list> list;
  index_t first_member = 0;  // position of members[0] in the list

  index_t entries() const {
    index_t product = 1;
    for (int d = 0; d < facts.rank; ++d) product *= facts.extent[d];
    return product;
  }
  /// Offset of entry number `linear` (column-major) in the tensor at batch position b; of a group, in any member.
  index_t offset(index_t linear, index_t b) const;
  /// Where the entry with the lowest address is; `data` unless strides are negative.
  const void* lowest() const {
    const index_t before = facts.before();
    return before == 0 || data == nullptr ? data : static_cast<const char*>(data) - before * index_t(entry_bytes);
  }
  /// Entries from the lowest one to the end of the last tensor; of a group, of all members together.
  index_t reach() const;
  /// The address of member b of a group. Precondition: the host has the list.
  const void* member(index_t b) const { return list->start(first_member + b); }
};

/// `count` entries of a batch from `first` on; a shared operand is itself. `first` is a multiple of o.lanes.
operand slice(const operand& o, index_t first, index_t count);

/// "f64 5x3 (batch of 15, gpu)"
std::string text_of(const operand& o);

namespace detail {

/// True where no count, lanes or stride is negative, and every byte and entry of the batch has a number that fits 63
/// bits, those of unused lanes too. Extents and strides of one tensor are assumed to be valid.
bool fits_63_bits(const operand& o);

/// Why it does not: "a batch of 6 with stride -12, lanes 1: negative, or more than 63 bits can address".
std::string misfit_text(const operand& o);

/// Throws status::overflow where a size is negative, or one in bytes does not fit 63 bits. Plans and copies check this
/// before they read anything.
void check_sizes(const char* operation, const operand& o);
/// Only the checks of the batch; extents and strides of one tensor are assumed to be valid.
void check_reach(const char* operation, const operand& o);

}  // namespace detail

namespace detail {

template <class Layout>
std::shared_ptr<const std::vector<index_t>> tabulate(const Layout& layout) {
  auto table = std::make_shared<std::vector<index_t>>(std::size_t(layout.extents().size()));
  index_t index[max_rank]{};
  for (std::size_t i = 0; i < table->size(); ++i) {
    unravel(index_t(i), layout.extents(), index);
    (*table)[i] = offset_at(layout, index);
    if ((*table)[i] < 0)
      throw error("operand: the layout over extents " + text_of(layout.extents()) + " has the negative offset " +
                  std::to_string((*table)[i]));
  }
  return table;
}

}  // namespace detail

template <any_view View>
operand operand_of(const View& v) {
  using value = typename View::value_type;
  using layout = typename View::layout_kind;
  // The facts are built in place: a copy would stall, since they are read at other widths than they were written.
  operand o{.entry_bytes = sizeof(value),
            .space = View::space.kind,
            .writable = !std::is_const_v<typename View::element_type>,
            .conjugated = detail::is_conjugated_view<View>,
            .facts = facts_of(v.layout()),
            .lanes = View::is_group ? 1 : lanes_of<layout>(),
            .span = span_of(v.layout())};
  if constexpr (is_entry_scalar<value>) o.type = scalar_of<value>;
  if constexpr (!affine_layout<layout>) o.offsets = detail::tabulate(v.layout());
  if constexpr (View::is_batch) {
    o.batched = true;
    o.count = v.count();
  }
  if constexpr (View::is_group) {
    o.grouped = true;
    o.members = v.members();
    o.list = v.list();
  } else {
    o.data = v.data();
    if constexpr (View::is_batch) o.stride = v.stride();
  }
  return o;
}

/// Tensors, batches and groups, through their view.
template <class Owner>
  requires requires(Owner& owner) { owner.view(); }
operand operand_of(Owner& owner) { return operand_of(owner.view()); }

/// A tensor of run-time rank: packed column-major.
template <class T, auto Space>
operand operand_of(tensor<T, Space, shape>& t) {
  operand o;
  if constexpr (is_entry_scalar<T>) o.type = scalar_of<T>;
  o.entry_bytes = sizeof(T);
  o.space = Space.kind;
  o.data = t.data();
  o.facts.rank = t.extents().rank();
  index_t stride = 1;
  for (int d = 0; d < o.facts.rank; ++d) {
    o.facts.extent[d] = t.extents()(d);
    o.facts.stride[d] = stride;
    stride *= o.facts.extent[d];
  }
  o.span = t.extents().size();
  return o;
}
template <class T, auto Space>
operand operand_of(const tensor<T, Space, shape>& t) {
  operand o = operand_of(const_cast<tensor<T, Space, shape>&>(t));
  o.writable = false;
  return o;
}
inline const operand& operand_of(const operand& o) { return o; }

}  // namespace tessera
