// SPDX-License-Identifier: BSD-3-Clause
// Which tunings a kernel can have: the only rule of feasibility, for compiled rows and for tuners.
#pragma once

#include <tessera/core/packed_layout.hpp>
#include <tessera/core/sector.hpp>
#include <tessera/detail/cpu_isas.hpp>
#include <tessera/detail/gpu_tuning.hpp>
#include <tessera/detail/packed_plan.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/scalar.hpp>

namespace tessera {

/// C (m, n) = A (m, k) B (k, n), packed: column-major, or, on a GPU, as `layouts` says. n = 0: any n.
struct gemm_form {
  product_types type = scalar_type::f64;
  index_t m = 1, n = 1, k = 1;
  memory_regime in = memory_regime::stream;
  packed_layouts layouts = {};
};

struct cpu_limits {
  int vector_bytes = 16, registers = 16;
  bool fused = false;   // multiplies and adds in one instruction
  bool halves = false;  // registers of half the width
};

constexpr cpu_limits cpu_limits_of(target isa) {
  const detail::cpu_isa_numbers has = detail::numbers_of(isa);
  return {has.bytes, has.registers, has.fused, has.halves};
}

/// Limits of one multiprocessor and of one block on it. The initialisers are those of sm_90: H100, H200.
struct gpu_limits {
  int shared_bytes = 227 * 1024, all_shared_bytes = 228 * 1024;  // a block, a multiprocessor
  int reserved_bytes = 1024;                                     // of shared memory, by the system for each block
  int threads = 1024, all_threads = 2048;
  int registers_a_thread = 255, registers = 65536;
  int blocks = 32;
  bool bulk_copies = true, tensor_cores = true;
};

/// Compute capability as major x 10 + minor. Unknown ones count as the nearest older one.
constexpr gpu_limits gpu_limits_of(int compute_capability) {
  gpu_limits has;
  const int cc = compute_capability;
  const auto shared = [&](int all_kib) {
    has.all_shared_bytes = all_kib * 1024, has.shared_bytes = (all_kib - 1) * 1024;
  };
  has.bulk_copies = cc >= 90, has.tensor_cores = cc >= 80;
  if (cc < 80) return shared(64), has.shared_bytes = 64 * 1024, has.all_threads = 1024, has.blocks = 16, has;
  if (cc == 80 || cc == 87) return shared(164), has;
  if (cc < 90) return shared(100), has.all_threads = 1536, has.blocks = cc == 89 ? 24 : 16, has;
  if (cc >= 120) return shared(100), has.all_threads = 1536, has.blocks = 24, has;
  return has;
}

namespace detail {

constexpr index_t rounded_up(index_t a, index_t to) { return (a + to - 1) / to * to; }
constexpr index_t pieces_of(index_t a, index_t size) { return (a + size - 1) / size; }

inline constexpr const char* same_kernel = "same kernel as another";
inline constexpr index_t largest_plain = 8, longest_unrolled = 16;
/// The most multiply-add instructions in the code of a task of several products. It limits compile time;
/// docs/decisions/0007-tuning.md has its cost in speed.
inline constexpr index_t most_code = 256;
/// The same for a block of columns beside a kept panel: the code also has all possible remainder blocks.
inline constexpr index_t most_kept = 96;
/// The most entries that a task writes by non-temporal stores, in the kernels too.
inline constexpr index_t most_streamed = 2048;

constexpr index_t lanes_in(const gemm_form& f, const cpu_limits& l) {
  return l.vector_bytes / index_t(size_of(f.type.in));
}

/// Rows of the last vector that half a register holds. 0: none.
constexpr index_t rows_in_half(index_t m, index_t lanes, const cpu_limits& l) {
  const index_t tail = m % lanes;
  return l.halves && tail <= lanes / 2 ? tail : 0;
}

// Limits on `matrices` and `stream`, for any micro-kernel. `code`: multiply-add instructions in the code of a product.
constexpr const char* why_no_task(const cpu_gemm_tuning& t, const gemm_form& f, index_t code) {
  if (t.stream && f.in == memory_regime::cache) return "non-temporal stores of results that stay in cache";
  if (t.stream && t.matrices * f.m * (f.n > 0 ? f.n : 1) > most_streamed)
    return "results of a task too large for non-temporal stores";
  if (t.matrices > 1 && t.matrices * code > most_code) return "too much code in a task";
  return nullptr;
}

// Registers that are in use at once in the innermost loop: accumulators, A's column, an entry of B, a tail's mask where
// masks are vectors, and the product where it is not fused with the sum.
constexpr index_t registers_in_use(const cpu_gemm_tuning& t, const gemm_form& f, const cpu_limits& l) {
  const index_t left = t.keep_left ? t.row_vectors * f.k : index_t(t.row_vectors);
  const bool masked = l.registers == 16 && f.m % lanes_in(f, l) != 0;
  return t.row_vectors * t.columns + left + 1 + int(masked) + int(!l.fused && t.row_vectors > 1);
}

}  // namespace detail

/// The representative of all tunings that give the same kernel as `t`.
constexpr cpu_gemm_tuning canonical_tuning(cpu_gemm_tuning t, const gemm_form& f, const cpu_limits& l) {
  // A plain row also has a tile for other alpha and beta, which is always the same.
  if (t.plain)
    return {.columns = f.n > 4 ? int(f.n) : 4, .unroll_k = 0, .plain = 1, .matrices = t.matrices, .stream = t.stream};
  const index_t needed = detail::pieces_of(f.m, detail::lanes_in(f, l));
  if (t.row_vectors > needed) t.row_vectors = int(needed);
  if (f.n > 0 && t.columns > f.n) t.columns = int(f.n);
  if (detail::rows_in_half(f.m, detail::lanes_in(f, l), l) == 0) t.half_tail = 0;
  // A kept panel is always unrolled, and the compiler unrolls a short loop of known length.
  if (t.keep_left || (l.fused && t.unroll_k >= f.k)) t.unroll_k = 0;
  return t;
}

/// Null if a row of this form can have this tuning, else the reason in a few words.
constexpr const char* why_not(const cpu_gemm_tuning& t, const gemm_form& f, const cpu_limits& l) {
  if (t.row_vectors < 1 || t.columns < 1 || t.unroll_k < 0 || t.matrices < 1) return "a value out of its range";
  if (t.plain) {
    if (f.n == 0) return "plain needs a fixed n";
    if (f.m > detail::largest_plain || f.n > detail::largest_plain || f.k > detail::largest_plain)
      return "too large for plain";
    if (t != canonical_tuning(t, f, l)) return detail::same_kernel;
    return detail::why_no_task(t, f, f.m * f.n * f.k / 2);
  }
  const index_t needed = detail::pieces_of(f.m, detail::lanes_in(f, l));
  if (t.row_vectors > needed) return "tile taller than C";
  if (f.n > 0 && t.columns > f.n) return "tile wider than C";
  if (t.keep_left && t.unroll_k > 0) return detail::same_kernel;
  if (detail::registers_in_use(t, f, l) > l.registers)
    return t.keep_left ? "panel of A larger than the registers" : "tile larger than the registers";
  if (t.keep_left && f.n > 0 && t.columns >= f.n) return "panel of A is read once anyway";
  if (t.keep_left && t.row_vectors * t.columns * f.k > detail::most_kept) return "too much code beside a kept panel";
  if (t.unroll_k > f.k) return "unrolled further than k";
  if (t.unroll_k == 0 && f.k > detail::longest_unrolled) return "k too long to unroll";
  if (t != canonical_tuning(t, f, l)) return detail::same_kernel;
  return detail::why_no_task(t, f, needed * (f.n > 0 ? f.n : t.columns) * (t.unroll_k == 0 ? f.k : t.unroll_k));
}

constexpr bool fits(const cpu_gemm_tuning& t, const gemm_form& f, const cpu_limits& l) { return !why_not(t, f, l); }

/// Shared memory of a block in bytes, for operands of any alignment: C, A and B, or C in the memory of an input, what
/// threads of partial tiles read behind them, and a barrier. Padding between lines is counted for tensor cores only;
/// launches use packed_plan. `adds`: adds to an old C.
constexpr index_t shared_bytes_of(const gpu_gemm_tuning& t, const gemm_form& f, bool adds = true) {
  const index_t word = index_t(size_of(f.type.in));
  if (t.tensor_cores) {
    // The plan counts in ints: sizes that no device has are not laid out.
    const index_t entries = t.matrices * (f.m * f.k + f.k * f.n + f.m * f.n), none_has = index_t(1) << 24;
    if (f.m > none_has || f.n > none_has || f.k > none_has || entries > none_has) return none_has * word;
    const device::packed_sizes sizes{int(f.m), int(f.n), int(f.k), f.layouts};
    const int anywhere = device::packed_plan(sizes, int(word), t, {adds, true}).bytes,
              on_pieces = device::packed_plan(sizes, int(word), t, {adds, false}).bytes;
    return anywhere > on_pieces ? anywhere : on_pieces;
  }
  const auto region = [&](packed_layout layouts, index_t entries, scalar_type type) {
    const index_t bytes = (is_shared(layouts) ? 1 : t.matrices) * entries * index_t(size_of(type));
    return is_shared(layouts) ? detail::rounded_up(bytes, 16) : bytes_in_sectors(bytes);
  };
  const index_t ragged_rows = detail::rounded_up(f.m, t.tile_rows) - f.m,
                ragged_cols = detail::rounded_up(f.n, t.tile_cols) - f.n;
  const index_t a = region(f.layouts.left, f.m * f.k, f.type.in), b = region(f.layouts.right, f.k * f.n, f.type.in),
                c = region(f.layouts.out, f.m * f.n, f.type.out), input = is_shared(f.layouts.left) ? b : a;
  const index_t slack =
      ragged_rows * (is_by_rows(f.layouts.left) ? f.k : 1) + ragged_cols * (is_by_rows(f.layouts.right) ? 1 : f.k);
  return a + b + c - (takes_place_of_input(t.over_a, adds) ? (input < c ? input : c) : 0) +
         detail::rounded_up(slack * word, 16) + 16;
}

namespace detail {

/// The threads that one pass over all tiles of a block needs.
constexpr index_t threads_of_tiles(const gpu_gemm_tuning& t, const gemm_form& f) {
  const int down = threads_down_a_tile(t), across = threads_across_a_tile(t);
  return t.matrices * pieces_of(f.m, t.tile_rows * down) * down * pieces_of(f.n, t.tile_cols * across) * across;
}

/// Tiles of the busiest thread.
constexpr index_t tiles_of_a_thread(const gpu_gemm_tuning& t, const gemm_form& f) {
  return pieces_of(threads_of_tiles(t, f), t.threads);
}

/// The largest useful tile of a thread: with tensor cores the tile of a warp consists of squares of 8 x 8.
constexpr int most_tile_rows(const gpu_gemm_tuning& t, const gemm_form& f) {
  return int(t.tensor_cores ? pieces_of(f.m, 8) : f.m);
}
constexpr int most_tile_cols(const gpu_gemm_tuning& t, const gemm_form& f) {
  return int(t.tensor_cores ? 2 * pieces_of(f.n, 8) : f.n);
}

/// Whether rows of A can be read as vectors: in every column and in the tile of a thread.
constexpr bool takes_row_vectors(const gpu_gemm_tuning& t, const gemm_form& f) {
  return f.m % t.row_vector == 0 && t.tile_rows % t.row_vector == 0;
}

}  // namespace detail

/// Registers of a thread, estimated: its tile, a row and a column for it, and those for addresses.
constexpr int registers_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const int words = int(size_of(f.type.sum)) / 4;
  return (t.tile_rows * t.tile_cols + t.tile_rows + t.tile_cols) * words + 32;
}

