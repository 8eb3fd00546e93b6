// SPDX-License-Identifier: BSD-3-Clause
// Which chains can be one kernel: plain layouts of one real type, with a free letter and a free dimension.
#include <tessera/gpu/detail/chain_arguments.hpp>

#include "fused_run.hpp"

namespace tessera::detail {

namespace {

using device::chain_operand;

operand_facts packed(const operand_facts& facts) {
  operand_facts result = facts;
  index_t stride = 1;
  for (int d = 0; d < result.rank; ++d) {
    result.stride[d] = stride;
    stride *= result.extent[d];
  }
  return result;
}

bool same_facts(const operand_facts& a, const operand_facts& b) {
  if (a.rank != b.rank) return false;
  for (int d = 0; d < a.rank; ++d)
    if (a.extent[d] != b.extent[d] || a.stride[d] != b.stride[d]) return false;
  return true;
}

// Why the kernel cannot read or write it; empty where it can.
std::string why_not(const operand& o, scalar_type type) {
  if (o.type != type || o.conjugated) return " is of another type, or conjugated";
  if (o.grouped) return " is a group";
  if (o.lanes != 1) return " is interleaved";
  if (!o.facts.affine || o.offsets) return " has a layout without strides";
  if (o.entries() == 0) return " is empty";
  if (o.facts.rank >= max_rank) return " has no free dimension";
  if (o.facts.before() != 0) return " has a negative stride";
  if (o.span > farthest_apart || (o.batched && o.stride > farthest_apart))
    return " has elements that are too far apart";
  return {};
}

// A letter that the einsum does not use.
char free_letter(const einsum& e) {
  for (char c = 'z'; c >= 'a'; --c) {
    bool used = false;
    for (int o = 0; o <= max_inputs; ++o) used = used || ((o == output || o < e.inputs) && e.operand[o].has(c));
    if (!used) return c;
  }
  return 0;
}

// The form's number of an input and its address: tables once each, streams one after the other.
class numbering {
 public:
  explicit numbering(fusible& f) : f_(f) {}

  chain_operand of(const operand& o) {
    chain_operand made{o.facts, o.batched ? o.stride : 0};
    if (!made.is_shared()) {
      made.number = f_.form.streams++;
      f_.streams.push_back(o.data);
      return made;
    }
    for (std::size_t t = 0; t < f_.tables.size(); ++t)
      if (f_.tables[t] == o.data && same_facts(f_.form.tables[t].facts, o.facts)) made.number = int(t);
    if (made.number < 0) {
      made.number = int(f_.tables.size());
      f_.tables.push_back(o.data);
      f_.form.tables.push_back(made);
    }
    return made;
  }

 private:
  fusible& f_;
};

device::fused_step step_of(const chain_step& step, numbering& numbers, const operand_facts& result) {
  device::fused_step made;
  made.text = step.what.text();
  made.e = step.what.modes();
  const char element = free_letter(made.e);
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    made.inputs[i] = numbers.of(step.inputs[i]);
    if (!made.inputs[i].is_shared()) made.e.operand[i].append(element);
  }
  made.e.operand[step.inputs.size()].append(element);
  made.e.out().append(element);
  made.result.facts = packed(result);
  made.result.apart = made.result.entries();
  return made;
}

// An entry-by-entry product is appended to the contraction in front of it.
bool joins(const chain_step& step, const std::vector<device::fused_step>& before) {
  return !before.empty() && !before.back().weighted && step.inputs.size() == 1 &&
         classify(step.what.modes()) == canonical::pointwise && classify(before.back().e) != canonical::pointwise;
}

std::string refusal_of(const std::vector<chain_step>& steps, const operand& in, const operand& out) {
  if (steps.size() == 1) return "a single step has nothing to keep on chip";
  if (out.type != scalar_type::f32 && out.type != scalar_type::f64) return "its type is neither f32 nor f64";
  if (!in.batched || !out.batched) return "the input or the output is one tensor, not a batch";
  if (const std::string why = why_not(in, *out.type); !why.empty()) return "the input" + why;
  if (const std::string why = why_not(out, *out.type); !why.empty()) return "the output" + why;
  for (const chain_step& step : steps) {
    const std::string name = "step \"" + step.what.text() + "\"";
    if (step.what.sum().value_or(*out.type) != *out.type) return name + " has sums of another type";
    if (free_letter(step.what.modes()) == 0) return name + " has no free letter";
    for (const operand& input : step.inputs)
      if (const std::string why = why_not(input, *out.type); !why.empty()) return "an input of " + name + why;
  }
  return {};
}

}  // namespace

fusible fuse(const std::vector<chain_step>& steps, const operand& in, const operand& out) {
  fusible f;
  f.why_not = refusal_of(steps, in, out);
  if (!f.why_not.empty()) return f;
  device::chain_form& form = f.form;
  form.type = *out.type;
  form.in = {in.facts, in.entries()};
  form.out = {out.facts, out.entries()};
  form.brought = {packed(in.facts), in.entries()};
  numbering numbers(f);
  operand_facts previous = in.facts;
  for (const chain_step& step : steps) {
    operand_facts facts[max_inputs + 1];
    for (std::size_t i = 0; i < step.inputs.size(); ++i) facts[i] = step.inputs[i].facts;
    facts[step.inputs.size()] = previous;
    previous = result_facts(step.what.modes(), facts);
    if (previous.rank >= max_rank) {
      f.why_not = "the result of step \"" + step.what.text() + "\" has no free dimension";
      return f;
    }
    if (joins(step, form.steps)) {
      device::fused_step& last = form.steps.back();
      last.weighted = true;
      last.weights = numbers.of(step.inputs.front());
      last.text += ", times " + step.what.text();
    } else {
      form.steps.push_back(step_of(step, numbers, previous));
    }
  }
  if (form.tables.size() > std::size_t(device::most_tables) || form.streams > device::most_streams)
    f.why_not = "it has more inputs than a launch takes";
  return f;
}

}  // namespace tessera::detail
