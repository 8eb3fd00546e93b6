// SPDX-License-Identifier: BSD-3-Clause
// The cost model of a fused chain's block, and the choice of least cost.
#include <tessera/gpu/detail/chain_blocks.hpp>

#include <algorithm>
#include <limits>

namespace tessera::device {

namespace {

constexpr chain_clocks clocks;
constexpr int most_tile_bytes = 160, longest_tile = 12;
constexpr int tried_elements[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64};
constexpr int tried_threads[] = {64, 96, 128, 192, 256};

index_t pieces_of(index_t size, index_t each) { return (size + each - 1) / each; }

// Where lane t's tile starts, in one operand.
index_t address_of(const lowered& form, int operand, index_t row, index_t col, index_t loop) {
  index_t at = 0;
  if (form.rows.count > 0) at += row * form.rows.at[0].stride[operand];
  if (form.cols.count > 0) at += col * form.cols.at[0].stride[operand];
  for (int d = 0; d < form.loop.count; ++d) {
    at += loop % form.loop.at[d].extent * form.loop.at[d].stride[operand];
    loop /= form.loop.at[d].extent;
  }
  return at;
}

// The cost of the first warp's accesses to the operands, for one entry of its tile each; other entries are at a
// constant distance.
struct warp_accesses {
  double left = 0, right = 0, out = 0;
};

warp_accesses accesses_of(const lowered& form, register_tile tile, int bytes) {
  const index_t down = pieces_of(form.rows.size(), tile.rows), across = pieces_of(form.cols.size(), tile.cols);
  const index_t tiles = down * across * form.loop.size();
  const int lanes = int(std::min<index_t>(32, tiles));
  const auto of = [&](int operand) -> double {
    if (operand < 0) return 0;
    index_t address[32];
    for (int t = 0; t < lanes; ++t)
      address[t] = address_of(form, operand, t % down, t / down % across, t / down / across);
    const bool one = std::all_of(address, address + lanes, [&](index_t at) { return at == address[0]; });
    return one && operand != output ? clocks.same_entry : clocks.wavefront * wavefronts(address, lanes, bytes);
  };
  return {of(form.left[0]) + of(form.left[1]), of(form.right[0]) + of(form.right[1]), of(output)};
}

// The cost of one tile for a warp: of the multiprocessor's time, and of its own.
struct tile_cost {
  register_tile tile;
  index_t tiles;
  double busy, alone;
};

tile_cost cost_of(const lowered& form, register_tile tile, int bytes) {
  const index_t down = pieces_of(form.rows.size(), tile.rows), across = pieces_of(form.cols.size(), tile.cols);
  const double k = double(form.inner.size()), entries = double(tile.rows) * tile.cols;
  const warp_accesses a = accesses_of(form, tile, bytes);
  const double shared = k * (tile.rows * a.left + tile.cols * a.right) + entries * a.out;
  const double fma = clocks.fma_a_byte * bytes * k * entries;
  return {tile, down * across * form.loop.size(), std::max(shared, fma),
          clocks.turn + clocks.alone * (fma + k * (tile.rows + tile.cols) / 4)};
}

std::vector<tile_cost> tiles_for(const lowered& form, int bytes) {
  std::vector<tile_cost> all;
  const bool pointwise = form.form == canonical::pointwise;
  for (int rows = 1; rows <= longest_tile && rows <= form.rows.size(); ++rows)
    for (int cols = 1; cols <= longest_tile && cols <= form.cols.size(); ++cols)
      if (rows * cols * bytes <= most_tile_bytes && (!pointwise || rows * cols == 1))
        all.push_back(cost_of(form, {rows, cols}, bytes));
  return all;
}

struct step_cost {
  register_tile tile;
  double busy = 0, alone = 0;
};

// Resident blocks of a multiprocessor: while some wait for memory or at a barrier, others compute.
constexpr int enough_blocks = 4;

step_cost best_tile(const std::vector<tile_cost>& all, int threads) {
  step_cost best;
  double least = std::numeric_limits<double>::infinity();
  for (const tile_cost& t : all) {
    const double busy = double(pieces_of(t.tiles, 32)) * t.busy,
                 alone = double(pieces_of(t.tiles, threads)) * t.alone + clocks.barrier;
    if (busy + alone / enough_blocks < least) {
      least = busy + alone / enough_blocks;
      best = {t.tile, busy, alone};
    }
  }
  return best;
}

int registers_of(const std::vector<register_tile>& tiles, int bytes) {
  int most = 40;
  for (const register_tile t : tiles)
    most = std::max(most, (t.rows * t.cols + t.rows + t.cols) * std::max(1, bytes / 4) + 40);
  return most;
}

// The cost of a step and the next one, for the current layout of the result between them.
double cost_around(const chain_form& form, std::size_t step, const chain_blocks& b) {
  double sum = 0;
  for (std::size_t i = step; i < std::min(step + 2, form.steps.size()); ++i) {
    const step_cost c = best_tile(tiles_for(lowered_step(form, i, b.elements), int(size_of(form.type))), b.threads);
    sum += c.busy + c.alone / enough_blocks;
  }
  return sum;
}

bool is_better(const chain_blocks& a, const chain_blocks& b) {
  return a.resident > b.resident || (a.resident == b.resident && a.clocks < b.clocks);
}

// Packed, except for one padding entry between the lines along `dimension`; the rank means the elements.
chain_operand spread(const chain_operand& o, int dimension) {
  chain_operand wide = o;
  index_t stride = 1;
  for (int d = 0; d <= wide.facts.rank; ++d) {
    if (d == dimension) ++stride;
    if (d == wide.facts.rank) break;
    wide.facts.stride[d] = stride;
    stride *= wide.facts.extent[d];
  }
  wide.apart = stride;
  return wide;
}

}  // namespace

int wavefronts(const index_t (&address)[32], int lanes, int bytes) {
  const int banks = 128 / bytes;
  int held[32]{}, most = 0;
  for (int t = 0; t < lanes; ++t) {
    bool again = false;
    for (int before = 0; before < t; ++before) again = again || address[before] == address[t];
    if (!again) most = std::max(most, ++held[address[t] % banks]);
  }
  return most;
}

lowered lowered_step(const chain_form& form, std::size_t step, index_t elements) {
  const fused_step& s = form.steps[step];
  operand_facts facts[max_inputs + 1];
  for (int o = 0; o + 1 < s.e.inputs; ++o) {
    const chain_operand& input = s.inputs[o];
    facts[o] = (input.is_shared() ? form.table_in_shared(input) : input).of_elements(elements);
  }
  facts[s.e.inputs - 1] = form.chained(step).of_elements(elements);
  facts[output] = s.result.of_elements(elements);
  return lower(s.e, facts);
}

index_t shared_bytes_of(const chain_form& form, int elements) {
  return ((form.half(0) + form.half(1)) * elements + form.table_entries()) * index_t(size_of(form.type));
}

chain_blocks choose_blocks(const chain_form& form, const gpu_limits& limits) {
  const int bytes = int(size_of(form.type));
  chain_blocks best;
  for (const int elements : tried_elements) {
    const index_t shared = shared_bytes_of(form, elements);
    if (shared > limits.shared_bytes) break;
    // Whole pieces of 16 bytes, so that every block is aligned to 16 bytes.
    if (elements > 1 &&
        (elements * form.in.entries() * bytes % 16 != 0 || elements * form.out.entries() * bytes % 16 != 0))
      continue;
    std::vector<std::vector<tile_cost>> tiles;
    for (std::size_t i = 0; i < form.steps.size(); ++i)
      tiles.push_back(tiles_for(lowered_step(form, i, elements), bytes));
    for (const int threads : tried_threads) {
      chain_blocks b{elements, threads, {}, int(shared)};
      double busy = 0, alone = clocks.memory;
      for (const auto& of_step : tiles) {
        const step_cost c = best_tile(of_step, threads);
        b.tiles.push_back(c.tile);
        busy += c.busy;
        alone += c.alone;
      }
      const int resident =
          std::min({limits.all_shared_bytes / (b.shared_bytes + limits.reserved_bytes), limits.all_threads / threads,
                    limits.blocks, limits.registers / (threads * registers_of(b.tiles, bytes))});
      b.clocks = (busy + alone / std::max(1, resident)) / elements;
      b.resident = std::min(resident, enough_blocks);
      if (is_better(b, best)) best = b;
    }
  }
  return best;
}

void spread_results(chain_form& form, const gpu_limits& limits) {
  const chain_form as_given = form;
  const chain_blocks b = choose_blocks(form, limits);
  if (b.elements == 0) return;
  for (std::size_t i = 0; i + 1 < form.steps.size(); ++i) {
    const chain_operand packed = form.steps[i].result;
    chain_operand best = packed;
    double least = cost_around(form, i, b);
    for (int d = 1; d <= packed.facts.rank; ++d) {
      form.steps[i].result = spread(packed, d);
      const double cost = cost_around(form, i, b);
      if (cost < 0.98 * least) least = cost, best = form.steps[i].result;
    }
    form.steps[i].result = best;
  }
  // Every step was a gain, but the larger results may still cost a resident block.
  if (is_better(b, choose_blocks(form, limits))) form = as_given;
}

}  // namespace tessera::device
