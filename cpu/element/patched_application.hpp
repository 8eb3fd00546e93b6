// SPDX-License-Identifier: BSD-3-Clause
// Applications between L-vectors: patch by patch, each on one thread, then the sums of what patches share.
#pragma once

#include <algorithm>
#include <optional>

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/cpu/detail/vectors.hpp>

#include "application.hpp"
#include "patch_vectors.hpp"

namespace tessera::detail {

template <class T>
class patched_application {
 public:
  patched_application(const cpu_operator<T>& s, const listed_patches& of, const global_application<T>& a,
                      const block_source<T>& D, const shared_terms<T>& shared)
      : s_(s), of_(of), x_(*of.x), y_(*of.y), a_(a), D_(D), shared_(shared.terms) {
    if (shared.dots != nullptr && of.has_one_restriction())
      dots_.emplace(element_dots<T>{*s.kernels, of.order, shared.dots});
    of_x_ = aligned(x_.most_slots * x_.of->components);
    of_y_ = aligned(y_.most_slots * y_.of->components);
    const index_t blocks = D.elements() / s.lanes() + 1;
    run_ = s.runs.of(s.isa, blocks * D.memory_bytes(), false);
  }

  void run(index_t first, index_t last) const {
    const double flops =
        double(of_.patches[std::size_t(last - 1)].last - of_.patches[std::size_t(first)].first) * s_.flops();
    const index_t kernel = on_patch(first, nullptr, [](const auto& application) { return application.scratch(); });
    for_chunks_with_scratch<T>(last - first, of_x_ + of_y_ + kernel, flops < serial_flops,
                               [&](index_t begin, index_t end, T* scratch) {
                                 for (index_t p = first + begin; p < first + end; ++p) run_patch(p, scratch);
                               });
  }

 private:
  // f(the application to the patch's elements).
  template <class F>
  auto on_patch(index_t p, T* scratch, const F& f) const {
    const element_patch& patch = of_.patches[std::size_t(p)];
    const element_blocks blocks(element_set::range(patch.first, patch.last), s_.lanes());
    const index_t block = blocks.number(0);
    const patch_loader<T> x(*s_.kernels, {scratch, x_, x_.pieces[std::size_t(p)], block});
    const patch_storer<T> y(*s_.kernels,
                            {scratch == nullptr ? scratch : scratch + of_x_, y_, y_.pieces[std::size_t(p)], block});
    return f(element_application(s_, blocks, 1, x, y, D_, &run_, dots_ ? &*dots_ : nullptr));
  }

  void run_patch(index_t p, T* scratch) const {
    const patch_lists::piece &of_x = x_.pieces[std::size_t(p)], &of_y = y_.pieces[std::size_t(p)];
    T *const x = scratch, *const y = scratch + of_x_;
    gather(of_x, x);
    leave_out_constrained(x_, of_x, x);
    std::fill_n(y, of_y.slots * y_.of->components, T(0));
    on_patch(p, scratch, [&](const auto& application) { application.run_here(scratch + of_x_ + of_y_); });
    leave_out_constrained(y_, of_y, y);
    scatter(of_y, y);
  }

  // copy(slot, number) of the interior's slots.
  template <class F>
  static void each_interior(const patch_lists& lists, const patch_lists::piece& piece, const F& copy) {
    if (piece.run == piece.run_end)
      return lists.interior.with([&](const auto* numbers) {
        for (index_t s = 0; s < piece.interior; ++s) copy(s, numbers[piece.first_interior + s]);
      });
    index_t slot = 0;
    for (index_t r = piece.run; r < piece.run_end; ++r) {
      const patch_lists::run& run = lists.runs[std::size_t(r)];
      for (index_t s = 0; s < run.length; ++s) copy(slot + s, run.number + s);
      slot += run.length;
    }
  }

