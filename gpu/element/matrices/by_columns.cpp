// SPDX-License-Identifier: BSD-3-Clause
// Matrices of any operator, some columns at a time: whole ones while they are small, strips of large ones.
#include <algorithm>

#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/gpu/detail/element/matrix_layout.hpp>

#include "matrix_ways.hpp"

namespace tessera::detail {

namespace {

struct columns {
  static matrix_sizes sizes_of(const matrix_facts& f) {
    matrix_sizes s{.dim = f.dim,
                   .trial = f.trial,
                   .points = f.points,
                   .test = f.test,
                   .components = f.components,
                   .entry_bytes = f.entry_bytes,
                   .packed = f.packed};
    with_function(f.kind, f.dim, [&]<class F>(const F&) {
      for (int a = 0; a < F::dim; ++a) s.pairs[a] = couplings<F>::count(a);
      s.slopes = F::trial.gradient || F::test.gradient;
    });
    return s;
  }

  // What a block writes at once: between 8 and 64 KB made no difference to plain writes (H200), and several blocks of a
  // multiprocessor are wanted.
  static constexpr int bytes_at_once = 24 << 10, most_bytes_at_once = 36 << 10;
  static constexpr int most_elements = 64, least_threads = 128, most_threads = 256;

  static int up(int n, int to) { return (n + to - 1) / to * to; }

  // Whether one strip does; where it does not, counts of whole matrices need not fit an int.
  static bool strip_fits(const matrix_sizes& s, const gpu_limits& m) {
    return (long long)(matrix_layout{s, {}}.all_rows()) * s.trial * s.entry_bytes <= m.shared_bytes;
  }
  static int staged_bytes(const matrix_sizes& s, const matrix_tuning& t) {
    return matrix_layout{s, t}.staged_entries() * s.entry_bytes;
  }

  // What the warps of a block take for the columns of a round, in quarters of one column of each of a warp's lines;
  // reading a line counts as one of them.
  static int quarters_of(const matrix_layout& layout) {
    const int lines = layout.lines(0), splits = layout.splits(0), items = lines * splits;
    int sum = 0;
    for (int n = 0; n < items; n += 32) sum += 4 * ((layout.of.trial - n / lines + splits - 1) / splits) + 1;
    return sum;
  }
  // Of a thread, with some to spare for the compiler: nothing is to be spilled.
  static int registers_for(const matrix_sizes& s) {
    return s.slopes ? std::min(20 * s.points, 160) : std::max(64, 8 * s.points);
  }

  // Trips through shared memory of the first warps that write lines along direction b, threads being lines along the
  // next one: those of half a warp that meet in a bank take turns.
  static int trips_of(const matrix_layout& layout, int b) {
    constexpr int banks = 16, most_lines = 256;
    const int a = b + 1, low = matrix_layout::power(layout.of.points, a),
              next_low = matrix_layout::power(layout.of.points, b);
    const int rows = layout.rows_above(a), columns = layout.columns_above(a),
              lines = std::min(layout.lines(a), most_lines);
    int trips = 0;
    for (int first = 0; first < lines; first += banks) {
      int waiting[banks] = {};
      for (int n = first; n < std::min(first + banks, lines); ++n) {
        const int point = n % low, row = n / low % rows, column = n / (low * rows) % columns,
                  e = n / (low * rows * columns);
        const int before = layout.columns_along(a) * column + layout.columns_above(b) * e;
        const int line = point % next_low + next_low * (layout.of.test * row + layout.rows_above(b) * before);
        ++waiting[(line + layout.pitch(b) * (point / next_low)) % banks];
      }
      trips += *std::max_element(waiting, waiting + banks);
    }
    return trips;
  }
  static void choose_pads(const matrix_sizes& s, matrix_tuning& t, const gpu_limits& m) {
    t.pad_line = t.pad_plane = 0;
    for (int b = 0; b < s.dim - 1; ++b) {
      int matrix_tuning::*const pad = b == 0 ? &matrix_tuning::pad_line : &matrix_tuning::pad_plane;
      // A sixteenth of the layout at most.
      const int most = std::clamp(matrix_layout{s, t}.lines(b) / 16, 3, 15);
      matrix_tuning tried = t;
      int least = -1;
      for (tried.*pad = 0; tried.*pad <= most; ++(tried.*pad)) {
        const int trips = trips_of(matrix_layout{s, tried}, b);
        if (matrix_layout{s, tried}.bytes() <= m.shared_bytes && (least < 0 || trips < least))
          t.*pad = tried.*pad, least = trips;
      }
    }
  }

