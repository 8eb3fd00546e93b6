// SPDX-License-Identifier: BSD-3-Clause
// Matrix products of batches, groups and tensors: operator*, trans and batch_gemm, with the names of paper 004.
#pragma once

#include <algorithm>

#include <tessera/batch.hpp>
#include <tessera/conjugated.hpp>
#include <tessera/group.hpp>
#include <tessera/plan.hpp>

namespace tessera {

/// A matrix (batch) read with rows and columns exchanged. Copies nothing.
template <any_view View>
struct transposed {
  View of;
};

namespace detail {

template <class M>
concept viewable = any_view<std::remove_cvref_t<M>> || requires(M& m) {
  requires any_view<decltype(m.view())>;
};

template <class M>
auto view_of(M& m) {
  if constexpr (any_view<std::remove_cvref_t<M>>)
    return m;
  else
    return m.view();
}

// A side of a product: its view, and whether it is transposed.
template <any_view View, bool Transposed>
struct factor_side {
  static constexpr bool is_transposed = Transposed;
  using view = View;
  using extents_type = extents_of<typename View::layout_kind>;
  static_assert(extents_type::rank() == 2, "tessera: a matrix product takes tensors of rank 2");
  static constexpr index_t static_rows = extents_type::static_extent(Transposed ? 1 : 0);
  static constexpr index_t static_cols = extents_type::static_extent(Transposed ? 0 : 1);
  View of;
  index_t rows() const { return of.extents()(Transposed ? 1 : 0); }
  index_t cols() const { return of.extents()(Transposed ? 0 : 1); }
};

template <class M>
  requires viewable<M>
auto side_of(M& m) { return factor_side<decltype(view_of(m)), false>{view_of(m)}; }
template <class View>
auto side_of(const transposed<View>& m) {
  return factor_side<View, true>{m.of};
}

template <class M>
inline constexpr bool is_transposed = false;
template <class View>
inline constexpr bool is_transposed<transposed<View>> = true;

template <class M>
concept product_side = viewable<M> || is_transposed<std::remove_cvref_t<M>>;

// The compiler's message shows its arguments, the two shapes.
template <class LeftExtents, bool LeftTransposed, class RightExtents, bool RightTransposed>
struct conformable {
  static constexpr index_t left = LeftExtents::static_extent(LeftTransposed ? 0 : 1);
  static constexpr index_t right = RightExtents::static_extent(RightTransposed ? 1 : 0);
  static_assert(left == dynamic || right == dynamic || left == right,
                "tessera: the left matrix has as many columns as the right one has rows");
};

template <class A, class B>
constexpr void check_conformable() {
  [[maybe_unused]] constexpr conformable<typename A::extents_type, A::is_transposed, typename B::extents_type,
                                         B::is_transposed>
      check{};
}

template <class A, class B>
constexpr const char* product_text() {
  if constexpr (A::is_transposed) return B::is_transposed ? "ki,jk->ij" : "ki,kj->ij";
  return B::is_transposed ? "ik,jk->ij" : "ik,kj->ij";
}

template <class A, class B>
auto product_extents(const A& a, const B& b) {
  if constexpr (A::static_rows != dynamic && B::static_cols != dynamic)
    return of_size<A::static_rows, B::static_cols>();
  else if constexpr (A::static_rows != dynamic)
    return of_size(constant<A::static_rows>{}, b.cols());
  else if constexpr (B::static_cols != dynamic)
    return of_size(a.rows(), constant<B::static_cols>{});
  else
    return of_size(a.rows(), b.cols());
}

template <class View>
index_t count_of(const View& v) {
  if constexpr (View::is_batch)
    return v.count();
  else
    return 1;
}

}  // namespace detail

/// trans(b) * b1
template <class M>
  requires detail::viewable<M>
auto trans(M& m) { return transposed<decltype(detail::view_of(m))>{detail::view_of(m)}; }
template <any_view View>
auto trans(const View& m) {
  return transposed<View>{m};
}

/// conj(trans(b)) and trans(conj(b)) are the same.
template <class View>
auto conj(const transposed<View>& m) {
  return trans(conj(m.of));
}

/// c = alpha a b + beta c over batches, groups or tensors (a tensor is shared by all); a and b may be trans(...)
/// and conj(...). sums_in<double>(scale) keeps sums in double.
/// Static sizes that do not fit do not compile; run-time ones throw status::shape_mismatch.
template <detail::product_side A, detail::product_side B, class C, class Scaling = scaling>
  requires(detail::viewable<C>&& detail::is_scaling<Scaling>)
void batch_gemm(A&& a, B&& b, C&& c, const Scaling& scale = {}, const plan_options& options = {}) {
  const auto left = detail::side_of(a);
  const auto right = detail::side_of(b);
  using left_t = std::remove_const_t<decltype(left)>;
  using right_t = std::remove_const_t<decltype(right)>;
  detail::check_conformable<left_t, right_t>();
  plan_options of_one_run = options;
  of_one_run.own_workspace = false;
  const plan p =
      make_plan(contraction(detail::product_text<left_t, right_t>(), scale), left.of, right.of, c, of_one_run);
  p.run(left.of, right.of, c);
}

/// The product as a new batch (of a new tensor where neither side is a batch), in the same space.
template <detail::product_side A, detail::product_side B>
auto batch_gemm(A&& a, B&& b, const plan_options& options = {}) {
  const auto left = detail::side_of(a);
  const auto right = detail::side_of(b);
  using left_t = std::remove_const_t<decltype(left)>;
  using right_t = std::remove_const_t<decltype(right)>;
  detail::check_conformable<left_t, right_t>();
  using left_view = typename left_t::view;
  using right_view = typename right_t::view;
  static_assert(std::is_same_v<typename left_view::value_type, typename right_view::value_type>,
                "tessera: a product needs one scalar type");
  static_assert(left_view::space.kind == right_view::space.kind, "tessera: a product needs one space");
  const auto sizes = detail::product_extents(left, right);
  const auto run = [&](auto result) {
    batch_gemm(a, b, result, assign, options);
    return result;
  };
  using value = typename left_view::value_type;
  if constexpr (left_view::is_batch || right_view::is_batch)
    return run(make_batch<value>(left_view::space, sizes,
                                 left_view::is_batch ? detail::count_of(left.of) : detail::count_of(right.of)));
  else
    return run(make_tensor<value>(left_view::space, sizes));
}

template <detail::product_side A, detail::product_side B>
auto operator*(A&& a, B&& b) {
  return batch_gemm(a, b);
}

}  // namespace tessera
