// SPDX-License-Identifier: BSD-3-Clause
// Operands in cache, or more memory than the caches hold, of which each sample uses the next window.
#include "work/element_ground.hpp"

#include <omp.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include <tessera/element/evaluation.hpp>

#include "measure/machine.hpp"
#include "measure/stopwatch.hpp"
#include "space/as_config.hpp"
#include "space/element_run_space.hpp"
#include "work/element_check.hpp"
#include "work/element_reference.hpp"
#include "work/guarded_buffer.hpp"
#include "work/kernel_check.hpp"

namespace tessera::tune {

namespace {

constexpr int most_tries = 5;

evaluation_spec spec_of(const tuning_case& c, const element_run& how) {
  evaluation_spec spec = spec_of(c);
  spec.run = how;
  return spec;
}

// Elements with x, y and D of their own.
template <class T>
class operands {
 public:
  operands(const tuning_case& c, const evaluation<T>& by, index_t elements)
      : elements_(elements),
        each_(numbers_of(*c.element)),
        memory_(2 * guarded_buffer<T>::bytes_for(entries())),
        x_(memory_, entries()),
        y_(memory_, entries()),
        D_(point_data<T>::stored(by, elements)) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_.data()[i] = T(value_at(i % period));
    std::fill(y_.begin(), y_.end(), T(0));
    std::vector<T> numbers(std::size_t(each_.of_D * at_once));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = T(value_at(i + 1'000'003));
    for (index_t e = 0; e < elements; e += at_once) D_.set(e, std::min(at_once, elements - e), numbers.data());
  }

  void apply(const evaluation<T>& by, index_t first, index_t last) {
    const element_layout layout = element_layout::conventional(by.trial_size(), by.components());
    by.apply(element_set::range(first, last), {.x = x_.data(), .x_layout = layout, .y = y_.data(), .y_layout = layout},
             D_);
  }

  index_t elements() const { return elements_; }
  const T* x_of(index_t e) const { return x_.data() + each_.entries * e; }
  T* y_of(index_t e) const { return y_.data() + each_.entries * e; }
  std::vector<T> result() const { return {y_.begin(), y_.end()}; }
  /// D of element e, as it was set.
  std::vector<T> numbers_at(index_t e) const {
    std::vector<T> numbers(std::size_t(each_.of_D));
    const index_t start = e % at_once * each_.of_D;
    for (index_t i = 0; i < each_.of_D; ++i)
      numbers[std::size_t(i)] = T(value_at(std::uint64_t(start + i) + 1'000'003));
    return numbers;
  }
  void spoil_results() { std::fill(y_.begin(), y_.end(), std::numeric_limits<T>::quiet_NaN()); }
  bool is_intact() const { return x_.is_intact() && y_.is_intact(); }

 private:
  static constexpr std::size_t period = 16'381;
  static constexpr index_t at_once = 61;  // no multiple of lanes: elements of a block differ, and so do blocks

  std::size_t entries() const { return std::size_t(each_.entries * elements_); }

  index_t elements_;
  element_numbers each_;
  large_pages memory_;
  guarded_buffer<T> x_, y_;
  point_data<T> D_;
};

template <class T>
class ground_of final : public element_ground {
 public:
  explicit ground_of(const tuning_case& c)
      : case_(c), by_rule_(spec_of(c, ruled_element_run(run_facts_of(c), c.on, c.in))) {
    omp_set_num_threads(1);  // as in records
  }

