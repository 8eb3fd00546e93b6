// SPDX-License-Identifier: BSD-3-Clause
// Executors: items checked, sorted by round and shape, each bucket with its plan or its chains.
#include <tessera/executor.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include <tessera/gpu/detail/runtime.hpp>

#include "bucket_run.hpp"
#include "chain_bucket.hpp"
#include "custom_plan.hpp"
#include "item_rounds.hpp"

namespace tessera {

namespace detail {

/// A bucket in one round.
struct executor_step {
  int round = 0;
  std::string shape;
  std::variant<bucket_run, chain_bucket> how;
};

struct executor_state {
  std::vector<executor_step> steps;  // in the order in which they run
  index_t shapes = 0, rounds = 1;
  std::unique_ptr<buffer> workspace;  // of all chains: they run one after the other
};

}  // namespace detail

namespace {

using detail::chain_ends;
using detail::problem_starts;

// Items with equal keys run in one batch.
using shape_key = std::pair<std::string, std::vector<index_t>>;

void append(std::vector<index_t>& key, const operand& o) {
  key.insert(key.end(), {o.type ? index_t(*o.type) : -1, index_t(o.entry_bytes), index_t(o.space), o.lanes, o.span,
                         index_t(o.facts.affine), index_t(o.conjugated), o.facts.rank});
  for (int d = 0; d < o.facts.rank; ++d) key.insert(key.end(), {o.facts.extent[d], o.facts.stride[d]});
  if (o.offsets) key.insert(key.end(), o.offsets->begin(), o.offsets->end());
}

void append(shape_key& key, const contraction& what) {
  const auto& [alpha, beta] = what.scale();
  key.first += what.text() + ";";
  key.second.push_back(what.sum() ? index_t(*what.sum()) : -1);
  for (const double part : {alpha.re, alpha.im, beta.re, beta.im}) key.second.push_back(std::bit_cast<index_t>(part));
  detail::append_key(key.second, what.functions(), what.pair());
}

// An input of a step: chains share it.
void append_with_address(std::vector<index_t>& key, const operand& o) {
  append(key, o);
  key.insert(key.end(), {index_t(o.batched), index_t(o.grouped), o.count, o.stride, o.first_member});
  for (const void* p : {o.data, o.members, static_cast<const void*>(o.list.get())})
    key.push_back(index_t(reinterpret_cast<std::uintptr_t>(p)));
}

shape_key key_of(const executor_item& item) {
  shape_key key;
  key.second.push_back(index_t(item.steps.size()));
  if (item.steps.empty()) append(key, item.what);
  for (const chain_step& step : item.steps) {
    append(key, step.what);
    key.second.push_back(index_t(step.inputs.size()));
    for (const operand& o : step.inputs) append_with_address(key.second, o);
  }
  for (const operand& o : item.operands) append(key.second, o);
  return key;
}

// Of contractions, or of chains: one of the plan and the chain is there, which check the items and do not run.
struct bucket {
  contraction what;
  std::optional<plan> checks;
  std::vector<operand> shape;
  std::map<int, std::vector<problem_starts>> by_round;
  std::vector<chain_step> steps;
  std::optional<chain> checks_chains;
  std::map<int, std::vector<chain_ends>> chains_by_round;
};

bucket bucket_for(const executor_item& item, plan_options options) {
  options.compile = options.compile && detail::has_own_code(item.what);
  options.own_workspace = false;
  bucket made{item.what, {}, item.operands, {}, item.steps, {}, {}};
  if (!item.steps.empty()) {
    if (item.operands.size() != 2)
      throw error("chain: " + std::to_string(item.operands.size()) + " operands given, an input and an output needed");
    options.fuse = false;
    made.checks_chains.emplace(item.steps, item.operands[0], item.operands[1], options);
    return made;
  }
  made.checks = make_plan_of(item.what, item.operands.data(), int(item.operands.size()), options);
  for (operand& o : made.shape) {
    o.batched = o.grouped = false;
    o.lanes = o.count = 1;
    o.stride = o.first_member = 0;
    o.data = o.members = nullptr;
    o.list = nullptr;
  }
  return made;
}

// Errors that a launch would find too late. Groups were checked when they were made.
void check_addresses(const operand& o) {
  if (o.grouped && !o.list && o.reach() > 0)
    throw error(
        "the addresses of the operand " + text_of(o) + " are in device memory only, where the host cannot sort them",
        status::wrong_space);
  if (!o.grouped && o.space == space_kind::gpu && o.reach() > 0 && !device::is_device_pointer(o.data))
    throw error("the operand " + text_of(o) + " is not in device memory", status::wrong_space);
}

void check(const executor_item& item, const bucket& in, const operand& like) {
  if (in.checks)
    in.checks->check_operands(item.operands.data(), int(item.operands.size()));
  else
    in.checks_chains->check_operands(item.operands[0], item.operands[1]);
  for (const operand& o : item.operands) check_addresses(o);
  for (const chain_step& step : item.steps)
    for (const operand& o : step.inputs) check_addresses(o);
  if (in.shape.back().space != like.space)
    throw error("\"" + item.what.text() + "\" is over operands in " + name_of(in.shape.back().space) +
                    " memory, item 0 in " + name_of(like.space) + " memory",
                status::wrong_space);
}

const void* start_of(const operand& o, index_t b) {
  if (o.grouped && o.reach() > 0) return o.member(b);
  return slice(o, b, 1).data;
}

void add_problems(const executor_item& item, std::vector<problem_starts>& to) {
  const operand& out = item.operands.back();
  if (out.entries() == 0) return;
  for (index_t b = 0; b < (out.batched ? out.count : 1); ++b) {
    problem_starts starts{};
    for (std::size_t o = 0; o < item.operands.size(); ++o) starts[o] = start_of(item.operands[o], b);
    to.push_back(starts);
  }
}

void add_item(const executor_item& item, int round, bucket& to) {
  if (item.steps.empty()) return add_problems(item, to.by_round[round]);
  const operand &in = item.operands[0], &out = item.operands[1];
  if (out.entries() > 0 && out.count > 0) to.chains_by_round[round].push_back({in, out});
}

std::string text_of_shape(const bucket& b) {
  const auto extents = [](const operand& o) { return text_of(o.facts.extent, o.facts.rank); };
  std::string text;
  for (const chain_step& step : b.steps) text += (text.empty() ? "\"" : ", \"") + step.what.text() + "\"";
  if (b.steps.empty()) text = "\"" + b.what.text() + "\"";
  text += " over " + extents(b.shape.front());
  for (std::size_t o = 1; o + 1 < b.shape.size(); ++o) text += ", " + extents(b.shape[o]);
  return text + " -> " + extents(b.shape.back());
}

// The items, checked, by shape and round.
class sorted_items {
 public:
  sorted_items(const std::vector<executor_item>& items, const plan_options& options) {
    std::vector<std::size_t> bucket_of;
    for (std::size_t i = 0; i < items.size(); ++i) {
      try {
        bucket_of.push_back(bucket_of_item(items[i], options));
        check(items[i], buckets_[bucket_of.back()], items.front().operands.back());
      } catch (const error& e) {
        throw error("executor: item " + std::to_string(i) + ": " + e.what(), e.code());
      }
    }
    const std::vector<int> rounds = detail::rounds_of(items);
    for (std::size_t i = 0; i < items.size(); ++i) add_item(items[i], rounds[i], buckets_[bucket_of[i]]);
    if (!rounds.empty()) rounds_ = 1 + *std::max_element(rounds.begin(), rounds.end());
  }
  std::vector<bucket>& buckets() { return buckets_; }
  int rounds() const { return rounds_; }

