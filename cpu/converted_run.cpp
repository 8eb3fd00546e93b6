// SPDX-License-Identifier: BSD-3-Clause
// Blocks of batch entries and loop steps that fit in cache: operands become real matrices in buffers, a row multiplies
// them, and results are converted back. What is the same for all blocks is converted once.
//
// C = A B of complex numbers is a real product: C (2m, n) and B (2k, n) are the same memory, with rows re, im, re, im;
// only A becomes another matrix (2m, 2k), with columns (re, im) and (-im, re). Conjugation changes signs in it.
#include <tessera/cpu/detail/converted_run.hpp>

#include <algorithm>
#include <cstdlib>

#include <tessera/cpu/detail/reference.hpp>
#include <tessera/cpu/detail/repeats.hpp>

#include "entry_image.hpp"
#include "image_memory.hpp"

namespace tessera::detail {

namespace {

constexpr index_t block_bytes = 128 << 10;  // of a block that is converted, if it can be cut to that

thread_local image_memory images;

template <class In, class Out, class Sum>
class converted_call {
 public:
  using T = real_of<Sum>;

  converted_call(const isa_rows& rows, const problem<In, Out, Sum>& p, const any_members& groups)
      : rows_(rows),
        p_(p),
        groups_(groups),
        loop_rank_(p.loops == 1 ? 0 : p.out.map.loop_rank),
        left_{side_of(p.left, p.left_factors, p.left_conjugated, p.m, p.k, groups.left)},
        right_{side_of(p.right, p.right_factors, p.right_conjugated, p.k, p.n, groups.right)},
        out_{{&p.out, 1, {false, false}, false, p.m, p.n, {static_cast<Out* const*>(groups.out), nullptr}}} {
    if (p.form == canonical::pointwise) right_.of.rows = p.m;
    if constexpr (of_complex) {
      // C^T = B^T A^T where that brings the rows of C closer to each other than its columns.
      const run_time_map& c = p.out.map;
      if (p.n > 1 && (p.m <= 1 || (c.table == nullptr && std::abs(c.col) < std::abs(c.row)))) transpose();
      right_.is_in_place = has_rows_of_parts(right_.of);
      out_.is_in_place = has_rows_of_parts(out_.of) && p.beta.im == T(0);
      if (p.alpha.im != T(0)) by_.alpha = p.alpha;
      // Two factors are conjugated while they are multiplied, a single one by signs in the other side.
      by_.other_conjugated = right_.of.count == 1 && right_.of.conjugated[0];
      if (right_.of.count == 1) right_.of.conjugated[0] = false;
    } else {
      out_.is_in_place = same_type<Out, T> && groups.out == nullptr;
    }
    look_at(left_);
    look_at(right_);
    look_at(out_);
  }

  void run(index_t first, index_t last) const {
    const index_t lanes = common_lanes();
    if (lanes == 0) return run_one_by_one(first, last);
    const index_t from = std::min(last, (first + lanes - 1) / lanes * lanes), to = std::max(from, last / lanes * lanes);
    run_one_by_one(first, from);
    run_entries(from, to, lanes);
    run_one_by_one(to, last);
  }

 private:
  static constexpr bool of_complex = is_complex<Sum>;
  static constexpr index_t parts = of_complex ? 2 : 1;

  template <class Entry>
  struct side {
    factors_of<Entry> of;
    bool is_in_place = false;  // kernels use the memory of the caller
    bool is_batched = false, has_steps = false;

    bool is_converted_for_batch() const { return is_batched && !is_in_place; }
    bool is_converted_for_steps() const { return has_steps && !is_in_place; }
  };

  static factors_of<const In> side_of(const factor<const In>* factors, int count, const bool (&conjugated)[2],
                                      index_t rows, index_t cols, const void* const (&groups)[2]) {
    const auto members = [](const void* group) { return static_cast<const In* const*>(group); };
    return {factors, count, {conjugated[0], conjugated[1]},          false,
            rows,    cols,  {members(groups[0]), members(groups[1])}};
  }

