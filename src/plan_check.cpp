// SPDX-License-Identifier: BSD-3-Clause
// The checks before every plan and every run; each error names the contraction and the extents.
#include <algorithm>
#include <cstdint>

#include "overlap.hpp"
#include "plan_state.hpp"

namespace tessera::detail {

namespace {

bool used(const contraction& what, int o) { return o == output || o < what.operand_count() - 1; }

std::string name_of_operand(const contraction& what, int o) {
  if (o == output) return "the output";
  return o == addend_operand && what.addend() ? "the addend" : "input " + std::to_string(o + 1);
}

void check_all_sizes(const contraction& what, const arguments& operands) {
  const std::string plan = "plan \"" + what.text() + "\"";
  for (int o = 0; o <= max_inputs; ++o)
    if (used(what, o)) check_sizes(plan.c_str(), operands[o]);
}

void check_kinds(const contraction& what, const arguments& operands, const std::string& text) {
  const operand& out = operands[output];
  if (!out.writable) throw error("plan " + text + ": the output is const");
  if (out.conjugated) throw error("plan " + text + ": the output is conjugated, which only inputs may be");
  for (int o = 0; o <= max_inputs; ++o) {
    if (!used(what, o)) continue;
    if (!operands[o].type)
      throw error("plan " + text + ": " + name_of_operand(what, o) +
                      " is of a type without kernels; there are kernels for " + known_product_names(),
                  status::wrong_type);
    if (operands[o].space != out.space)
      throw error("plan " + text + ": " + name_of_operand(what, o) + " is in " + name_of(operands[o].space) +
                      " memory, the output in " + name_of(out.space) + " memory",
                  status::wrong_space);
  }
}

// The addend has the output's extents, in the order of its own letters.
void check_addend(const contraction& what, const arguments& operands, const std::string& text) {
  const operand &addend = operands[addend_operand], &out = operands[output];
  const modes& letters = *what.addend();
  if (addend.facts.rank != letters.rank)
    throw error("plan " + text + ": the addend has rank " + std::to_string(addend.facts.rank) +
                    ", the einsum gives it " + std::to_string(letters.rank) + " letters",
                status::shape_mismatch);
  for (int d = 0; d < letters.rank; ++d)
    if (addend.facts.extent[d] != out.facts.extent[what.modes().out().find(letters.letter[d])])
      throw error("plan " + text + ": the addend and the output disagree on the extent of '" + letters.letter[d] + "'",
                  status::shape_mismatch);
}

// The addend with its dimensions in the order of the output's.
operand in_order_of_output(const operand& addend, const contraction& what) {
  operand made = addend;
  const modes &letters = *what.addend(), &out = what.modes().out();
  for (int d = 0; d < out.rank; ++d) {
    const int from = letters.find(out.letter[d]);
    made.facts.extent[d] = addend.facts.extent[from];
    made.facts.stride[d] = addend.facts.stride[from];
  }
  return made;
}

// With two entries of the output at one address the result would depend on the order of the stores.
void check_distinct_entries(const operand& out, const std::string& text) {
  if (!distinct_in_block(out))
    throw error("plan " + text + ": two entries of the output share one address" + repeat_text(out.facts),
                status::overlap);
}

void check_overlap(const plan_state& state, const arguments& operands) {
  const operand& out = operands[output];
  for (int o = 0; o < state.what.operand_count() - 1; ++o) {
    // Entry by entry, every value is read before it is replaced.
    const bool is_addend = o == addend_operand && state.what.addend();
    if (is_addend && same_addresses(in_order_of_output(operands[o], state.what), out)) continue;
    if (!is_addend && state.form.form == canonical::pointwise && same_addresses(operands[o], out)) continue;
    if (!entries_meet(operands[o], out)) continue;
    throw error("run " + text_of(state.what, operands) + ": the output overlaps " + name_of_operand(state.what, o) +
                    (is_addend ? ", and is not at its addresses" : "") + meeting_text(out, operands[o]),
                status::overlap);
  }
  if (!distinct_blocks(out))
    throw error("run " + text_of(state.what, operands) + ": " + clash_text(out), status::overlap);
}

}  // namespace

std::string types_text(const contraction& what, const arguments& operands) {
  std::string text;
  for (int o = 0; o < what.operand_count() - 1; ++o)
    text += name_of_operand(what, o) + (o == 0 ? " is " : " ") + name_of(*operands[o].type) + ", ";
  return text + "the output " + name_of(*operands[output].type);
}

std::string text_of(const contraction& what, const arguments& operands) {
  std::string text = "\"" + what.text() + "\" over ";
  for (int o = 0; o < what.modes().inputs; ++o)
    text += (o > 0 ? ", " : "") + tessera::text_of(operands[o].facts.extent, operands[o].facts.rank);
  if (what.addend())
    text += " + " + tessera::text_of(operands[addend_operand].facts.extent, operands[addend_operand].facts.rank);
  return text + " -> " + tessera::text_of(operands[output].facts.extent, operands[output].facts.rank);
}

product_types types_checked(const contraction& what, const arguments& operands) {
  const scalar_type in = *operands[0].type, sum = what.sum().value_or(usual_sum(in));
  const product_types types{in, *operands[output].type, sum};
  bool known = is_known(types);
  for (int o = 0; o < what.modes().inputs; ++o) known = known && operands[o].type == in;
  if (!known)
    throw error("plan " + text_of(what, operands) + ": " + types_text(what, operands) + ", with sums in " +
                    name_of(sum) + "; there are kernels for " + known_product_names() +
                    (what.modes().inputs == 3 ? "; make_network multiplies three operands pair by pair" : ""),
                status::wrong_type);
  if (!is_complex_type(sum) && !is_real(what.scale()))
    throw error(
        "plan " + text_of(what, operands) + ": alpha or beta has an imaginary part, sums are in " + name_of(sum),
        status::wrong_type);
  return types;
}

lowered lower_checked(const contraction& what, const arguments& operands) {
  const std::string text = text_of(what, operands);
  check_all_sizes(what, operands);
  check_kinds(what, operands, text);
  const lowered form =
      lower(what.modes(), {operands[0].facts, operands[1].facts, operands[2].facts, operands[output].facts});
  if (form.fault == lower_fault::rank)
    throw error("plan " + text + ": " + name_of_operand(what, form.operands[0]) + " has rank " +
                    std::to_string(operands[form.operands[0]].facts.rank) + ", the einsum gives it " +
                    std::to_string(what.modes().operand[form.operands[0]].rank) + " letters" +
                    (operands[form.operands[0]].batched ? " (that of the batch is not written)" : ""),
                status::shape_mismatch);
  if (form.fault == lower_fault::extent)
    throw error("plan " + text + ": " + name_of_operand(what, form.operands[0]) + " and " +
                    name_of_operand(what, form.operands[1]) + " disagree on the extent of '" + form.offender + "'",
                status::shape_mismatch);
  if (what.addend()) check_addend(what, operands, text);
  check_distinct_entries(operands[output], text);
  return form;
}

index_t check_run(const plan_state& state, const arguments& operands) {
  const operand& out = operands[output];
  for (int o = 0; o <= max_inputs; ++o) {
    if (!used(state.what, o)) continue;
    const operand &now = operands[o], &then = state.made_for[o];
    const auto same = [](const index_t(&a)[max_rank], const index_t(&b)[max_rank], int rank) {
      return std::equal(a, a + rank, b);
    };
    if (now.facts.rank != then.facts.rank || !same(now.facts.extent, then.facts.extent, then.facts.rank))
      throw error("run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) + " has extents " +
                      tessera::text_of(now.facts.extent, now.facts.rank) + ", the plan was made for " +
                      tessera::text_of(then.facts.extent, then.facts.rank),
                  status::shape_mismatch);
    const bool layouts_agree = then.offsets
                                   ? now.offsets && (now.offsets == then.offsets || *now.offsets == *then.offsets)
                                   : !now.offsets && same(now.facts.stride, then.facts.stride, then.facts.rank);
    if (!layouts_agree || now.lanes != then.lanes)
      throw error("run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) +
                      " has another layout than the plan was made for",
                  status::shape_mismatch);
    if (now.conjugated != then.conjugated)
      throw error("run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) + " is " +
                  (now.conjugated ? "" : "not ") + "conjugated, unlike the one that the plan was made for");
    if (now.type != then.type)
      throw error(
          "run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) + " has another scalar type",
          status::wrong_type);
    if (now.space != then.space)
      throw error("run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) + " is in " +
                      name_of(now.space) + " memory, the plan was made for " + name_of(then.space) + " memory",
                  status::wrong_space);
    if (!fits_63_bits(now))
      throw error(
          "run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) + " is " + misfit_text(now),
          status::overflow);
    const char* const kind = now.grouped ? "group" : "batch";
    if (now.batched && (o == output || out.batched) && now.count != out.count)
      throw error("run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) + " is a " + kind +
                      " of " + std::to_string(now.count) + ", the output of " + std::to_string(out.count),
                  status::shape_mismatch);
    if (now.batched && !out.batched && now.count != 1)
      throw error("run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) + " is a " + kind +
                      " of " + std::to_string(now.count) + ", the output is one tensor",
                  status::shape_mismatch);
    if (const misplaced wrong = misplaced_text(now); !wrong.text.empty())
      throw error("run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) + wrong.text,
                  wrong.code);
    if (now.grouped && !now.list && now.space == space_kind::cpu && now.count > 0)
      throw error("run " + text_of(state.what, operands) + ": " + name_of_operand(state.what, o) +
                  " is a group without a list");
  }
  if (!out.writable) throw error("run " + text_of(state.what, operands) + ": the output is const");
  check_overlap(state, operands);
  return out.batched ? out.count : 1;
}

}  // namespace tessera::detail
