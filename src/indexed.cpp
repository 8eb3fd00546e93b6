// SPDX-License-Identifier: BSD-3-Clause
// Index notation: subscripts become operands of a plan, parts of tensors with another start and smaller extents.
#include <tessera/indexed.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>

#include <tessera/error.hpp>

namespace tessera {

namespace {

std::string words_of(const subscript& s) {
  if (s.letter == 0) return std::to_string(s.first);
  std::string text(1, s.letter);
  if (s.ranged) text += "(" + std::to_string(s.first) + ", " + std::to_string(s.last) + ")";
  return text;
}

// "(i, k, m, 0) of 64x64x9x8"
std::string words_of(const indexed_part& part) {
  std::string text = "(";
  for (const subscript& s : part.at()) text += (text.size() > 1 ? ", " : "") + words_of(s);
  return text + ") of " + tessera::text_of(part.of().facts.extent, part.of().facts.rank);
}

[[noreturn]] void refuse(const indexed_part& part, const std::string& why, status code = status::shape_mismatch) {
  throw error("index notation: " + words_of(part) + ": " + why, code);
}

// The ranges that indices are given in a statement.
class ranges {
 public:
  void add(const indexed_part& part) {
    for (const subscript& s : part.at()) {
      if (!s.ranged) continue;
      if (s.last < s.first && s.last + 1 < s.first)
        refuse(part, "the range of " + words_of(s) + " ends before it begins");
      if (const subscript* const known = of(s.letter)) {
        if (known->first != s.first || known->last != s.last)
          refuse(part, "another place has " + words_of(*known), status::shape_mismatch);
      } else {
        given_.push_back(s);
      }
    }
  }
  const subscript* of(char letter) const {
    for (const subscript& s : given_)
      if (s.letter == letter) return &s;
    return nullptr;
  }

 private:
  std::vector<subscript> given_;
};

// What of an operand a plan gets.
struct cut {
  operand of;
  std::string letters;
};

// Offsets of the entries of the part, from the start of the tensor.
std::vector<index_t> offsets_of(const operand& whole, const std::vector<index_t>& first, const operand_facts& part,
                                const std::vector<int>& dimension) {
  std::vector<index_t> offsets;
  index_t step[max_rank]{}, linear = 1, start = 0, entries = 1;
  for (int d = 0; d < whole.facts.rank; ++d) {
    step[d] = whole.facts.affine ? whole.facts.stride[d] : linear;
    linear *= whole.facts.extent[d];
    start += step[d] * first[std::size_t(d)];
  }
  for (int d = 0; d < part.rank; ++d) entries *= part.extent[d];
  for (index_t i = 0; i < entries; ++i) {
    index_t at = start, rest = i;
    for (int d = 0; d < part.rank; ++d) {
      at += step[dimension[std::size_t(d)]] * (rest % part.extent[d]);
      rest /= part.extent[d];
    }
    offsets.push_back(whole.facts.affine ? at : (*whole.offsets)[std::size_t(at)]);
  }
  return offsets;
}

cut cut_of(const indexed_part& part, const ranges& known) {
  const operand& whole = part.of();
  if (index_t(part.at().size()) != whole.facts.rank)
    refuse(part,
           std::to_string(part.at().size()) + " subscripts of " + std::to_string(whole.facts.rank) + " dimensions");
  cut made{.of = whole, .letters = {}};
  operand_facts& facts = made.of.facts;
  facts.rank = 0;
  std::vector<index_t> first;
  std::vector<int> dimension;  // of the whole
  for (int d = 0; d < whole.facts.rank; ++d) {
    const subscript& s = part.at()[std::size_t(d)];
    const subscript* const range = s.letter == 0 ? &s : known.of(s.letter);
    const index_t from = range == nullptr ? 0 : range->first;
    const index_t last = s.letter == 0 ? from : range == nullptr ? whole.facts.extent[d] - 1 : range->last;
    if (from < 0 || last >= whole.facts.extent[d])
      refuse(part, words_of(range == nullptr ? s : *range) + " is outside of dimension " + std::to_string(d) +
                       ", which has " + std::to_string(whole.facts.extent[d]));
    first.push_back(from);
    if (s.letter == 0) continue;
    if (made.letters.find(s.letter) != std::string::npos)
      refuse(part, std::string("index ") + s.letter + " stands twice; a diagonal is a view of its own",
             status::bad_einsum);
    made.letters += s.letter;
    facts.extent[facts.rank] = last - from + 1;
    facts.stride[facts.rank++] = whole.facts.stride[d];
    dimension.push_back(d);
  }
  // Members of a group have addresses of their own, which stay.
  index_t start = 0;
  for (int d = 0; d < whole.facts.rank; ++d) start += whole.facts.stride[d] * first[std::size_t(d)];
  if (whole.facts.affine && (!whole.grouped || start == 0)) {
    index_t reach = 1;
    for (int d = 0; d < facts.rank; ++d)
      if (facts.extent[d] > 1) reach += (facts.extent[d] - 1) * std::abs(facts.stride[d]);
    made.of.span = made.of.entries() == 0 ? 0 : reach;
    if (made.of.entries() > 0 && !whole.grouped)
      made.of.data = static_cast<const char*>(whole.data) + start * index_t(whole.entry_bytes);
    return made;
  }
  auto offsets = std::make_shared<std::vector<index_t>>(offsets_of(whole, first, facts, dimension));
  if (std::any_of(offsets->begin(), offsets->end(), [](index_t at) { return at < 0; }))
    refuse(part, "a part of a group whose strides are negative");
  made.of.span = offsets->empty() ? 0 : *std::max_element(offsets->begin(), offsets->end()) + 1;
  made.of.offsets = std::move(offsets);
  facts.affine = false;
  return made;
}

void run(const indexed_part& left, const indexed_options& how, complex<double> sign, complex<double> beta,
         const indexed_product& right) {
  const std::size_t count = right.parts().size();
  if (count < 2 || count >= std::size_t(max_inputs) + 1)
    throw error("index notation: a product of " + std::to_string(count) + " tensors, not of 2 or 3",
                status::bad_einsum);
  ranges known;
  known.add(left);
  for (const indexed_part& part : right.parts()) known.add(part);
  std::vector<operand> operands;
  std::string text;
  for (const indexed_part& part : right.parts()) {
    cut made = cut_of(part, known);
    text += (operands.empty() ? "" : ",") + made.letters;
    operands.push_back(std::move(made.of));
  }
  cut out = cut_of(left, known);
  operands.push_back(std::move(out.of));
  const contraction what(text + "->" + out.letters, {sign * right.factor(), beta});
  plan_options options = how.plan;
  options.own_workspace = false;  // the plan is for one run
  const plan made = make_plan_of(what, operands.data(), int(operands.size()), options);
  made.run_operands(operands.data(), int(operands.size()), how.in);
}

}  // namespace

void indexed_part::operator=(const indexed_product& product) const { run(*this, how_, 1, 0, product); }
void indexed_part::operator+=(const indexed_product& product) const { run(*this, how_, 1, 1, product); }
void indexed_part::operator-=(const indexed_product& product) const { run(*this, how_, -1, 1, product); }

}  // namespace tessera
