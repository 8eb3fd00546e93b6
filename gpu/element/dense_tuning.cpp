// SPDX-License-Identifier: BSD-3-Clause
// Chooses how the GPU's kernel of dense tables is set up, by counting what a block does.
#include <tessera/gpu/detail/element/dense_tuning.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace tessera {

namespace {

int pieces(int all, int of_one) { return (all + of_one - 1) / of_one; }
int up(int number, int multiple) { return pieces(number, multiple) * multiple; }

// The time of two that overlap: the longer one, and a fraction of the other.
double both(double a, double b) { return std::max(a, b) + 0.25 * std::min(a, b); }

// Cycles per element of a fully occupied multiprocessor of sm_90. A multiply-add of a warp takes half a cycle in double
// and a quarter in float. A load takes a cycle for each 128 bytes that the lanes of a group span, and one cycle if all
// of them read the same piece.
double cycles_of(const dense_sizes& s, const dense_tuning& t) {
  const dense_layout layout{s, t};
  const double multiply = s.entry_bytes == 8 ? 0.5 : 0.25;
  const int together = std::min(t.lanes, 32), groups_of_warp = pieces(32, t.lanes);
  const double line = pieces(together * s.entry_bytes, 128);
  const double warps = layout.threads() / 32.0, e = t.elements, m = t.points, n = layout.functions();
  const auto step = [&](double components, double mine) {
    const double sums = multiply * components * mine * e;
    const double loads = line * mine + components * e / layout.of_piece();
    return both(sums, loads);
  };
  // x is loaded once for value and derivatives.
  const double to = layout.parts() * layout.padded_trial() * step(s.trials, m * s.trial_slots);
  const double back = double(s.points) * s.test_slots * step(s.tests, n);
  const double numbers =
      layout.parts() * m * e * (s.factors * std::max(line, groups_of_warp / 2.0) + s.tests * s.test_slots);
  constexpr double of_a_part = 60;  // barriers, and the instructions outside the loops
  const double work = warps * (to + back + numbers) + of_a_part * layout.parts();
  return work / layout.elements();
}

// Cycles per element to read the tables from L2, if L1 cannot keep them.
double cycles_of_tables(const dense_sizes& s, const dense_tuning& t, const gpu_limits& m) {
  const dense_layout layout{s, t};
  const double bytes = double(layout.trial_entries() + layout.test_entries()) * s.entry_bytes;
  const double kept = m.all_shared_bytes - double(t.blocks) * layout.entries() * s.entry_bytes;
  constexpr double bytes_a_cycle = 32;
  return bytes <= kept ? 0 : bytes / bytes_a_cycle / layout.elements();
}

// Cycles per element to read x and D and write y, at the bandwidth of an H200.
double cycles_of_memory(const dense_sizes& s) {
  constexpr double bytes_a_cycle = 18;
  return double(s.trial * s.trials + s.test * s.tests + s.points * s.factors) * s.entry_bytes / bytes_a_cycle;
}

int blocks_for(const dense_sizes& s, const dense_tuning& t, const gpu_limits& m) {
  const dense_layout layout{s, t};
  const int registers = std::min(up(registers_of(s, t), 8), m.registers_a_thread), warps = layout.threads() / 32;
  const int by_registers = 4 * (m.registers / 4 / 32 / registers) / warps;
  const int by_shared = m.all_shared_bytes / (layout.entries() * s.entry_bytes + m.reserved_bytes);
  return std::min({by_registers, by_shared, m.all_threads / layout.threads(), m.blocks});
}

}  // namespace

int registers_of(const dense_sizes& s, const dense_tuning& t) {
  const dense_layout layout{s, t};
  if (t.by_warp)
    return 34 + t.elements * s.tests * layout.functions() +
           t.elements / 2 * t.points * std::max(s.trials * s.trial_slots, s.tests * s.test_slots) + 4 * s.factors +
           (t.ahead && layout.functions() > 1 ? 4 : 0);
  const int word = s.entry_bytes / 4, addresses = 40;
  const int to = s.trials * s.trial_slots * t.points * t.elements + s.trials * t.elements * layout.of_piece();
  const int at_point = s.trials * s.trial_slots * t.points * t.elements + 2 * s.factors + s.tests * s.test_slots;
  const int back = s.tests * t.elements * layout.of_piece() + layout.functions();
  const int kept = s.tests * layout.functions() * t.elements;
  const int early = t.ahead ? t.points * t.elements * s.factors : 0;
  return addresses + word * (kept + std::max({to + early, at_point + early, back}));
}

