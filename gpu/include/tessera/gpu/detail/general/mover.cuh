// SPDX-License-Identifier: BSD-3-Clause
// Copies boxes of an operand to shared memory, asynchronously and by all threads of a block: as many bytes at once as
// lie side by side. What is outside of the tensor becomes 0.
#pragma once

#include <tessera/gpu/detail/elements.cuh>
#include <tessera/gpu/detail/general/instructions.cuh>
#include <tessera/gpu/detail/general/shape.cuh>

namespace tessera::device {

/// Which copy of a box a thread makes. A copy is of a run along the nearest digit; the digits count copies, nearest
/// first. Threads are spread over all of the first `spread` digits, in groups of `group`; `rows` groups take every so
/// many-th entry of the next digit; every thread goes through the digits after that.
template <class Lines, class Inner, class Staged, int threads>
struct copies_of_box {
  static constexpr int digits = Lines::count + Inner::count;

  __host__ __device__ static constexpr bool is_line(int j) { return int(Staged::order(j)) < Lines::count; }
  /// Number in its list.
  __host__ __device__ static constexpr int number(int j) {
    return is_line(j) ? int(Staged::order(j)) : int(Staged::order(j)) - Lines::count;
  }
  __host__ __device__ static constexpr int entries(int j) { return j == 0 ? Staged::at_once : 1; }
  __host__ __device__ static constexpr int steps(int j) {
    if (j >= digits) return 1;
    return (is_line(j) ? Lines::box(number(j)) : Inner::box(number(j))) / entries(j);
  }
  __host__ __device__ static constexpr bool has_edge(int j) {
    return is_line(j) ? Lines::has_edge(number(j)) : Inner::has_edge(number(j));
  }
  __host__ __device__ static constexpr index_t extent(int j) {
    return is_line(j) ? Lines::extent(number(j)) : Inner::extent(number(j));
  }
  __host__ __device__ static constexpr index_t in_memory(int j) {
    return (is_line(j) ? Staged::of_line(number(j)) : Staged::of_inner(number(j))) * entries(j);
  }
  __host__ __device__ static constexpr int in_shared(int j) {
    return int(is_line(j) ? Staged::shared_line(number(j)) : Staged::shared_inner(number(j))) * entries(j);
  }
  __host__ __device__ static constexpr int product(int from, int to) {
    int all = 1;
    for (int j = from; j < to; ++j) all *= steps(j);
    return all;
  }
  /// Of a thread, where threads are spread over the first `level` digits.
  __host__ __device__ static constexpr int copies(int level) {
    return turns_of(level, level) * product(level + 1, digits);
  }
  __host__ __device__ static constexpr int turns_of(int j, int level) {
    const int groups = j == level ? threads / product(0, level) : 1;
    return (steps(j) + groups - 1) / groups;
  }
  __host__ __device__ static constexpr int best_level() {
    int best = 0;
    for (int level = 1; level <= digits && product(0, level) <= threads; ++level)
      if (copies(level) <= copies(best)) best = level;
    return best;
  }
  static constexpr int spread = best_level(), group = product(0, spread), rows = spread < digits ? threads / group : 1,
                       most_lined_up = 64;
  /// Of a thread, in a digit that threads are not spread over.
  __host__ __device__ static constexpr int turns(int j) { return turns_of(j, spread); }
  /// Whether the compiler lines up the copies of the digit and those before it; loops run over the others, as code of
  /// many copies takes the compiler tens of seconds.
  __host__ __device__ static constexpr bool lined_up(int j) {
    int all = 1;
    for (int i = spread; i <= j; ++i) all *= turns(i);
    return all <= most_lined_up;
  }
};

template <int j>
struct digit_number {
  static constexpr int value = j;
};

template <class Lines, class Inner, class Staged, int threads>
class mover {
 public:
  /// The boxes of the sum that follow are of these lines: `first`, of the box's lines in each digit.
  template <class First>
  __device__ void begin(const First& first) {
    int rest = int(threadIdx.x) % copies::group;
    index_t from = 0;
    int to = 0;
    inside_ = true;
#pragma unroll
    for (int j = 0; j <= copies::spread && j < copies::digits; ++j) {
      const int at = j < copies::spread ? rest % copies::steps(j) : int(threadIdx.x) / copies::group;
      if (j < copies::spread) rest /= copies::steps(j);
      from += at * copies::in_memory(j);
      to += at * copies::in_shared(j);
      at_[j] = at * copies::entries(j);
      if (copies::is_line(j)) {
        if (j < copies::spread && copies::has_edge(j))
          inside_ = inside_ && first[copies::number(j)] + at_[j] < copies::extent(j);
      }
    }
#pragma unroll
    for (int j = 0; j < copies::digits; ++j)
      if (copies::is_line(j) && copies::has_edge(j)) first_[copies::number(j)] = first[copies::number(j)];
    from_ = place<is_wide()>(from * index_t(sizeof(entry)));
    to_ = unsigned(to) * unsigned(sizeof(entry));
  }
  /// Whether begin() has to be called again for other lines.
  static constexpr bool depends_on_lines = Lines::has_edges();