  void transpose() {
    std::swap(left_.of, right_.of);
    for (factors_of<const In>* of : {&left_.of, &right_.of}) {
      of->transposed = true;
      std::swap(of->rows, of->cols);
    }
    out_.of.transposed = true;
    std::swap(out_.of.rows, out_.of.cols);
  }

  // Complex numbers whose real and imaginary parts are rows of a real matrix as they are stored.
  template <class Entry>
  static bool has_rows_of_parts(const factors_of<Entry>& of) {
    const factor<Entry>& f = of.factors[0];
    return of.count == 1 && !of.is_group() && f.lanes == 1 && f.map.is_strided() &&
           (of.rows <= 1 || (of.transposed ? f.map.col : f.map.row) == 1);
  }

  template <class Entry>
  bool has_step(const factors_of<Entry>& of, int digit) const {
    for (int f = 0; f < of.count; ++f)
      if (of.factors[f].map.table != nullptr || of.factors[f].map.loop_stride[digit] != 0) return true;
    return false;
  }
  template <class Entry>
  void look_at(side<Entry>& s) const {
    s.is_batched = s.of.is_group();
    for (int f = 0; f < s.of.count; ++f) s.is_batched = s.is_batched || s.of.factors[f].batch_stride != 0;
    for (int i = 0; i < loop_rank_; ++i) s.has_steps = s.has_steps || has_step(s.of, i);
  }

  // The number of lanes of all interleaved operands: 1 if there are none, 0 if batch entries have to run one by one.
  // Kernels divide long sums otherwise in lanes: entries around whole blocks of lanes would have other bits.
  index_t common_lanes() const {
    index_t lanes = 1;
    bool alike = true;
    const auto look = [&](const auto& of) {
      for (int f = 0; f < of.count; ++f) {
        const index_t more = of.factors[f].lanes;
        alike = alike && (more == 1 || lanes == 1 || more == lanes);
        lanes = std::max(lanes, more);
      }
    };
    look(left_.of);
    look(right_.of);
    look(out_.of);
    return lanes == 1 || (alike && parts * p_.k <= simd::detail::k_chunk) ? lanes : 0;
  }

  // Numbers in cache for a batch entry: of all operands that differ from entry to entry.
  index_t numbers_of_entry(int loops, index_t piece) const {
    const auto of = [&](const auto& s, index_t of_number) {
      if (!s.is_batched && p_.batch > 1) return index_t(0);
      index_t steps = 1;
      for (int i = 0; i < loops; ++i)
        if (has_step(s.of, i)) steps *= i + 1 == loops ? piece : p_.out.map.loop_extent[i];
      return of_number * s.of.rows * s.of.cols * steps;
    };
    return std::max<index_t>(1, of(left_, parts * parts) + of(right_, parts) + of(out_, parts));
  }

  // The largest block: as many entries, else as many loop steps, as fit in cache together.
  problem_block largest_block(index_t entries, index_t lanes) const {
    problem_block block{.count = entries, .lanes = lanes, .loops = loop_rank_};
    if (loop_rank_ > 0) block.piece = p_.out.map.loop_extent[loop_rank_ - 1];
    const bool converts_entries =
        left_.is_converted_for_batch() || right_.is_converted_for_batch() || out_.is_converted_for_batch();
    const bool converts_steps =
        left_.is_converted_for_steps() || right_.is_converted_for_steps() || out_.is_converted_for_steps();
    if (!converts_entries && (entries > 1 || !converts_steps)) return block;
    constexpr index_t most = block_bytes / index_t(sizeof(T));
    const index_t of_entry = lanes * numbers_of_entry(block.loops, block.piece);
    block.count = std::min(entries, lanes * std::max<index_t>(1, most / of_entry));
    if (of_entry <= most || loop_rank_ == 0) return block;
    block.piece = 1;
    while (block.loops > 1 && lanes * numbers_of_entry(block.loops, 1) > most) --block.loops;
    const index_t of_step = lanes * numbers_of_entry(block.loops, 1), extent = p_.out.map.loop_extent[block.loops - 1];
    block.piece = std::min(extent, std::max<index_t>(1, most / of_step));
    return block;
  }

