// SPDX-License-Identifier: BSD-3-Clause
// Chooses how a block computes element matrices: whole ones while they are small, strips of large ones.
#include <tessera/element/matrix_choice.hpp>

#include <algorithm>

#include <tessera/element/couplings.hpp>
#include <tessera/element/operators.hpp>

namespace tessera {

namespace {

// What a block writes at once: between 8 and 64 KB made no difference to plain writes (H200), and several blocks of a
// multiprocessor are wanted.
constexpr int bytes_at_once = 24 << 10, most_bytes_at_once = 36 << 10;
constexpr int most_elements = 64, least_threads = 128, most_threads = 256;

int up(int n, int to) { return (n + to - 1) / to * to; }

// Whether one strip does; where it does not, counts of whole matrices need not fit an int.
bool strip_fits(const matrix_sizes& s, const gpu_limits& m) {
  return (long long)(matrix_room{s, {}}.all_rows()) * s.trial * s.entry_bytes <= m.shared_bytes;
}
int staged_bytes(const matrix_sizes& s, const matrix_tuning& t) {
  return matrix_room{s, t}.staged_entries() * s.entry_bytes;
}

// What the warps of a block take for the columns of a round, in quarters of one column of each of a warp's lines;
// reading a line counts as one of them.
int quarters_of(const matrix_room& room) {
  const int lines = room.lines(0), splits = room.splits(0), items = lines * splits;
  int sum = 0;
  for (int n = 0; n < items; n += 32) sum += 4 * ((room.of.trial - n / lines + splits - 1) / splits) + 1;
  return sum;
}
// Of a thread, with some to spare for the compiler: nothing is to be spilled.
int registers_for(const matrix_sizes& s) {
  return s.slopes ? std::min(20 * s.points, 160) : std::max(64, 8 * s.points);
}

// Trips through shared memory of the first warps that write lines along direction b, threads being lines along the next
// one: those of half a warp that meet in a bank take turns.
int trips_of(const matrix_room& room, int b) {
  constexpr int banks = 16, most_lines = 256;
  const int a = b + 1, low = matrix_room::power(room.of.points, a), next_low = matrix_room::power(room.of.points, b);
  const int rows = room.rows_above(a), columns = room.columns_above(a), lines = std::min(room.lines(a), most_lines);
  int trips = 0;
  for (int first = 0; first < lines; first += banks) {
    int waiting[banks] = {};
    for (int n = first; n < std::min(first + banks, lines); ++n) {
      const int point = n % low, row = n / low % rows, column = n / (low * rows) % columns,
                e = n / (low * rows * columns);
      const int before = room.columns_along(a) * column + room.columns_above(b) * e;
      const int line = point % next_low + next_low * (room.of.test * row + room.rows_above(b) * before);
      ++waiting[(line + room.pitch(b) * (point / next_low)) % banks];
    }
    trips += *std::max_element(waiting, waiting + banks);
  }
  return trips;
}
void choose_pads(const matrix_sizes& s, matrix_tuning& t, const gpu_limits& m) {
  t.pads[0] = t.pads[1] = 0;
  for (int b = 0; b < s.dim - 1; ++b) {
    // A sixteenth of the room at most.
    const int most = std::clamp(matrix_room{s, t}.lines(b) / 16, 3, 15);
    matrix_tuning tried = t;
    int least = -1;
    for (tried.pads[b] = 0; tried.pads[b] <= most; ++tried.pads[b]) {
      const int trips = trips_of(matrix_room{s, tried}, b);
      if (matrix_room{s, tried}.bytes() <= m.shared_bytes && (least < 0 || trips < least))
        t.pads[b] = tried.pads[b], least = trips;
    }
  }
}

int threads_for(const matrix_sizes& s, matrix_tuning t, const gpu_limits& m) {
  const int lines = up(matrix_room{s, t}.lines(0), 32);
  const int most = std::clamp(m.registers / (3 * registers_for(s)) / 32 * 32, least_threads, most_threads);
  if (lines > least_threads) return std::min(lines, most);
  int best = 0, least = 0;
  for (t.threads = least_threads; t.threads <= most; t.threads += 32) {
    const int now = quarters_of(matrix_room{s, t});
    if (best == 0 || now < least) best = t.threads, least = now;
  }
  return best;
}

}  // namespace

matrix_sizes matrix_sizes_of(operator_kind kind, int dim, int d, int q, int t, int components, int entry_bytes,
                             matrix_storage how) {
  matrix_sizes s{.dim = dim,
                 .trial = d,
                 .points = q,
                 .test = t,
                 .components = components,
                 .entry_bytes = entry_bytes,
                 .packed = how == matrix_storage::lower_packed};
  with_function(kind, dim, [&]<class F>(const F&) {
    for (int a = 0; a < F::dim; ++a) s.pairs[a] = couplings<F>::count(a);
    s.slopes = F::trial.gradient || F::test.gradient;
  });
  return s;
}

const char* why_unfit(const matrix_sizes& s, const matrix_tuning& t, const gpu_limits& m) {
  const char* const too_large = "columns of a matrix do not fit shared memory";
  if (!strip_fits(s, m)) return too_large;
  const matrix_room room{s, t};
  if (t.elements < 1 || t.slices < 1 || t.strips < 1 || t.slices > room.slices_of_matrix() ||
      t.strips > room.strips_of_slice())
    return "a block has columns that there are not";
  if (t.slices > 1 && t.strips < room.strips_of_slice()) return "slices of a block are not whole";
  if (t.elements > 1 && !room.whole()) return "matrices of a block are not whole";
  if (t.threads < 32 || t.threads % 32 != 0 || t.threads > m.threads) return "threads are not whole warps of a block";
  if (t.pads[0] < 0 || t.pads[1] < 0) return "lines in shared memory overlap";
  if (t.blocks < 1 || t.blocks * t.threads > m.all_threads || t.blocks > m.blocks)
    return "too many blocks are asked for";
  if (room.bytes() > m.shared_bytes) return too_large;
  return "";
}

matrix_tuning default_matrix_tuning(const matrix_sizes& s, const gpu_limits& m) {
  matrix_tuning t;
  if (!strip_fits(s, m)) return t;
  const matrix_room one{s, t};
  const auto fits_with = [&](int slices, int strips) {
    t.slices = slices;
    t.strips = strips;
    return staged_bytes(s, t) <= most_bytes_at_once && matrix_room{s, t}.bytes() <= m.all_shared_bytes / 3;
  };
  const int strips = one.strips_of_slice(), slices = one.slices_of_matrix();
  int more = slices;
  while (more > 1 && !fits_with(more, strips)) more = more / 2;
  if (more > 1 || fits_with(1, strips)) {
    const int of_one = staged_bytes(s, t);
    if (matrix_room{s, t}.whole()) t.elements = std::clamp(bytes_at_once / of_one, 1, most_elements);
    // A thread for each line of D, which is read at once then, and of the columns.
    const auto most_lines = [&] {
      const matrix_room room{s, t};
      return std::max(room.lines(s.dim - 1), room.lines(0));
    };
    while (t.elements > 1 && (matrix_room{s, t}.bytes() > m.all_shared_bytes / 4 || most_lines() > most_threads))
      --t.elements;
  } else {
    int now = strips;
    while (now > 1 && !fits_with(1, now)) --now;
    // As many in each round.
    const int rounds = (strips + now - 1) / now;
    fits_with(1, (strips + rounds - 1) / rounds);
  }
  choose_pads(s, t, m);
  t.threads = threads_for(s, t, m);
  const int by_memory = m.all_shared_bytes / (matrix_room{s, t}.bytes() + 1024);
  const int by_registers = m.registers / (t.threads * registers_for(s));
  t.blocks = std::clamp(std::min({by_memory, by_registers, m.all_threads / t.threads}), 1, m.blocks);
  return t;
}

}  // namespace tessera
