// SPDX-License-Identifier: BSD-3-Clause
// Sizes the operands, determines the number of runs per sample, and takes samples.
#include "work/kernel_timing.hpp"

#include <algorithm>
#include <cmath>

#include "measure/machine.hpp"
#include "measure/stopwatch.hpp"

namespace tessera::tune {

namespace {

constexpr int most_tries = 5;
constexpr index_t windows = 32;

index_t batch_of(const tuning_case& c, const product_size& s) {
  const index_t left = c.n > 0 ? s.m * s.k : 0;
  const auto bytes = std::size_t(left + s.k * s.n + s.m * s.n) * size_of(c.type);
  return std::max<index_t>(1, index_t(operand_bytes(c.in) / bytes));
}

// In FEM chains a table of k columns is multiplied with k x k others.
product_size timed_size(const tuning_case& c) { return product_size::of(c, c.k * c.k); }

template <class T>
problem<T> timed_problem(const tuning_case& c) {
  const product_size s = timed_size(c);
  return packed_problem<T>(s, batch_of(c, s), c.n > 0 ? s.m * s.k : 0, s.m * s.n, T(1), T(0));
}

// Repeats a few pages of numbers: memory is allocated again for every sitting.
template <class T>
void fill(const guarded_buffer<T>& buffer, std::uint64_t seed) {
  constexpr std::size_t period = 16'381;
  const std::size_t drawn = std::min(period, buffer.size());
  for (std::size_t i = 0; i < drawn; ++i) buffer.data()[i] = T(value_at(i + seed));
  for (std::size_t i = drawn; i < buffer.size(); i += drawn)
    std::copy_n(buffer.data(), std::min(drawn, buffer.size() - i), buffer.data() + i);
}

}  // namespace

std::size_t operand_bytes(memory_regime in) {
  const bench::machine& here = bench::this_machine();
  return in == memory_regime::cache ? here.l2_bytes / 2 : std::max(4 * here.llc_bytes, std::size_t{256} << 20);
}

template <class T>
timing_ground<T>::timing_ground(const tuning_case& c)
    : in_(c.in),
      size_(timed_size(c)),
      problem_(timed_problem<T>(c)),
      entries_{std::size_t(size_.m * size_.k * (c.n > 0 ? problem_.batch : 1)),
               std::size_t(size_.k * size_.n * problem_.batch), std::size_t(size_.m * size_.n * problem_.batch)},
      memory_(buffer::bytes_for(entries_.left) + buffer::bytes_for(entries_.right) + buffer::bytes_for(entries_.out)),
      a_(memory_, entries_.left),
      b_(memory_, entries_.right),
      c_(memory_, entries_.out),
      window_(c.in == memory_regime::cache ? problem_.batch : (problem_.batch + windows - 1) / windows) {
  fill(a_, 0);
  fill(b_, 1'000'003);
  std::fill(c_.begin(), c_.end(), T(0));
  problem_.left[0].data = a_.data();
  problem_.right[0].data = b_.data();
  problem_.out.data = c_.data();
}

template <class T>
index_t timing_ground<T>::run_steps(kernel<T> f, long steps) {
  index_t products = 0;
  for (long i = 0; i < steps; ++i) {
    const index_t last = std::min(problem_.batch, next_ + window_);
    f(problem_, next_, last);
    products += last - next_;
    next_ = last == problem_.batch ? 0 : last;
  }
  return products;
}

template <class T>
double timing_ground<T>::seconds_of(kernel<T> f, bool add, double least) {
  problem_.beta = T(add ? 1 : 0);
  const auto found = steps_.try_emplace(f, std::array<long, 2>{1, 1}).first;
  long& steps = found->second[add ? 1 : 0];
  // Brings the operands back to cache after another kernel, and this kernel's code, too.
  if (in_ == memory_regime::cache) run_steps(f, 1);
  for (;;) {
    const bench::stopwatch watch;
    const index_t products = run_steps(f, steps);
    const double seconds = watch.seconds();
    if (seconds >= least) return seconds / double(products);
    const double wanted = 1.3 * least / std::max(seconds, 1e-7) * double(steps);
    steps = std::max(steps + 1, long(wanted));
  }
}

template <class T>
timed timing_ground<T>::sample(kernel<T> f, double least) {
  timed best;
  for (int tries = 0; tries < most_tries; ++tries) {
    const long before = bench::involuntary_switches();
    best.seconds = std::sqrt(seconds_of(f, false, least) * seconds_of(f, true, least));
    best.disturbed = bench::involuntary_switches() != before;
    if (!best.disturbed) break;
  }
  return best;
}

template class timing_ground<float>;
template class timing_ground<double>;

}  // namespace tessera::tune
