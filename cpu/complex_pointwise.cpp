// SPDX-License-Identifier: BSD-3-Clause
// Pointwise products of complex numbers: out(r) = alpha left(r) right(r) + beta out(r), entry by entry.
#include <tessera/cpu/detail/converted_run.hpp>
#include "entry_nest.hpp"

namespace tessera::detail {

namespace {

template <class T>
class pointwise_call {
 public:
  pointwise_call(const problem<complex<T>>& p, const any_members& groups)
      : p_(p), out_members_(static_cast<complex<T>* const*>(groups.out)) {
    for (int f = 0; f < p.left_factors; ++f) add(p.left[f], p.left_conjugated[f], groups.left[f]);
    for (int f = 0; f < p.right_factors; ++f) add(p.right[f], p.right_conjugated[f], groups.right[f]);
  }

  void run(index_t first, index_t last) const {
    bool apart = p_.out.lanes > 1 || out_members_ != nullptr;
    for (int f = 0; f < count_; ++f) apart = apart || factors_[f]->lanes > 1 || members_[f] != nullptr;
    const index_t together = apart ? 1 : last - first;
    for (; first < last; first += together) run_entries(first, together);
  }

 private:
  // Arrays of a nest: the output and its table, then those of the factors.
  static constexpr int arrays = 10;
  using loop = entry_loop<arrays>;

  void add(const factor<const complex<T>>& f, bool conjugated, const void* group) {
    factors_[count_] = &f;
    members_[count_] = static_cast<const complex<T>* const*>(group);
    conjugated_[count_++] = conjugated;
  }

  // The distances of a loop: f(factor) in the memory of one without a table, else `in_table`.
  template <class F>
  loop loop_of(index_t extent, index_t in_table, const F& f) const {
    loop all{.extent = extent};
    const auto set = [&](const auto& of, int at) {
      all.step[at + (of.map.table != nullptr ? 1 : 0)] = of.map.table != nullptr ? in_table : f(of);
    };
    set(p_.out, 0);
    for (int i = 0; i < count_; ++i) set(*factors_[i], 2 + 2 * i);
    return all;
  }

  void run_entries(index_t first, index_t count) const {
    entry_nest<arrays> nest;
    nest.add(loop_of(p_.m, 1, [](const auto& of) { return of.map.row; }));
    index_t steps = p_.m;
    for (int i = 0; p_.loops > 1 && i < p_.out.map.loop_rank; ++i) {
      nest.add(loop_of(p_.out.map.loop_extent[i], steps, [i](const auto& of) { return of.map.loop_stride[i]; }));
      steps *= p_.out.map.loop_extent[i];
    }
    loop batch{.extent = count, .step = {p_.out.batch_stride}};
    for (int i = 0; i < count_; ++i) batch.step[2 + 2 * i] = factors_[i]->batch_stride;
    nest.add(batch);

    complex<T>* const out = out_members_ != nullptr ? out_members_[first] : p_.out.start(first);
    const complex<T>* from[4] = {};
    for (int i = 0; i < count_; ++i) from[i] = members_[i] != nullptr ? members_[i][first] : factors_[i]->start(first);
    nest.each([&](const index_t* at, const loop& inner, const loop& outer) {
      const auto offset = [&](const run_time_map& map, int array, index_t i, index_t j) {
        const index_t data = at[array] + i * inner.step[array] + j * outer.step[array];
        const int t = array + 1;
        return map.table == nullptr ? data : data + map.table[at[t] + i * inner.step[t] + j * outer.step[t]];
      };
      for (index_t j = 0; j < outer.extent; ++j)
        for (index_t i = 0; i < inner.extent; ++i) {
          complex<T> value = p_.alpha;
          for (int f = 0; f < count_; ++f) {
            const complex<T>& read = from[f][offset(factors_[f]->map, 2 + 2 * f, i, j)];
            value *= conjugated_[f] ? conj(read) : read;
          }
          complex<T>& entry = out[offset(p_.out.map, 0, i, j)];
          entry = p_.beta == complex<T>(T(0)) ? value : value + p_.beta * entry;
        }
    });
  }

  const problem<complex<T>>& p_;
  complex<T>* const* out_members_;
  const factor<const complex<T>>* factors_[4] = {};
  const complex<T>* const* members_[4] = {};
  bool conjugated_[4] = {};
  int count_ = 0;
};

}  // namespace

template <class T>
void run_pointwise(const problem<complex<T>>& p, const any_members& groups, index_t first, index_t last) {
  pointwise_call<T>(p, groups).run(first, last);
}

template void run_pointwise(const problem<complex<float>>&, const any_members&, index_t, index_t);
template void run_pointwise(const problem<complex<double>>&, const any_members&, index_t, index_t);

}  // namespace tessera::detail
