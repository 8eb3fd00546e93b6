// SPDX-License-Identifier: BSD-3-Clause
// The loop over the letters, one batch entry after the other.
#include "contraction_loop.hpp"

#include <algorithm>
#include <map>

namespace fuzz {

namespace {

// Counts through all indices below the extents; false after the last one.
bool advance(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& extent) {
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (++index[d] < extent[d]) return true;
    index[d] = 0;
  }
  return false;
}

struct letters_of_case {
  std::string names;
  std::vector<std::int64_t> extent;

  explicit letters_of_case(const contraction_case& c) {
    for (const operand_case& o : c.operands)
      for (std::size_t d = 0; d < o.letters.size(); ++d)
        if (names.find(o.letters[d]) == std::string::npos) {
          names += o.letters[d];
          extent.push_back(o.o.extent[d]);
        }
  }
  bool is_empty() const { return std::ranges::find(extent, 0) != extent.end(); }
};

// Index of an operand's own dimensions from that of all letters.
void pick(const operand_case& o, const std::string& names, const std::vector<std::int64_t>& index,
          std::int64_t* picked) {
  for (std::size_t d = 0; d < o.letters.size(); ++d) picked[d] = index[names.find(o.letters[d])];
}

const char* at(const operand_case& o, std::ptrdiff_t place) { return o.memory->data() + place; }

}  // namespace

std::string text_of(const contraction_case& c) {
  const auto factor = [](const double(&f)[2]) { return std::to_string(f[0]) + " + " + std::to_string(f[1]) + " i"; };
  std::string text = "  \"" + c.text + "\", alpha " + factor(c.scaling.alpha) + ", beta " + factor(c.scaling.beta) +
                     ", sums " + std::to_string(c.scaling.sum) + ", threads " + std::to_string(c.threads) +
                     ", target " + (c.target == nullptr ? "null" : c.target) + (c.ordinary ? ", ordinary\n" : "\n");
  for (const operand_case& o : c.operands) text += text_of(o);
  return text;
}

std::optional<double> work_of(const contraction_case& c) {
  double work = 1;
  for (const operand_case& o : c.operands)
    if (o.memory == nullptr || int(o.letters.size()) != o.o.rank) return std::nullopt;
  const letters_of_case all(c);
  for (const std::int64_t n : all.extent) work *= double(std::max<std::int64_t>(n, 1));
  work *= double(std::max<std::int64_t>(c.operands.back().batches(), 1));
  return work > 1 << 16 ? std::nullopt : std::optional(work);
}

std::vector<std::ptrdiff_t> places_of(const operand_case& c) {
  std::vector<std::ptrdiff_t> places;
  const std::vector<std::int64_t> extent(c.o.extent, c.o.extent + c.o.rank);
  if (std::ranges::find(extent, 0) != extent.end()) return places;
  for (std::int64_t b = 0; b < c.batches(); ++b) {
    std::vector<std::int64_t> index(extent.size(), 0);
    do places.push_back(c.place(index.data(), b));
    while (advance(index, extent));
  }
  std::ranges::sort(places);
  return places;
}

bool all_apart(std::vector<std::ptrdiff_t> places) { return std::ranges::adjacent_find(places) == places.end(); }

std::vector<expected_entry> expected_of(const contraction_case& c) {
  const letters_of_case all(c);
  const operand_case& out = c.operands.back();
  const auto inputs = c.operands.size() - 1;
  const number alpha(c.scaling.alpha[0], c.scaling.alpha[1]), beta(c.scaling.beta[0], c.scaling.beta[1]);
  std::vector<expected_entry> expected;
  std::map<std::ptrdiff_t, number> sums;
  for (const std::ptrdiff_t place : places_of(out)) sums[place] = 0;
  std::int64_t picked[TESSERA_MAX_RANK]{};
  for (std::int64_t b = 0; b < out.batches() && !all.is_empty(); ++b) {
    std::vector<std::int64_t> index(all.extent.size(), 0);
    do {
      number product = 1;
      for (std::size_t i = 0; i < inputs; ++i) {
        const operand_case& in = c.operands[i];
        pick(in, all.names, index, picked);
        const number value = read_entry(in.o.type, at(in, in.place(picked, in.o.batched ? b : 0)));
        product *= in.o.conjugated != 0 ? std::conj(value) : value;
      }
      pick(out, all.names, index, picked);
      sums[out.place(picked, out.o.batched ? b : 0)] += product;
    } while (advance(index, all.extent));
  }
  for (const auto& [place, sum] : sums) {
    number value = alpha * sum;
    if (beta != number(0)) value += beta * read_entry(out.o.type, at(out, place));
    expected.push_back({place, value});
  }
  return expected;
}

bool has_known_result(const contraction_case& c) {
  const tessera_type in = c.operands.front().o.type, out = c.operands.back().o.type, sum = c.scaling.sum;
  const bool is_16_bit = in == TESSERA_F16 || in == TESSERA_BF16;
  for (const operand_case& o : c.operands)
    if (&o != &c.operands.back() && o.o.type != in) return false;
  if (in < TESSERA_F32 || in > TESSERA_BF16 || !(out == in || (is_16_bit && out == TESSERA_F32))) return false;
  const bool is_known_sum = sum == TESSERA_USUAL || sum == in || (sum == TESSERA_F64 && in == TESSERA_F32) ||
                            (sum == TESSERA_F32 && is_16_bit);
  return is_known_sum && c.text.find('+') == std::string::npos;
}

}  // namespace fuzz
