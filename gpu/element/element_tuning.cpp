// SPDX-License-Identifier: BSD-3-Clause
// What fits an element kernel of the GPU, and how far apart lines lie in shared memory.
#include <tessera/detail/element/element_tuning.hpp>

#include <algorithm>
#include <array>

#include <tessera/gpu/detail/element/node_layout.hpp>
#include <tessera/gpu/detail/element/piece_layout.hpp>

#include "src/element/element_parts.hpp"

namespace tessera {

using detail::components_of;
using detail::is_coupled;

namespace {

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
  const int vector = piece_bytes(t.elements * t.together * each, f.entry_bytes);
  const int data = t.staged ? piece_bytes(t.elements * f.element_bytes() / f.stored_bytes, f.stored_bytes) : 0;
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

}  // namespace

bool can_be_direct(const element_kernel_facts& f) {
  return f.slopes() && (f.dim > 1 || f.own_slopes) && !is_coupled(f) && !f.nodal;
}

bool can_be_staged(const element_kernel_facts& f) {
  return f.geometry > 0 || (data_comes_later(f) && f.element_bytes() % 16 == 0);
}

bool can_be_packed(const element_kernel_facts& f) {
  return f.geometry == 0 && f.unit && f.adjacent && f.dim > 1 && !f.nodal;
}

bool can_be_by_warp(const element_kernel_facts& f) {
  constexpr int most = 8;
  return f.dim == 3 && f.entry_bytes == 8 && !is_coupled(f) && !f.nodal && f.geometry == 0 && f.side() <= most;
}

bool can_be_by_plane(const element_kernel_facts& f) {
  return f.dim == 3 && !is_coupled(f) && !f.nodal && f.geometry == 0;
}

int elements_of_warp(const element_kernel_facts& f) { return f.side() <= 4 ? 4 : 1; }

int cubes_of(const element_kernel_facts& f, bool direct) {
  if (direct) return f.dim > 1 ? f.dim : 0;
  const bool last_in_cube = f.slopes() && is_coupled(f);
  const int across = f.slopes() && f.dim > 1 ? f.dim - 1 : 0;
  const int values = f.dim > 1 || last_in_cube ? 1 : 0;
  const int apart = last_in_cube && (f.of_trial.value || f.of_test.value) ? 1 : 0;
  return components_of(f) * (values + across + apart);
}

index_t shared_bytes_of(const element_kernel_facts& f, const element_tuning& t) {
  constexpr index_t four_tables = 4 * 8 * 8;
  const index_t entries =
      t.by_warp ? four_tables : index_t(cubes_of(f, t.direct)) * t.elements * t.together * t.pitch_element;
  const index_t cubes = entries * f.entry_bytes;
  if (f.geometry > 0)
    return cubes +
           index_t(node_layout{f.dim, f.geometry, f.points, f.factors, t.elements, t.staged}.entries()) * f.entry_bytes;
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

}  // namespace tessera