  void run_one_by_one(index_t first, index_t last) const {
    for (index_t e = first; e < last; ++e) run_entries(e, e + 1, 1);
  }

  void run_entries(index_t first, index_t last, index_t lanes) const {
    if (first >= last) return;
    const problem_block largest = largest_block(last - first, lanes);
    const index_t* const extents = p_.out.map.loop_extent;
    constexpr image_form form = of_complex ? image_form::rows : image_form::number;
    entry_image<const In, T> left(left_.of, of_complex ? image_form::matrix : form, largest, extents);
    entry_image<const In, T> right(right_.of, form, largest, extents);
    entry_image<Out, T> out(out_.of, form, largest, extents);
    std::size_t bytes = 0;
    // With a cache line behind each, which functions for runs may write.
    const auto reserve = [&](const auto& image, bool is_in_place) {
      constexpr std::size_t line = image_memory::alignment;
      const std::size_t at = bytes;
      if (!is_in_place) bytes += (std::size_t(image.size()) * sizeof(T) / line + 2) * line;
      return at;
    };
    const std::size_t left_at = reserve(left, false), right_at = reserve(right, right_.is_in_place),
                      out_at = reserve(out, out_.is_in_place);
    std::byte* const memory = images.get(bytes);
    if (memory == nullptr) return run_reference(first, last);
    left.place(reinterpret_cast<T*>(memory + left_at));
    right.place(reinterpret_cast<T*>(memory + right_at));
    out.place(reinterpret_cast<T*>(memory + out_at));
    each_block(first, last, largest, [&](const problem_block& block) { run_block(block, left, right, out); });
    images.shrink();
  }

  // Where there is no memory for buffers.
  void run_reference(index_t first, index_t last) const {
    problem<In, Out, Sum> one = p_;
    const auto point = [](auto& f, const auto& group, index_t entry) {
      if (group != nullptr) f.data = static_cast<decltype(f.data)>(const_cast<void*>(group[entry]));
    };
    for (index_t e = first; e < last; ++e) {
      point(one.out, static_cast<const void* const*>(groups_.out), e);
      for (int f = 0; f < 2; ++f) {
        point(one.left[f], static_cast<const void* const*>(groups_.left[f]), e);
        point(one.right[f], static_cast<const void* const*>(groups_.right[f]), e);
      }
      reference_problem(one, e, e + 1);
    }
  }

  template <class F>
  void each_block(index_t first, index_t last, const problem_block& largest, const F& f) const {
    problem_block block = largest;
    index_t below = 1;  // loop steps of the digits that a block has as a whole
    for (int i = 0; i + 1 < largest.loops; ++i) below *= p_.out.map.loop_extent[i];
    const index_t extent = largest.loops > 0 ? p_.out.map.loop_extent[largest.loops - 1] : 1;
    const index_t above = p_.loops / (below * extent);
    for (block.entry = first; block.entry < last; block.entry += block.count) {
      block.count = std::min(largest.count, last - block.entry);
      for (index_t step = 0; step < above; ++step)
        for (index_t at = 0; at < extent; at += largest.piece) {
          block.piece = std::min(largest.piece, extent - at);
          block.step = (step * extent + at) * below;
          block.steps = below * block.piece;
          f(block);
        }
    }
  }

