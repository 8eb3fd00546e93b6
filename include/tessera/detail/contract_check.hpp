// SPDX-License-Identifier: BSD-3-Clause
// The checks of the arguments of contract<>: by the compiler where sizes are static, else before the run.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <tessera/conjugated.hpp>
#include <tessera/core/lower.hpp>
#include <tessera/detail/static_check.hpp>
#include <tessera/group_view.hpp>
#include <tessera/scaling.hpp>

namespace tessera {

namespace detail {

/// The view of an argument: itself, or what its view() gives (tensors, batches and groups).
template <class Argument>
constexpr auto as_view(Argument&& a) {
  if constexpr (any_view<std::remove_cvref_t<Argument>>)
    return std::remove_cvref_t<Argument>(a);
  else
    return a.view();
}

template <class Argument>
concept contractible = any_view<std::remove_cvref_t<Argument>> || requires(Argument& a) {
  requires any_view<std::remove_cvref_t<decltype(a.view())>>;
};

template <class Argument>
using view_type = decltype(as_view(std::declval<Argument&>()));

template <class Argument, space_kind space>
concept contractible_in = contractible<Argument> && view_type<Argument>::space.kind == space;

/// What run-time checks and their messages need of an argument.
struct argument {
  const char* first = nullptr;  // bytes [first, last) hold its entries
  const char* last = nullptr;
  bool batched = false;
  index_t count = 1, stride = 0, lanes = 1;
  index_t span = 0;
  bool grouped = false;
  const void* table = nullptr;           // of a group: the array of addresses
  const member_list* members = nullptr;  // and their addresses, where the host has them
  index_t entry_bytes = 1;
  const void* layout = nullptr;  // the layout, if it is not affine; and the offset of every entry in it
  std::vector<index_t> (*offsets)(const void* layout) = nullptr;
  bool distinct = true;  // no two entries have the same address; checked for outputs only
  operand_facts facts;
};

/// Storage that one tensor spans; a constant where the layout is one.
template <class Layout>
constexpr index_t span_of_layout(const Layout& layout) {
  if constexpr (is_fixed_layout<Layout>) {
    constexpr index_t span = span_of(Layout{});
    return span;
  } else {
    return span_of(layout);
  }
}

/// Of a group: from its lowest to its highest member. If the host does not have the addresses, the array of addresses
/// itself, which an output must not overwrite either.
template <class View>
void place_group(argument& a, const View& v) {
  a.batched = a.grouped = true;
  a.count = v.count();
  a.table = v.members();
  a.members = v.list().get();
  if (a.members != nullptr) {
    a.first = a.members->hull().first;
    a.last = a.members->hull().last;
  } else {
    a.first = reinterpret_cast<const char*>(v.members());
    a.last = a.first + (a.span == 0 ? 0 : a.count * index_t(sizeof(void*)));
  }
}

/// Of every entry, in column-major order.
template <class Layout>
std::vector<index_t> offsets_in(const void* layout) {
  return *tabulate(*static_cast<const Layout*>(layout));
}

/// The view must outlive the argument.
template <class View>
constexpr argument argument_of(const View& v) {
  using layout = typename View::layout_kind;
  argument a;
  a.facts = facts_of(v.layout());
  a.span = span_of_layout(v.layout());
  a.entry_bytes = sizeof(typename View::value_type);
  if constexpr (!affine_layout<layout>) {
    a.layout = &v.layout();
    a.offsets = &offsets_in<layout>;
  }
  if constexpr (View::is_group) {
    place_group(a, v);
  } else {
    index_t reach = a.span;
    if constexpr (View::is_batch) {
      a.batched = true;
      a.count = v.count();
      a.stride = v.stride();
      a.lanes = lanes_of<layout>();
      reach = a.count == 0 || a.span == 0 ? 0 : reach_of_batch(a.count, lanes_of<layout>(), a.stride, a.span);
    }
    a.first = reinterpret_cast<const char*>(v.data());
    if (const index_t before = a.facts.before(); before != 0 && a.first != nullptr) a.first -= before * a.entry_bytes;
    a.last = a.first + reach * a.entry_bytes;
  }
  return a;
}

/// True if each stride is larger than all smaller dimensions reach, lanes and blocks of the batch included: then no two
/// entries share an address.
constexpr bool nested_strides(const operand_facts& f, index_t lanes, index_t stride, index_t blocks) {
  index_t by[max_rank + 2]{}, extent[max_rank + 2]{};
  int count = 0;
  const auto insert = [&](index_t s, index_t e) {
    if (e <= 1) return;
    s = s < 0 ? -s : s;
    int at = count++;
    for (; at > 0 && by[at - 1] > s; --at) {
      by[at] = by[at - 1];
      extent[at] = extent[at - 1];
    }
    by[at] = s;
    extent[at] = e;
  };
  for (int d = 0; d < f.rank; ++d) insert(f.stride[d], f.extent[d]);
  insert(1, lanes);
  insert(stride, blocks);
  index_t below = 0;
  for (int i = 0; i < count; ++i) {
    if (by[i] <= below) return false;
    below += by[i] * (extent[i] - 1);
  }
  return true;
}

/// For layouts where strides alone do not decide this: true where no two entries of one tensor (of a whole block of
/// interleaved ones) share a byte, or of the whole batch.
bool distinct_in_block(const argument& a);
bool distinct_entries(const argument& a);

/// True where strides alone show that one tensor's entries are distinct; decided by the compiler for static layouts.
template <class Layout>
constexpr bool nested_in_tensor(const argument& a) {
  if constexpr (!affine_layout<Layout>) {
    return false;
  } else if constexpr (is_fixed_layout<Layout>) {
    constexpr bool nested = nested_strides(facts_of(Layout{}), lanes_of<Layout>(), 0, 1);
    return nested;
  } else {
    return nested_strides(a.facts, a.lanes, 0, 1);
  }
}

template <class Layout>
bool distinct_output(const argument& a, const Layout&) {
  if (a.first == a.last) return true;
  if (a.members != nullptr && a.members->clash()) return false;
  const index_t blocks = (a.count + a.lanes - 1) / a.lanes;
  const bool apart = !a.batched || a.grouped || blocks <= 1 || a.stride >= a.span + a.lanes - 1;
  // Blocks may also interleave: one component of several is a batch whose tensors overlap in memory without sharing
  // entries.
  if (nested_in_tensor<Layout>(a) && (apart || nested_strides(a.facts, a.lanes, a.stride, blocks))) return true;
  if (!apart) return distinct_entries(a);
  if constexpr (is_fixed_layout<Layout>) {
    static const bool once = distinct_in_block(a);
    return once;
  } else {
    return distinct_in_block(a);
  }
}

/// True where two arguments are the same entries in the same order: a pointwise run may then work in place.
constexpr bool same_entries(const argument& a, const argument& b) {
  if (a.first != b.first || a.last != b.last || a.table != b.table || a.stride != b.stride || a.lanes != b.lanes ||
      a.batched != b.batched)
    return false;
  if (!a.facts.affine || !b.facts.affine || a.facts.rank != b.facts.rank) return false;
  for (int d = 0; d < a.facts.rank; ++d)
    if (a.facts.extent[d] > 1 && a.facts.stride[d] != b.facts.stride[d]) return false;
  return true;
}

/// For two arguments whose address ranges overlap: where entries of both share a byte, if they do.
std::optional<member_list::pair> meeting(const argument& out, const argument& in);

constexpr bool apart(const argument& a, const argument& b) {
  if (a.last <= b.first || b.last <= a.first) return true;
  return !meeting(a, b);
}

/// True if a run may start: counts agree, the output overlaps nothing, no pointer is null.
constexpr bool may_run(const argument* inputs, int count, const argument& out, bool in_place) {
  bool good = out.distinct;
  for (int i = 0; i < count; ++i) {
    const argument& in = inputs[i];
    good = good && (!in.batched || in.count == (out.batched ? out.count : 1));
    good = good && ((in_place && same_entries(in, out)) || apart(in, out));
    good = good && (in.first != nullptr || in.first == in.last);
  }
  return good && (out.first != nullptr || out.first == out.last);
}

/// Throws the error that may_run or lower found, naming the einsum and the extents.
[[noreturn]] void refuse_contract(const char* text, const argument* inputs, int count, const argument& out,
                                  const lowered& form);

/// Throws: alpha or beta has an imaginary part, which the sums of this contraction cannot have.
[[noreturn]] void refuse_scaling(const char* text);

}  // namespace detail

}  // namespace tessera
