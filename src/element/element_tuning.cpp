// SPDX-License-Identifier: BSD-3-Clause
// Chooses how an element kernel of the GPU is set up, by rules that were found by measuring on an H200.
#include <tessera/element/element_tuning.hpp>

#include <algorithm>
#include <array>

#include <tessera/element/node_room.hpp>
#include <tessera/element/piece_room.hpp>

namespace tessera {

namespace {

int up(int number, int multiple) { return (number + multiple - 1) / multiple * multiple; }

bool coupled(const element_kernel_facts& f) { return f.of_trial.components > 1 || f.of_test.components > 1; }
int components(const element_kernel_facts& f) { return std::max(f.of_trial.components, f.of_test.components); }

// ---- Bank conflicts

// Lines of a box along one direction, as threads number them.
struct walk {
  int along;
  std::array<int, 3> extent;
  int entries;  // read or written by each thread
};

// Turns that the threads of a block take for one entry of their lines.
long trips_of(const walk& w, const element_kernel_facts& f, const element_tuning& t) {
  constexpr int most_lanes = 32;
  const int lanes = f.entry_bytes == 8 ? 16 : 32, banks = lanes;
  const int low = w.along == 0 ? 1 : 0, high = w.along == 2 ? 1 : 2;
  const int pitch[3] = {1, t.pitch[0], t.pitch[1]};
  const int lines = w.extent[std::size_t(low)] * w.extent[std::size_t(high)], all = t.elements * t.together * lines;
  long trips = 0;
  for (int first = 0; first < all; first += lanes) {
    std::array<int, most_lanes> in_bank{};
    int worst = 0;
    for (int thread = first; thread < first + lanes && thread < all; ++thread) {
      const int line = thread % lines;
      const int at = thread / lines * t.pitch_element + line % w.extent[std::size_t(low)] * pitch[low] +
                     line / w.extent[std::size_t(low)] * pitch[high];
      worst = std::max(worst, ++in_bank[std::size_t(at % banks)]);
    }
    trips += worst;
  }
  return trips * w.entries;
}

int direction(const element_kernel_facts& f, const element_tuning& t, int sweep) {
  if (sweep == f.dim - 1) return t.last;
  if (f.dim == 2) return 1 - t.last;
  return t.last == 2 ? 1 - sweep : (t.last + 1 + sweep) % 3;
}

template <class Take>
void each_walk(const element_kernel_facts& f, const element_tuning& t, Take take) {
  std::array<int, 3> now{1, 1, 1};
  for (int a = 0; a < f.dim; ++a) now[std::size_t(a)] = f.trial;
  for (int s = 0; s < f.dim && !f.nodal; ++s) {
    const int along = direction(f, t, s);
    take(walk{along, now, (s > 0 ? 2 * f.trial : 0) + (s < f.dim - 1 ? 2 * f.points : 0)});
    now[std::size_t(along)] = f.points;
  }
  for (int a = 0; a < f.dim; ++a) now[std::size_t(a)] = f.points;
  if (f.slopes() && f.dim > 1)
    for (int s = 0; s < f.dim; ++s) take(walk{direction(f, t, s), now, 4 * f.points});
}

// Planes are written and read by threads along the last direction, lines by threads along another one.
long plane_trips(const element_kernel_facts& f, const element_tuning& t) {
  const int other = t.last == 0 ? 1 : 0, q = f.points;
  const auto along = [&](int direction, int count, int entries) {
    std::array<int, 3> extent{1, 1, 1};
    extent[std::size_t(direction)] = count;
    return trips_of({direction == 2 ? 0 : 2, extent, entries}, f, t);
  };
  return along(t.last, std::max(f.trial, f.test), 2 * q * q) + along(other, q, q * (f.trial + f.test));
}

// ---- The rules

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
// where that stands amid the operator's own work. As few as left nothing in local memory (ptxas 13.0, sm_90).
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
    return up(20 + addresses + more + 2 * components(f) * word * line + (f.factors > 1 ? word * t.prefetch : 0), 8);
  }
  if (coupled(f)) return word == 2 ? 168 : 104;
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
  if (coupled(f)) return;
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
  const int numbers = f.slopes() ? (coupled(f) ? 0 : f.points >= 10 ? 12 : f.points > 4 ? 18 : 24) : 32;
  return std::clamp(numbers / f.factors, 0, f.points);
}