  void gather(const patch_lists::piece& piece, T* to) const {
    for (int c = 0; c < x_.of->components; ++c, to += piece.slots) {
      const T* const from = a_.x + c * x_.of->stride;
      each_interior(x_, piece, [&](index_t slot, index_t number) { to[slot] = from[number]; });
      x_.outer.with([&](const auto* numbers) {
        for (index_t s = piece.interior; s < piece.slots; ++s) to[s] = from[numbers[piece.shared + s - piece.interior]];
      });
    }
  }
  static void leave_out_constrained(const patch_lists& lists, const patch_lists::piece& piece, T* of) {
    for (index_t i = piece.constrained; i < piece.constrained_end; ++i) of[lists.constrained[std::size_t(i)]] = T(0);
  }
  void scatter(const patch_lists::piece& piece, const T* from) const {
    for (int c = 0; c < y_.of->components; ++c, from += piece.slots) {
      T* const to = a_.y + c * y_.of->stride;
      if (a_.add)
        each_interior(y_, piece, [&](index_t slot, index_t number) { to[number] += from[slot]; });
      else
        each_interior(y_, piece, [&](index_t slot, index_t number) { to[number] = from[slot]; });
      std::copy(from + piece.interior, from + piece.slots, shared_ + c * y_.shared_slots() + piece.shared);
    }
  }

  const cpu_operator<T>& s_;
  const listed_patches& of_;
  const patch_lists &x_, &y_;
  const global_application<T>& a_;
  const block_source<T>& D_;
  T* shared_;
  std::optional<element_dots<T>> dots_;
  index_t of_x_, of_y_;
  element_run run_;
};

/// The sums of numbers [begin, end) of a group.
template <class T, class Number>
void add_terms(const patch_lists::group& g, const std::int32_t* terms, const Number* numbers, index_t begin,
               index_t end, const T* from, bool add, T* to) {
  terms += g.term + g.count * (begin - g.first);
  for (index_t s = begin; s < end; ++s, terms += g.count) {
    T sum(0);
    for (index_t t = 0; t < g.count; ++t) sum += from[terms[t]];
    T& there = to[numbers[s]];
    there = add ? there + sum : sum;
  }
}

/// Those of elements where they sum x.y, and those that the sum over all goes by.
inline index_t dot_numbers_of(const listed_patches& patches) {
  const index_t elements = patches.elements();
  return patches.has_one_restriction() ? elements + blocks_of_sum(elements) : blocks_of_sum(patches.y->of->size);
}

/// The sums of what patches share; y at constrained numbers and at those of no element; x.y.
template <class T>
void finish_patched(const listed_patches& patches, const global_application<T>& a, const shared_terms<T>& memory) {
  const patch_lists& y = *patches.y;
  const restriction_state& of = *y.of;
  const T* const shared = memory.terms;
  for_batch_chunks(y.shared.size(), [&](index_t first, index_t last) {
    y.shared.with([&](const auto* numbers) {
      for (int c = 0; c < of.components; ++c)
        for (const patch_lists::group& g : y.groups) {
          const index_t begin = std::max(first, g.first), end = std::min(last, g.last);
          if (begin < end)
            add_terms(g, y.terms.data(), numbers, begin, end, shared + c * y.shared_slots(), a.add,
                      a.y + c * of.stride);
        }
    });
  });
  if (!a.add)
    for (const index_t k : y.untouched) a.y[k] = T(0);
  for (const index_t k : of.constrained) {
    const T own = a.rows == constrained_rows::identity ? a.x[k] : T(0);
    a.y[k] = a.add ? a.y[k] + own : own;
  }
  if (a.dot == nullptr) return;
  if (!patches.has_one_restriction()) {
    *a.dot = dot(of.size, a.x, static_cast<const T*>(a.y), memory.dots);
    return;
  }
  double all = sum(patches.elements(), memory.dots, memory.dots + patches.elements());
  if (a.rows == constrained_rows::identity)
    for (const index_t k : of.constrained) all += double(a.x[k]) * double(a.x[k]);
  *a.dot = all;
}

}  // namespace tessera::detail
