// SPDX-License-Identifier: BSD-3-Clause
// Reads records of general contractions: digits are lists of an extent and strides, a tile is an object.
#include "general_json.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

#include <tessera/error.hpp>

#include "json_members.hpp"

namespace tessera::detail {

namespace {

using value_kind = json_value::kind;
using stride_in = index_t general_digit::*;

constexpr const char* list_text = "a list of at most ";

const json_value& list_of(const json_value& j, std::string_view name, const std::string& what) {
  return json_members::member(j, name, value_kind::list, what.c_str());
}

// [[extent, stride, stride], ...]
general_digits digits_in(const json_value& j, std::string_view name, std::initializer_list<stride_in> tensors) {
  const std::string what =
      list_text + std::to_string(max_rank) + " lists of an extent and " + std::to_string(tensors.size()) + " strides";
  const json_value& list = list_of(j, name, what);
  general_digits digits;
  if (list.items.size() > std::size_t(max_rank)) throw error(json_members::quoted(name) + " must be " + what);
  for (const json_value& one : list.items) {
    if (one.is != value_kind::list || one.items.size() != 1 + tensors.size())
      throw error(json_members::quoted(name) + " must be " + what);
    constexpr index_t most = std::numeric_limits<index_t>::max() / 2;
    general_digit& d = digits.at[digits.count++];
    d.extent = json_members::integer_in(one.items[0], name, 1, std::numeric_limits<int>::max());
    std::size_t at = 1;
    for (const stride_in tensor : tensors) d.*tensor = json_members::integer_in(one.items[at++], name, -most, most);
  }
  return digits;
}

void read_box(const json_value& tile, const char* name, const general_digits& of, int (&box)[max_rank]) {
  const std::string what = "a list of " + std::to_string(of.count) + " integers";
  const json_value& list = list_of(tile, name, what);
  if (list.items.size() != std::size_t(of.count))
    throw error(json_members::quoted(name) + " of the tile must be " + what);
  for (int i = 0; i < of.count; ++i)
    box[i] = int(json_members::integer_in(list.items[std::size_t(i)], name, 1, std::numeric_limits<int>::max()));
}

bool is_text(const std::string& text) {
  constexpr std::size_t longest = 200;
  return !text.empty() && text.size() <= longest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

void read_general(const json_value& j, target on, tuning_record& r) {
  if (on != target::cuda) throw error("records of general contractions are of GPUs");
  r.kind = json_members::text(j, "kind");
  if (!is_text(r.kind)) throw error("\"kind\" must be a text like \"f64 by tensor cores\"");
  r.contraction = json_members::text_or_none(j, "contraction");
  constexpr stride_in left = &general_digit::left, right = &general_digit::right, out = &general_digit::out;
  r.form.rows = digits_in(j, "rows", {left, out});
  r.form.cols = digits_in(j, "columns", {right, out});
  r.form.inner = digits_in(j, "sum", {left, right});
  r.form.batch = digits_in(j, "batch", {left, right, out});
  const json_value& tile = json_members::member(j, "tile", value_kind::object, "an object");
  read_box(tile, "rows", r.form.rows, r.tile.rows);
  read_box(tile, "columns", r.form.cols, r.tile.cols);
  read_box(tile, "sum", r.form.inner, r.tile.inner);
  r.tile.exchanged = json_members::flag_or_false(tile, "exchanged");
  const json_value& warps = list_of(tile, "warps", "a list of two integers");
  if (warps.items.size() != 2) throw error("\"warps\" must be a list of two integers");
  r.tile.warps_down = int(json_members::integer_in(warps.items[0], "warps", 1, 32));
  r.tile.warps_across = int(json_members::integer_in(warps.items[1], "warps", 1, 32));
  r.tile.stages = json_members::integer(tile, "stages", 1, 8);
  r.tile.splits = json_members::integer(tile, "splits", 1, most_parts_of_sum);
  r.tile.panel = json_members::integer_or_zero(tile, "panel", 1 << 20);
}

}  // namespace tessera::detail