int smallest_element_pitch(const element_kernel_facts& f, const element_tuning& t) {
  const int n = f.side() - 1;
  return 1 + n + (f.dim > 1 ? n * t.pitch[0] : 0) + (f.dim > 2 ? n * t.pitch[1] : 0);
}

// Nodal values are at the points in the first phase, and so are those of 1-D.
bool data_comes_later(const element_kernel_facts& f) { return f.dim > 1 && (!f.nodal || f.of_trial.gradient); }

int nodes(const element_kernel_facts& f, int line) {
  return f.dim == 3 ? line * line * line : f.dim == 2 ? line * line : line;
}

// Bytes of x or y, whichever is more, and of D in pieces.
int pieces_bytes(const element_kernel_facts& f, const element_tuning& t) {
  const int each = std::max(nodes(f, f.trial) * f.of_trial.components, nodes(f, f.test) * f.of_test.components);
  const int vector = piece_room(t.elements * t.together * each, f.entry_bytes);
  const int data = t.staged ? piece_room(t.elements * f.element_bytes() / f.stored_bytes, f.stored_bytes) : 0;
  return t.batches * (vector + data) + arrival_bytes(t.batches);
}

// Why elements cannot be taken in pieces, and applications together, as t says.
const char* why_no_pieces(const element_kernel_facts& f, const element_tuning& t) {
  if (t.together < 1 || (t.together > 1 && (t.together != f.repeats || f.geometry > 0 || t.by_warp)))
    return "not all applications to an element have threads of their own";
  if (t.packed < 0 || t.packed > 2) return "there is no such way for x and y";
  if (t.packed > 0 && (!can_be_packed(f) || t.by_warp || (f.several && t.together == 1)))
    return "x and y do not come in one piece";
  if (t.batches < 1 || (t.batches > 1 && (t.packed == 0 || !t.staged)))
    return "batches come in pieces, and D with them";
  return "";
}

// What a block takes beside its own.
constexpr int shared_overhead = 1024;

int blocks_for(const element_kernel_facts& f, const element_tuning& t, const gpu_limits& m) {
  // Warps go to the quarters of a multiprocessor in turn, and a quarter's registers are shared by its warps alike.
  const int registers = std::min(registers_for(f, t), m.registers_a_thread), warps = t.threads / 32;
  const int by_registers = 4 * (m.registers / 4 / 32 / registers) / warps;
  const int by_shared = int(m.all_shared_bytes / (shared_bytes_of(f, t) + shared_overhead));
  return std::max(1, std::min({by_registers, by_shared, m.all_threads / t.threads, m.blocks}));
}

}  // namespace

bool can_be_direct(const element_kernel_facts& f) {
  return f.slopes() && (f.dim > 1 || f.own_slopes) && !coupled(f) && !f.nodal;
}

bool can_be_staged(const element_kernel_facts& f) {
  return f.geometry > 0 || (data_comes_later(f) && f.element_bytes() % 16 == 0);
}

bool can_be_packed(const element_kernel_facts& f) {
  return f.geometry == 0 && f.unit && f.adjacent && f.dim > 1 && !f.nodal;
}

bool can_be_by_warp(const element_kernel_facts& f) {
  constexpr int most = 8;
  return f.dim == 3 && f.entry_bytes == 8 && !coupled(f) && !f.nodal && f.geometry == 0 && f.side() <= most;
}

bool can_be_by_plane(const element_kernel_facts& f) { return f.dim == 3 && !coupled(f) && !f.nodal && f.geometry == 0; }

int elements_of_warp(const element_kernel_facts& f) { return f.side() <= 4 ? 4 : 1; }

int cubes_of(const element_kernel_facts& f, bool direct) {
  if (direct) return f.dim > 1 ? f.dim : 0;
  const bool last_in_cube = f.slopes() && coupled(f);
  const int across = f.slopes() && f.dim > 1 ? f.dim - 1 : 0;
  const int values = f.dim > 1 || last_in_cube ? 1 : 0;
  const int apart = last_in_cube && (f.of_trial.value || f.of_test.value) ? 1 : 0;
  return components(f) * (values + across + apart);
}

