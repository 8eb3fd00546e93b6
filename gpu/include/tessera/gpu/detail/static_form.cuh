// SPDX-License-Identifier: BSD-3-Clause
// Binding views to kernel operands for contract<>: lowered at compile time if all layouts are static.
#pragma once

#include <optional>
#include <type_traits>

#include <tessera/detail/contract_check.hpp>
#include <tessera/detail/gpu_records.hpp>
#include <tessera/detail/packed_plan.hpp>
#include <tessera/gpu/detail/bind.cuh>
#include <tessera/gpu/detail/static_lowering.hpp>

namespace tessera::device {

/// A lowering at compile time, with the properties that the launch of contract<> needs.
template <fixed_string Text, class... Layout>
struct static_form : static_lowering<Text, Layout...> {
  using base = static_lowering<Text, Layout...>;
  using base::form, base::m, base::n, base::k, base::loops;

  static constexpr matrix_count count(int o) {
    const roles role = roles_of(form, o);
    return {role.rows.size(), role.cols.size(), loops, 2};
  }
  /// True if a block can hold a whole product.
  template <class T>
  static constexpr bool fits_block() {
    constexpr index_t limit = 36 * 1024 / index_t(sizeof(T));
    return m <= limit && n <= limit && k > 0 && k <= limit && m * k + k * n + m * n <= limit;
  }
  /// The operand as a factor of consecutive products without gaps, or as one shared matrix (Batched false).
  template <int O, bool Batched>
  static constexpr factor<const char> ideal() {
    const matrix_count c = count(O);
    return {nullptr, Batched ? c.rows * c.cols * c.loops : 0, 1, strided_map_of(form, O)};
  }
};

/// The layout of a view's matrices for the packed kernel, if its batch stride fits; empty if the kernel cannot take
/// them.
template <class Form, int O, class View>
constexpr std::optional<packed_layout> packed_layout_of() {
  if constexpr (!View::is_group && lanes_of<typename View::layout_kind>() == 1 && Form::template strided<O>) {
    constexpr matrix_count c = Form::count(O);
    constexpr auto ideal = Form::template ideal<O, View::is_batch>();
    constexpr run_time_map turned{.row = ideal.map.col, .col = ideal.map.row};
    constexpr bool by_cols = tessera::detail::is_packed(ideal.map, c.rows, c.cols);
    constexpr bool by_rows = tessera::detail::is_packed(turned, c.cols, c.rows);
    constexpr bool one_for_all = O != output && !View::is_batch && is_shared(ideal, c);
    if constexpr (one_for_all && (by_cols || by_rows))
      return by_cols ? packed_layout::shared_by_cols : packed_layout::shared_by_rows;
    if constexpr (View::is_batch && is_packed(ideal, c))
      return by_cols ? packed_layout::by_cols : packed_layout::by_rows;
  }
  return std::nullopt;
}

/// True if the batch stride of a view with a packed layout fits the kernel.
template <class Form, int O, class View>
bool is_packed_view(const View& v, index_t batch) {
  if constexpr (packed_layout_of<Form, O, View>() && View::is_batch) {
    constexpr matrix_count c = Form::count(O);
    return batch <= 1 || v.stride() == c.rows * c.cols * c.loops;
  } else {
    return packed_layout_of<Form, O, View>().has_value();
  }
}

template <class View>
index_t batch_stride_of(const View& v) {
  if constexpr (View::is_batch)
    return v.stride();
  else
    return 0;
}

/// The entry type of the kernel's operand: const for inputs.
template <int O, class View>
using entry_of = std::conditional_t<O == output, typename View::value_type, const typename View::value_type>;

template <class Entry, class View, class Map>
grouped<Entry, Map> group_of(const View& v, const Map& map, walk order) {
  return {v.members(), nullptr, 0, 1, map, order, false};
}

/// The operand of a view whose sizes are static. MayPack: the kernel takes whole products, so chunks are possible.
template <class Form, int O, bool MayPack, class View>
auto bind_static(const View& v, index_t batch) {
  using layout = typename View::layout_kind;
  using entry = entry_of<O, View>;
  constexpr index_t lanes = lanes_of<layout>();
  if constexpr (View::is_group && Form::template strided<O>) {
    constexpr walk order = walk_of(Form::template ideal<O, true>());
    return group_of<entry>(v, typename Form::template map<O>{}, order);
  } else if constexpr (View::is_group) {
    return group_of<entry>(v, layout_map_of(v.layout(), Form::form, Form::in, O), walk::rows);
  } else if constexpr (Form::template strided<O>) {
    constexpr auto ideal = Form::template ideal<O, View::is_batch>();
    constexpr walk order = lanes > 1 ? walk::products : walk_of(ideal);
    constexpr bool shared = O != output && !View::is_batch && is_shared(ideal, Form::count(O));
    constexpr bool may_pack = MayPack && packed_layout_of<Form, O, View>() && View::is_batch;
    using map = typename Form::template map<O>;
    const bool packed = may_pack && is_packed_view<Form, O>(v, batch);
    return mapped<entry, map>{v.data(), batch_stride_of(v), lanes, map{}, order, shared, packed};
  } else {
    return mapped<entry, layout_map<layout>>{v.data(),
                                             batch_stride_of(v),
                                             lanes,
                                             layout_map_of(v.layout(), Form::form, Form::in, O),
                                             lanes > 1 ? walk::products : walk::rows,
                                             O != output && !View::is_batch && Form::loops == 1,
                                             false};
  }
}

/// The operand of any view, with its layout as an argument of the kernel.
template <int O, class View>
auto bind_layout(const View& v, const lowered& form, const detail::lowering& in) {
  using layout = typename View::layout_kind;
  constexpr index_t lanes = lanes_of<layout>();
  if constexpr (View::is_group)
    return group_of<entry_of<O, View>>(v, layout_map_of(v.layout(), form, in, O), walk::rows);
  else
    return mapped<entry_of<O, View>, layout_map<layout>>{v.data(),
                                                         batch_stride_of(v),
                                                         lanes,
                                                         layout_map_of(v.layout(), form, in, O),
                                                         lanes > 1 ? walk::products : walk::rows,
                                                         O != output && !View::is_batch && form.loop.count == 0,
                                                         false};
}

/// The tuning of a product of static sizes: that of their record, first for these layouts; else by rule.
constexpr gpu_gemm_tuning tuning_for(int bytes, index_t m, index_t n, index_t k, const packed_layouts& layouts = {},
                                     bool in_double = false) {
  for (const packed_layouts& wanted : {layouts, packed_layouts{}})
    for (const gpu_gemm_record& r : gpu_gemm_records)
      if (r.m == m && r.n == n && r.k == k && int(size_of(r.type)) == bytes && r.layouts == wanted &&
          (in_double || !r.tuning.tensor_cores))
        return r.tuning;
  const auto tile = [&](index_t size) {
    int best = 1;
    index_t least = -1;
    for (int t = m * n <= 9 ? 1 : m * n <= 64 ? 3 : 5; t >= 1; --t) {
      const index_t padded = (size + t - 1) / t * t;
      // A larger tile is worth some padding, up to an eighth.
      if (least < 0 || padded + size / 8 < least) least = padded, best = t;
    }
    return best;
  };
  gpu_gemm_tuning t{.matrices = 1, .threads = 128, .tile_rows = tile(m), .tile_cols = tile(n)};
  const index_t each = ((m + t.tile_rows - 1) / t.tile_rows) * ((n + t.tile_cols - 1) / t.tile_cols);
  const index_t by_bytes = 16 * 1024 / ((m * k + k * n + m * n) * bytes), by_threads = 4 * 128 / each;
  index_t group = by_bytes < by_threads ? by_bytes : by_threads;
  group = group >= 8 ? group / 8 * 8 : group >= 4 ? 4 : group >= 1 ? group : 1;
  for (index_t fewer = group; fewer >= 1; --fewer)
    if (starts_on_pieces({int(m), int(n), int(k)}, bytes, int(fewer))) {
      group = fewer;
      break;
    }
  t.matrices = int(group);
  if (group * each < 128) t.threads = int((group * each + 31) / 32 * 32);
  return t;
}

/// The same for the gemm kernel, whose tiles in shared memory are a little larger.
constexpr gpu_gemm_tuning tuning_for_gathering(int bytes, index_t m, index_t n, index_t k) {
  constexpr index_t most = 96 * 1024, positions = 64;
  gpu_gemm_tuning t = tuning_for(bytes, m, n, k);
  t.over_a = t.loads = 0;
  t.row_vector = 1;
  const auto tile = [](index_t rows, index_t cols) { return odd(odd(int(rows)) * int(cols)); };
  const index_t each = (tile(m, k) + tile(k, n) + tile(m, n)) * bytes + positions;
  while (t.matrices > 1 && t.matrices * each > most) t.matrices /= 2;
  return t;
}

}  // namespace tessera::device