  std::string fault_of(const element_run& how) override {
    if (!checked_) learn();
    checked_->spoil_results();
    checked_->apply(made(how), 0, checked_->elements());
    if (!checked_->is_intact()) return "wrote outside of the results";
    const index_t each = numbers_of(*case_.element).entries;
    for (const index_t e : {index_t{0}, checked_->elements() / 2, checked_->elements() - 1})
      if (const std::string fault =
              fault_in_element<T>(case_, checked_->x_of(e), checked_->numbers_at(e), checked_->y_of(e));
          !fault.empty())
        return fault + " of element " + std::to_string(e);
    for (std::size_t i = 0; i < results_.size(); ++i)
      if (!(checked_->y_of(0)[i] == results_[i]))
        return "entry " + std::to_string(index_t(i) % each) + " of element " + std::to_string(index_t(i) / each) +
               " is " + std::to_string(checked_->y_of(0)[i]) + ", by rule it is " + std::to_string(results_[i]);
    return {};
  }

  index_t allocate() override {
    if (!timed_) {
      const element_numbers each = numbers_of(*case_.element);
      const auto bytes_each = std::size_t(2 * each.entries + each.of_D) * sizeof(T);
      window_ = whole_blocks(window_bytes() / bytes_each);
      const auto windows = index_t((operand_bytes(case_.in) + window_bytes() - 1) / window_bytes());
      timed_.emplace(case_, by_rule_, window_ * windows);
    }
    return timed_->elements();
  }

  std::string describe(const element_run& how) override { return made(how).describe(); }

  timed sample(const element_run& how, double least) override {
    allocate();
    const evaluation<T>& by = made(how);
    timed best;
    for (int tries = 0; tries < most_tries; ++tries) {
      const long before = bench::involuntary_switches();
      best.seconds = seconds_of(by, least);
      best.disturbed = bench::involuntary_switches() != before;
      if (!best.disturbed) break;
    }
    return best;
  }

  bool is_intact() const override { return !timed_ || timed_->is_intact(); }

 private:
  // As much as the last-level cache: dirty lines of another candidate are written back before a sample begins.
  std::size_t window_bytes() const {
    const std::size_t all = operand_bytes(case_.in);
    return case_.in == memory_regime::cache ? all : std::min(all, bench::this_machine().llc_bytes);
  }
  index_t whole_blocks(std::size_t elements) const {
    return std::max<index_t>(1, index_t(elements) / by_rule_.lanes()) * by_rule_.lanes();
  }

  const evaluation<T>& made(const element_run& how) {
    const config key = as_config(how);
    const auto found = made_.find(key);
    return found != made_.end() ? found->second : made_.emplace(key, spec_of(case_, how)).first->second;
  }

  void learn() {
    const element_numbers each = numbers_of(*case_.element);
    // Odd: the last block is partial.
    const index_t elements = std::clamp<index_t>(500'000 / (each.entries + each.of_D), 37, 1031) | 1;
    checked_.emplace(case_, by_rule_, elements);
    checked_->apply(by_rule_, 0, elements);
    results_ = checked_->result();
  }

  index_t run_windows(const evaluation<T>& by, long windows) {
    for (long i = 0; i < windows; ++i) {
      timed_->apply(by, next_, next_ + window_);
      next_ = next_ + window_ == timed_->elements() ? 0 : next_ + window_;
    }
    return window_ * windows;
  }

  double seconds_of(const evaluation<T>& by, double least) {
    run_windows(by, 1);
    for (;;) {
      const bench::stopwatch watch;
      const index_t elements = run_windows(by, windows_);
      const double seconds = watch.seconds();
      if (seconds >= least) return seconds / double(elements);
      windows_ = std::max(windows_ + 1, long(1.3 * least / std::max(seconds, 1e-7) * double(windows_)));
    }
  }

  tuning_case case_;
  evaluation<T> by_rule_;
  std::map<config, evaluation<T>> made_;
  std::optional<operands<T>> checked_, timed_;
  std::vector<T> results_;  // the rule's
  index_t window_ = 0, next_ = 0;
  long windows_ = 1;  // of a sample
};

}  // namespace

std::unique_ptr<element_ground> element_ground_for(const tuning_case& c) {
  if (c.type == scalar_type::f64) return std::make_unique<ground_of<double>>(c);
  return std::make_unique<ground_of<float>>(c);
}

}  // namespace tessera::tune
