// SPDX-License-Identifier: BSD-3-Clause
// Changes one field of a tile, and runs the kernels of what results.
#include "tccg_tiles.hpp"

#include <iterator>
#include <memory>

#include <tessera/core/general.hpp>
#include <tessera/detail/general_tuning.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/stream.hpp>

namespace tessera::bench {

namespace {

using detail::general_by;
using detail::general_kind;
using detail::general_tile;

constexpr const char* things[] = {"stages", "splits", "panel", "side"};

struct value_of_field {
  const char *thing, *name;
  void (*set)(general_tile&);
};

constexpr value_of_field values[] = {
    {"stages", "stages 1", [](general_tile& t) { t.stages = 1; }},
    {"stages", "stages 2", [](general_tile& t) { t.stages = 2; }},
    {"stages", "stages 3", [](general_tile& t) { t.stages = 3; }},
    {"stages", "stages 4", [](general_tile& t) { t.stages = 4; }},
    {"splits", "splits 1", [](general_tile& t) { t.splits = 1; }},
    {"splits", "splits 2", [](general_tile& t) { t.splits = 2; }},
    {"splits", "splits 4", [](general_tile& t) { t.splits = 4; }},
    {"splits", "splits 8", [](general_tile& t) { t.splits = 8; }},
    {"panel", "panel 0", [](general_tile& t) { t.panel = 0; }},
    {"panel", "panel 4", [](general_tile& t) { t.panel = 4; }},
    {"panel", "panel 8", [](general_tile& t) { t.panel = 8; }},
    {"panel", "panel 16", [](general_tile& t) { t.panel = 16; }},
    {"side", "rows down", [](general_tile& t) { t.exchanged = false; }},
    {"side", "columns down", [](general_tile& t) { t.exchanged = true; }},
};

}  // namespace

std::span<const char* const> things_to_vary() { return things; }

std::vector<std::string> names_of_tiles(const std::string& thing) {
  std::vector<std::string> names;
  for (const value_of_field& v : values)
    if (thing == v.thing) names.emplace_back(v.name);
  return names;
}

std::vector<varied_tile> varied(const general_tile& tile, const std::string& thing) {
  std::vector<varied_tile> tiles;
  for (const value_of_field& v : values) {
    if (thing != v.thing) continue;
    tiles.push_back({v.name, tile});
    v.set(tiles.back().tile);
  }
  return tiles;
}

general_form form_of(const workload& work) {
  return lower_general(work.what.modes(),
                       {work.operands[0].host().facts, work.operands[1].host().facts, {}, work.out().host().facts});
}

general_kind kind_of(const workload& work) {
  const product_types types = work.types();
  general_kind kind = exact_general_kind(types.in, types.out, types.sum);
  if (types.in == scalar_type::f32 && types.sum == scalar_type::f32) {
    if (work.precision == product_precision::tf32) kind.by = general_by::mma_tf32;
    if (work.precision == product_precision::tf32x3) kind.by = general_by::mma_3xtf32;
  }
  return kind;
}

void check_vary(const options& o) {
  if (o.vary.empty()) return;
  if (o.target_name != "cuda") throw error("--vary " + o.vary + ": tiles are of kernels on a GPU: --target cuda");
  if (o.beta != 0 || o.entry_function != "none" || o.operations != "plus_times")
    throw error("--vary " + o.vary + ": of products and sums, without --function, --operations and --beta");
}

std::vector<way> ways_of_tiles(workload& work, const std::vector<operand>& operands, const setting& s,
                               const std::function<void(const std::string&)>& note) {
  const general_form form = form_of(work);
  const general_kind kind = kind_of(work);
  const general_tile base = present_general_tile(form, kind, device_name(target::cuda)).tile;
  std::vector<way> ways;
  for (const varied_tile& one : varied(base, s.with.vary)) {
    try {
      const auto kernel = std::make_shared<const jit_general_kernel>(form, kind, one.tile);
      const auto run = [kernel, left = operands[0].data, right = operands[1].data,
                        out = const_cast<void*>(operands.back().data)] { kernel->run(left, right, out, {}); };
      run();  // a block that does not fit is refused here
      ways.push_back({one.name, run, general_tile_text(one.tile, form), {}, [&work] { return check(work); }});
    } catch (const error& e) {
      note(work.label + ": " + one.name + " is left out: " + e.what());
    }
  }
  return ways;
}

}  // namespace tessera::bench