/// The registers that a thread may have: kernels are compiled for 512 threads on a multiprocessor, if operands are
/// aligned to 16 bytes.
constexpr int registers_allowed(const gpu_gemm_tuning& t, const gpu_limits& l) {
  const int blocks = t.threads < 512 ? 512 / t.threads : 1, share = l.registers / (blocks * t.threads) / 8 * 8;
  return share < l.registers_a_thread ? share : l.registers_a_thread;
}

/// The limits that a compiled row must keep; the others only cost speed.
constexpr bool runs_on(const gpu_limits& l, const gpu_gemm_tuning& t, const gemm_form& f) {
  return t.threads <= l.threads && (!t.tensor_cores || l.tensor_cores) && shared_bytes_of(t, f) <= l.shared_bytes;
}

constexpr gpu_gemm_tuning canonical_tuning(gpu_gemm_tuning t, const gemm_form& f, const gpu_limits& l) {
  const int rows = detail::most_tile_rows(t, f), cols = detail::most_tile_cols(t, f);
  if (t.tile_rows > rows) t.tile_rows = rows;
  if (t.tile_cols > cols) t.tile_cols = cols;
  if (!l.bulk_copies) t.loads = 0;
  if (t.row_vector < 1 || !detail::takes_row_vectors(t, f)) t.row_vector = 1;
  if (t.threads > 0 && t.tile_rows > 0 && t.tile_cols > 0 && detail::tiles_of_a_thread(t, f) > 1) t.over_a = 0;
  return t;
}

