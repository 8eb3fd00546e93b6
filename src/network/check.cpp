// SPDX-License-Identifier: BSD-3-Clause
// The checks of networks; each error names the contraction and the extents.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <tessera/detail/shape_text.hpp>
#include <tessera/error.hpp>

#include "../overlap.hpp"
#include "network_state.hpp"

namespace tessera::detail {

namespace {

// What an error says, made only where there is one.
struct network_words {
  const char* operation;  // "run network "
  std::string_view text;
  const operand* operands;
  int count;  // of operands

  std::string of(int o) const { return o == count - 1 ? "the output" : "input " + std::to_string(o + 1); }
  [[noreturn]] void fail(const std::string& why, status code = status::invalid_argument) const {
    throw error(operation + text_of_network(text, operands, count) + ": " + why, code);
  }
};

std::string extents_text(const operand& o) { return tessera::text_of(o.facts.extent, o.facts.rank); }

void check_operand_count(const network_words& say, const network_letters& letters) {
  const int needed = int(letters.inputs.size()) + 1;
  if (say.count != needed) {
    std::string why = std::to_string(say.count) + " operands given, " + std::to_string(needed) + " needed; they are";
    for (int o = 0; o < say.count && say.operands != nullptr; ++o) why += " " + extents_text(say.operands[o]);
    throw error(say.operation + quoted(say.text) + ": " + why);
  }
  if (say.operands == nullptr)
    throw error(say.operation + quoted(say.text) + ": a null pointer for " + std::to_string(say.count) + " operands",
                status::null_pointer);
}

void check_operand(const network_words& say, const operand& now, int o, const operand& out) {
  if (now.grouped)
    say.fail(say.of(o) + " is a group, which networks do not take; lists of contractions do (tessera::executor)");
  if (!now.type)
    say.fail(say.of(o) + " is of a type without kernels; there are kernels for " + known_product_names(),
             status::wrong_type);
  if (now.space != out.space)
    say.fail(say.of(o) + " is in " + name_of(now.space) + " memory, the output in " + name_of(out.space) + " memory",
             status::wrong_space);
}

void check_letters(const network_words& say, const network_letters& letters, const operand* operands) {
  index_t extent[letter_count];
  int holder[letter_count];
  std::fill(std::begin(holder), std::end(holder), -1);
  for (int o = 0; o < say.count; ++o) {
    const std::string& of = o == say.count - 1 ? letters.out : letters.inputs[std::size_t(o)];
    const operand& now = operands[o];
    if (now.facts.rank != int(of.size()))
      say.fail(say.of(o) + " has rank " + std::to_string(now.facts.rank) + ", the einsum gives it " +
                   std::to_string(of.size()) + " letters",
               status::shape_mismatch);
    for (int d = 0; d < now.facts.rank; ++d) {
      const int l = number_of(of[std::size_t(d)]);
      if (holder[l] < 0) extent[l] = now.facts.extent[d], holder[l] = o;
      if (extent[l] != now.facts.extent[d])
        say.fail(say.of(holder[l]) + " and " + say.of(o) + " disagree on the extent of '" + of[std::size_t(d)] +
                     "': " + std::to_string(extent[l]) + " and " + std::to_string(now.facts.extent[d]),
                 status::shape_mismatch);
    }
  }
}

// Integers of one type, added up in that or a wider one.
bool takes_integers(scalar_type in, scalar_type out, scalar_type sum) {
  return is_integer_type(in) && is_integer_type(sum) && size_of(sum) >= size_of(in) && (out == in || out == sum);
}

void check_types(const network_words& say, const operand* operands, const network_options& options) {
  const scalar_type in = *operands[0].type, sum = options.sum.value_or(usual_sum(in));
  bool alike = true;
  std::string types;
  for (int o = 0; o < say.count; ++o) {
    alike = alike && (o == say.count - 1 || *operands[o].type == in);
    types += (o == 0 ? "" : ", ") + say.of(o) + (o == 0 ? " is " : " ") + name_of(*operands[o].type);
  }
  // Intermediates are of the inputs' type.
  const scalar_type out = *operands[say.count - 1].type;
  const bool known = is_known({in, out, sum}) && (say.count == 3 || is_known({in, in, sum}));
  if (!alike || !(known || takes_integers(in, out, sum)))
    say.fail(types + ", with sums in " + name_of(sum) + "; there are kernels for " + known_product_names() +
                 ", and for integers of one type",
             status::wrong_type);
  if (!is_complex_type(sum) && !is_real(options.scale))
    say.fail(std::string("alpha or beta has an imaginary part, sums are in ") + name_of(sum), status::wrong_type);
}

void check_like(const network_words& say, const operand& now, const operand& then, int o) {
  const auto same = [&](const index_t* a, const index_t* b) { return std::equal(a, a + then.facts.rank, b); };
  if (now.facts.rank != then.facts.rank || !same(now.facts.extent, then.facts.extent))
    say.fail(say.of(o) + " has extents " + extents_text(now) + ", the network was made for " + extents_text(then),
             status::shape_mismatch);
  const bool alike = then.offsets ? now.offsets && (now.offsets == then.offsets || *now.offsets == *then.offsets)
                                  : !now.offsets && same(now.facts.stride, then.facts.stride);
  if (!alike || now.lanes != then.lanes)
    say.fail(say.of(o) + " has another layout than the network was made for", status::shape_mismatch);
  if (now.batched != then.batched)
    say.fail(say.of(o) + " is " + (now.batched ? "a batch" : "one tensor") +
                 ", unlike the one that the network was made for",
             status::shape_mismatch);
  if (now.conjugated != then.conjugated)
    say.fail(say.of(o) + " is " + (now.conjugated ? "" : "not ") +
             "conjugated, unlike the one that the network was made for");
  if (now.type != then.type) say.fail(say.of(o) + " has another scalar type", status::wrong_type);
}

void check_count(const network_words& say, const operand& now, const operand& out, int o) {
  const index_t wanted = out.batched ? out.count : 1;
  if (now.batched && now.count != wanted)
    say.fail(say.of(o) + " is a batch of " + std::to_string(now.count) + ", the output " +
                 (out.batched ? "of " + std::to_string(wanted) : "is one tensor"),
             status::shape_mismatch);
}

}  // namespace

std::string text_of_network(std::string_view text, const operand* operands, int count) {
  std::string all = quoted(text);
  for (int o = 0; o < count; ++o)
    all += (o == 0 ? " over " : o == count - 1 ? " -> " : ", ") + extents_text(operands[o]);
  return all;
}

void check_network(std::string_view text, const network_letters& letters, const operand* operands, int count,
                   const network_options& options) {
  const network_words say{"network ", text, operands, count};
  check_operand_count(say, letters);
  const std::string operation = "network " + quoted(text);
  for (int o = 0; o < count; ++o) check_sizes(operation.c_str(), operands[o]);
  const operand& out = operands[count - 1];
  if (!out.writable) say.fail("the output is const");
  if (out.conjugated) say.fail("the output is conjugated, which only inputs may be");
  for (int o = 0; o < count; ++o) check_operand(say, operands[o], o, out);
  check_letters(say, letters, operands);
  check_types(say, operands, options);
  if (!distinct_in_block(out)) say.fail("two entries of the output share one address", status::overlap);
}

index_t check_network_run(const network_state& state, const operand* operands, int count) {
  const network_words say{"run network ", state.text, operands, count};
  check_operand_count(say, state.letters);
  const operand& out = operands[count - 1];
  for (int o = 0; o < count; ++o) {
    const operand& now = operands[o];
    check_operand(say, now, o, state.out());
    check_like(say, now, state.made_for[std::size_t(o)], o);
    if (!fits_63_bits(now)) say.fail(say.of(o) + " is " + misfit_text(now), status::overflow);
    check_count(say, now, out, o);
    if (const misplaced wrong = misplaced_text(now); !wrong.text.empty()) say.fail(say.of(o) + wrong.text, wrong.code);
  }
  if (!out.writable) say.fail("the output is const");
  for (int o = 0; o + 1 < count; ++o)
    if (entries_meet(operands[o], out))
      say.fail("the output overlaps " + say.of(o) + meeting_text(out, operands[o]), status::overlap);
  if (!distinct_blocks(out)) say.fail(clash_text(out), status::overlap);
  return out.batched ? out.count : 1;
}

void check_workspace(const network_state& state, workspace_view workspace, const operand* operands, int count) {
  if (state.workspace_bytes == 0) return;
  const network_words say{"run network ", state.text, operands, count};
  const space_kind space = state.out().space;
  if (workspace.bytes < state.workspace_bytes)
    say.fail("a workspace of " + std::to_string(workspace.bytes) + " bytes, " + std::to_string(state.workspace_bytes) +
             " needed");
  if (workspace.data == nullptr)
    say.fail("a null pointer for a workspace of " + std::to_string(workspace.bytes) + " bytes", status::null_pointer);
  const std::size_t alignment = space == space_kind::cpu ? host_alignment : device_alignment;
  const std::size_t off = std::size_t(reinterpret_cast<std::uintptr_t>(workspace.data) % alignment);
  if (off != 0)
    say.fail("the workspace begins " + std::to_string(off) + " bytes behind a multiple of " +
             std::to_string(alignment));
  if (space_of(workspace.data) != space)
    say.fail(std::string("the workspace is in ") + name_of(space_of(workspace.data)) + " memory, the output in " +
                 name_of(space) + " memory",
             status::wrong_space);
  operand bytes;
  bytes.entry_bytes = 1;
  bytes.space = space;
  bytes.data = workspace.data;
  bytes.facts.rank = 1;
  bytes.facts.extent[0] = bytes.span = index_t(state.workspace_bytes);
  bytes.facts.stride[0] = 1;
  for (int o = 0; o < count; ++o)
    if (entries_meet(operands[o], bytes)) say.fail("the workspace overlaps " + say.of(o), status::overlap);
}

}  // namespace tessera::detail
