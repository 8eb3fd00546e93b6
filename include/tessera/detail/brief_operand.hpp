// SPDX-License-Identifier: BSD-3-Clause
// brief_operand: what a run reads of an operand that is like the one its plan was made for. Cheaper to make than an
// operand.
#pragma once

#include <cstdint>

#include <tessera/operand.hpp>

namespace tessera::detail {

/// Type, space and kind of an operand as one number. 0: one that has to be checked as a whole.
constexpr std::uint32_t brief_kind(scalar_type type, space_kind space, bool batched, bool conjugated) {
  return 1 + std::uint32_t(type) * 8 + std::uint32_t(space) * 4 + (batched ? 2 : 0) + (conjugated ? 1 : 0);
}

struct brief_operand {
  const void* data;
  index_t count, stride;  // of a tensor 1 and 0
  const operand_facts* facts;
  std::uint32_t kind;
  bool writable;
};

/// Strides that describe every entry, one tensor after the other.
template <class View>
inline constexpr bool is_brief_view =
    any_view<View> && !View::is_group && affine_layout<typename View::layout_kind> &&
    lanes_of<typename View::layout_kind>() == 1 && is_kernel_scalar<typename View::value_type>;

/// A view as a brief operand. It refers to its own facts, and nothing in it is copied: a copy would stall, since it
/// would be read at other widths than it was written.
template <any_view View>
class brief_view {
 public:
  explicit brief_view(const View& of)
      : facts_(facts_of(of.layout())),
        operand_{.data = of.data(),
                 .count = count_of(of),
                 .stride = stride_of(of),
                 .facts = &facts_,
                 .kind = kind,
                 .writable = !std::is_const_v<typename View::element_type>} {}
  brief_view(const brief_view&) = delete;
  brief_view& operator=(const brief_view&) = delete;

  const brief_operand& operand() const { return operand_; }

 private:
  static constexpr std::uint32_t kind = brief_kind(scalar_of<typename View::value_type>, View::space.kind,
                                                   View::is_batch, detail::is_conjugated_view<View>);
  static index_t count_of([[maybe_unused]] const View& of) {
    if constexpr (View::is_batch)
      return of.count();
    else
      return 1;
  }
  static index_t stride_of([[maybe_unused]] const View& of) {
    if constexpr (View::is_batch)
      return of.stride();
    else
      return 0;
  }

  operand_facts facts_;
  brief_operand operand_;
};

inline std::uint32_t brief_kind_of(const operand& o) {
  if (!o.type || o.grouped || o.offsets || o.lanes != 1) return 0;
  return brief_kind(*o.type, o.space, o.batched, o.conjugated);
}
inline brief_operand brief_of(const operand& o) {
  return {o.data, o.batched ? o.count : 1, o.batched ? o.stride : 0, &o.facts, brief_kind_of(o), o.writable};
}

/// The view of what a run is given: of a tensor or a batch its view.
template <any_view View>
const View& view_given(const View& v) {
  return v;
}
template <class Owner>
  requires requires(Owner& owner) { owner.view(); }
auto view_given(Owner& owner) { return owner.view(); }

template <class Given>
concept gives_brief_view = requires(Given& given) {
  view_given(given);
}
&&is_brief_view<std::remove_cvref_t<decltype(view_given(std::declval<Given&>()))>>;

}  // namespace tessera::detail