  static int threads_for(const matrix_sizes& s, matrix_tuning t, const gpu_limits& m) {
    const int lines = up(matrix_layout{s, t}.lines(0), 32);
    const int most = std::clamp(m.registers / (3 * registers_for(s)) / 32 * 32, least_threads, most_threads);
    if (lines > least_threads) return std::min(lines, most);
    int best = 0, least = 0;
    for (t.threads = least_threads; t.threads <= most; t.threads += 32) {
      const int now = quarters_of(matrix_layout{s, t});
      if (best == 0 || now < least) best = t.threads, least = now;
    }
    return best;
  }

  static matrix_tuning tuning_for(const matrix_sizes& s, const gpu_limits& m) {
    matrix_tuning t{.pad_line = 1, .pad_plane = 1};
    if (!strip_fits(s, m)) return t;
    const matrix_layout one{s, t};
    const auto fits_with = [&](int slices, int strips) {
      t.slices = slices;
      t.strips = strips;
      return staged_bytes(s, t) <= most_bytes_at_once && matrix_layout{s, t}.bytes() <= m.all_shared_bytes / 3;
    };
    const int strips = one.strips_of_slice(), slices = one.slices_of_matrix();
    int more = slices;
    while (more > 1 && !fits_with(more, strips)) more = more / 2;
    if (more > 1 || fits_with(1, strips)) {
      const int of_one = staged_bytes(s, t);
      if (matrix_layout{s, t}.whole()) t.elements = std::clamp(bytes_at_once / of_one, 1, most_elements);
      // A thread for each line of D, which is read at once then, and of the columns.
      const auto most_lines = [&] {
        const matrix_layout layout{s, t};
        return std::max(layout.lines(s.dim - 1), layout.lines(0));
      };
      while (t.elements > 1 && (matrix_layout{s, t}.bytes() > m.all_shared_bytes / 4 || most_lines() > most_threads))
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
    const int by_memory = m.all_shared_bytes / (matrix_layout{s, t}.bytes() + 1024);
    const int by_registers = m.registers / (t.threads * registers_for(s));
    t.blocks = std::clamp(std::min({by_memory, by_registers, m.all_threads / t.threads}), 1, m.blocks);
    return t;
  }

  static std::optional<matrix_tuning> by_rule(const matrix_facts& f, const gpu_limits& m) {
    return tuning_for(sizes_of(f), m);
  }

  static const char* why_unfit(const matrix_facts& f, const matrix_tuning& t, const gpu_limits& m) {
    const char* const too_large = "columns of a matrix do not fit shared memory";
    const matrix_sizes s = sizes_of(f);
    if (!strip_fits(s, m)) return too_large;
    const matrix_layout layout{s, t};
    if (t.elements < 1 || t.slices < 1 || t.strips < 1 || t.slices > layout.slices_of_matrix() ||
        t.strips > layout.strips_of_slice())
      return "a block has columns that there are not";
    if (t.slices > 1 && t.strips < layout.strips_of_slice()) return "slices of a block are not whole";
    if (t.elements > 1 && !layout.whole()) return "matrices of a block are not whole";
    if (t.pad_line < 0 || t.pad_plane < 0) return "lines in shared memory overlap";
    if (layout.bytes() > m.shared_bytes) return too_large;
    return why_unfit_block(t, 0, 0, m);
  }

  // In halves from three functions on, as in the kernels that apply operators; of nodes that are the points, too.
  static bool in_halves(const matrix_facts& f) { return f.mirrored && f.trial >= 3 && f.test >= 3; }

  static device::jit_source source(const device::matrix_kernel& k) {
    return source_of_program("matrices", "matrix_program<" + std::string(word(k.type)) + ", " + word(k.stored) + ", " +
                                             k.function + ", " + form_and_shape(k, in_halves(k.facts)));
  }

  template <class T>
  static matrix_launch<T> launch(const matrix_request& r, const matrix_tuning& t) {
    const matrix_facts& f = r.facts;
    const matrix_layout layout{sizes_of(f), t};
    element_kernel_facts interpolated = facts_of(f.kind, f.dim, f.trial, f.points, f.entry_bytes);
    interpolated.test = f.test;
    matrix_launch<T> of;
    of.text =
        (layout.whole() ? std::to_string(t.elements) + " matrices"
                        : std::to_string(t.slices * t.strips) + " strips of " + std::to_string(f.trial) + " columns") +
        " by " + std::to_string(t.threads);
    of.constants = device::constants_of<T>(interpolated, in_halves(f), f.own_test, interpolated.slopes(), r.tables);
    of.parts = layout.parts();
    of.bytes = layout.bytes();
    return of;
  }
};

}  // namespace

extern const known_way by_columns{columns::why_unfit,      columns::source, columns::launch<float>,
                                  columns::launch<double>, {1, 1},          columns::by_rule};

}  // namespace tessera::detail