 private:
  std::size_t bucket_of_item(const executor_item& item, const plan_options& options) {
    const auto [at, is_new] = known_.try_emplace(key_of(item), buckets_.size());
    if (is_new) buckets_.push_back(bucket_for(item, options));
    return at->second;
  }

  std::map<shape_key, std::size_t> known_;
  std::vector<bucket> buckets_;  // in the order in which their first items are listed
  int rounds_ = 1;
};

}  // namespace

executor::executor(const std::vector<executor_item>& items, const plan_options& options) {
  sorted_items sorted(items, options);
  auto state = std::make_shared<detail::executor_state>();
  state->shapes = index_t(sorted.buckets().size());
  state->rounds = sorted.rounds();
  std::size_t bytes = 0;
  for (int round = 0; round < sorted.rounds(); ++round)
    for (bucket& b : sorted.buckets()) {
      if (auto problems = b.by_round.extract(round); problems && !problems.mapped().empty())
        state->steps.push_back(
            {round, text_of_shape(b), detail::bucket_run(b.what, b.shape, std::move(problems.mapped()), options)});
      if (auto items_of = b.chains_by_round.extract(round)) {
        detail::chain_bucket chains(b.steps, std::move(items_of.mapped()), options);
        bytes = std::max(bytes, chains.workspace_bytes());
        state->steps.push_back({round, text_of_shape(b), std::move(chains)});
      }
    }
  state->workspace = std::make_unique<buffer>();
  if (bytes > 0) *state->workspace = buffer(items.front().operands.back().space, bytes);
  state_ = std::move(state);
}

void executor::run(stream_view on) const {
  for (const detail::executor_step& step : state_->steps)
    if (const auto* products = std::get_if<detail::bucket_run>(&step.how))
      products->run(on);
    else
      std::get<detail::chain_bucket>(step.how).run(*state_->workspace, on);
}

index_t executor::launches() const {
  index_t sum = 0;
  for (const detail::executor_step& step : state_->steps)
    sum += std::visit([](const auto& how) { return how.launches(); }, step.how);
  return sum;
}

index_t executor::shapes() const { return state_->shapes; }
index_t executor::rounds() const { return state_->rounds; }

std::string executor::describe() const {
  std::string text = "executor: " + detail::counted(shapes(), "shape", "shapes") + ", " +
                     detail::counted(launches(), "launch", "launches") + " in " +
                     detail::counted(rounds(), "round", "rounds");
  for (const detail::executor_step& step : state_->steps)
    text += "\n  " + (rounds() > 1 ? "round " + std::to_string(step.round + 1) + ": " : "") + step.shape + ": " +
            std::visit([](const auto& how) { return how.describe(); }, step.how);
  return text;
}

}  // namespace tessera