const char* why_unfit(const dense_sizes& s, const dense_tuning& t, const gpu_limits& m) {
  constexpr double most_entries = 1u << 31;
  if (double(s.points + 64) * (s.trial + 64) * s.trial_slots > most_entries ||
      double(s.points + 64) * (s.test + 64) * s.test_slots > most_entries)
    return "tables are too large";
  const dense_layout layout{s, t};
  if (t.by_warp && !m.tensor_cores) return "there are no tensor cores";
  if (t.by_warp && t.ahead && t.points > 4) return "a warp asks for D of four times eight points ahead at most";
  if (t.by_warp && (s.entry_bytes != 8 || t.lanes != 32 || (t.elements != 16 && t.elements != 32)))
    return "a warp has 16 or 32 elements, in double";
  if (t.lanes < 4 || t.lanes % 4 != 0) return "lanes are no multiple of 4";
  if (t.groups < 1 || t.elements < 1 || t.points < 1) return "a block has no work";
  if (layout.threads() > m.threads) return "threads are more than a block may have";
  if (index_t(layout.entries()) * s.entry_bytes > m.shared_bytes) return "an element does not fit shared memory";
  if (t.blocks < 1 || t.blocks * layout.threads() > m.all_threads || t.blocks > m.blocks)
    return "too many blocks are asked for";
  return "";
}

namespace {

// Whether D is staged: if it can be copied 16 bytes at a time and has few factors or a single part, or if it has one
// factor and a thread has one tile of functions. Otherwise L1 is worth more to the tables.
bool is_staged(const dense_sizes& s, const dense_layout& layout) {
  const bool wide = s.points % 2 == 0, few = s.factors <= 3 || layout.parts() == 1;
  return (wide && few) || (s.factors == 1 && layout.functions() == 1);
}

// By warps, if a warp's data fit its registers; the number of points at once is from measurements on an H200.
dense_tuning tuning_by_warp(const dense_sizes& s, const gpu_limits& m) {
  dense_tuning t{.lanes = 32, .groups = 0, .elements = 16, .by_warp = true};
  if (s.entry_bytes != 8 || !m.tensor_cores || registers_of(s, t) > 235) return t;
  const int kept = s.tests * dense_layout{s, t}.functions();  // tiles of y
  const auto wasteful = [&] { return 4 * dense_layout{s, t}.padded_points() > 5 * up(s.points, 8); };
  t.ahead = is_staged(s, dense_layout{s, t});
  if (t.ahead) {
    t.points = s.factors > 1 || s.points < 16 || kept == 2 ? 1 : kept == 1 ? 2 : 4;
    if (s.factors == 1 && kept == 1 && s.points <= 8) t.elements = 32;
  } else {
    const int most = kept == 1 ? 98 : kept == 2 ? 138 : 220;
    for (t.points = 4; t.points > 1 && (registers_of(s, t) > most || wasteful());) t.points /= 2;
  }
  while (t.points > 1 && wasteful()) t.points /= 2;
  constexpr std::array<int, 7> most_registers{0, 255, 255, 156, 116, 96, 80};  // by blocks of four warps
  for (t.groups = 4; t.groups > 0; t.groups /= 2)
    for (t.blocks = 6; t.blocks > 0; --t.blocks) {
      const dense_layout layout{s, t};
      const bool fits = t.blocks * (index_t(layout.entries()) * s.entry_bytes + m.reserved_bytes) <= m.all_shared_bytes;
      if (registers_of(s, t) <= most_registers[std::size_t(t.blocks)] && fits && *why_unfit(s, t, m) == '\0') return t;
    }
  return t;
}

}  // namespace

dense_tuning ruled_dense_tuning(const dense_sizes& s, const gpu_limits& m) {
  if (const dense_tuning t = tuning_by_warp(s, m); t.groups > 0) return t;
  dense_tuning best;
  double fewest = -1;
  const auto consider = [&](dense_tuning t, int most_registers) {
    t.ahead = t.points * t.elements * s.factors * s.entry_bytes <= 64;
    if (registers_of(s, t) > most_registers) return;
    t.blocks = std::max(1, blocks_for(s, t, m));
    const dense_layout layout{s, t};
    if (*why_unfit(s, t, m) != '\0') return;
    // Other blocks hide the latency of a block: there have to be a few of them, and some warps.
    constexpr double enough_warps = 16, enough_blocks = 4;
    const int warps = t.blocks * (layout.threads() / 32);
    const double alone = std::max(1.0, 0.6 + 0.4 * enough_blocks / t.blocks);
    const double cycles = both(cycles_of(s, t) + cycles_of_tables(s, t, m), cycles_of_memory(s)) * alone *
                          std::max(1.0, 0.5 + 0.5 * enough_warps / warps);
    if (fewest >= 0 && cycles >= fewest) return;
    fewest = cycles;
    best = t;
  };
  constexpr std::array<int, 6> at_once{1, 2, 3, 4, 6, 8};
  const int longest = up(std::max(s.points, s.test), 4);
  for (const int most_registers : {168, 1 << 20}) {
    for (int lanes = 4; lanes <= std::min(longest, m.threads); lanes += lanes < 32 ? 4 : 32)
      for (const int threads : {64, 96, 128, 160, 192, 256, 384, 512, 1024}) {
        const int groups = threads / lanes;
        if (groups < 1 || up(groups * lanes, 32) != threads || threads > m.threads) continue;
        for (const int elements : at_once)
          for (int points = 1; points <= 4; ++points)
            consider({.lanes = lanes, .groups = groups, .elements = elements, .points = points}, most_registers);
      }
    if (fewest >= 0) return best;
  }
  return best;
}

}  // namespace tessera
