// SPDX-License-Identifier: BSD-3-Clause
// Sets up an element kernel of the GPU by rules that were found by measuring on an H200.
#include <tessera/detail/element/element_tuning.hpp>

#include <algorithm>

#include "src/element/element_parts.hpp"

namespace tessera {

using detail::components_of;
using detail::is_coupled;

namespace {

int up(int number, int multiple) { return (number + multiple - 1) / multiple * multiple; }

// The number of elements in a block. Lanes without a line idle in every phase. The block has the usual number of
// threads, or another number near it if that leaves over 8 percentage points fewer lanes idle.
int elements_for(int lines, int usual) {
  const int least = usual - 32, most = usual + 32;
  if (lines > most) return 1;
  const auto busy = [&](int threads) { return 100 * (threads / lines * lines) / threads; };
  int best = usual;
  for (int threads = least; threads <= most; threads += 32)
    if (threads >= lines && (best < lines || busy(threads) > busy(best) + 8)) best = threads;
  return best / lines;
}

// The direction of the lines at the points. Along the last direction, loads of D are coalesced, and x and y are read in
// pieces of d entries. Along the second-last one, x and y are coalesced, and D is read in pieces of q entries. With
// derivatives D is most of what is read. The mass was faster along the second-last one, by 4 to 8 percentage points of
// the bandwidth of an H200, except at the smallest orders.
int last_for(const element_kernel_facts& f) {
  const bool small = f.trial < 3 || (f.trial == 3 && f.points > 3);
  return f.dim == 3 && !f.slopes() && !small ? 1 : f.dim - 1;
}

// Registers that a thread needs to compute D along a line: dim x dim values at the geometry nodes of the line, and
// those of the formula, which are more if D is computed in the phase at the points. The smallest counts without spills
// (ptxas 13.0, sm_90).
int registers_for_nodes(const element_kernel_facts& f, const element_tuning& t) {
  const int word = f.entry_bytes / 4, addresses = word == 2 ? 16 : 24, most = 168;
  const bool both = f.slopes() && f.of_trial.value && f.of_test.value;
  const int formula = f.factors == 1 ? (t.staged ? 6 : 14) : t.staged ? 22 : both ? 39 : 29;
  return std::min(most, up(addresses + word * (f.dim * f.dim * f.geometry + formula), 8));
}

// Registers that a kernel with one line per thread needs, including those for D.
int registers_for(const element_kernel_facts& f, const element_tuning& t) {
  if (f.geometry > 0) {
    element_kernel_facts stored = f;
    stored.geometry = 0;
    return std::max(registers_for(stored, t), registers_for_nodes(f, t));
  }
  const int word = f.entry_bytes / 4, line = f.side();
  const int addresses = (f.several && t.together == 1 ? 14 : 0) + (f.l_vectors ? 22 + line / 2 * word
                                                                   : f.unit    ? 0
                                                                               : 14);
  if (!f.slopes()) {
    // Along y at ten points the last two registers are one too few.
    const int more = f.dim == 2 || f.points >= 10 ? 8 : 4;
    return up(20 + addresses + more + 2 * components_of(f) * word * line + (f.factors > 1 ? word * t.prefetch : 0), 8);
  }
  if (is_coupled(f)) return word == 2 ? 168 : 104;
  const int more = word * std::max(f.factors - 6, 0);  // than diffusion's
  if (t.direct) {
    const int lines = f.of_trial.value || f.of_test.value ? 5 : 4;
    const int own = t.staged ? 0 : word * f.factors * t.prefetch / 2;
    return up(40 + addresses + lines * word * line + own + more, 8);
  }
  return up((word == 2 ? 56 + 7 * line : 40 + 4 * line) + addresses + t.prefetch * more, 8);
}

// Chooses `direct` and `staged`. On an H200, cool and hot, direct derivatives with D copied to shared memory at the
// same time were the fastest for diffusion at most orders; derivatives at the points were faster with six points, and
// with so many points that D leaves three blocks per multiprocessor.
void choose_way(const element_kernel_facts& f, element_tuning& t) {
  if (is_coupled(f)) return;
  if (!f.slopes()) {
    // D is read once for all applications; registers hold the entries' places, which are few for two functions.
    t.staged = (f.several || (f.l_vectors && f.trial > 2)) && can_be_staged(f);
    return;
  }
  const bool many = f.dim == 3 && f.points >= 10;
  t.staged = can_be_staged(f) && !many;
  t.direct = can_be_direct(f) && (f.own_slopes || (!many && !(f.dim == 3 && f.points == 6 && f.trial < 6)));
}

// Points of a line whose D is loaded at the start, to hide its latency: as many as registers hold.
int prefetch_for(const element_kernel_facts& f, const element_tuning& t) {
  if (t.staged || f.geometry > 0 || (f.l_vectors && !f.slopes() && f.trial > 2)) return 0;
  const int numbers = f.slopes() ? (is_coupled(f) ? 0 : f.points >= 10 ? 12 : f.points > 4 ? 18 : 24) : 32;
  return std::clamp(numbers / f.factors, 0, f.points);
}

int blocks_for(const element_kernel_facts& f, const element_tuning& t, const gpu_limits& m) {
  // A multiprocessor has four parts, each with its own registers; warps are distributed evenly over them.
  const int registers = std::min(registers_for(f, t), m.registers_a_thread), warps = t.threads / 32;
  const int by_registers = 4 * (m.registers / 4 / 32 / registers) / warps;
  const int by_shared = int(m.all_shared_bytes / (shared_bytes_of(f, t) + m.reserved_bytes));
  return std::max(1, std::min({by_registers, by_shared, m.all_threads / t.threads, m.blocks}));
}

// For stored D, or for D that is computed and, if `kept`, put into shared memory.
element_tuning ruled_tuning(const element_kernel_facts& f, bool kept, const gpu_limits& m) {
  element_tuning t;
  t.last = last_for(f);
  t.even_odd = f.mirrors && f.trial >= 3;
  choose_way(f, t);
  if (f.geometry > 0) {
    t.staged = kept;
    // For longer lines, direct derivatives take 40 registers more than derivatives at the points.
    t.direct = t.direct && (f.own_slopes || kept || f.points <= 4 || (f.points <= 6 && f.geometry <= 2));
  }
  t.prefetch = prefetch_for(f, t);
  // All components at once: D is read once, and a block's loads in flight match what its threads compute.
  constexpr int most_threads = 288;
  if (f.geometry == 0 && f.repeats * f.lines() <= most_threads) t.together = f.repeats;
  const int lines = f.lines() * t.together;
  const auto try_with = [&](int elements) {
    t.elements = elements;
    t.threads = up(elements * lines, 32);
    choose_pitches(f, t, true, m);
    t.blocks = blocks_for(f, t, m);
  };
  // Seven nodes at seven points: one element 98 %, two 93 % of copy bandwidth (H200).
  const bool alone = f.slopes() && f.dim == 3 && (f.side() >= 8 || (f.trial == 7 && f.points == 7));
  // Small blocks where they load L-vectors: 9 and 11 % faster for mass and diffusion at p = 1.
  int elements = alone ? 1 : elements_for(lines, t.staged && lines <= 9 && !f.l_vectors ? 256 : 128);
  try_with(elements);
  while (elements > 1 && t.blocks < 4) try_with(--elements);
  if (shared_bytes_of(f, t) <= m.shared_bytes || !t.staged) return t;
  t.staged = false;  // D of one element does not fit
  t.prefetch = prefetch_for(f, t);
  try_with(1);
  return t;
}

// Registers of a thread that holds planes.
int registers_of_planes(const element_kernel_facts& f) {
  return 20 + f.entry_bytes / 4 * (std::max(f.trial, f.test) * f.points + 2 * f.side());
}

// On an H200 the kernels of lines were limited by index arithmetic in float, with several components, and for d = 2:
// for operators without derivatives, planes were 1.1 to 2.1 times as fast as long as they fit registers. With d = q = 4
// or 8, planes have bank conflicts.
bool planes_are_faster(const element_kernel_facts& f) {
  if (!can_be_by_plane(f) || !can_be_packed(f) || f.slopes() || (f.several && f.repeats == 1)) return false;
  if (f.trial == f.points && f.trial % 4 == 0) return false;
  if (f.entry_bytes == 4) return registers_of_planes(f) <= 112;
  return f.trial == 2 || (f.repeats > 1 && registers_of_planes(f) <= 150);
}

element_tuning ruled_planes(const element_kernel_facts& f, const gpu_limits& m) {
  element_tuning t{
      .even_odd = f.mirrors && f.trial >= 3, .staged = true, .packed = 2, .together = f.repeats, .by_plane = true};
  // Without padding, planes along x have no bank conflicts, and those along z have none if d is odd.
  t.last = f.entry_bytes == 4 && f.trial % 4 != 0 && f.trial > 2 ? 2 : 0;
  const int registers = up(registers_of_planes(f) + 12, 8), usual = registers > 100 ? 64 : 128;
  const int planes = f.side() * t.together;
  for (t.elements = std::max(1, usual / planes); t.elements > 0; --t.elements) {
    t.threads = up(t.elements * planes, 32);
    choose_pitches(f, t, true, m);
    if (shared_bytes_of(f, t) <= m.shared_bytes) break;
  }
  const int by_shared = int(m.all_shared_bytes / (shared_bytes_of(f, t) + m.reserved_bytes));
  t.blocks =
      std::max(1, std::min({m.registers / (registers * t.threads), by_shared, m.all_threads / t.threads, m.blocks}));
  return t;
}

}  // namespace

element_tuning ruled_element_tuning(const element_kernel_facts& f, const gpu_limits& m) {
  if (planes_are_faster(f))
    if (const element_tuning planes = ruled_planes(f, m); *why_unfit(f, planes, m) == '\0') return planes;
  const element_tuning kept = ruled_tuning(f, true, m);
  if (f.geometry == 0 || f.several) return kept;
  // D computed in the phase that uses it takes more registers, but less shared memory: the choice with more warps wins.
  const element_tuning passing = ruled_tuning(f, false, m);
  return passing.blocks * passing.threads < kept.blocks * kept.threads ? kept : passing;
}

}  // namespace tessera
