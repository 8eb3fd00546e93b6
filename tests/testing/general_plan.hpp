// SPDX-License-Identifier: BSD-3-Clause
// Tensors of general contractions in device memory, as operands of plans: over integers, so that results are exact.
#pragma once

#include <tessera/memory.hpp>
#include <tessera/plan.hpp>

#include <cmath>
#include <vector>

#include "testing/general_case.hpp"

namespace tessera::testing {

/// A batch of one tensor, again and again, from entry `shift` of device memory of which the rest is NaN.
class placed_tensor {
 public:
  placed_tensor(const operand_facts& facts, const std::vector<double>& of, index_t count = 1, index_t shift = 0)
      : facts_(facts),
        count_(count),
        stride_(index_t(of.size()) + shift),
        shift_(shift),
        numbers_(std::size_t(count * stride_ + shift), std::nan("")),
        memory_(space_kind::gpu, numbers_.size() * sizeof(double)) {
    for (index_t b = 0; b < count; ++b) std::copy(of.begin(), of.end(), numbers_.begin() + shift + b * stride_);
    write();
  }

  /// Of a plan: `is_batch` is false for one tensor.
  operand as_operand(bool is_batch = true) const {
    operand o{.type = scalar_type::f64, .entry_bytes = sizeof(double), .space = space_kind::gpu, .facts = facts_};
    o.batched = is_batch;
    o.data = static_cast<double*>(memory_.data()) + shift_;
    o.stride = is_batch ? stride_ : 0;
    o.count = is_batch ? count_ : 1;
    o.span = 1;
    for (int d = 0; d < facts_.rank; ++d) o.span += (facts_.extent[d] - 1) * facts_.stride[d];
    return o;
  }
  void write() { copy_memory(memory_.data(), numbers_.data(), memory_.bytes()); }
  std::vector<double> read() const {
    std::vector<double> found(numbers_.size());
    copy_memory(found.data(), memory_.data(), memory_.bytes());
    return found;
  }
  /// Whether all tensors are `wanted` and nothing else has changed.
  bool holds(const std::vector<double>& wanted) const {
    std::vector<double> expected = numbers_;
    for (index_t b = 0; b < count_; ++b)
      std::copy(wanted.begin(), wanted.end(), expected.begin() + shift_ + b * stride_);
    const std::vector<double> found = read();
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    return std::equal(found.begin(), found.end(), expected.begin(), same);
  }

 private:
  operand_facts facts_;
  index_t count_, stride_, shift_;
  std::vector<double> numbers_;
  buffer memory_;
};

/// The three tensors of a case.
struct placed_case {
  explicit placed_case(general_case& of, index_t count = 1, index_t shift = 0)
      : left(of.of(0), of.left, count, shift),
        right(of.of(1), of.right, count, shift),
        out(of.of(2), of.out, count, shift) {}

  plan make(const general_case& of, const plan_options& options = {}, bool is_batch = true) const {
    const std::vector<operand> all = operands(is_batch);
    return make_plan_of(contraction(of.text).scaled(of.alpha, of.beta), all.data(), 3, options);
  }
  void run(const plan& by, stream_view on = {}, bool is_batch = true) const {
    by.run_operands(operands(is_batch).data(), 3, on);
  }
  std::vector<operand> operands(bool is_batch = true) const {
    return {left.as_operand(is_batch), right.as_operand(is_batch), out.as_operand(is_batch)};
  }

  placed_tensor left, right, out;
};

/// A contraction of packed tensors of these extents, by their letters from 'a' on, over small integers.
inline general_case packed_case(const std::string& einsum_text, const index_t* extent_of_letter) {
  general_case made;
  made.text = einsum_text;
  const einsum e = made.modes();
  std::vector<double>* const memory[] = {&made.left, &made.right, &made.out};
  int next = int(einsum_text.size());
  for (int t = 0; t < 3; ++t) {
    const int o = t == 2 ? output : t;
    operand_facts& facts = made.facts[o];
    facts.rank = e.operand[o].rank;
    index_t stride = 1;
    for (int d = 0; d < facts.rank; ++d) {
      facts.extent[d] = extent_of_letter[e.operand[o].letter[d] - 'a'];
      facts.stride[d] = stride;
      stride *= facts.extent[d];
    }
    for (index_t i = 0; i < stride; ++i) memory[t]->push_back((next = (next * 37 + 11) % 101) % 9 - 4);
  }
  return made;
}

}  // namespace tessera::testing
