// SPDX-License-Identifier: BSD-3-Clause
// The plain reference: contractions by plain loops over the letters, simple enough to be trusted, for any type and
// layout.
#pragma once

#include <cmath>

#include <tessera/core/einsum.hpp>
#include <tessera/cpu/detail/compensated.hpp>
#include <tessera/detail/problem.hpp>
#include <tessera/scaling.hpp>
#include <tessera/view.hpp>

namespace tessera {

/// The exact value of an entry of the result, and the bound of its error: |computed - value| <= gamma magnitude with
/// magnitude = |alpha| sum |a| |b| + |beta c|.
template <class Accumulate>
struct reference_value {
  Accumulate value{};
  Accumulate magnitude{};
};

namespace detail {

constexpr int slot(char letter) { return static_cast<unsigned char>(letter); }

// Every letter's extent and current value.
struct letter_state {
  index_t extent[128]{};
  index_t at[128]{};

  template <class View>
  void learn(const modes& letters, const View& v) {
    for (int d = 0; d < letters.rank; ++d) extent[slot(letters.letter[d])] = v.extents()(d);
  }
  index_t size_of(const modes& letters) const {
    index_t product = 1;
    for (int d = 0; d < letters.rank; ++d) product *= extent[slot(letters.letter[d])];
    return product;
  }
  void set(const modes& letters, index_t linear) {
    for (int d = 0; d < letters.rank; ++d) {
      at[slot(letters.letter[d])] = linear % extent[slot(letters.letter[d])];
      linear /= extent[slot(letters.letter[d])];
    }
  }
};

// The entry of operand v at batch position e and the letters' current values.
template <class View>
auto& entry_at(const View& v, const modes& letters, const letter_state& state, index_t e) {
  index_t index[max_rank]{};
  for (int d = 0; d < letters.rank; ++d) index[d] = state.at[slot(letters.letter[d])];
  index_t start = 0;
  if constexpr (View::is_batch) start = batch_start(e, v.stride(), lanes_of<typename View::layout_kind>());
  return v.data()[start + offset_at(v.layout(), index)];
}

constexpr modes summed_letters(const einsum& e) {
  modes summed;
  for (int o = 0; o < e.inputs; ++o)
    for (int d = 0; d < e.operand[o].rank; ++d)
      if (!e.out().has(e.operand[o].letter[d]) && !summed.has(e.operand[o].letter[d]))
        summed.append(e.operand[o].letter[d]);
  return summed;
}

template <class Accumulate>
Accumulate magnitude_of(const Accumulate& a) {
  using std::abs;
  return abs(a);
}

}  // namespace detail

/// f(entry, reference_value) for every entry of the output, in memory of the output's batch: `entry` is a reference to
/// it. The output is read only where beta != 0. Three inputs are the kernel (9).
template <class Accumulate, class F, class Out, class... Input>
void each_reference(const einsum& e, scaling s, F f, const Out& out, const Input&... input) {
  detail::letter_state state;
  int o = 0;
  (state.learn(e.operand[o++], input), ...);
  const modes summed = detail::summed_letters(e);
  index_t batch = 1;
  if constexpr (Out::is_batch) batch = out.count();
  for (index_t b = 0; b < batch; ++b)
    for (index_t i = 0; i < state.size_of(e.out()); ++i) {
      reference_value<Accumulate> sum;
      state.set(e.out(), i);
      for (index_t k = 0; k < state.size_of(summed); ++k) {
        state.set(summed, k);
        Accumulate product(1);
        int at = 0;
        ((product = product * Accumulate(detail::entry_at(input, e.operand[at++], state, b))), ...);
        sum.value += product;
        sum.magnitude += detail::magnitude_of(product);
      }
      auto& entry = detail::entry_at(out, e.out(), state, b);
      using entry_type = typename Out::value_type;
      const auto alpha = detail::factor_in<entry_type>(s.alpha), beta = detail::factor_in<entry_type>(s.beta);
      sum.value = Accumulate(alpha) * sum.value;
      sum.magnitude = detail::magnitude_of(Accumulate(alpha)) * sum.magnitude;
      if (s.beta != 0) {
        const Accumulate old = Accumulate(beta) * Accumulate(entry);
        sum.value += old;
        sum.magnitude += detail::magnitude_of(old);
      }
      f(entry, sum);
    }
}

/// out = alpha (contraction) + beta out.
template <class Accumulate, class A, class B, class Out>
void reference_contract(const einsum& e, const A& a, const B& b, const Out& out, scaling s = assign) {
  using value = typename Out::value_type;
  each_reference<Accumulate>(
      e, s, [](value& entry, const auto& r) { entry = value(r.value); }, out, a, b);
}
template <class Accumulate, class A, class B, class C, class Out>
  requires any_view<Out>
void reference_contract(const einsum& e, const A& a, const B& b, const C& c, const Out& out, scaling s = assign) {
  using value = typename Out::value_type;
  each_reference<Accumulate>(
      e, s, [](value& entry, const auto& r) { entry = value(r.value); }, out, a, b, c);
}

/// The reference target: plain loops over a run-time problem of any form, for every product of known_products.
template <class In, class Out, class Sum>
void reference_problem(const problem<In, Out, Sum>& p, index_t first, index_t last);

}  // namespace tessera
