// SPDX-License-Identifier: BSD-3-Clause
// The CPU model: instructions of all register tiles of a product, against what a core issues, and bytes against
// bandwidth.
#include <algorithm>
#include <bit>

#include "space/model.hpp"

namespace tessera::tune {

namespace {

constexpr double latency = 4;             // cycles, of a multiply-add
constexpr double edges = 12;              // cycles of a tile before and after its k loop: prologue and epilogue latency
constexpr double window = 96;             // size of the out-of-order window in instructions: tiles overlap
constexpr double issued = 6;              // instructions a cycle from the micro-op cache ...
constexpr double decoded = 4;             // ... and from memory,
constexpr double decoded_at_once = 4096;  // where a task has more than these
constexpr double longer_code = 0.01;  // of the time, for each product more in a task (Zen 5, n = 3..8: 9 % for eight)
constexpr double cache_line = 64;

// Sums over the tiles of a product. Slots count accesses that cross cache lines twice.
struct work {
  double fmas = 0, sums = 0, loads = 0, stores = 0, shuffles = 0, instructions = 0, code = 0;
  double load_slots = 0, store_slots = 0, latency_cycles = 0;
};

struct machine {
  const cpu_gemm_tuning& tuning;
  gemm_form form;
  cpu_limits has;
  bool add;         // C += A B
  double per_fma;   // instructions
  bool masks;       // partial loads and stores are one instruction
  bool broadcasts;  // and a multiply-add takes an entry from memory for all lanes
  double crossing;  // share of vector accesses that touch two lines

