// SPDX-License-Identifier: BSD-3-Clause
// contract<"kj,jbc->kbc">(a, b, c) on a CPU, resolved at compile time and inlined in the caller's code.
#pragma once

#include <tessera/cpu/detail/any_type.hpp>
#include <tessera/cpu/detail/gemm.hpp>
#include <tessera/cpu/detail/isa.hpp>
#include <tessera/cpu/detail/lowered_job.hpp>
#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/cpu/detail/plain.hpp>
#include <tessera/cpu/detail/pointwise.hpp>
#include <tessera/detail/records.hpp>
#include <tessera/scaling.hpp>

#include <tuple>
#include <utility>

namespace tessera {

namespace simd {

// The tuning of contract<>: that of a record if sizes are static. The plain loop needs packed operands, so register
// tiles replace it.
template <class Isa, class T, class M, class N, class K>
constexpr cpu_gemm_tuning contract_tuning() {
  if constexpr (is_static<M> && is_static<N> && is_static<K>) {
    const cpu_gemm_tuning t = cpu_tuning_for(Isa::name, scalar_of<T>, M::value, N::value, K::value);
    return t.plain ? modelled_cpu_tuning(Isa::name, scalar_of<T>, M::value, N::value, K::value) : t;
  } else {
    return generic_cpu_tuning(Isa::name);
  }
}

/// The kernels for a call's types: `simd` if entries and sums are all float or all double.
enum class job_kind { simd, simd_pointwise, plain, plain_pointwise };

template <class Isa, job_kind kind, class T, class M, class N, class K, class Left, class Right, class Out>
inline void run_job(const job<T, M, N, K, Left, Right, Out>& j, index_t first, index_t last) {
  if constexpr (kind == job_kind::plain || kind == job_kind::plain_pointwise)
    any_type_loops<Isa, kind == job_kind::plain_pointwise>(j, first, last);
  else if constexpr (kind == job_kind::simd_pointwise)
    pointwise<Isa>(j, first, last);
  else
    gemm<Isa, contract_tuning<Isa, T, M, N, K>()>(j, first, last);
}

// One tensor, or a small batch, on this thread; a larger batch by threads.
template <class Isa, job_kind kind, class Job>
inline void run_batch(const Job& j, index_t count) {
  const double flops =
      2.0 * double(count) * double(j.loops) * double(index_t(j.m)) * double(index_t(j.n)) * double(index_t(j.k));
  if (count == 1 || flops < serial_flops) return run_job<Isa, kind>(j, 0, count);
  index_t bytes = 0, lanes = 1;  // of results; those of a group are anywhere
  if constexpr (requires { j.out.batch_stride; })
    bytes = j.out.batch_stride * index_t(sizeof(*j.out.data)), lanes = j.out.lanes;
  for_result_chunks(
      count, batch_chunks(count), bytes, lanes,
      [](const void* context, index_t first, index_t last) {
        run_job<Isa, kind>(*static_cast<const Job*>(context), first, last);
      },
      &j);
}

/// One tensor whose sizes and strides are constants.
template <class View>
inline constexpr bool is_single_static =
    tessera::detail::is_tensor_view<View>&& is_static_view<View>&& affine_layout<typename View::layout_kind>;

/// The bytes that they span do not meet, and there are some.
template <class In, class Out>
[[gnu::always_inline]] inline bool plainly_apart(const In& in, const Out& out) {
  constexpr index_t span_in = tessera::detail::span_of_layout(typename In::layout_kind{});
  constexpr index_t span_out = tessera::detail::span_of_layout(typename Out::layout_kind{});
  constexpr index_t before_in = facts_of(typename In::layout_kind{}).before();
  constexpr index_t before_out = facts_of(typename Out::layout_kind{}).before();
  if (in.data() == nullptr || out.data() == nullptr) return false;
  const char* const a = reinterpret_cast<const char*>(in.data() - before_in);
  const char* const b = reinterpret_cast<const char*>(out.data() - before_out);
  return a + span_in * index_t(sizeof(typename In::value_type)) <= b ||
         b + span_out * index_t(sizeof(typename Out::value_type)) <= a;
}

/// Checks what `plainly_apart` leaves open, and throws.
template <class Isa, fixed_string text, class... View>
[[gnu::noinline]] void check_single(bool is_pointwise, const View&... view) {
  constexpr int inputs = int(sizeof...(View)) - 1;
  tessera::detail::argument all[] = {tessera::detail::argument_of(view)...};
  all[inputs].distinct = tessera::detail::distinct_output(all[inputs], std::get<inputs>(std::tie(view...)).layout());
  if (!tessera::detail::may_run(all, inputs, all[inputs], is_pointwise))
    tessera::detail::refuse_contract(text.text, all, inputs, all[inputs], call<text, View...>::static_form());
}

/// Single tensors of constant sizes, the arguments of a caller's loop: everything is inline but the errors.
template <class Isa, fixed_string text, job_kind kind, class T, class... View>
[[gnu::always_inline]] inline void contract_single(const scale<T>& s, const View&... view) {
  using this_call = call<text, View...>;
  constexpr int inputs = this_call::count - 1;
  constexpr bool is_pointwise = kind == job_kind::simd_pointwise || kind == job_kind::plain_pointwise;
  using out_layout = typename this_call::template view<output>::layout_kind;
  constexpr bool distinct = tessera::detail::nested_strides(facts_of(out_layout{}), lanes_of<out_layout>(), 0, 1);
  const std::tuple<View...> views(view...);
  const auto& out = std::get<inputs>(views);
  const bool apart = [&]<int... I>(std::integer_sequence<int, I...>) {
    return (plainly_apart(std::get<I>(views), out) && ...);
  }
  (std::make_integer_sequence<int, inputs>{});
  if (!distinct || !apart) [[unlikely]]
    check_single<Isa, text>(is_pointwise, view...);
  constexpr bool is_empty = out_layout{}.extents().size() == 0;
  if constexpr (!is_empty) {
    const auto j = static_job<this_call>(views, s);
    constexpr lowered sides = lower_letters(this_call::e);
    // g++ 12 loses these numbers, and would ask for them to decide whether anything has to be packed.
    if (j.left.factors != (sides.left[1] >= 0 ? 2 : 1) || j.right.factors != (sides.right[1] >= 0 ? 2 : 1))
      __builtin_unreachable();
    run_job<Isa, kind>(j, 0, 1);
  }
}

template <class Isa, fixed_string text, class Scaling, class... View>
inline void contract_views(const Scaling& given, const View&... view) {
  tessera::detail::check_statically<text, View...>();
  using input = typename tessera::detail::nth<0, View...>::value_type;
  using sum = sum_of_call<input, Scaling>;
  tessera::detail::check_types<sum, View...>();
  using this_call = call<text, View...>;
  constexpr int inputs = this_call::count - 1;
  constexpr bool is_pointwise = lower_letters(this_call::e).form == canonical::pointwise;
  const std::tuple<View...> views(view...);
  const auto& out = std::get<inputs>(views);
  using value = typename this_call::template view<output>::value_type;
  constexpr bool is_simd = is_real_scalar<value> && same_type<input, value> && same_type<sum, value>;
  constexpr job_kind kind = is_simd ? (is_pointwise ? job_kind::simd_pointwise : job_kind::simd)
                                    : (is_pointwise ? job_kind::plain_pointwise : job_kind::plain);
  const scale<sum> s{tessera::detail::factor_in<sum>(given.alpha), tessera::detail::factor_in<sum>(given.beta)};
  if (!tessera::detail::takes<sum>(given)) tessera::detail::refuse_scaling(text.text);
  if constexpr ((is_single_static<View> && ...)) return contract_single<Isa, text, kind>(s, view...);
  tessera::detail::argument all[] = {tessera::detail::argument_of(view)...};
  all[inputs].distinct = tessera::detail::distinct_output(all[inputs], out.layout());
  const auto refuse_unless = [&](bool good, const lowered& form) {
    if (!good) tessera::detail::refuse_contract(text.text, all, inputs, all[inputs], form);
  };
  const bool runs = tessera::detail::may_run(all, inputs, all[inputs], is_pointwise);
  const index_t count = all[inputs].count;
  if constexpr (this_call::all_static) {
    if (!runs) refuse_unless(false, this_call::static_form());  // the form is computed for an error only
    if (count > 0 && out.extents().size() > 0) run_batch<Isa, kind>(static_job<this_call>(views, s), count);
  } else {
    tessera::detail::lowering in{this_call::e, {}};
    for (int o = 0; o <= inputs; ++o) in.facts[o == inputs ? output : o] = all[o].facts;
    const lowered form = lower(this_call::e, in.facts);
    refuse_unless(runs && form.fault == lower_fault::none, form);
    if (count == 0 || out.extents().size() == 0) return;
    bool strided = true;
    for (int o = 0; o <= inputs; ++o) {
      const int place = o == inputs ? output : o;
      strided = strided && is_strided(form, in.facts[place], place);
    }
    if constexpr (this_call::all_affine)
      if (strided) return run_batch<Isa, kind>(strided_job<this_call>(form, views, s), count);
    run_batch<Isa, kind>(layout_job<this_call>(form, in, views, s), count);
  }
}

}  // namespace simd

/// out = alpha sum a b + beta out, over the letters that the output lacks: contract<"kj,jbc->kbc">(table, x, y).
/// Arguments are CPU views, tensors, batches or groups; a tensor is shared by all entries of the batch. beta = 0 never
/// reads out. conj(a) reads a conjugated; sums_in<double>(s) for s keeps sums in double. Sizes that disagree do not
/// compile where static, else throw status::shape_mismatch; an output that shares memory with an input (in place is
/// fine where the contraction is pointwise and the layout the same) throws status::overlap.
template <fixed_string text, class Isa = simd::native_isa, class A, class B, class Out, class Scaling = scaling>
  requires detail::contractible_in<A, space_kind::cpu> && detail::contractible_in<B, space_kind::cpu> &&
      detail::contractible_in<Out, space_kind::cpu> && detail::is_scaling<Scaling>
inline void contract(A&& a, B&& b, Out&& out, const Scaling& s = {}) {
  simd::contract_views<Isa, text>(s, detail::as_view(a), detail::as_view(b), detail::as_view(out));
}

/// Three inputs, kernel (9): the first two form a pointwise product that is contracted with the third:
/// contract<"ki,kj,kl->ilj">(b, b, d, out).
template <fixed_string text, class Isa = simd::native_isa, class A, class B, class C, class Out,
          class Scaling = scaling>
  requires detail::contractible_in<A, space_kind::cpu> && detail::contractible_in<B, space_kind::cpu> &&
      detail::contractible_in<C, space_kind::cpu> && detail::contractible_in<Out, space_kind::cpu> &&
      detail::is_scaling<Scaling>
inline void contract(A&& a, B&& b, C&& c, Out&& out, const Scaling& s = {}) {
  simd::contract_views<Isa, text>(s, detail::as_view(a), detail::as_view(b), detail::as_view(c), detail::as_view(out));
}

}  // namespace tessera
