// SPDX-License-Identifier: BSD-3-Clause
// The launch of contract<>: from checked views to one kernel.
#pragma once

#include <tuple>

#include <tessera/core/letters.hpp>
#include <tessera/gpu/detail/converting.cuh>
#include <tessera/gpu/detail/launch_packed.cuh>
#include <tessera/gpu/detail/pointwise.cuh>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/gpu/detail/static_form.cuh>
#include <tessera/scaling.hpp>
#include <tessera/stream.hpp>

namespace tessera::device {

/// The types of a call. `T`, in the functions below, is the scalar type of all entries and sums, or this type if
/// entries are converted or conjugated.
template <class Views, class Scaling>
struct call_types {
  using first = std::remove_cvref_t<std::tuple_element_t<0, Views>>;
  using last = std::remove_cvref_t<std::tuple_element_t<std::tuple_size_v<Views> - 1, Views>>;
  using in = typename first::value_type;
  using out = typename last::value_type;
  using sum = sum_of_call<in, Scaling>;
  static constexpr bool is_plain = same_type<in, out> && same_type<in, sum> && !is_complex<in>;
};

template <class T>
struct types_in : elements_of<T> {
  static constexpr bool is_plain = true;
};
template <class Views, class Scaling>
struct types_in<call_types<Views, Scaling>> : call_types<Views, Scaling> {};

template <class T>
using sum_in = typename types_in<T>::sum;

/// A bound operand for a kernel with sums.
template <class T, class View, class Operand>
constexpr auto as_operand(const Operand& o) {
  if constexpr (types_in<T>::is_plain)
    return o;
  else
    return as_sums<sum_in<T>>(o, tessera::detail::reads_conjugated<View>);
}

// The arguments of a contract<> launch besides the operands.
struct contract_call {
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
void launch_pointwise_contraction(const contract_call& call, index_t rows, index_t loops, const Left& left,
                                  const Right& right, const Out& out) {
  const pointwise_arguments<sum_in<T>, Left, Right, Out> a{left,
                                                           right,
                                                           out,
                                                           tessera::detail::factor_in<sum_in<T>>(call.scale.alpha),
                                                           tessera::detail::factor_in<sum_in<T>>(call.scale.beta),
                                                           rows,
                                                           loops,
                                                           rows * loops * call.batch,
                                                           call.batch,
                                                           out.lanes > 1};
  launch_pointwise(a, call.name, call.stream);
}

/// Static sizes if a whole product fits a block, else tiles with the same maps.
template <class T, class Form, class Left, class Right, class Out>
void launch_static(const contract_call& call, const Left& left, const Right& right, const Out& out) {
  using Sum = sum_in<T>;
  const Sum alpha = tessera::detail::factor_in<Sum>(call.scale.alpha),
            beta = tessera::detail::factor_in<Sum>(call.scale.beta);
  if constexpr (Form::template fits_block<Sum>()) {
    constexpr gpu_gemm_tuning t = tuning_for_gathering(int(sizeof(Sum)), Form::m, Form::n, Form::k);
    gemm_arguments<Sum, Left, Right, Out> a{left, right, out, alpha, beta, {}};
    a.sizes.loops = Form::loops;
    a.sizes.products = call.batch * Form::loops;
    launch_gemm<Sum, int(Form::m), int(Form::n), int(Form::k),
                block_shape<t.matrices, t.threads, t.tile_rows, t.tile_cols>>(a, call.name, call.stream);
  } else {
    constexpr int threads = 128, tile = 4;
    const gemm_sizes s = sizes_for<Sum>(Form::m, Form::n, Form::k, Form::loops, call.batch, tile, tile, threads,
                                        positions<Left, Right, Out>::each, 1);
    launch_gemm<Sum, tiled, tiled, tiled, block_shape<0, threads, tile, tile>>(
        gemm_arguments<Sum, Left, Right, Out>{limited_sharing(left, s.row_tiles == 1),
                                              limited_sharing(right, s.col_tiles == 1), out, alpha, beta, s},
        call.name, call.stream);
  }
}

/// True if the packed kernel can run this form and these views, if the batch strides permit.
template <class T, class Form, class Views>
constexpr bool has_packed_form() {
  if constexpr (Form::form.form == canonical::pointwise || Form::form.left[1] >= 0 || Form::form.right[1] >= 0) {
    return false;
  } else {
    return 16 % sizeof(typename types_in<T>::in) == 0 && 16 % sizeof(typename types_in<T>::out) == 0 &&
           Form::template fits_block<sum_in<T>>() &&
           packed_layout_of<Form, Form::form.left[0], view_of<Form::form.left[0], Views>>() &&
           packed_layout_of<Form, Form::form.right[0], view_of<Form::form.right[0], Views>>() &&
           packed_layout_of<Form, output, view_of<output, Views>>();
  }
}

template <class T, class Left, class Right>
auto types_of_kernel() {
  using types = types_in<T>;
  if constexpr (types::is_plain)
    return typename types::in();
  else
    return elements<typename types::in, typename types::out, typename types::sum,
                    tessera::detail::reads_conjugated<Left>, tessera::detail::reads_conjugated<Right>>();
}
template <class T, class Left, class Right>
using packed_types = decltype(types_of_kernel<T, Left, Right>());

template <class T, class Form, class Views>
void launch_packed_contraction(const contract_call& call, const Views& views) {
  constexpr int l = Form::form.left[0], r = Form::form.right[0], last = int(std::tuple_size_v<Views>) - 1;
  constexpr packed_layouts layouts{*packed_layout_of<Form, l, view_of<l, Views>>(),
                                   *packed_layout_of<Form, r, view_of<r, Views>>(),
                                   *packed_layout_of<Form, output, view_of<output, Views>>()};
  using types = types_in<T>;
  // 16-bit types have no tunings of their own and use those of float.
  constexpr int word =
      sizeof(typename types::in) < sizeof(float) ? int(sizeof(float)) : int(sizeof(typename types::in));
  constexpr gpu_gemm_tuning t =
      tuning_for(word, Form::m, Form::n, Form::k, layouts, types::is_plain && same_type<typename types::sum, double>);
  using form =
      packed_form<int(Form::m), int(Form::n), int(Form::k), int(layouts.left), int(layouts.right), int(layouts.out)>;
  using shape =
      block_shape<t.matrices, t.threads, t.tile_rows, t.tile_cols, t.over_a, t.loads, t.row_vector, t.tensor_cores>;
  using kernel_types = packed_types<T, view_of<l, Views>, view_of<r, Views>>;
  launch_packed<kernel_types, form, shape>(
      {std::get<l>(views).data(), std::get<r>(views).data(), std::get<last>(views).data(),
       tessera::detail::factor_in<sum_in<T>>(call.scale.alpha), tessera::detail::factor_in<sum_in<T>>(call.scale.beta),
       call.batch * Form::loops},
      call.name, call.stream);
}

template <class T, class Form, class Views>
void bind_and_launch(const contract_call& call, const Views& views) {
  constexpr int last = int(std::tuple_size_v<Views>) - 1;
  constexpr bool may_pack =
      types_in<T>::is_plain && Form::form.form != canonical::pointwise && Form::template fits_block<sum_in<T>>();
  const auto operand = [&]<index_t N>(constant<N>) {
    constexpr int at = int(N) == output ? last : int(N);
    return as_operand<T, view_of<int(N), Views>>(bind_static<Form, int(N), may_pack>(std::get<at>(views), call.batch));
  };
  constexpr int l0 = Form::form.left[0], l1 = Form::form.left[1], r0 = Form::form.right[0], r1 = Form::form.right[1];
  if constexpr (Form::form.form == canonical::pointwise)
    launch_pointwise_contraction<T>(call, Form::m, Form::loops, operand(constant<0>{}), operand(constant<1>{}),
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

/// Affine layouts with run-time sizes: a problem as of a plan, for the library's rows. False if strides do not describe
/// the operands.
template <class T, fixed_string Text, class... View>
bool launched_by_library(const contract_call& call, const lowered& form, const tessera::detail::lowering& in,
                         const View&... view) {
  using In = typename types_in<T>::in;
  using Out = typename types_in<T>::out;
  using Sum = typename types_in<T>::sum;
  if constexpr (!is_kernel_scalar<In> || !(affine_layout<typename View::layout_kind> && ...)) {
    return false;
  } else {
    factor<const In> inputs[max_inputs];
    bool conjugated[max_inputs] = {};
    problem<In, Out, Sum> p;
    const In* const* members[max_inputs] = {};
    Out* const* out_members = nullptr;
    bool strided = true;
    const auto place = [&]<index_t At>(constant<At>, const auto& v) {
      constexpr int o = operand_number<Text>(int(At));
      strided = strided && is_strided(form, in.facts[o], o);
      using view_t = std::remove_cvref_t<decltype(v)>;
      if (!strided) return;
      const auto fill = [&](auto& f, auto& addresses) {
        f.map = strided_map_of(form, o);
        if constexpr (view_t::is_group) {
          addresses = v.members();
        } else {
          f.data = v.data();
          f.batch_stride = batch_stride_of(v);
          f.lanes = lanes_of<typename view_t::layout_kind>();
        }
      };
      if constexpr (o == output) {
        fill(p.out, out_members);
      } else {
        conjugated[o] = tessera::detail::reads_conjugated<view_t>;
        fill(inputs[o], members[o]);
      }
    };
    const auto place_all = [&]<int... I>(sequence<I...>) { (place(constant<I>{}, view), ...); };
    place_all(iota<int(sizeof...(View))>{});
    if (!strided) return false;
    p.form = form.form;
    p.m = form.rows.size();
    p.n = form.cols.size();
    p.k = form.inner.size();
    p.loops = form.loop.size();
    p.batch = call.batch;
    p.left_factors = form.left[1] >= 0 ? 2 : 1;
    p.right_factors = form.right[1] >= 0 ? 2 : 1;
    p.alpha = tessera::detail::factor_in<Sum>(call.scale.alpha);
    p.beta = tessera::detail::factor_in<Sum>(call.scale.beta);
    problem_members<In, Out> from;
    for (int f = 0; f < 2; ++f) {
      if (const int o = form.left[f]; o >= 0)
        p.left[f] = inputs[o], p.left_conjugated[f] = conjugated[o], from.left[f] = members[o];
      if (const int o = form.right[f]; o >= 0)
        p.right[f] = inputs[o], p.right_conjugated[f] = conjugated[o], from.right[f] = members[o];
    }
    from.out = out_members;
    if constexpr (!tessera::detail::is_real_problem<problem<In, Out, Sum>>)
      launch_any(p, {{from.left[0], from.left[1]}, {from.right[0], from.right[1]}, from.out}, call.stream);
    else if constexpr ((View::is_group || ...))
      launch_members(p, from, call.stream);
    else
      launch(p, choose(p), call.stream);
    return true;
  }
}

/// Other layouts with run-time sizes: the layouts are kernel arguments. The letters select the kernel.
template <class T, fixed_string Text, class Views>
void launch_run_time(const contract_call& call, const Views& views, const lowered& form, const detail::lowering& in) {
  constexpr lowered sides = lower_letters(parse_einsum(Text.text));
  constexpr int threads = 128, tile = 2;
  const auto operand = [&]<index_t O>(constant<O>) {
    constexpr int at = int(O) == output ? int(std::tuple_size_v<Views>) - 1 : int(O);
    return as_operand<T, view_of<int(O), Views>>(bind_layout<int(O)>(std::get<at>(views), form, in));
  };
  const auto side = [&]<index_t First, index_t Second>(constant<First> first, constant<Second> second) {
    if constexpr (Second >= 0)
      return side_of(operand(first), operand(second));
    else
      return operand(first);
  };
  const auto out = operand(constant<output>{});
  if constexpr (sides.form == canonical::pointwise) {
    launch_pointwise_contraction<T>(call, form.rows.size(), form.loop.size(), operand(constant<0>{}),
                                    operand(constant<1>{}), out);
  } else {
    const auto left = side(constant<sides.left[0]>{}, constant<sides.left[1]>{});
    const auto right = side(constant<sides.right[0]>{}, constant<sides.right[1]>{});
    using left_type = std::remove_const_t<decltype(left)>;
    using right_type = std::remove_const_t<decltype(right)>;
    using out_type = std::remove_const_t<decltype(out)>;
    const gemm_sizes s =
        sizes_for<sum_in<T>>(form.rows.size(), form.cols.size(), form.inner.size(), form.loop.size(), call.batch, tile,
                             tile, threads, positions<left_type, right_type, out_type>::each, 1);
    launch_gemm<sum_in<T>, tiled, tiled, tiled, block_shape<0, threads, tile, tile>>(
        gemm_arguments<sum_in<T>, left_type, right_type, out_type>{
            limited_sharing(left, s.row_tiles == 1), limited_sharing(right, s.col_tiles == 1), out,
            tessera::detail::factor_in<sum_in<T>>(call.scale.alpha),
            tessera::detail::factor_in<sum_in<T>>(call.scale.beta), s},
        call.name, call.stream);
  }
}

/// Throws if the call is not valid. Returns the number of batch entries, 0 if there is nothing to do.
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

/// Complex numbers are only aligned like their parts, so they may start inside an access of the packed kernel.
template <class View>
bool starts_on_entry(const View& v) {
  if constexpr (is_complex<typename View::value_type>)
    return reinterpret_cast<std::uintptr_t>(v.data()) % sizeof(typename View::value_type) == 0;
  else
    return true;
}

/// Checks, then queues one kernel. An empty result queues nothing.
template <fixed_string Text, class Scaling, any_view... View>
void contract_views(const Scaling& scale, stream_view on, const View&... view) {
  tessera::detail::check_statically<Text, View...>();
  constexpr int inputs = int(sizeof...(View)) - 1;
  const auto views = std::tie(view...);
  using types = call_types<std::tuple<View...>, Scaling>;
  using T = std::conditional_t<types::is_plain, typename types::in, types>;
  tessera::detail::check_types<typename types::sum, View...>();
  if (!tessera::detail::takes<typename types::sum>(scale)) tessera::detail::refuse_scaling(Text.text);
  tessera::detail::argument all[] = {tessera::detail::argument_of(view)...};
  all[inputs].distinct = tessera::detail::distinct_output(all[inputs], std::get<inputs>(views).layout());
  contract_call call{{Text.text}, scale, static_cast<cudaStream_t>(on.handle()), 0};
  if constexpr ((static_layout<typename View::layout_kind>() && ...)) {
    using form = static_form<Text, typename View::layout_kind...>;
    call.batch = checked_batch<Text>(all, inputs, form::form);
    if (call.batch == 0) return;
    if constexpr (has_packed_form<T, form, decltype(views)>()) {
      const bool packed = [&]<int... I>(sequence<I...>) {
        return (is_packed_view<form, operand_number<Text>(I)>(view, call.batch) && ...);
      }
      (iota<inputs + 1>{});
      if (packed && (starts_on_entry(view) && ...)) return launch_packed_contraction<T, form>(call, views);
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
