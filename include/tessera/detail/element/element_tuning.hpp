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
  bool nodal = false;    ///< nothing is interpolated
  bool mirrors = true;   ///< its tables mirror themselves
  bool several = false;  ///< applications to an element: more than one, components or right hand sides
  int repeats = 1;       ///< of these, those to an element's components, where there is one right hand side
  bool unit = true;      ///< entries of x and y lie side by side
  bool adjacent = true;  ///< components and elements, too, and none is left out
  int entry_bytes = 8;   ///< of x and y
  int stored_bytes = 8;  ///< of a number of D in memory
  int geometry = 0;      ///< nodes a direction that D is computed from at each application; 0: it is stored
  /// Derivatives are not those of the polynomials through the points: they are taken directly, or not at all.
  bool own_slopes = false;

  constexpr int side() const {
    const int least = trial > test ? trial : test;
    return points > least ? points : least;
  }
  constexpr bool slopes() const { return of_trial.gradient || of_test.gradient; }
  /// D of an element.
  constexpr int element_bytes() const {
    return (dim == 3 ? points * points * points : dim == 2 ? points * points : points) * factors * stored_bytes;
  }
  /// Lines of an element at most: each has a thread. Where these hold planes there are side() of them.
  constexpr int lines() const { return dim == 3 ? side() * side() : dim == 2 ? side() : 1; }
};

struct element_tuning {
  int elements = 1;      ///< of a block
  int threads = 32;      ///< of a block: one a line at least
  int blocks = 1;        ///< that the compiler makes room for on a multiprocessor, by limiting registers
  int last = 0;          ///< direction of the lines that are in registers at the points: D is read across them
  int prefetch = 0;      ///< points of a line whose D is asked for before anything is computed
  bool even_odd = true;  ///< tables in halves, where they mirror themselves
  bool direct = false;   ///< derivatives straight from the functions, not by way of their values at the points
  bool staged =
      false;  ///< D comes through shared memory, by the copy engine where there is one; computed D stays there
  bool by_warp = false;  ///< a warp holds one element in registers, or four of up to four nodes and points a direction
  /// Of a cube in shared memory, in entries: from line to line, plane to plane, element to element.
  int pitch[2] = {1, 1};
  int pitch_element = 1;
  /// x and y of a block's elements come and go in one piece, 16 bytes at a time: 1 by threads, 2 by the copy engine
  /// where there is one. With `staged` D does, too.
  int packed = 0;
  int together = 1;  ///< all applications to an element at the same time, by threads of their own: so many
  int batches = 1;   ///< the block's elements so many times, one after the other, all asked for at the start

  bool by_plane = false;  ///< a thread holds planes of an element, not lines; `prefetch` counts lines

  friend constexpr bool operator==(const element_tuning&, const element_tuning&) = default;
};

/// Whether derivatives can be taken directly: in 2-D and 3-D, of functions of one component, from nodes that are not
/// the points; in 1-D where they have to be.
bool can_be_direct(const element_kernel_facts& f);
/// Whether D can come through shared memory: computed, or in pieces of 16 bytes, and not before a barrier.
bool can_be_staged(const element_kernel_facts& f);
/// Whether x and y can come and go in one piece: adjacent, in 2-D and 3-D, from nodes that are not the points, D
/// stored.
bool can_be_packed(const element_kernel_facts& f);
/// Whether a warp can hold elements in registers: in 3-D and double, functions of one component, at most eight nodes
/// and points a direction, D stored.
bool can_be_by_warp(const element_kernel_facts& f);
/// Whether threads can hold planes: in 3-D, functions of one component from nodes that are not the points, D stored.
bool can_be_by_plane(const element_kernel_facts& f);
/// Elements that a warp holds.
int elements_of_warp(const element_kernel_facts& f);
/// Cubes of a block's elements in shared memory.
int cubes_of(const element_kernel_facts& f, bool direct);
/// Bytes of shared memory of a block.
index_t shared_bytes_of(const element_kernel_facts& f, const element_tuning& t);

/// Why a block of that tuning cannot run, in words; empty where it can.
const char* why_unfit(const element_kernel_facts& f, const element_tuning& t, const gpu_limits& limits = {});

/// Trips through shared memory that a block's accesses to one cube take, lines read and written once in each direction:
/// what padding is chosen by. Threads of half a warp (8-byte entries; 4-byte: of a warp) that meet in a bank take
/// turns.
long shared_trips(const element_kernel_facts& f, const element_tuning& t);

/// Sets the pitches of a tuning that has everything else: `padded` as few conflicts leave them, at most 1.3 times as
/// large as elements need, otherwise elements as close as they go.
void choose_pitches(const element_kernel_facts& f, element_tuning& t, bool padded, const gpu_limits& limits = {});

/// By rules alone: full warps, four blocks a multiprocessor or more where memory allows, pitches with few bank
/// conflicts. It fits, or nothing does.
element_tuning ruled_element_tuning(const element_kernel_facts& f, const gpu_limits& limits = {});

struct tuned_element;

struct element_choice {
  element_tuning tuning;
  tuning_source from;
  const tuned_element* record = nullptr;  ///< that the build embeds, where it is one
};

/// The tuning of a record of these very facts that fits the limits: of the file given at run time (overlay.hpp), else
/// of this device, one with its compute capability, or any other; else by rules. The first form asks for the current
/// GPU.
element_choice choose_element_tuning(const element_kernel_facts& f, const gpu_limits& limits = {});
element_choice choose_element_tuning(const element_kernel_facts& f, const gpu_limits& limits, const std::string& device,
                                     int compute_capability);

/// What is chosen for the current GPU. It fits, or nothing does.
element_tuning default_element_tuning(const element_kernel_facts& f, const gpu_limits& limits = {});

}  // namespace tessera
