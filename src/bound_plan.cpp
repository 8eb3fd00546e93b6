// SPDX-License-Identifier: BSD-3-Clause
// Plans with their operands: a run over a part of the batch is a call of the kernel row.
#include <tessera/bound_plan.hpp>

#include <algorithm>
#include <type_traits>

#include "problem_operands.hpp"

namespace tessera {

namespace detail {

struct bound_state {
  std::shared_ptr<const plan_state> of;
  operand given[max_inputs + 1];  // in the caller's order
  int number = 0;
  index_t count = 0;
  any_problem problem;  // with pointers and strides
  bool writes = false;
  void (*run)(const bound_state&, index_t first, index_t last) = nullptr;
};

namespace {

template <class Problem>
void run_part(const bound_state& b, index_t first, index_t last) {
  run_entries(*b.of, *std::get_if<Problem>(&b.problem), arguments(b.given, b.number), first, last);
}

void run_custom_part(const bound_state& b, index_t first, index_t last) {
  const index_t entries = b.of->custom->outer_size();
  run_custom(*b.of->custom, arguments(b.given, b.number), first * entries, last * entries);
}

}  // namespace

}  // namespace detail

bound_plan plan::bind_operands(const operand* given, int count) const {
  check_operands(given, count);
  if (where() == target::cuda)
    throw error("bind \"" + state_->what.text() + "\": the plan is for cuda; parts of a batch run on CPUs only",
                status::wrong_space);
  const auto b = std::make_shared<detail::bound_state>();
  b->of = state_;
  std::copy(given, given + count, b->given);
  b->number = count;
  const operand& out = given[count - 1];
  b->count = out.batched ? out.count : 1;
  b->writes = out.entries() > 0;
  if (state_->custom) {
    b->run = &detail::run_custom_part;
    return bound_plan(b);
  }
  b->problem = state_->prototype;
  const detail::arguments operands(b->given, count);
  std::visit(
      [&](auto& p) {
        using problem_type = std::remove_reference_t<decltype(p)>;
        p.batch = b->count;
        detail::each_factor(state_->form, p, [&](auto& f, int o) { detail::fill(f, operands[o]); });
        b->run = &detail::run_part<problem_type>;
      },
      b->problem);
  return bound_plan(b);
}

void bound_plan::run(index_t first, index_t count) const {
  const detail::bound_state& b = *state_;
  if (first < 0 || count < 0 || first > b.count || count > b.count - first)
    throw error("bound_plan \"" + b.of->what.text() + "\": " + std::to_string(count) + " entries from " +
                std::to_string(first) + " on, of a batch of " + std::to_string(b.count));
  if (count > 0 && b.writes) b.run(b, first, first + count);
}

index_t bound_plan::count() const { return state_->count; }

}  // namespace tessera
