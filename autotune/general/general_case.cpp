// SPDX-License-Identifier: BSD-3-Clause
// From the command line to contractions of packed tensors.
#include "general/general_case.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <tessera/contraction.hpp>
#include <tessera/detail/general_tuning.hpp>
#include <tessera/error.hpp>

#include "measure/numbers.hpp"
#include "tccg_rows.hpp"

namespace tessera::tune {

namespace {

using detail::general_by, detail::general_kind;

constexpr index_t longest = 1 << 30;

struct named_kind {
  const char* name;
  scalar_type type;
  std::optional<general_by> by{};  // of those that exact_general_kind does not give
};
constexpr named_kind named_kinds[] = {{"f64", scalar_type::f64},
                                      {"f32", scalar_type::f32},
                                      {"tf32", scalar_type::f32, general_by::mma_tf32},
                                      {"tf32x3", scalar_type::f32, general_by::mma_3xtf32},
                                      {"3xtf32", scalar_type::f32, general_by::mma_3xtf32},  // the same
                                      {"f16", scalar_type::f16},
                                      {"bf16", scalar_type::bf16},
                                      {"c32", scalar_type::c32},
                                      {"c64", scalar_type::c64}};

// "a=72,b=72"
std::map<char, index_t> extents_from(const std::string& text) {
  std::map<char, index_t> extents;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string part = text.substr(start, end - start);
    const auto extent =
        part.size() > 2 && part[1] == '=' ? bench::integer_in(part.substr(2), 1, longest) : std::nullopt;
    if (!extent || !detail::is_letter(part[0]))
      throw error("--extents " + text + ": '" + part + "' is no extent from 1 to " + std::to_string(longest) +
                  "; write a=72,b=16");
    if (!extents.emplace(part[0], *extent).second)
      throw error("--extents " + text + ": '" + std::string(1, part[0]) + "' is there twice");
    start = end + 1;
  }
  return extents;
}

general_case case_from(const std::string& text, const std::map<char, index_t>& extents, const std::string& type) {
  const einsum e = contraction(text).modes();  // refuses what is no contraction
  if (e.inputs != 2)
    throw error("--einsum " + text + ": kernels of general contractions have two inputs, not " +
                std::to_string(e.inputs));
  general_case c;
  c.einsum = text;
  c.type = type;
  c.kind = general_kind_from(type);
  c.flops = is_complex_type(c.kind.left) ? 8 : 2;
  std::map<char, index_t> left_over = extents;
  operand_facts facts[max_inputs + 1];
  for (const int o : {0, 1, output}) {
    operand_facts& f = facts[o];
    f.rank = e.operand[o].rank;
    index_t stride = 1;
    for (int d = 0; d < f.rank; ++d) {
      const char letter = e.operand[o].letter[d];
      const auto extent = extents.find(letter);
      if (extent == extents.end())
        throw error("--extents: '" + std::string(1, letter) + "' of " + text + " has no extent; write " + letter +
                    "=72");
      f.extent[d] = extent->second;
      f.stride[d] = stride;
      if (__builtin_mul_overflow(stride, extent->second, &stride) || stride > (index_t(1) << 50))
        throw error("--extents: a tensor of " + text + " has more entries than any memory");
      if (left_over.erase(letter) > 0) c.flops *= double(extent->second);
    }
    c.entries[o == output ? 2 : o] = stride;
  }
  if (!left_over.empty())
    throw error("--extents: " + text + " has no '" + std::string(1, left_over.begin()->first) + "'");
  c.extents.assign(extents.begin(), extents.end());
  c.form = lower_general(e, facts);
  c.kind = general_kind_of_plans(c.kind, c.form);
  return c;
}

std::vector<std::string> types_of(const options& o) {
  if (o.types == "all") return {"f64"};
  std::vector<std::string> types;
  for (std::size_t start = 0; start <= o.types.size();) {
    const std::size_t end = std::min(o.types.find(',', start), o.types.size());
    types.push_back(o.types.substr(start, end - start));
    start = end + 1;
  }
  return types;
}

}  // namespace

double general_case::bytes() const {
  return double(entries[0]) * double(size_of(kind.left)) + double(entries[1]) * double(size_of(kind.right)) +
         double(entries[2]) * double(size_of(kind.out));
}

std::string name_of(const general_case& c) {
  return (c.row > 0 ? "row " + std::to_string(c.row) + " " : std::string()) + c.einsum + " " + c.type;
}

std::string contraction_text(const general_case& c) {
  std::string text = c.einsum;
  for (const auto& [letter, extent] : c.extents) text += std::string(", ") + letter + " " + std::to_string(extent);
  return text;
}

std::string key_of(const general_case& c) {
  return "general " + general_kind_text(c.kind) + " " + general_form_text(c.form);
}

general_kind general_kind_from(const std::string& type) {
  std::string known;
  for (const named_kind& k : named_kinds) {
    if (type == k.name) {
      const bool is_16_bit = size_of(k.type) == 2;
      general_kind kind = exact_general_kind(k.type, k.type, is_16_bit ? scalar_type::f32 : k.type);
      kind.by = k.by.value_or(kind.by);
      return kind;
    }
    known += (known.empty() ? "" : ", ") + std::string(k.name);
  }
  throw error("--type " + type + ": of family general one of " + known);
}

std::vector<general_case> general_cases_from(const options& o) {
  if (!o.einsum.empty() && !o.rows.empty()) throw error("--einsum and --row: give one of the two");
  if (o.einsum.empty() && !o.extents.empty()) throw error("--extents: give the contraction with --einsum, too");
  if (!o.einsum.empty() && o.scale != 1) throw error("--scale is of --row; with --einsum give the --extents wanted");
  std::vector<general_case> cases;
  const auto add = [&](general_case c) {
    const auto is_same = [&](const general_case& other) { return key_of(other) == key_of(c); };
    if (std::none_of(cases.begin(), cases.end(), is_same)) cases.push_back(std::move(c));
  };
  for (const std::string& type : types_of(o)) {
    if (!o.einsum.empty()) {
      add(case_from(o.einsum, extents_from(o.extents), type));
      continue;
    }
    for (const bench::tccg_row& row : bench::choose_tccg_rows(o.rows.empty() ? "all" : o.rows)) {
      std::map<char, index_t> extents;
      const std::string text = bench::einsum_of(row);
      for (const char letter : text)
        if (detail::is_letter(letter)) extents[letter] = bench::extent_of(row, letter, o.scale);
      general_case c = case_from(text, extents, type);
      c.row = row.id;
      add(std::move(c));
    }
  }
  return cases;
}

config config_of(const detail::general_tile& tile, const general_form& form) {
  static_assert(6 + 3 * max_rank <= max_axes);
  config c;
  int* next = c.value;
  for (const int value :
       {int(tile.exchanged), tile.warps_down, tile.warps_across, tile.stages, tile.splits, tile.panel})
    *next++ = value;
  next = std::copy_n(tile.rows, form.rows.count, next);
  next = std::copy_n(tile.cols, form.cols.count, next);
  std::copy_n(tile.inner, form.inner.count, next);
  return c;
}

}  // namespace tessera::tune
