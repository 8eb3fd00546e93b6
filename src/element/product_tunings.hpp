// SPDX-License-Identifier: BSD-3-Clause
// Blocks of symmetric element matrices by products, as measured for diffusion on an H200: decision 18.
#pragma once

#include <tessera/element/product_room.hpp>

namespace tessera::detail {

/// Of `functions` and `points` a direction.
struct product_row {
  int dim, functions, points;
  product_tuning full, lower;
};

constexpr product_tuning by_threads_alone(int elements, int threads, int blocks) {
  return {.elements = elements, .alone = true, .threads = threads, .blocks = blocks};
}
/// D in registers, an element's pairs shared by so many warps.
constexpr product_tuning by_held_data(int elements, int warps, int threads, int blocks) {
  return {.elements = elements, .held = true, .tiles = warps, .threads = threads, .blocks = blocks};
}
constexpr product_tuning by_products(int elements, bool lines, int tiles, int threads, int blocks) {
  return {.elements = elements, .lines = lines, .tiles = tiles, .threads = threads, .blocks = blocks};
}

inline constexpr product_row product_rows[] = {
    {3, 2, 2, by_threads_alone(21, 64, 5), by_threads_alone(21, 64, 5)},
    {3, 2, 3, by_threads_alone(21, 64, 5), by_threads_alone(21, 64, 5)},
    {3, 3, 3, by_held_data(4, 1, 64, 6), by_held_data(4, 1, 64, 6)},
    {3, 3, 4, by_held_data(4, 1, 64, 6), by_held_data(4, 1, 64, 6)},
    {3, 4, 4, by_products(1, true, 1, 64, 6), by_products(1, true, 1, 64, 6)},
    {3, 4, 5, by_products(1, true, 1, 96, 4), by_products(1, true, 1, 96, 4)},
    {2, 2, 2, by_threads_alone(42, 128, 8), by_threads_alone(42, 128, 8)},
    {2, 2, 3, by_threads_alone(42, 128, 8), by_threads_alone(42, 128, 8)},
    {2, 3, 3, by_threads_alone(21, 128, 8), by_threads_alone(21, 128, 8)},
    {2, 3, 4, by_threads_alone(21, 128, 8), by_threads_alone(21, 128, 8)},
    {2, 4, 4, by_products(6, true, 1, 64, 10), by_products(11, true, 1, 64, 10)},
    {2, 4, 5, by_products(6, true, 1, 64, 10), by_products(11, true, 1, 64, 10)},
    {2, 5, 6, by_products(4, true, 1, 128, 5), by_products(4, true, 1, 128, 5)},
    {2, 6, 7, by_products(2, false, 1, 128, 5), by_products(4, false, 1, 128, 5)},
    {2, 7, 8, by_products(1, false, 1, 128, 5), by_products(2, false, 1, 128, 5)},
    {2, 8, 9, by_products(1, false, 1, 128, 5), by_products(1, false, 1, 128, 5)},
    {2, 9, 10, by_products(1, false, 1, 128, 5), by_products(1, false, 1, 128, 5)},
};

}  // namespace tessera::detail
