// SPDX-License-Identifier: BSD-3-Clause
// Blocks of symmetric element matrices, as measured for diffusion on an H200: decision 18.
#pragma once

#include <tessera/element/halved_room.hpp>
#include <tessera/element/parity_room.hpp>
#include <tessera/element/product_room.hpp>
#include <tessera/element/strip_room.hpp>

namespace tessera::detail {

/// Of `functions` and `points` a direction.
struct product_row {
  int dim, functions, points;
  product_tuning of;
};

constexpr product_tuning a_thread_each(int elements, int threads, int blocks) {
  return {.way = product_way::alone, .elements = elements, .threads = threads, .blocks = blocks};
}
constexpr product_tuning with_held_data(int elements, int sharing, int threads, int blocks) {
  return {.way = product_way::held, .elements = elements, .sharing = sharing, .threads = threads, .blocks = blocks};
}

inline constexpr product_row product_rows[] = {
    {3, 2, 2, a_thread_each(10, 32, 10)},
    {3, 2, 3, a_thread_each(10, 32, 10)},
    {3, 3, 3, with_held_data(4, 1, 64, 8)},
    {3, 3, 4, with_held_data(2, 1, 32, 12)},
    // With less room for registers a number of each thread is in local memory: it is faster than fewer warps are.
    {3, 4, 4, with_held_data(2, 4, 128, 4)},
    {2, 2, 3, a_thread_each(21, 64, 16)},
    {2, 3, 4, a_thread_each(10, 64, 16)},
    {2, 4, 5, a_thread_each(6, 64, 10)},
    {2, 5, 6, a_thread_each(4, 64, 10)},
    {2, 6, 7, a_thread_each(3, 64, 8)},
    {2, 7, 8, a_thread_each(2, 64, 8)},
    {2, 8, 9, a_thread_each(1, 64, 6)},
    {2, 9, 10, a_thread_each(1, 64, 6)},
};

/// Of lines in halves, in 3-D, where that is faster.
struct halved_row {
  int functions, points;
  halved_tuning of;
};

inline constexpr halved_row halved_rows[] = {
    {4, 4, {.at_once = 8, .threads = 160, .blocks = 6}},
    {4, 5, {.waves = 2, .along = true, .at_once = 8, .threads = 128, .blocks = 8}},
    {5, 5, {.waves = 1, .along = true, .at_once = 8, .threads = 384, .blocks = 2}},
    {5, 6, {.waves = 1, .along = true, .at_once = 8, .threads = 384, .blocks = 2}},
    {6, 6, {.tiled = 3, .waves = 1, .along = true, .threads = 288, .blocks = 2}},
    {6, 7, {.tiled = 3, .waves = 1, .threads = 256, .blocks = 3}},
    // The lower triangle. Some numbers of each thread are in local memory: two blocks, which have room for them, are
    // slower.
    {6, 6, {.sliced = true, .waves = 1, .threads = 256, .blocks = 3}},
    {6, 7, {.sliced = true, .waves = 1, .threads = 256, .blocks = 3}},
};

/// By strips, in 3-D, where that is faster.
struct strip_row {
  int functions, points;
  bool packed;
  strip_tuning of;
};

inline constexpr strip_row strip_rows[] = {
    {7, 7, false, {.staged = 1, .threads = 128, .blocks = 3}},
    {7, 8, false, {.staged = 1, .threads = 128, .blocks = 3}},
    {8, 8, false, {.staged = 1, .threads = 128, .blocks = 3}},
    {7, 7, true, {.staged = 2, .threads = 128, .blocks = 2}},
    {7, 8, true, {.staged = 2, .threads = 128, .blocks = 2}},
    {8, 8, true, {.staged = 2, .threads = 128, .blocks = 2}},
};

/// By even and odd parts, in 2-D, where that is faster.
struct parity_row {
  int functions, points;
  bool packed;
  parity_tuning of;
};

inline constexpr parity_row parity_rows[] = {
    {5, 5, false, {.elements = 4, .columns = 2, .threads = 64, .blocks = 10}},
    {5, 6, false, {.elements = 4, .columns = 2, .threads = 64, .blocks = 10}},
    {6, 7, false, {.elements = 3, .columns = 3, .threads = 64, .blocks = 8}},
    {6, 7, true, {.elements = 3, .columns = 3, .threads = 64, .blocks = 8}},
    {7, 8, false, {.columns = 3, .threads = 32, .blocks = 12}},
    {7, 8, true, {.columns = 3, .threads = 32, .blocks = 12}},
    {8, 8, false, {.pad = 1, .threads = 64, .blocks = 8}},
    {8, 9, false, {.elements = 3, .pad = 1, .threads = 128, .blocks = 3}},
    {8, 9, true, {.elements = 3, .pad = 1, .threads = 128, .blocks = 3}},
    {9, 10, false, {.threads = 64, .blocks = 6}},
    {9, 10, true, {.elements = 2, .threads = 96, .blocks = 3}},
};

}  // namespace tessera::detail
