// SPDX-License-Identifier: BSD-3-Clause
// A table applied to small tensors: once a call its entries are repeated so that they lie as those of the result do,
// which then is computed by whole vectors, whatever the sizes. For each the other operand's entries are picked.
#pragma once

#include <tessera/cpu/detail/lane_block.hpp>
#include <tessera/cpu/detail/pick.hpp>
#include <tessera/cpu/detail/repeats.hpp>
#include <tessera/cpu/detail/tile.hpp>

namespace tessera::simd::detail {

/// An index that is not summed over: its distances in the table, in the other operand and in the result, and in the
/// factors of a table that is a product.
struct free_index {
  index_t extent, table, other, out, first, second;
};

/// result(free indices) = alpha (sum over `terms` of table times other) + beta result. `batch` entries are at `other`
/// and `out`; a call is over some of them.
template <class T>
struct table_form {
  free_index all[max_rank + 2];  // none of extent 1; those nearest in the result first
  int count;
  index_t terms, table_term, other_term;
  const T* table;
  const T* other;
  T* out;
  index_t other_stride, other_lanes, out_stride, out_lanes, batch;
  scale<T> s;

  [[gnu::always_inline]] table_form() : count(0) {}
};

/// How a table is applied so: `digits` of the result's indices are in vectors, the table's others are `steps`, which
/// share what is picked, and the other operand's others are loops.
struct expansion {
  int digits;
  index_t entries, vectors, steps, loops;
  bool wide;      // a vector's entries are farther apart than it has lanes
  double cycles;  // of an entry of the batch, about
};

template <class Isa, class T>
class expanded_table {
  using vector = typename Isa::template vector<T>;
  using picks = pick<Isa, T>;
  static constexpr int lanes = int(vector::size);
  static constexpr int most_vectors = 64;
  static constexpr index_t most_entries = 4096;  // of the repeated table: 32 KiB of doubles
  // Steps at a time, and entries of the batch at a time, by the sums of both: with more, stores wait behind them.
  static constexpr int most_at_once = Isa::registers > 16 ? 8 : 6, most_together = 4,
                       most_sums = Isa::registers > 16 ? 10 : 6;

 public:
  /// For `count` entries of the batch.
  [[gnu::always_inline]] expanded_table(const table_form<T>& form, index_t count) : of_(form) {
    by_.digits = 0;
    const double strips = double(count) * cycles_of_strips();
    if (strips <= cycles_of_search) return;
    index_t entries = 1;
    places_[0] = {0, 0};
    for (int digits = 1; digits <= of_.count && of_.all[digits - 1].out == entries; ++digits) {
      const free_index& next = of_.all[digits - 1];
      if (entries * next.extent > most_vectors * lanes) break;
      for (index_t at = entries; at < entries * next.extent; ++at)
        places_[at] = {places_[at - entries].table + next.table, places_[at - entries].other + next.other};
      entries *= next.extent;
      const expansion e = expansion_of(digits, entries);
      if (e.digits > 0 && (by_.digits == 0 || e.cycles < by_.cycles)) by_ = e;
    }
    if (by_.digits > 0 && cycles_of_search + cycles_once() + double(count) * by_.cycles >= strips) by_.digits = 0;
  }

  /// Whether it pays to repeat the table, against strips of rows.
  [[gnu::always_inline]] bool pays() const { return by_.digits > 0; }

  /// Entries of the batch from `first` on. Returns the first one that is left: the operand of the last few may end
  /// within a vector.
  [[gnu::noinline]] index_t run(index_t first, index_t last) const {
    alignas(64) T coefficients[most_entries];
    alignas(picked) unsigned char memory[most_vectors * sizeof(picked)];
    picked* const vectors = reinterpret_cast<picked*>(memory);
    repeats loops;
    index_t end = 0, entry_end = 1;
    for (index_t v = 0; v < by_.vectors; ++v) {
      vectors[v] = picked_for(v);
      const index_t read = vectors[v].first + (by_.wide ? picks::template read<true> : picks::template read<false>);
      if (read > end) end = read;
    }
    // The terms reach as far in both.
    for (int i = 0; i < of_.count; ++i) {
      const index_t reach = of_.all[i].other * (of_.all[i].extent - 1);
      entry_end += reach;
      if (i < by_.digits || of_.all[i].table != 0) continue;
      end += reach;
      loops.add({of_.all[i].extent, 0, of_.all[i].other, of_.all[i].out});
    }
    // Nothing behind the batch is read, and between its entries nothing but other ones.
    if (end > entry_end) {
      if (of_.other_stride > entry_end + (of_.terms - 1) * of_.other_term) return first;
      const index_t whole = of_.batch - (end - entry_end + of_.other_stride - 1) / of_.other_stride;
      if (last > whole) last = whole;
    }
    if (first >= last) return first;

    const even_cut pieces(by_.steps, most_at_once);
    index_t step = 0, out[most_at_once];
    for (index_t piece = 0; piece < pieces.pieces(); ++piece) {
      const int at_once = piece < pieces.wide ? pieces.size : pieces.size - 1;
      fill(step, at_once, coefficients, out);
      dispatch<most_at_once>(
          at_once, [&](auto count) __attribute__((always_inline)) {
            const call of{coefficients, vectors, loops, out};
            if (by_.wide)
              run_steps<int(count.value), true>(of, first, last);
            else
              run_steps<int(count.value), false>(of, first, last);
          });
      step += at_once;
    }
    return last;
  }

