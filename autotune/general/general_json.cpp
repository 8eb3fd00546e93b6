// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads forms and tiles.
#include "general/general_json.hpp"

#include <algorithm>
#include <initializer_list>

#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

using stride_in = index_t general_digit::*;

constexpr stride_in in_left = &general_digit::left, in_right = &general_digit::right, in_out = &general_digit::out;

ordered_json digits_json(const general_digits& digits, std::initializer_list<stride_in> tensors) {
  ordered_json list = ordered_json::array();
  for (int i = 0; i < digits.count; ++i) {
    ordered_json one = ordered_json::array({digits.at[i].extent});
    for (const stride_in tensor : tensors) one.push_back(digits.at[i].*tensor);
    list.push_back(std::move(one));
  }
  return list;
}

general_digits digits_from(const ordered_json& list, std::initializer_list<stride_in> tensors) {
  general_digits digits;
  if (list.size() > std::size_t(max_rank)) throw error("a form with too many digits");
  for (const ordered_json& one : list) {
    general_digit& d = digits.at[digits.count++];
    d.extent = one.at(0).get<index_t>();
    std::size_t at = 1;
    for (const stride_in tensor : tensors) d.*tensor = one.at(at++).get<index_t>();
  }
  return digits;
}

ordered_json box_json(const int (&box)[max_rank], const general_digits& of) {
  return std::vector<int>(box, box + of.count);
}
void read_box(const ordered_json& list, const general_digits& of, int (&box)[max_rank]) {
  for (int i = 0; i < of.count; ++i) box[i] = list.at(std::size_t(i)).get<int>();
}

}  // namespace

ordered_json form_json(const general_form& form) {
  return {{"rows", digits_json(form.rows, {in_left, in_out})},
          {"columns", digits_json(form.cols, {in_right, in_out})},
          {"sum", digits_json(form.inner, {in_left, in_right})},
          {"batch", digits_json(form.batch, {in_left, in_right, in_out})}};
}

ordered_json tile_json(const detail::general_tile& tile, const general_form& form) {
  return {{"rows", box_json(tile.rows, form.rows)},
          {"columns", box_json(tile.cols, form.cols)},
          {"sum", box_json(tile.inner, form.inner)},
          {"exchanged", tile.exchanged},
          {"warps", ordered_json::array({tile.warps_down, tile.warps_across})},
          {"stages", tile.stages},
          {"splits", tile.splits},
          {"panel", tile.panel}};
}

detail::general_tile tile_in(const ordered_json& j, const general_form& form) {
  detail::general_tile tile;
  read_box(j.at("rows"), form.rows, tile.rows);
  read_box(j.at("columns"), form.cols, tile.cols);
  read_box(j.at("sum"), form.inner, tile.inner);
  tile.exchanged = j.at("exchanged").get<bool>();
  tile.warps_down = j.at("warps").at(0).get<int>();
  tile.warps_across = j.at("warps").at(1).get<int>();
  tile.stages = j.at("stages").get<int>();
  tile.splits = j.at("splits").get<int>();
  tile.panel = j.value("panel", 0);
  return tile;
}

ordered_json problem_json(const general_problem& of) {
  return {{"form", form_json(of.form)},
          {"types", ordered_json::array({int(of.kind.left), int(of.kind.right), int(of.kind.out), int(of.kind.sum)})},
          {"by", int(of.kind.by)},
          {"entries", std::vector<index_t>(of.entries, of.entries + 3)}};
}

general_problem problem_in(const ordered_json& j) {
  general_problem of;
  const ordered_json &form = j.at("form"), &types = j.at("types");
  of.form.rows = digits_from(form.at("rows"), {in_left, in_out});
  of.form.cols = digits_from(form.at("columns"), {in_right, in_out});
  of.form.inner = digits_from(form.at("sum"), {in_left, in_right});
  of.form.batch = digits_from(form.at("batch"), {in_left, in_right, in_out});
  const auto type = [&](std::size_t at) { return scalar_type(types.at(at).get<int>()); };
  of.kind.left = type(0), of.kind.right = type(1), of.kind.out = type(2), of.kind.sum = type(3);
  of.kind.by = detail::general_by(j.at("by").get<int>());
  for (std::size_t i = 0; i < 3; ++i) of.entries[i] = j.at("entries").at(i).get<index_t>();
  return of;
}

}  // namespace tessera::tune
