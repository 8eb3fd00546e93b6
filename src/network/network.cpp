// SPDX-License-Identifier: BSD-3-Clause
// Making and running networks: an order, a plan for each step, a workspace for what is between them.
#include <tessera/network.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>

#include "network_state.hpp"

namespace tessera {

namespace {

using detail::batch_index;
using detail::batch_number;
using detail::network_sizes;
using detail::network_state;
using detail::network_step;

// Results begin at multiples of it, in either space.
constexpr std::size_t result_alignment = device_alignment;

// What a block of a batch may take: on a CPU a part of each thread's L2, but an entry for each thread while that is not
// much; on a GPU enough to fill it many times over.
constexpr double block_bytes_cpu_thread = 512 << 10, most_block_bytes_cpu = 256 << 20, block_bytes_gpu = 1 << 30;

template <class... T>
void store_one(scalar_type type, void* to) {
  const auto store = [&](auto one) { std::memcpy(to, &one, sizeof one); };
  if (!((type == scalar_of<T> && (store(T(1)), true)) || ...))
    throw error(std::string("network: no sums over one input's letters for ") + name_of(type), status::wrong_type);
}

void make_ones(network_state& s, scalar_type type) {
  unsigned char one[16] = {};
  store_one<float, double, complex<float>, complex<double>, half, bfloat16, short, int, long long>(type, one);
  s.one = buffer(s.out().space, size_of(type));
  copy_memory(s.one.data(), one, size_of(type));
  s.ones.type = type;
  s.ones.entry_bytes = size_of(type);
  s.ones.space = s.out().space;
  s.ones.writable = false;
  s.ones.data = s.one.data();
}

std::array<index_t, detail::letter_count> extents_by_letter(const network_state& s) {
  std::array<index_t, detail::letter_count> extent;
  extent.fill(1);
  for (int o = 0; o < s.inputs(); ++o)
    for (std::size_t d = 0; d < s.letters.inputs[std::size_t(o)].size(); ++d)
      extent[std::size_t(detail::number_of(s.letters.inputs[std::size_t(o)][d]))] =
          s.made_for[std::size_t(o)].facts.extent[d];
  return extent;
}

// A batch index counts as a letter of all batches if the output is one; else batches are of one tensor.
network_sizes order_sizes(const network_state& s) {
  network_sizes sizes;
  const std::array<index_t, detail::letter_count> extent = extents_by_letter(s);
  std::copy(extent.begin(), extent.end(), sizes.extent);
  const bool batched = s.out().batched;
  if (batched) sizes.extent[batch_number] = double(std::max<index_t>(s.out().count, 1));
  sizes.entry_bytes = double(s.made_for.front().entry_bytes);
  for (int o = 0; o < s.inputs(); ++o) {
    const std::string& all = s.letters.inputs[std::size_t(o)];
    const detail::letter_set lonely = detail::set_of(detail::lonely_letters(s.letters, std::size_t(o)));
    sizes.inputs.push_back((detail::set_of(all) & ~lonely) |
                           (batched && s.made_for[std::size_t(o)].batched ? batch_index : 0));
  }
  sizes.out = detail::set_of(s.letters.out) | (batched ? batch_index : 0);
  return sizes;
}

// A multiplication for each input but the first, and an addition if there is a sum, at each point.
double loop_flops(const network_state& s, const network_sizes& sizes) {
  detail::letter_set all = sizes.out;
  for (int o = 0; o < s.inputs(); ++o)
    all |= detail::set_of(s.letters.inputs[std::size_t(o)]) | (sizes.inputs[std::size_t(o)] & batch_index);
  return sizes.size(all) * (s.inputs() - 1 + (all == sizes.out ? 0 : 1));
}

operand with_letters(operand o, const std::string& letters, const std::array<index_t, detail::letter_count>& extent) {
  o.facts.rank = int(letters.size());
  for (int d = 0; d < o.facts.rank; ++d)
    o.facts.extent[d] = extent[std::size_t(detail::number_of(letters[std::size_t(d)]))];
  return o;
}

// Packed, without data; the count of a batch is set later.
operand result_of(const network_state& s, const network_step& step,
                  const std::array<index_t, detail::letter_count>& extent) {
  const operand& in = s.made_for.front();
  operand o = with_letters({}, step.letters, extent);
  o.type = in.type;
  o.entry_bytes = in.entry_bytes;
  o.space = in.space;
  const index_t most = detail::most_bytes / index_t(in.entry_bytes);
  index_t stride = 1;
  bool fits = true;
  for (int d = 0; d < o.facts.rank; ++d) {
    o.facts.stride[d] = stride;
    // An extent of 0 does not hide an overflow of the others.
    fits = fits && !__builtin_mul_overflow(stride, std::max<index_t>(o.facts.extent[d], 1), &stride) && stride <= most;
  }
  if (!fits)
    throw error("network " + detail::quoted(s.text) + ": the result of \"" + step.text() + "\", of extents " +
                    text_of(o.facts.extent, o.facts.rank) + ", is more than a process can address",
                status::overflow);
  o.span = o.entries();
  o.batched = step.batched;
  o.stride = step.batched ? o.entries() : 0;
  return o;
}

std::size_t result_bytes(const operand& result, index_t count) {
  return std::size_t(result.entries()) * result.entry_bytes * std::size_t(result.batched ? count : 1);
}

// As all interleaving widths of batches divide it.
index_t grain_of(const network_state& s) {
  index_t grain = 1;
  for (const operand& o : s.made_for)
    if (o.batched && s.out().batched && __builtin_mul_overflow(grain / std::gcd(grain, o.lanes), o.lanes, &grain))
      throw error("network " + detail::quoted(s.text) + ": blocks of " + text_of(o) + ", " + std::to_string(o.lanes) +
                      " of which are interleaved, and of other operands have no common multiple in 63 bits",
                  status::overflow);
  return grain;
}

// How many entries of the batch run together, and the workspace.
void choose_block(network_state& s) {
  const auto bytes_with = [&](index_t count, bool only_batched) {
    std::vector<std::size_t> bytes;
    for (const operand& o : s.results) bytes.push_back(only_batched && !o.batched ? 0 : result_bytes(o, count));
    bytes.push_back(0);  // of the last step
    return bytes;
  };
  const std::size_t entry = detail::place_results(s.steps, bytes_with(1, true), s.inputs(), 1);
  s.block = std::numeric_limits<index_t>::max();
  if (entry > 0) {
    const double threads = useful_threads(s.options.plans.threads);
    const double limit =
        s.out().space == space_kind::gpu
            ? block_bytes_gpu
            : std::max(threads * block_bytes_cpu_thread, std::min(threads * double(entry), most_block_bytes_cpu));
    const index_t fitting = std::max<index_t>(1, index_t(limit / double(entry)));
    const index_t block = std::min(fitting, std::max<index_t>(s.out().count, 1)), grain = grain_of(s);
    s.block = (block / grain + (block % grain != 0 ? 1 : 0)) * grain;
    s.in_blocks = fitting < s.out().count;
  }
  s.workspace_bytes =
      detail::place_results(s.steps, bytes_with(entry > 0 ? s.block : 1, false), s.inputs(), result_alignment);
}

// The operand of a step with this number, for entries [first, first + count) of the batch.
operand step_operand(const network_state& s, const operand* given, char* workspace, int number, index_t first,
                     index_t count) {
  if (number < s.inputs()) return s.out().batched ? slice(given[number], first, count) : given[number];
  const std::size_t made = std::size_t(number - s.inputs());
  if (made + 1 == s.steps.size()) return s.out().batched ? slice(given[s.inputs()], first, count) : given[s.inputs()];
  operand o = s.results[made];
  if (workspace != nullptr) o.data = workspace + s.steps[made].at;
  if (o.batched) o.count = count;
  return o;
}

std::array<operand, 3> operands_of_step(const network_state& s, const operand* given, char* workspace, std::size_t step,
                                        index_t first, index_t count) {
  const network_step& of = s.steps[step];
  const auto at = [&](int number) { return step_operand(s, given, workspace, number, first, count); };
  if (of.second != network_step::ones) return {at(of.first), at(of.second), at(s.inputs() + int(step))};
  const operand summed = at(of.first);
  operand ones = s.ones;
  ones.facts.rank = int(of.second_letters.size());
  ones.span = 1;
  for (int d = 0; d < ones.facts.rank; ++d)
    ones.facts.extent[d] = summed.facts.extent[of.first_letters.find(of.second_letters[std::size_t(d)])];
  return {summed, ones, at(s.inputs() + int(step))};
}

plan plan_of_step(const network_state& s, std::size_t i, const plan_options& options) {
  const index_t count = std::min(s.block, s.out().batched ? s.out().count : 1);
  const bool last = i + 1 == s.steps.size();
  const std::array<operand, 3> all = operands_of_step(s, s.made_for.data(), nullptr, i, 0, count);
  try {
    return make_plan_of(contraction(s.steps[i].text(), last ? s.options.scale : assign, s.options.sum), all.data(),
                        int(all.size()), options);
  } catch (const error& e) {
    throw error("network " + detail::quoted(s.text) + ": step " + std::to_string(i + 1) + ": " + e.what(), e.code());
  }
}

// Kernels of the steps after the first are compiled by other threads meanwhile.
void make_plans(network_state& s) {
  plan_options options = s.options.plans;
  options.own_workspace = false;  // runs with workspaces of the caller's may be at the same time
  plan_options at_once = options;
  at_once.wait = false;
  std::vector<plan> begun;  // what is compiled is kept as long as they are
  if (s.out().space == space_kind::gpu && options.compile && options.wait)
    for (std::size_t i = 1; i < s.steps.size(); ++i) begun.push_back(plan_of_step(s, i, at_once));
  for (std::size_t i = 0; i < s.steps.size(); ++i) s.plans.push_back(plan_of_step(s, i, options));
}

void run_steps(const network_state& s, const operand* given, index_t batch, char* workspace, stream_view on) {
  const auto run_step = [&](std::size_t i, index_t first, index_t count) {
    const std::array<operand, 3> all = operands_of_step(s, given, workspace, i, first, count);
    s.plans[i].run_operands(all.data(), int(all.size()), on);
  };
  std::size_t shared = 0;
  for (; shared < s.steps.size() && !s.steps[shared].batched; ++shared) run_step(shared, 0, batch);
  index_t now = 0;
  for (index_t first = 0; shared < s.steps.size() && first < batch; first += now) {
    now = std::min(s.block, batch - first);
    for (std::size_t i = shared; i < s.steps.size(); ++i) run_step(i, first, now);
  }
}

}  // namespace

network make_network_of(std::string_view text, const operand* operands, int count, const network_options& options) {
  auto s = std::make_shared<network_state>();
  s->text = std::string(text);
  s->letters = detail::parse_network(text);
  detail::check_network(text, s->letters, operands, count, options);
  s->options = options;
  s->made_for.assign(operands, operands + count);
  const network_sizes sizes = order_sizes(*s);
  s->is_exact = s->inputs() <= network::exact_inputs;
  const detail::network_order order =
      s->is_exact ? detail::exact_order(sizes) : detail::improved_order(sizes, detail::greedy_order(sizes));
  if (order.pairs.empty())
    throw error("network " + detail::text_of_network(text, operands, count) +
                ": no order of pairs was found in which " + "all results, and all sums, have at most " +
                std::to_string(max_rank) + " letters");
  s->steps = detail::steps_of(s->letters, sizes, order);
  s->one_loop = loop_flops(*s, sizes);
  const auto extent = extents_by_letter(*s);
  bool has_ones = false;
  for (const network_step& step : s->steps) {
    s->flops += step.flops;
    if (&step != &s->steps.back()) s->results.push_back(result_of(*s, step, extent));
    has_ones = has_ones || step.second == network_step::ones;
  }
  if (has_ones) make_ones(*s, *operands[0].type);
  choose_block(*s);
  make_plans(*s);
  for (operand& o : s->made_for) o.data = nullptr;
  if (options.own_workspace && s->workspace_bytes > 0)
    s->own = std::make_unique<detail::own_workspace>(s->out().space, s->workspace_bytes);
  return network(std::move(s));
}

void network::run_operands(const operand* operands, int count, stream_view on) const {
  const network_state& s = *state_;
  const index_t batch = detail::check_network_run(s, operands, count);
  if (s.workspace_bytes > 0 && s.own == nullptr)
    throw error("run network " + detail::text_of_network(s.text, operands, count) + ": no workspace, of which " +
                std::to_string(s.workspace_bytes) + " bytes are needed: the network was made without one of its own");
  if (batch == 0 || operands[count - 1].entries() == 0) return;
  if (s.own == nullptr) return run_steps(s, operands, batch, nullptr, on);
  const auto work = [&](void* memory) { run_steps(s, operands, batch, static_cast<char*>(memory), on); };
  s.own->use(on, std::ref(work));  // by reference: a std::function of it allocates nothing
}

void network::run_operands_in(workspace_view workspace, const operand* operands, int count, stream_view on) const {
  const index_t batch = detail::check_network_run(*state_, operands, count);
  detail::check_workspace(*state_, workspace, operands, count);
  if (batch == 0 || operands[count - 1].entries() == 0) return;
  run_steps(*state_, operands, batch, static_cast<char*>(workspace.data), on);
}

void network::check_operands(const operand* operands, int count) const {
  detail::check_network_run(*state_, operands, count);
}

std::size_t network::workspace_bytes() const { return state_->workspace_bytes; }
double network::flops() const { return state_->flops; }
double network::flops_of_one_loop() const { return state_->one_loop; }
target network::where() const { return state_->plans.back().where(); }

}  // namespace tessera