index_t shared_bytes_of(const element_kernel_facts& f, const element_tuning& t) {
  constexpr index_t four_tables = 4 * 8 * 8;
  const index_t entries =
      t.by_warp ? four_tables : index_t(cubes_of(f, t.direct)) * t.elements * t.together * t.pitch_element;
  const index_t cubes = entries * f.entry_bytes;
  if (f.geometry > 0)
    return cubes +
           index_t(node_room{f.dim, f.geometry, f.points, f.factors, t.elements, t.staged}.entries()) * f.entry_bytes;
  if (t.packed > 0) return whole_sixteens(int(cubes)) + pieces_bytes(f, t);
  if (!t.staged) return cubes;
  constexpr index_t piece = 16, arrival = 16;
  return (cubes + piece - 1) / piece * piece + index_t(t.elements) * f.element_bytes() + arrival;
}

const char* why_unfit(const element_kernel_facts& f, const element_tuning& t, const gpu_limits& m) {
  if (t.by_warp) {
    if (!can_be_by_warp(f)) return "a warp cannot hold an element";
    if (t.elements * 32 != t.threads * elements_of_warp(f)) return "elements are not those of the block's warps";
    if (t.direct != f.slopes()) return "a warp takes derivatives directly";
  } else if (t.by_plane && !can_be_by_plane(f)) {
    return "threads cannot hold planes";
  } else if (t.by_plane && t.direct != f.slopes()) {
    return "threads with planes take derivatives directly";
  } else if (t.elements < 1 || t.threads < t.elements * t.together * (t.by_plane ? f.side() : f.lines())) {
    return "a line has no thread";
  }
  if (t.threads > m.threads || t.threads % 32 != 0)
    return "threads are not whole warps of a block, no more than it may have";
  if (t.last < 0 || t.last >= f.dim) return "there is no such last direction";
  const bool apart = t.pitch_element >= smallest_element_pitch(f, t) && (f.dim < 2 || t.pitch[0] >= f.side()) &&
                     (f.dim < 3 || t.pitch[1] >= f.side() * t.pitch[0]);
  if (!t.by_warp && !apart) return "lines in shared memory overlap";
  if (f.own_slopes && f.slopes() && !t.direct) return "these derivatives are taken directly, or not at all";
  if (t.direct && !can_be_direct(f)) return "derivatives cannot be taken directly";
  if (const char* why = why_no_pieces(f, t); *why != '\0') return why;
  if (t.staged && !can_be_staged(f) && !(t.packed > 0 && data_comes_later(f)))
    return "the numbers of an element do not come in pieces of 16 bytes, or too late";
  if (shared_bytes_of(f, t) > m.shared_bytes) return "an element does not fit shared memory";
  if (t.blocks < 1 || t.blocks * t.threads > m.all_threads || t.blocks > m.blocks)
    return "too many blocks are asked for";
  return "";
}

long shared_trips(const element_kernel_facts& f, const element_tuning& t) {
  if (t.by_plane) return plane_trips(f, t);
  long trips = 0;
  each_walk(f, t, [&](const walk& w) { trips += trips_of(w, f, t); });
  return trips;
}

void choose_pitches(const element_kernel_facts& f, element_tuning& t, bool padded, const gpu_limits& m) {
  const int side = f.side();
  element_tuning best = t;
  best.pitch[0] = side;
  best.pitch[1] = side * side;
  best.pitch_element = smallest_element_pitch(f, best);
  const int tight = best.pitch_element;
  if (f.dim == 1) {
    t = best;
    return;
  }
  // Room taken from L1 can cost more than a conflict: at most 1.3 of what is needed.
  const int tenths = padded ? 13 : 10;
  long fewest = shared_trips(f, best);
  for (int line = side; line < side + 4; ++line)
    for (int plane = line * side; plane < line * side + (f.dim == 3 ? 16 : 1); ++plane) {
      element_tuning tried = t;
      tried.pitch[0] = line;
      tried.pitch[1] = plane;
      const int least = smallest_element_pitch(f, tried);
      for (int element = least; element < least + (t.elements * t.together > 1 ? 16 : 1); ++element) {
        tried.pitch_element = element;
        if (10 * element > tenths * tight || shared_bytes_of(f, tried) > m.shared_bytes) break;
        const long trips = shared_trips(f, tried);
        if (trips > fewest || (trips == fewest && element >= best.pitch_element)) continue;
        fewest = trips;
        best = tried;
      }
    }
  t = best;
}

namespace {

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