constexpr const char* why_not(const gpu_gemm_tuning& t, const gemm_form& f, const gpu_limits& l) {
  if (t.matrices < 1 || t.tile_rows < 1 || t.tile_cols < 1) return "a value out of its range";
  if (t.row_vector != 1 && t.row_vector != 2 && t.row_vector != 4) return "a value out of its range";
  if (t.over_a < 0 || t.over_a > 2) return "a value out of its range";
  if (t.threads < 32 || t.threads % 32 != 0 || t.threads > l.threads) return "threads are not whole warps of a block";
  if (f.n == 0) return "any n: the row for all sizes";
  if (t.tensor_cores < 0 || t.tensor_cores > 1) return "a value out of its range";
  if (t.tensor_cores && f.type != product_types(scalar_type::f64)) return "tensor cores are for double";
  if (t.tensor_cores && !l.tensor_cores) return "no tensor cores for double";
  if (t.tensor_cores && t.tile_cols % 2 != 0) return "tensor cores give a thread pairs of columns";
  if (t.tile_rows > detail::most_tile_rows(t, f)) return "tile taller than C";
  if (t.tile_cols > detail::most_tile_cols(t, f)) return "tile wider than C";
  if (t.row_vector * index_t(size_of(f.type.in)) > 16) return "rows wider than one access";
  if (!detail::takes_row_vectors(t, f)) return "rows do not come in such vectors";
  const index_t tiles = detail::threads_of_tiles(t, f);
  const index_t passes = detail::pieces_of(tiles, t.threads);
  if (passes > 8) return "more than 8 tiles a thread";
  if (t.over_a && passes > 1) return "C would overwrite an input too early";
  if (2 * tiles < passes * t.threads) return "more than half of the threads idle";
  if (registers_of(t, f) > registers_allowed(t, l)) return "tile larger than the registers";
  const auto ends_inside = [&](packed_layout layouts, index_t entries, scalar_type type) {
    return !is_shared(layouts) && t.matrices * entries * index_t(size_of(type)) % 32 != 0;
  };
  if (ends_inside(f.layouts.left, f.m * f.k, f.type.in) || ends_inside(f.layouts.right, f.k * f.n, f.type.in) ||
      ends_inside(f.layouts.out, f.m * f.n, f.type.out))
    return "a block's part of an operand ends inside a sector of 32 bytes";
  if (!runs_on(l, t, f)) return "larger than shared memory";
  return t == canonical_tuning(t, f, l) ? nullptr : detail::same_kernel;
}

constexpr bool fits(const gpu_gemm_tuning& t, const gemm_form& f, const gpu_limits& l) { return !why_not(t, f, l); }

/// Null if a record may have this tuning: one that fits, or the initial values, which every size allows.
template <class Tuning, class Limits>
constexpr const char* why_no_record(const Tuning& t, const gemm_form& f, const Limits& l) {
  return t == Tuning{} ? nullptr : why_not(canonical_tuning(t, f, l), f, l);
}

template <class Tuning, class Limits>
constexpr bool is_possible(const Tuning& t, const gemm_form& f, const Limits& l) {
  return !why_no_record(t, f, l);
}

}  // namespace tessera
