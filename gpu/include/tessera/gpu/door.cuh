// SPDX-License-Identifier: BSD-3-Clause
// Behind the compile-time door: from checked views to one launch.
#pragma once

#include <tuple>

#include <tessera/core/letters.hpp>
#include <tessera/gpu/launch_packed.cuh>
#include <tessera/gpu/pointwise.cuh>
#include <tessera/gpu/runtime.hpp>
#include <tessera/gpu/static_form.cuh>
#include <tessera/scaling.hpp>
#include <tessera/stream.hpp>

namespace tessera::device {

// What a launch of the door needs besides the operands.
struct door_call {
  kernel_name name;
  scaling scale;
  cudaStream_t stream;
  index_t batch;
};

/// The type of operand O among the views, the output being the last.
template <int O, class Views>
using view_of = std::remove_cvref_t<std::tuple_element_t<O == output ? int(std::tuple_size_v<Views>) - 1 : O, Views>>;

/// A side of kernel (9).
template <class First, class Second>
auto side_of(const First& first, const Second& second) {
  return product_of<First, Second>{first, second, first.order, first.shared && second.shared};
}

template <class T, class Left, class Right, class Out>
void launch_pointwise_door(const door_call& call, index_t rows, index_t loops, const Left& left, const Right& right,
                           const Out& out) {
  const pointwise_arguments<T, Left, Right, Out> a{
      left,       right,        out, T(call.scale.alpha), T(call.scale.beta), rows, loops, rows * loops * call.batch,
      call.batch, out.lanes > 1};
  launch_pointwise(a, call.name, call.stream);
}

/// Sizes at compile time where a whole product fits a block, else tiles with the same maps.
template <class T, class Form, class Left, class Right, class Out>
void launch_static(const door_call& call, const Left& left, const Right& right, const Out& out) {
  const T alpha = T(call.scale.alpha), beta = T(call.scale.beta);
  if constexpr (Form::template fits_block<T>()) {
    constexpr gpu_gemm_tuning t = tuning_for_gathering(int(sizeof(T)), Form::m, Form::n, Form::k);
    gemm_arguments<T, Left, Right, Out> a{left, right, out, alpha, beta, {}};
    a.sizes.loops = Form::loops;
    a.sizes.products = call.batch * Form::loops;
    launch_gemm<T, int(Form::m), int(Form::n), int(Form::k),
                block_shape<t.matrices, t.threads, t.tile_rows, t.tile_cols>>(a, call.name, call.stream);
  } else {
    constexpr int threads = 128, tile = 4;
    const gemm_sizes s = sizes_for<T>(Form::m, Form::n, Form::k, Form::loops, call.batch, tile, tile, threads,
                                      positions<Left, Right, Out>::each, 1);
    launch_gemm<T, tiled, tiled, tiled, block_shape<0, threads, tile, tile>>(
        gemm_arguments<T, Left, Right, Out>{limited_sharing(left, s.row_tiles == 1),
                                            limited_sharing(right, s.col_tiles == 1), out, alpha, beta, s},
        call.name, call.stream);
  }
}

/// Form and views of a contraction that the packed kernel takes, the batch strides permitting.
template <class T, class Form, class Views>
constexpr bool has_packed_form() {
  if constexpr (Form::form.form == canonical::pointwise || Form::form.left[1] >= 0 || Form::form.right[1] >= 0) {
    return false;
  } else {
    return 16 % sizeof(T) == 0 && Form::template fits_block<T>() &&
           packed_lie<Form, Form::form.left[0], view_of<Form::form.left[0], Views>>() &&
           packed_lie<Form, Form::form.right[0], view_of<Form::form.right[0], Views>>() &&
           packed_lie<Form, output, view_of<output, Views>>();
  }
}

template <class T, class Form, class Views>
void launch_packed_door(const door_call& call, const Views& views) {
  constexpr int l = Form::form.left[0], r = Form::form.right[0], last = int(std::tuple_size_v<Views>) - 1;
  constexpr packed_lies lies{*packed_lie<Form, l, view_of<l, Views>>(), *packed_lie<Form, r, view_of<r, Views>>(),
                             *packed_lie<Form, output, view_of<output, Views>>()};
  constexpr gpu_gemm_tuning t = tuning_for(int(sizeof(T)), Form::m, Form::n, Form::k, lies);
  using form = packed_form<int(Form::m), int(Form::n), int(Form::k), int(lies.left), int(lies.right), int(lies.out)>;
  using shape = block_shape<t.matrices, t.threads, t.tile_rows, t.tile_cols, t.over_a, t.loads, t.row_vector>;
  launch_packed<T, form, shape>({std::get<l>(views).data(), std::get<r>(views).data(), std::get<last>(views).data(),
                                 T(call.scale.alpha), T(call.scale.beta), call.batch * Form::loops},
                                call.name, call.stream);
}

template <class T, class Form, class Views>
void bind_and_launch(const door_call& call, const Views& views) {
  constexpr int last = int(std::tuple_size_v<Views>) - 1;
  constexpr bool may_pack = Form::form.form != canonical::pointwise && Form::template fits_block<T>();
  const auto operand = [&]<index_t N>(constant<N>) {
    constexpr int at = int(N) == output ? last : int(N);
    return bind_static<Form, int(N), may_pack>(std::get<at>(views), call.batch);
  };
  constexpr int l0 = Form::form.left[0], l1 = Form::form.left[1], r0 = Form::form.right[0], r1 = Form::form.right[1];
  if constexpr (Form::form.form == canonical::pointwise)
    launch_pointwise_door<T>(call, Form::m, Form::loops, operand(constant<0>{}), operand(constant<1>{}),
                             operand(constant<output>{}));
  else if constexpr (l1 >= 0)
    launch_static<T, Form>(call, side_of(operand(constant<l0>{}), operand(constant<l1>{})), operand(constant<r0>{}),
                           operand(constant<output>{}));
  else if constexpr (r1 >= 0)
    launch_static<T, Form>(call, operand(constant<l0>{}), side_of(operand(constant<r0>{}), operand(constant<r1>{})),
                           operand(constant<output>{}));
  else
    launch_static<T, Form>(call, operand(constant<l0>{}), operand(constant<r0>{}), operand(constant<output>{}));
}

/// Affine layouts with run-time sizes: a problem like a plan's, by the library's rows. False where strides do not do.
template <class T, fixed_string Text, class... View>
bool launched_by_library(const door_call& call, const lowered& form, const tessera::detail::lowering& in,
                         const View&... view) {
  if constexpr (!is_kernel_scalar<T> || !(affine_layout<typename View::layout_kind> && ...)) {
    return false;
  } else {
    factor<T> factors[max_inputs + 1];
    T* const* members[max_inputs + 1] = {};
    int at = 0;
    bool strided = true;
    const auto place = [&](const auto& v) {
      const int o = operand_number<Text>(at++);
      strided = strided && is_strided(form, in.facts[o], o);
      using view_t = std::remove_cvref_t<decltype(v)>;
      if (!strided) return;
      factors[o].map = strided_map_of(form, o);
      if constexpr (view_t::is_group) {
        members[o] = const_cast<T* const*>(v.members());
      } else {
        factors[o].data = const_cast<T*>(v.data());
        factors[o].batch_stride = batch_stride_of(v);
        factors[o].lanes = lanes_of<typename view_t::layout_kind>();
      }
    };
    (place(view), ...);
    if (!strided) return false;
    problem<T> p;
    p.form = form.form;
    p.m = form.rows.size();
    p.n = form.cols.size();
    p.k = form.inner.size();
    p.loops = form.loop.size();
    p.batch = call.batch;
    p.left_factors = form.left[1] >= 0 ? 2 : 1;
    p.right_factors = form.right[1] >= 0 ? 2 : 1;
    p.alpha = T(call.scale.alpha);
    p.beta = T(call.scale.beta);
    const auto fill = [&](factor<const T>& to, int o) {
      if (o >= 0) to = {factors[o].data, factors[o].batch_stride, factors[o].lanes, factors[o].map};
    };
    problem_members<T> from;
    for (int f = 0; f < 2; ++f) {
      fill(p.left[f], form.left[f]);
      fill(p.right[f], form.right[f]);
      if (form.left[f] >= 0) from.left[f] = members[form.left[f]];
      if (form.right[f] >= 0) from.right[f] = members[form.right[f]];
    }
    p.out = factors[output];
    from.out = members[output];
    if constexpr ((View::is_group || ...))
      launch_members(p, from, call.stream);
    else
      launch(p, choose(p), call.stream);
    return true;
  }
}

/// Other layouts with run-time sizes: the layouts go to the kernel as they are. Which kernel, the letters say.
template <class T, fixed_string Text, class Views>
void launch_run_time(const door_call& call, const Views& views, const lowered& form, const detail::lowering& in) {
  constexpr lowered sides = lower_letters(parse_einsum(Text.text));
  constexpr int threads = 128, tile = 2;
  const auto operand = [&]<index_t O>(constant<O>) {
    constexpr int at = int(O) == output ? int(std::tuple_size_v<Views>) - 1 : int(O);
    return bind_layout<int(O)>(std::get<at>(views), form, in);
  };
  const auto side = [&]<index_t First, index_t Second>(constant<First> first, constant<Second> second) {
    if constexpr (Second >= 0)
      return side_of(operand(first), operand(second));
    else
      return operand(first);
  };
  const auto out = operand(constant<output>{});
  if constexpr (sides.form == canonical::pointwise) {
    launch_pointwise_door<T>(call, form.rows.size(), form.loop.size(), operand(constant<0>{}), operand(constant<1>{}),
                             out);
  } else {
    const auto left = side(constant<sides.left[0]>{}, constant<sides.left[1]>{});
    const auto right = side(constant<sides.right[0]>{}, constant<sides.right[1]>{});
    using left_type = std::remove_const_t<decltype(left)>;
    using right_type = std::remove_const_t<decltype(right)>;
    using out_type = std::remove_const_t<decltype(out)>;
    const gemm_sizes s =
        sizes_for<T>(form.rows.size(), form.cols.size(), form.inner.size(), form.loop.size(), call.batch, tile, tile,
                     threads, positions<left_type, right_type, out_type>::each, 1);
    launch_gemm<T, tiled, tiled, tiled, block_shape<0, threads, tile, tile>>(
        gemm_arguments<T, left_type, right_type, out_type>{limited_sharing(left, s.row_tiles == 1),
                                                           limited_sharing(right, s.col_tiles == 1), out,
                                                           T(call.scale.alpha), T(call.scale.beta), s},
        call.name, call.stream);
  }
}

/// Throws where a call may not run. Returns the number of batch entries, 0 where there is nothing to do.
template <fixed_string Text>
index_t checked_batch(const tessera::detail::argument* all, int inputs, const lowered& form) {
  const tessera::detail::argument& out = all[inputs];
  if (form.fault != lower_fault::none || !tessera::detail::may_run(all, inputs, out, form.form == canonical::pointwise))
    tessera::detail::refuse_contract(Text.text, all, inputs, out, form);
  if (out.count == 0 || out.first == out.last) return 0;
  require_device(Text.text);
  for (int o = 0; o <= inputs; ++o)
    if (all[o].first != all[o].last && !is_device_pointer(all[o].first))
      throw error(kernel_name{Text.text}.text() + ": " +
                      (o == inputs ? "the output" : "input " + std::to_string(o + 1)) + " of extents " +
                      tessera::text_of(all[o].facts.extent, all[o].facts.rank) + " is not in device memory",
                  status::wrong_space);
  return out.count;
}

/// Checks, then queues one kernel. An empty result queues nothing.
template <fixed_string Text, any_view... View>
void contract_views(const scaling& scale, stream_view on, const View&... view) {
  tessera::detail::check_statically<Text, View...>();
  constexpr int inputs = int(sizeof...(View)) - 1;
  const auto views = std::tie(view...);
  using T = typename std::tuple_element_t<inputs, std::tuple<View...>>::value_type;
  tessera::detail::argument all[] = {tessera::detail::argument_of(view)...};
  all[inputs].distinct = tessera::detail::distinct_output(all[inputs], std::get<inputs>(views).layout());
  door_call call{{Text.text}, scale, static_cast<cudaStream_t>(on.handle()), 0};
  if constexpr ((static_layout<typename View::layout_kind>() && ...)) {
    using form = static_form<Text, typename View::layout_kind...>;
    call.batch = checked_batch<Text>(all, inputs, form::form);
    if (call.batch == 0) return;
    if constexpr (has_packed_form<T, form, decltype(views)>()) {
      const bool packed = [&]<int... I>(sequence<I...>) {
        return (is_packed_view<form, operand_number<Text>(I)>(view, call.batch) && ...);
      }
      (iota<inputs + 1>{});
      if (packed) return launch_packed_door<T, form>(call, views);
    }
    bind_and_launch<T, form>(call, views);
  } else {
    const tessera::detail::lowering in = lowering_of<Text>(view.layout()...);
    const lowered form = lower(in.e, in.facts);
    call.batch = checked_batch<Text>(all, inputs, form);
    if (call.batch == 0) return;
    if (!launched_by_library<T, Text>(call, form, in, view...)) launch_run_time<T, Text>(call, views, form, in);
  }
}

}  // namespace tessera::device