  machine(const cpu_gemm_tuning& t, const tuning_case& c, bool adds)
      : tuning(t), form{c.type, c.m, c.n > 0 ? c.n : c.k, c.k, c.in}, has(cpu_limits_of(c.on)), add(adds) {
    per_fma = has.fused ? 1 : 2;
    masks = tessera::detail::numbers_of(c.on).masks;
    broadcasts = c.on == target::avx512;
    const double word = double(size_of(c.type)), column = double(c.m) * word;
    const bool aligned = (c.m * index_t(size_of(c.type))) % has.vector_bytes == 0;
    crossing = aligned ? 0 : std::min<double>(has.vector_bytes, column) / cache_line - word / cache_line;
  }
  index_t lanes() const { return has.vector_bytes / index_t(size_of(form.type.in)); }
};

// `count` tiles of v vectors by w columns, the last vector having `tail` lanes (0: all).
void add_tiles(work& sum, const machine& on, double count, index_t v, index_t w, index_t tail, double left_reads) {
  if (count <= 0 || v <= 0 || w <= 0) return;
  const double k = double(on.form.k), rows = double(v), cols = double(w), entries = rows * cols;
  // Parts of vectors are split in pieces of 4, 2 and 1 lanes without masks, and if they are read again soon.
  const double pieces = tail > 0 ? double(std::popcount(unsigned(tail))) : 1;
  const double last_load = on.masks || on.has.registers == 16 ? 1 : pieces;
  const double last_store = tail > 0 && on.masks && !on.add ? 1 : pieces;
  const double left = left_reads * k * (rows - 1 + last_load), right = k * cols;
  const double old = on.add ? cols * (rows - 1 + last_load) : 0, stores = cols * (rows - 1 + last_store);
  const double shuffles = cols * (last_store - 1);
  const double fmas = k * entries, sums = on.add ? entries : 0;
  const double rounds = on.tuning.unroll_k > 0 && !on.tuning.keep_left ? k / on.tuning.unroll_k : 0;
  // With one row of vectors, entries of B are memory operands if the instruction set can broadcast them.
  const double folded = on.broadcasts && v == 1 ? right : 0;
  const double straight = fmas * on.per_fma + sums + left + right - folded + old + stores + shuffles;
  const double instructions = straight + 2 * rounds + 3;
  sum.fmas += count * fmas;
  sum.sums += count * sums;
  sum.loads += count * (left + right + old);
  sum.stores += count * stores;
  sum.shuffles += count * shuffles;
  sum.instructions += count * instructions;
  sum.code += rounds > 1 ? straight / rounds : straight;
  sum.load_slots += count * (right + (left + old) * (1 + on.crossing));
  sum.store_slots += count * stores * (1 + on.crossing);
  sum.latency_cycles += count * (k * latency + edges) / std::max(1.0, window / instructions);
}

// All panels of rows, cut in blocks of columns.
work tiled(const machine& on) {
  work sum;
  const cpu_gemm_tuning& t = on.tuning;
  const index_t lanes = on.lanes(), rows = lanes * t.row_vectors, full = on.form.m / rows, rest = on.form.m % rows;
  const index_t blocks = on.form.n / t.columns, last = on.form.n % t.columns;
  const double all_blocks = double(blocks) + (last > 0 ? 1 : 0);
  const double left_reads = t.keep_left ? 1 / all_blocks : 1;
  const auto panel = [&](double count, index_t v, index_t tail) {
    add_tiles(sum, on, count * double(blocks), v, t.columns, tail, left_reads);
    add_tiles(sum, on, last > 0 ? count : 0, v, last, tail, left_reads);
  };
  panel(double(full), t.row_vectors, 0);
  panel(rest > 0 ? 1 : 0, (rest + lanes - 1) / lanes, rest % lanes);
  return sum;
}

// The compiler's code for the triple loop: vectors over a column or over several, if those divide each other, with one
// broadcast of B for each; else the vectors that divide a column, and partial ones for odd columns. Three rows are
// assumed to be good: on Zen 5 AVX-512 takes 2.3 ns (tiles 3.1), AVX2 5.6 (2.1).
work compiled_loop(const machine& on) {
  work sum;
  const index_t lanes = on.lanes(), m = on.form.m, even = m & -m;
  const double a = double(m * on.form.k), b = double(on.form.k * on.form.n), c = double(m * on.form.n);
  const bool vectors = m % lanes == 0 || lanes % m == 0, across = m < lanes;
  const double width = vectors ? double(lanes) : even > 1 ? double(even) : m == 3 ? 3 : 1.5;
  sum.fmas = double(m * on.form.n * on.form.k) / width;
  sum.shuffles = vectors && across ? sum.fmas : 0;
  // A stays in registers if it fits; else it is read for every column of C.
  const double reads_of_a = a / width < double(on.has.registers - 4) ? 1 : double(on.form.n);
  sum.loads = (vectors && across ? sum.fmas : reads_of_a * a / width + b) + (on.add ? c / width : 0);
  sum.stores = c / width;
  sum.load_slots = sum.loads;
  sum.store_slots = sum.stores;
  sum.instructions = sum.fmas * on.per_fma + sum.loads + sum.stores + sum.shuffles;
  sum.code = sum.instructions;
  const double chain = double(on.form.k) * latency + edges;
  sum.latency_cycles = chain / std::max(1.0, window / std::max(1.0, sum.instructions));
  return sum;
}

prediction predict_one(const machine& on, const tuning_case& c, const machine_limits& limits) {
  const cpu_gemm_tuning& t = on.tuning;
  work sum = t.plain ? compiled_loop(on) : tiled(on);
  const double word = double(size_of(c.type)), lanes = double(on.lanes());
  const double results = double(on.form.m * on.form.n) * word;
  const double operands = double(on.form.m * on.form.k + on.form.k * on.form.n) * word;
  const bool past_caches = t.stream != 0 && !on.add;
  if (past_caches) {  // from the task's buffer, in which the remainder of a line moves to the front
    const bool whole = (on.form.m * on.form.n * index_t(size_of(c.type)) * t.matrices) % index_t(cache_line) == 0;
    const double moves = (results + (whole ? 0 : cache_line / t.matrices)) / double(on.has.vector_bytes);
    sum.loads += moves, sum.stores += moves, sum.instructions += 2 * moves;
    sum.load_slots += moves, sum.store_slots += moves;
  }
  sum.instructions += 6 / double(t.matrices);  // the next product's addresses, and the loop over products
  const bool from_memory = c.in == memory_regime::stream;
  // Write-only memory is read first (write-allocate), unless the stores are non-temporal.
  const double fetched = on.add ? results : from_memory && !past_caches ? results : 0;

  prediction p;
  p.bytes = operands + results + fetched;
  p.fmas = sum.fmas, p.loads = sum.loads, p.stores = sum.stores, p.shuffles = sum.shuffles;
  p.registers = int(tessera::detail::registers_in_use(t, on.form, on.has));

  const double clock = limits.clock > 0 ? limits.clock : 3e9;
  const double peak = c.type == scalar_type::f32 ? limits.flops_f32 : limits.flops_f64;
  // Two vectors a cycle, or fewer by the measured peak if cores are narrower than the vectors.
  const double narrow = peak > 0 ? std::min(1.0, peak / (4 * lanes * clock)) : 1;
  const double front_end = sum.code * t.matrices > decoded_at_once ? decoded : issued;
  const auto moved = [](double bytes, double bandwidth) { return bandwidth > 0 ? bytes / bandwidth : 0; };
  const double cached = from_memory ? 0 : past_caches ? operands : p.bytes, streamed = p.bytes - cached;
  const limiting_time all =
      combined<7>({{"multiply-adds", (sum.fmas * on.per_fma + sum.sums) / (2 * narrow * clock)},
                   {"loads", sum.load_slots / (2 * narrow * clock)},
                   {"stores", sum.store_slots / (narrow * clock)},
                   {"shuffles", sum.shuffles / clock},
                   {"instructions", sum.instructions / (front_end * clock)},
                   {"latency", sum.latency_cycles / clock},
                   {from_memory ? "memory" : "cache",
                    moved(cached, limits.bandwidth_cache) + moved(streamed, limits.bandwidth_stream)}});
  p.seconds = all.seconds * (1 + longer_code * (t.matrices - 1));
  p.limited_by = all.name;
  return p;
}

}  // namespace

prediction predict(const cpu_gemm_tuning& t, const tuning_case& c, const machine_limits& limits) {
  return mean_of(c.layouts, predict_one(machine(t, c, false), c, limits), predict_one(machine(t, c, true), c, limits));
}

}  // namespace tessera::tune