 private:
  // Entries of the other operand for a vector of the result.
  struct picked {
    index_t first;
    picks from;
  };
  struct call {
    const T* coefficients;
    const picked* vectors;
    const repeats& loops;
    const index_t* out;  // of the steps
  };
  // Where an entry of those in vectors has its factors.
  struct place {
    index_t table, other;
  };
  struct window {
    index_t least, most;
  };

  // The entries of a vector that the result has.
  [[gnu::always_inline]] static int active(index_t entries, index_t v) {
    return entries - v * lanes < lanes ? int(entries - v * lanes) : lanes;
  }
  [[gnu::always_inline]] window window_of(index_t entries, index_t v) const {
    const place* const at = places_ + v * lanes;
    window all{at[0].other, at[0].other};
    for (int w = 1; w < active(entries, v); ++w) {
      if (at[w].other < all.least) all.least = at[w].other;
      if (at[w].other > all.most) all.most = at[w].other;
    }
    return all;
  }

  // No digits: not possible.
  [[gnu::always_inline]] expansion expansion_of(int digits, index_t entries) const {
    expansion e{digits, entries, (entries + lanes - 1) / lanes, 1, 1, false, 0};
    for (int i = digits; i < of_.count; ++i) {
      if ((of_.all[i].table != 0) == (of_.all[i].other != 0)) e.digits = 0;
      (of_.all[i].table != 0 ? e.steps : e.loops) *= of_.all[i].extent;
    }
    const index_t pieces = (e.steps + most_at_once - 1) / most_at_once;
    if (pieces == 0 || e.vectors * ((e.steps + pieces - 1) / pieces) * of_.terms * lanes > most_entries) e.digits = 0;
    for (index_t v = 0; e.digits > 0 && v < e.vectors; ++v) {
      const window w = window_of(entries, v);
      if (w.most - w.least >= picks::most) e.digits = 0;
      if (w.most - w.least >= lanes) e.wide = true;
    }
    // Loads of the operand, sums, stores.
    e.cycles = double(e.loops * e.vectors) *
               (double(of_.terms) * double(2 * pieces + e.steps) + 1.5 * double(e.steps) + 3 * double(pieces));
    return e;
  }
  static constexpr double cycles_of_search = 1000;
  [[gnu::always_inline]] double cycles_once() const { return 5 * double(by_.vectors * by_.steps * of_.terms * lanes); }
  // About: strips have rows of the nearest index, and the last of them by themselves.
  [[gnu::always_inline]] double cycles_of_strips() const {
    if (of_.count == 0) return 0;
    const index_t rows = of_.all[0].extent, whole = rows / lanes;
    index_t products = 1;
    for (int i = 1; i < of_.count; ++i) products *= of_.all[i].extent;
    return double(products) * double(whole * (of_.terms + 2) + (rows % lanes > 0 ? of_.terms + 6 : index_t{0}));
  }

  [[gnu::always_inline]] picked picked_for(index_t v) const {
    const window all = window_of(by_.entries, v);
    int from[lanes] = {};
    for (int w = 0; w < active(by_.entries, v); ++w) from[w] = int(places_[v * lanes + w].other - all.least);
    return {all.least, picks(from)};
  }

  // The table's entries for steps [step, step + count): vectors, terms, steps, lanes. And where their results are.
  [[gnu::noinline]] void fill(index_t step, int count, T* to, index_t* out) const {
    index_t table[most_at_once];
    for (int j = 0; j < count; ++j) {
      index_t at = step + j;
      table[j] = out[j] = 0;
      for (int i = by_.digits; i < of_.count; ++i) {
        if (of_.all[i].table == 0) continue;
        const index_t digit = at % of_.all[i].extent;
        at /= of_.all[i].extent;
        table[j] += digit * of_.all[i].table;
        out[j] += digit * of_.all[i].out;
      }
    }
    for (index_t v = 0; v < by_.vectors; ++v) {
      const T* entry[lanes];
      for (int w = 0; w < lanes; ++w)
        entry[w] = of_.table + (w < active(by_.entries, v) ? places_[v * lanes + w].table : 0);
      for (index_t k = 0; k < of_.terms; ++k)
        for (int j = 0; j < count; ++j)
          for (int w = 0; w < lanes; ++w) *to++ = entry[w][k * of_.table_term + table[j]];
    }
  }