  void run_block(const problem_block& block, entry_image<const In, T>& left, entry_image<const In, T>& right,
                 entry_image<Out, T>& out) const {
    problem<T> real;
    real.form = p_.form;
    real.m = parts * out_.of.rows, real.n = out_.of.cols, real.k = parts * p_.k;
    real.loops = block.steps, real.batch = block.count;
    const Sum* scale = nullptr;
    if constexpr (of_complex) {
      real.alpha = by_.is_scaled() ? T(1) : p_.alpha.re;
      real.beta = p_.beta.re;
      if (p_.beta.im != T(0)) scale = &p_.beta, real.beta = T(1);
    } else {
      real.alpha = p_.alpha, real.beta = p_.beta;
    }
    left.hold(block, rows_.entries, by_);
    real.left[0] = left.template as_factor<const T>(block);
    if (right_.is_in_place) {
      real.right[0] = in_place<const T>(right_.of, block);
    } else {
      right.hold(block, rows_.entries, {});
      real.right[0] = right.template as_factor<const T>(block);
    }
    if (out_.is_in_place) {
      real.out = in_place<T>(out_.of, block);
    } else {
      if (real.beta != T(0)) out.load(block, rows_.entries, {}, scale);
      real.out = out.template as_factor<T>(block);
    }
    const bool pointwise = p_.form == canonical::pointwise;
    (pointwise ? rows_.template pointwise<T>() : rows_.template generic<T>())(real, 0, block.count);
    if (!out_.is_in_place) out.store(block, rows_.entries);
  }

  // The caller's memory as a real operand.
  template <class To, class Entry>
  factor<To> in_place(const factors_of<Entry>& of, const problem_block& block) const {
    const factor<Entry>& from = of.factors[0];
    const bool has_table = from.map.table != nullptr;
    Entry* const start = from.start(block.entry) + (has_table || block.step == 0 ? 0 : from.map.loop(block.step));
    factor<To> real{reinterpret_cast<To*>(start), parts * from.batch_stride, block.lanes > 1 ? from.lanes : 1,
                    from.map};
    if (has_table) real.map.table += block.step * from.map.rows * from.map.cols;
    if (of_complex) {
      real.map.row = 1;
      real.map.col = parts * (of.transposed ? from.map.row : from.map.col);
    }
    real.map.loop_rank = block.loops;
    for (int i = 0; i < block.loops; ++i) {
      real.map.loop_extent[i] = i + 1 == block.loops ? block.piece : p_.out.map.loop_extent[i];
      real.map.loop_stride[i] = parts * from.map.loop_stride[i];
    }
    return real;
  }

  const isa_rows& rows_;
  const problem<In, Out, Sum>& p_;
  const any_members& groups_;
  int loop_rank_;
  side<const In> left_, right_;
  side<Out> out_;
  expansion<T> by_;
};

}  // namespace

template <class In, class Out, class Sum>
void run_converted(const isa_rows& rows, const problem<In, Out, Sum>& p, const any_members& groups, index_t first,
                   index_t last) {
  if (p.m == 0 || p.n == 0 || p.loops == 0) return;
  if constexpr (is_complex<Sum>)
    if (p.form == canonical::pointwise) return run_pointwise(p, groups, first, last);
  converted_call<In, Out, Sum>(rows, p, groups).run(first, last);
}

template void run_converted(const isa_rows&, const problem<complex<float>>&, const any_members&, index_t, index_t);
template void run_converted(const isa_rows&, const problem<complex<double>>&, const any_members&, index_t, index_t);
template void run_converted(const isa_rows&, const problem<float, float, double>&, const any_members&, index_t,
                            index_t);
template void run_converted(const isa_rows&, const problem<half, float, float>&, const any_members&, index_t, index_t);
template void run_converted(const isa_rows&, const problem<half, half, float>&, const any_members&, index_t, index_t);
template void run_converted(const isa_rows&, const problem<bfloat16, float, float>&, const any_members&, index_t,
                            index_t);
template void run_converted(const isa_rows&, const problem<bfloat16, bfloat16, float>&, const any_members&, index_t,
                            index_t);

}  // namespace tessera::detail
