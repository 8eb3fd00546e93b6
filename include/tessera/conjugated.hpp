// SPDX-License-Identifier: BSD-3-Clause
// conj: an operand whose entries are conjugated when they are read. Only a view: no data is copied.
#pragma once

#include <tessera/core/scalar_type.hpp>
#include <tessera/operand.hpp>

namespace tessera {

/// A view of complex entries, read conjugated. For inputs of contractions only: nothing is written through it.
template <class View>
class conjugated {
 public:
  using value_type = typename View::value_type;
  using element_type = const value_type;
  using layout_kind = typename View::layout_kind;
  static constexpr auto space = View::space;
  static constexpr bool is_batch = View::is_batch, is_group = View::is_group, reads_conjugated = true;

  constexpr explicit conjugated(const View& of) : of_(of) {}

  constexpr const View& of() const { return of_; }
  constexpr const value_type* data() const requires(!is_group) { return of_.data(); }
  constexpr decltype(auto) layout() const { return of_.layout(); }
  constexpr decltype(auto) extents() const { return of_.extents(); }
  constexpr index_t count() const requires(is_batch) { return of_.count(); }
  constexpr index_t stride() const requires(is_batch && !is_group) { return of_.stride(); }
  const value_type* const* members() const requires(is_group) { return of_.members(); }
  decltype(auto) list() const requires(is_group) { return of_.list(); }

  /// The tensor at a position of a batch, or the entry of a tensor, conjugated.
  template <class... Index>
  constexpr auto operator()(Index... i) const {
    return conj(of_(i...));
  }

 private:
  View of_;
};

namespace detail {

template <class View>
inline constexpr bool is_conjugated_view<conjugated<View>> = true;

template <class Owner>
concept owner_of_view = requires(Owner& owner) {
  requires any_view<decltype(owner.view())>;
};

}  // namespace detail

/// conj(a): of complex entries the conjugated view; of real ones the view as it is. Takes views, tensors, batches and
/// groups, and for plans operands.
template <any_view View>
constexpr auto conj(const View& view) {
  if constexpr (detail::is_conjugated_view<View>)
    return view.of();
  else if constexpr (is_complex<typename View::value_type>)
    return conjugated<View>(view);
  else
    return view;
}
template <class Owner>
  requires detail::owner_of_view<Owner>
constexpr auto conj(Owner& owner) { return conj(owner.view()); }
inline operand conj(operand o) {
  o.conjugated = o.type && is_complex_type(*o.type) && !o.conjugated;
  return o;
}
/// A tensor of run-time rank.
template <class T, auto Space>
operand conj(tensor<T, Space, shape>& t) {
  return conj(operand_of(t));
}
template <class T, auto Space>
operand conj(const tensor<T, Space, shape>& t) {
  return conj(operand_of(t));
}

}  // namespace tessera