  // Some entries of the batch together share what is loaded of the table.
  template <int steps, bool wide>
  [[gnu::noinline]] void run_steps(const call& of, index_t first, index_t last) const {
    constexpr int fitting = most_sums / steps < most_together ? most_sums / steps : most_together;
    constexpr int together = fitting > 1 ? fitting : 1;
    for (; first + together <= last; first += together) run_entries<steps, wide, together>(of, first);
    if constexpr (together > 1)
      for (; first < last; ++first) run_entries<steps, wide, 1>(of, first);
  }

  template <int steps, bool wide, int together>
  [[gnu::always_inline]] void run_entries(const call& of, index_t entry) const {
    each_step(
        of.loops, 0, [&](const repeat& at) __attribute__((always_inline)) {
          const T* const x = of_.other + entry * of_.other_stride + at.b;
          T* to = of_.out + entry * of_.out_stride + at.out;
          const T* coefficients = of.coefficients;
          for (index_t v = 0; v < by_.vectors; ++v, to += lanes) {
            vector c[together][steps];
            sum<steps, wide, together>(x, of.vectors[v], coefficients, c);
            finish<steps, together>(c, to, of.out, active(by_.entries, v));
          }
        });
  }

  // c = the sums over the terms, in ascending order, as a tile begins them.
  template <int steps, bool wide, int together>
  [[gnu::always_inline]] void sum(const T* x, const picked& from, const T*& coefficients,
                                  vector (&c)[together][steps]) const {
    const index_t next = of_.other_stride;
    const picks pick_at = from.from;
    x += from.first;
    const auto add = [&](auto first) __attribute__((always_inline)) {
      vector y[together];
      unrolled<together>([&](auto i)
                             __attribute__((always_inline)) { y[i] = pick_at.template load<wide>(x + i * next); });
      unrolled<steps>([&](auto j) __attribute__((always_inline)) {
        vector z = vector::load_aligned(coefficients + j * lanes);
        keep_loaded<Isa>(z);
        unrolled<together>([&](auto i) __attribute__((always_inline)) {
          if constexpr (first.value == 0)
            c[i][j] = Isa::fma(y[i], z, c[i][j]);
          else if constexpr (Isa::registers > 16)
            c[i][j] = y[i] * z;
          else
            c[i][j] = Isa::fma(y[i], z, vector(T(0)));
        });
      });
      coefficients += steps * lanes;
    };
    add(constant<1>{});
#pragma GCC unroll 1
    for (index_t k = 1; k < of_.terms; ++k) {
      x += of_.other_term;
      add(constant<0>{});
    }
  }

  template <int steps, int together>
  [[gnu::always_inline]] void finish(vector (&c)[together][steps], T* to, const index_t* out, int count) const {
    const auto each = [&](const auto& f) __attribute__((always_inline)) {
      unrolled<together>([&](auto i) __attribute__((always_inline)) {
        unrolled<steps>([&](auto j) __attribute__((always_inline)) { f(c[i][j], to + i * of_.out_stride + out[j]); });
      });
    };
    if (of_.s.alpha != T(1) || of_.s.beta != T(0)) {
      const vector alpha(of_.s.alpha), beta(of_.s.beta);
      const bool adds = of_.s.beta != T(0);
      each([&](vector & value, const T* old) __attribute__((always_inline)) {
        value = alpha * value;
        if (adds)
          value = Isa::fma(beta, count == lanes ? vector::load_unaligned(old) : Isa::load_first(old, count), value);
      });
    }
    if (count == lanes)
      each([](const vector& value, T* at) __attribute__((always_inline)) { value.store_unaligned(at); });
    else
      each([&](const vector& value, T* at) __attribute__((always_inline)) { Isa::store_first(at, count, value); });
  }

  const table_form<T>& of_;
  expansion by_;
  place places_[most_vectors * lanes];
};

/// Entries of the batch from `first` on by an expanded table, where that pays; returns the first that is left.
template <class Isa, class T>
[[gnu::always_inline]] inline index_t run_expanded(const table_form<T>& form, index_t first, index_t last) {
  if constexpr (can_pick<Isa, T>) {
    if (form.other_stride > 0 && form.out_lanes == 1 && form.other_lanes == 1) {
      const expanded_table<Isa, T> expanded(form, last - first);
      if (expanded.pays()) return expanded.run(first, last);
    }
  }
  return first;
}

}  // namespace tessera::simd::detail
