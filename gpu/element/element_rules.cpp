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

// Elements of a block. Lanes without a line are lost in every phase: as many threads as usual, or, where more than 8
// points fewer lanes idle, another number near it.
int elements_for(int lines, int usual) {
  const int least = usual - 32, most = usual + 32;
  if (lines > most) return 1;
  const auto busy = [&](int threads) { return 100 * (threads / lines * lines) / threads; };
  int best = usual;
  for (int threads = least; threads <= most; threads += 32)
    if (threads >= lines && (best < lines || busy(threads) > busy(best) + 8)) best = threads;
  return best / lines;
}

// D is read across the lines at the points, whole sectors of it where these go along the last direction; then x and y
// are read in pieces of d entries. Along the one before it is the other way round. With derivatives D is most of what
// is read; the mass was faster the second way by 4 to 8 points of the bandwidth of an H200, but for the smallest
// orders.
int last_for(const element_kernel_facts& f) {
  const bool small = f.trial < 3 || (f.trial == 3 && f.points > 3);
  return f.dim == 3 && !f.slopes() && !small ? 1 : f.dim - 1;
}

// Those of a line that D is computed for: dim x dim functions at the nodes along it, and what the formula takes, more
// where D is computed in the phase at the points. As few as left nothing in local memory (ptxas 13.0, sm_90).
int registers_for_nodes(const element_kernel_facts& f, const element_tuning& t) {
  const int word = f.entry_bytes / 4, addresses = word == 2 ? 16 : 24, most = 168;
  const bool both = f.slopes() && f.of_trial.value && f.of_test.value;
  const int formula = f.factors == 1 ? (t.staged ? 6 : 14) : t.staged ? 22 : both ? 39 : 29;
  return std::min(most, up(addresses + word * (f.dim * f.dim * f.geometry + formula), 8));
}

// Registers that the kernel of one line a thread needs, with what it holds of D.
int registers_for(const element_kernel_facts& f, const element_tuning& t) {
  if (f.geometry > 0) {
    element_kernel_facts stored = f;
    stored.geometry = 0;
    return std::max(registers_for(stored, t), registers_for_nodes(f, t));
  }
  const int word = f.entry_bytes / 4, line = f.side();
  const int addresses = (f.several && t.together == 1 ? 14 : 0) + (f.unit ? 0 : 14);
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

// The way to derivatives and D. Direct, with D copied to shared memory meanwhile, was the fastest on an H200 for
// diffusion of most orders, cool and hot; but with six points, and with so many that D leaves three blocks a
// multiprocessor, derivatives at the points were.
void choose_way(const element_kernel_facts& f, element_tuning& t) {
  if (is_coupled(f)) return;
  if (!f.slopes()) {
    t.staged = f.several && can_be_staged(f);  // read once for all applications
    return;
  }
  const bool many = f.dim == 3 && f.points >= 10;
  t.staged = can_be_staged(f) && !many;
  t.direct = can_be_direct(f) && (f.own_slopes || (!many && !(f.dim == 3 && f.points == 6 && f.trial < 6)));
}

// A line's D in registers from the start hides its latency; more of it than this would not fit.
int prefetch_for(const element_kernel_facts& f, const element_tuning& t) {
  if (t.staged || f.geometry > 0) return 0;
  const int numbers = f.slopes() ? (is_coupled(f) ? 0 : f.points >= 10 ? 12 : f.points > 4 ? 18 : 24) : 32;
  return std::clamp(numbers / f.factors, 0, f.points);
}

// What a block takes beside its own.
constexpr int shared_overhead = 1024;

int blocks_for(const element_kernel_facts& f, const element_tuning& t, const gpu_limits& m) {
  // A multiprocessor has four parts with registers of their own; warps are dealt to them evenly.
  const int registers = std::min(registers_for(f, t), m.registers_a_thread), warps = t.threads / 32;
  const int by_registers = 4 * (m.registers / 4 / 32 / registers) / warps;
  const int by_shared = int(m.all_shared_bytes / (shared_bytes_of(f, t) + shared_overhead));
  return std::max(1, std::min({by_registers, by_shared, m.all_threads / t.threads, m.blocks}));
}

// With D stored, or computed and, where `kept`, put into shared memory.
element_tuning ruled_tuning(const element_kernel_facts& f, bool kept, const gpu_limits& m) {
  element_tuning t;
  t.last = last_for(f);
  t.even_odd = f.mirrors && f.trial >= 3;
  choose_way(f, t);
  if (f.geometry > 0) {
    t.staged = kept;
    // Of longer lines it takes 40 registers more than collocated.
    t.direct = t.direct && (f.own_slopes || kept || f.points <= 4 || (f.points <= 6 && f.geometry <= 2));
  }
  t.prefetch = prefetch_for(f, t);
  // All components at the same time: D is read once, and a block has as much on its way as it can compute with.
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
  int elements = alone ? 1 : elements_for(lines, t.staged && lines <= 9 ? 256 : 128);
  try_with(elements);
  while (elements > 1 && t.blocks < 4) try_with(--elements);
  if (shared_bytes_of(f, t) <= m.shared_bytes || !t.staged) return t;
  t.staged = false;  // one element's does not fit
  t.prefetch = prefetch_for(f, t);
  try_with(1);
  return t;
}

// Registers of a thread with planes.
int registers_of_planes(const element_kernel_facts& f) {
  return 20 + f.entry_bytes / 4 * (std::max(f.trial, f.test) * f.points + 2 * f.side());
}

// On an H200 lines had too much to count in float, with several components and of two nodes: planes of values were 1.1
// to 2.1 times as fast while they fit registers. Of 4 or 8 nodes at as many points banks are in their way.
bool planes_are_faster(const element_kernel_facts& f) {
  if (!can_be_by_plane(f) || !can_be_packed(f) || f.slopes() || (f.several && f.repeats == 1)) return false;
  if (f.trial == f.points && f.trial % 4 == 0) return false;
  if (f.entry_bytes == 4) return registers_of_planes(f) <= 112;
  return f.trial == 2 || (f.repeats > 1 && registers_of_planes(f) <= 150);
}

element_tuning ruled_planes(const element_kernel_facts& f, const gpu_limits& m) {
  element_tuning t{
      .even_odd = f.mirrors && f.trial >= 3, .staged = true, .packed = 2, .together = f.repeats, .by_plane = true};
  // Planes along z of odd numbers of nodes lie apart in banks as they come; those along x always do.
  t.last = f.entry_bytes == 4 && f.trial % 4 != 0 && f.trial > 2 ? 2 : 0;
  const int registers = up(registers_of_planes(f) + 12, 8), usual = registers > 100 ? 64 : 128;
  const int planes = f.side() * t.together;
  for (t.elements = std::max(1, usual / planes); t.elements > 0; --t.elements) {
    t.threads = up(t.elements * planes, 32);
    choose_pitches(f, t, true, m);
    if (shared_bytes_of(f, t) <= m.shared_bytes) break;
  }
  const int by_shared = int(m.all_shared_bytes / (shared_bytes_of(f, t) + shared_overhead));
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
  // D computed where it is needed takes more registers, but less shared memory: whichever leaves more warps.
  const element_tuning passing = ruled_tuning(f, false, m);
  return passing.blocks * passing.threads < kept.blocks * kept.threads ? kept : passing;
}

}  // namespace tessera
