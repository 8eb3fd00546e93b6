// SPDX-License-Identifier: BSD-3-Clause
// What both programs of dense tables have in common: elements, x, y and D, and the function at a point.
#pragma once

#include <tessera/element/at_point.hpp>
#include <tessera/gpu/detail/element/arguments.hpp>
#include <tessera/gpu/detail/element/dense_layout.hpp>
#include <tessera/gpu/detail/element/e_vector.cuh>

namespace tessera::device {

/// Sizes and tuning as a type: <tessera/gpu/detail/element/dense_layout.hpp> says what the numbers mean.
template <int Dim, int D, int Q, int T, int Lanes, int Groups, int Elements, int Points, int Blocks, bool Ahead,
          bool ByWarp = false>
struct dense_form {
  static constexpr int dim = Dim, d = D, q = Q, t = T, blocks = Blocks;
  static constexpr dense_tuning tuning{Lanes, Groups, Elements, Points, Blocks, Ahead, ByWarp};
};

/// Stored: type of D in memory. Several: more than one application of the function to an element. Loader, Storer: of x
/// and y, see e_vector.cuh.
template <class T, class Stored, class Function, class Form, bool Several, class Loader, class Storer>
class dense_elements {
 protected:
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, t = Form::t;
  static constexpr int trials = Function::trial.components, tests = Function::test.components;
  static constexpr int in = slots_of(Function::trial, dim), out = slots_of(Function::test, dim);
  static constexpr int factors = Function::factors;
  static constexpr dense_layout layout{{d, q, t, trials, tests, in, out, factors, int(sizeof(T))}, Form::tuning};

 public:
  static constexpr int threads = layout.threads(), blocks = Form::blocks, parts = layout.parts();
  static constexpr bool by_warp = Form::tuning.by_warp;
  static constexpr int elements_of_block = layout.elements(), shared_entries = layout.entries();
  using value_type = T;
  using arguments = element_arguments<T, typename Loader::layout, typename Storer::layout>;
  using tables = dense_tables<T>;
  using function = Function;

  constexpr dense_elements(const arguments& a, const tables& all, const Function& f, T* shared, index_t block,
                           int thread)
      : a_(a), tables_(all), function_(f), shared_(shared), first_(block * elements_of_block), thread_(thread) {}

  /// How often all steps run.
  constexpr int rounds() const { return Several ? a_.repeats * a_.sides : 1; }

 protected:
  /// Of an element's number in the block.
  constexpr bool is_there(int element) const { return first_ + element < a_.count; }
  constexpr index_t number_of(int element) const {
    return a_.list != nullptr ? a_.list[first_ + element] : a_.first + first_ + element;
  }
  constexpr int side() const { return Several ? round_ / a_.repeats : 0; }
  constexpr int repeat() const { return Several ? round_ % a_.repeats : 0; }
  constexpr auto x_of(int element, int c) const {
    return Loader{a_.x, a_.x_layout, a_.x_side}.entries(number_of(element), repeat() * trials + c, side());
  }
  constexpr void put_y(int element, int c, int i, T value) const {
    const Storer y{a_.y, a_.y_layout, a_.y_side, a_.add};
    y.entries(number_of(element), repeat() * tests + c, side()).put(i, value);
  }

  constexpr const Stored* data_of(int element) const {
    return static_cast<const Stored*>(a_.D) + number_of(element) * (index_t(q) * factors);
  }
  /// `from` being D of the element from the point on.
  static constexpr void read_data(const Stored* from, Stored (&own)[factors]) {
#pragma unroll
    for (int f = 0; f < factors; ++f) own[f] = from[q * f];
  }

  /// u of the numbers of(component, slot): the value's slot, if there is one, then those of the derivatives.
  template <class Of>
  static constexpr void put(const Of& of, at_point<T, trials, dim>& u) {
#pragma unroll
    for (int c = 0; c < trials; ++c) {
      if constexpr (Function::trial.value) u.value[c] = of(c, 0);
      if constexpr (Function::trial.gradient) {
#pragma unroll
        for (int a = 0; a < dim; ++a) u.gradient[c][a] = of(c, Function::trial.value + a);
      }
    }
  }
  /// to(component, slot, number) of v.
  template <class To>
  static constexpr void take(const at_point<T, tests, dim>& v, const To& to) {
#pragma unroll
    for (int c = 0; c < tests; ++c) {
      if constexpr (Function::test.value) to(c, 0, v.value[c]);
      if constexpr (Function::test.gradient) {
#pragma unroll
        for (int a = 0; a < dim; ++a) to(c, Function::test.value + a, v.gradient[c][a]);
      }
    }
  }
  constexpr void call(const at_point<T, trials, dim>& u, const Stored (&own)[factors],
                      at_point<T, tests, dim>& v) const {
    T D[factors];
#pragma unroll
    for (int f = 0; f < factors; ++f) D[f] = T(own[f]);
    function_(u, D, v);
  }

  const arguments& a_;
  const tables& tables_;
  const Function& function_;
  T* shared_;
  index_t first_;
  int thread_, round_ = 0;
};

}  // namespace tessera::device