  /// The box of the sum that begins at `first`; `from` is where it begins in memory.
  template <class First>
  __device__ void move(const typename Staged::entry* from, unsigned to, const First& first) const {
    constexpr int active = copies::group * copies::rows;
    if (active < threads && int(threadIdx.x) >= active) return;
    bool inside = inside_;
#pragma unroll
    for (int j = 0; j < copies::spread; ++j)
      if (!copies::is_line(j) && copies::has_edge(j))
        inside = inside && first[copies::number(j)] + at_[j] < copies::extent(j);
    const char* const begin = reinterpret_cast<const char*>(from);
    const auto is_inside = [&](auto digit, int at) {
      constexpr int j = digit.value;
      if constexpr (!copies::has_edge(j))
        return true;
      else if constexpr (copies::is_line(j))
        return first_[copies::number(j)] + at < copies::extent(j);
      else
        return first[copies::number(j)] + at < copies::extent(j);
    };
    for_copies(is_inside, inside, [&](index_t further, unsigned shared, bool here) {
      const char* const place = begin + (here ? from_ + further * index_t(sizeof(entry)) : 0);
      const unsigned there = to + to_ + shared;
#pragma unroll
      for (int byte = 0; byte < int(Staged::at_once * sizeof(entry)); byte += Staged::bytes_of_copy)
        copy_to_shared<Staged::bytes_of_copy>(there + unsigned(byte), place + byte, here);
    });
  }

  /// change(entry) of all entries that this thread has copied, in place; `box` is where it copied them.
  template <class Change>
  __device__ void change(char* box, const Change& change) const {
    constexpr int active = copies::group * copies::rows;
    if (active < threads && int(threadIdx.x) >= active) return;
    const auto all_inside = [](auto, int) { return true; };
    for_copies(all_inside, true, [&](index_t, unsigned shared, bool) {
      auto* const entries = reinterpret_cast<side_by_side<entry, Staged::at_once>*>(box + to_ + shared);
      auto all = *entries;
#pragma unroll
      for (int x = 0; x < Staged::at_once; ++x) all.at[x] = change(all.at[x]);
      *entries = all;
    });
  }

 private:
  using entry = typename Staged::entry;
  using copies = copies_of_box<Lines, Inner, Staged, threads>;

  __host__ __device__ static constexpr index_t distance(index_t stride) { return stride < 0 ? -stride : stride; }
  __host__ __device__ static constexpr bool is_wide() {
    index_t reach = 0;
    for (int i = 0; i < Lines::count; ++i) reach += (Lines::box(i) - 1) * distance(Staged::of_line(i));
    for (int i = 0; i < Inner::count; ++i) reach += (Inner::box(i) - 1) * distance(Staged::of_inner(i));
    return reach > 0x7fffffff / index_t(sizeof(entry));
  }

  // visit(further, shared, inside) of each of a thread's copies, seen from its first one: entries further in memory,
  // bytes further in shared memory; `inside` if it was and is_inside(digit, at) in the digits gone through.
  template <class Inside, class Visit>
  __device__ void for_copies(const Inside& is_inside, bool inside, const Visit& visit) const {
    for_copies_of<copies::digits - 1>(is_inside, 0, 0, inside, visit);
  }
  template <int j, class Inside, class Visit>
  __device__ __forceinline__ void for_copies_of(const Inside& is_inside, index_t further, unsigned shared, bool inside,
                                                const Visit& visit) const {
    if constexpr (j < copies::spread) {
      visit(further, shared, inside);
    } else {
      constexpr bool by_rows = j == copies::spread;
      constexpr int turns = copies::turns(j), rows = by_rows ? copies::rows : 1;
#pragma unroll(copies::lined_up(j) ? turns : 1)
      for (int i = 0; i < turns; ++i) {
        const int step = i * rows, at = (by_rows ? at_[j] : 0) + step * copies::entries(j);
        if (by_rows && copies::steps(j) % rows != 0 && i == turns - 1)
          if (at >= copies::steps(j) * copies::entries(j)) continue;
        for_copies_of<j - 1>(is_inside, further + step * copies::in_memory(j),
                             shared + unsigned(step * copies::in_shared(j)) * unsigned(sizeof(entry)),
                             inside && is_inside(digit_number<j>{}, at), visit);
      }
    }
  }

  // Bytes of the thread's first copy, and its place in each digit.
  place<is_wide()> from_;
  unsigned to_;
  bool inside_;
  int at_[copies::digits + 1], first_[Lines::count + 1];
};

}  // namespace tessera::device
