// SPDX-License-Identifier: BSD-3-Clause
// How an element kernel of the GPU is set up: a struct of numbers, what it takes of a multiprocessor, and the default.
#pragma once

#include <string>

#include <tessera/core/types.hpp>
#include <tessera/detail/fits.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/element/at_point.hpp>

namespace tessera {

/// What the choice depends on.
struct element_kernel_facts {
  int dim = 3;
  int trial = 2, points = 3, test = 2;  ///< d, q, t: a direction
  point_shape of_trial{.value = true}, of_test{.value = true};
  int factors = 1;
  bool nodal = false;    ///< collocated: the nodes are the points, nothing is interpolated
  bool mirrors = true;   ///< the tables are symmetric
  bool several = false;  ///< more than one application per element: components treated alike, or right-hand sides
  int repeats = 1;       ///< components treated alike, if there is one right-hand side; else 1
  bool unit = true;      ///< the entries of x and of y are contiguous within a component
  bool adjacent = true;  ///< components and elements are contiguous, too, and no list of elements leaves any out
  int entry_bytes = 8;   ///< of x and y
  int stored_bytes = 8;  ///< of an entry of D in memory
  int geometry = 0;      ///< geometry nodes per direction, if D is computed at each application; 0: D is stored
  /// The derivatives are not those of the polynomials through the points: only tables of the functions' derivatives
  /// (`direct`) give them.
  bool own_slopes = false;
  bool l_vectors = false;  ///< x and y are L-vectors: lists say where their entries are

  constexpr int side() const {
    const int least = trial > test ? trial : test;
    return points > least ? points : least;
  }
  constexpr bool slopes() const { return of_trial.gradient || of_test.gradient; }
  /// Bytes of D of an element.
  constexpr int element_bytes() const {
    return (dim == 3 ? points * points * points : dim == 2 ? points * points : points) * factors * stored_bytes;
  }
  /// The most lines that an element has in a phase. Each has a thread; where threads hold planes, side() are needed.
  constexpr int lines() const { return dim == 3 ? side() * side() : dim == 2 ? side() : 1; }
};

struct element_tuning {
  int elements = 1;      ///< elements of a block; of a batch where there are several
  int threads = 32;      ///< threads of a block: at least one for each line
  int blocks = 1;        ///< minimum of resident blocks per multiprocessor: the compiler limits registers for it
  int last = 0;          ///< direction of the lines that are in registers at the points; D is read across them
  int prefetch = 0;      ///< points of a line whose D is loaded to registers before anything is computed
  bool even_odd = true;  ///< even-odd decomposition of the tables, if they are symmetric
  bool direct = false;   ///< derivatives from tables of the functions' derivatives, not from values at the points
  bool staged = false;  ///< D is copied to shared memory, by cp.async.bulk if available; D that is computed stays there
  bool by_warp = false;  ///< a warp holds an element in registers; four if d, q and t are at most 4
  /// Strides in shared memory, in entries: between lines, between planes, and between elements.
  int pitch[2] = {1, 1};
  int pitch_element = 1;
  /// Bulk copies of x and y between global and shared memory, all elements of a batch at once. 0: none. 1: by threads,
  /// 16 bytes each. 2: by cp.async.bulk, if available. D is copied in the same way if it is `staged`.
  int packed = 0;
  int together = 1;  ///< applications to an element that are computed at once, each by its own threads: 1 or all
  int batches = 1;   ///< batches of `elements` per block: computed in sequence, all loads are issued at the start

  bool by_plane = false;  ///< a thread holds planes of an element instead of lines; `prefetch` then counts lines

  friend constexpr bool operator==(const element_tuning&, const element_tuning&) = default;
};

/// Whether `direct` is possible: in 2-D and 3-D, without coupled components, and not collocated; in 1-D only if
/// nothing else gives the derivatives (`own_slopes`).
bool can_be_direct(const element_kernel_facts& f);
/// Whether `staged` is possible: D is computed, or D of an element is a multiple of 16 bytes and is first read after a
/// barrier.
bool can_be_staged(const element_kernel_facts& f);
/// Whether `packed` is possible: x and y are contiguous (`adjacent`), in 2-D or 3-D, not collocated, with stored D.
bool can_be_packed(const element_kernel_facts& f);
/// Whether `by_warp` is possible: in 3-D and double, without coupled components, d and q at most 8, with stored D.
bool can_be_by_warp(const element_kernel_facts& f);
/// Whether `by_plane` is possible: in 3-D, without coupled components, not collocated, with stored D.
bool can_be_by_plane(const element_kernel_facts& f);
/// Elements that a warp holds.
int elements_of_warp(const element_kernel_facts& f);
/// Cubes of a block's elements in shared memory.
int cubes_of(const element_kernel_facts& f, bool direct);
/// Bytes of shared memory of a block.
index_t shared_bytes_of(const element_kernel_facts& f, const element_tuning& t);

/// The reason why a block with that tuning cannot run; empty if it can.
const char* why_unfit(const element_kernel_facts& f, const element_tuning& t, const gpu_limits& limits = {});

/// Shared memory cycles of a block's accesses to one cube when lines are read and written once in each direction:
/// padding is chosen to minimise them. Accesses of half a warp (8-byte entries) or a warp (4-byte entries) that fall
/// into one bank take one cycle each.
long shared_trips(const element_kernel_facts& f, const element_tuning& t);

/// Sets the pitches of a tuning whose other members are set. `padded`: with the padding that has the fewest bank
/// conflicts, up to 1.3 times the size without padding. Otherwise elements take no more memory than without padding.
void choose_pitches(const element_kernel_facts& f, element_tuning& t, bool padded, const gpu_limits& limits = {});

/// By rules alone: full warps, four or more blocks per multiprocessor where memory allows, pitches with few bank
/// conflicts. If this tuning does not fit the limits, none does.
element_tuning ruled_element_tuning(const element_kernel_facts& f, const gpu_limits& limits = {});

struct tuned_element;

struct element_choice {
  element_tuning tuning;
  tuning_source from;
  const tuned_element* record = nullptr;  ///< the embedded record that it is from, if any
};

/// The tuning of a record of these very facts that fits the limits: of the file given at run time (overlay.hpp), else
/// of this device, one with its compute capability, or any other; else by rules. The first form uses the current
/// GPU.
element_choice choose_element_tuning(const element_kernel_facts& f, const gpu_limits& limits = {});
element_choice choose_element_tuning(const element_kernel_facts& f, const gpu_limits& limits, const std::string& device,
                                     int compute_capability);

/// The tuning that is chosen for the current GPU. If it does not fit the limits, none does.
element_tuning default_element_tuning(const element_kernel_facts& f, const gpu_limits& limits = {});

}  // namespace tessera
