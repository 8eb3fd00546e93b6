// SPDX-License-Identifier: BSD-3-Clause
// In the place of the header of this name: what its instructions do, as PTX's manual says, in an emulated cluster.
#pragma once

#include <bit>
#include <cstring>

#include <tessera/core/half.hpp>

#include "gpu/emulated/cuda.hpp"

namespace tessera::device {

using testing::emulated_cluster;

inline unsigned shared_address(const char* shared) { return emulated_cluster::of_caller().address_of(shared); }

template <int bytes>
void copy_to_shared(unsigned to, const char* from, bool inside) {
  emulated_cluster& cluster = emulated_cluster::of_caller();
  emulated_cluster::check(reinterpret_cast<std::uintptr_t>(from) % bytes == 0, "a copy that is not aligned");
  if constexpr (bytes == 2) {  // not asynchronous
    emulated_cluster::check(to % 2 == 0, "a copy that is not aligned");
    if (inside) cluster.check_read(from, 2);
    const unsigned short value = inside ? *reinterpret_cast<const unsigned short*>(from) : (unsigned short)(0);
    std::memcpy(cluster.shared_at(to, 2), &value, 2);
  } else {
    cluster.copy(to, inside ? from : nullptr, bytes);
  }
}
inline void end_stage() { emulated_cluster::of_caller().commit_copies(); }
template <int stages>
void wait_for_stages() {
  emulated_cluster::of_caller().wait_for_copies(stages);
}

namespace emulated {

// A product of 16 x depth by depth x 8, which a lane has parts of: left(a, i) is entry i of a lane's.
template <class Number>
struct product_part {
  Number* c;
  const Number *a, *b;
};
// Entries of the sum that lie side by side in a lane: `pair`; rows and columns as the header says.
template <int depth, int pair, class Number>
void multiply(const char* what, Number (&c)[4], const Number* a, const Number* b) {
  product_part<Number> mine{c, a, b};
  emulated_cluster::of_caller().as_warp(what, mine, [](product_part<Number>* const* all) {
    Number left[16][depth], right[depth][8];
    for (int lane = 0; lane < 32; ++lane) {
      for (int k = 0; k < depth / 4; ++k) {
        const int at = k / pair * 4 * pair + lane % 4 * pair + k % pair;
        for (int half = 0; half < 2; ++half)
          left[lane / 4 + 8 * half][at] = all[lane]->a[(k / pair * 2 + half) * pair + k % pair];
        right[at][lane / 4] = all[lane]->b[k];
      }
    }
    for (int lane = 0; lane < 32; ++lane)
      for (int x = 0; x < 4; ++x) {
        Number sum = all[lane]->c[x];
        for (int k = 0; k < depth; ++k) sum += left[lane / 4 + x / 2 * 8][k] * right[k][lane % 4 * 2 + x % 2];
        all[lane]->c[x] = sum;
      }
  });
}

}  // namespace emulated

template <int depth>
void multiply_tile(double (&c)[4], const double (&a)[depth / 2], const double (&b)[depth / 4]) {
  emulated::multiply<depth, 1>("products in double", c, a, b);
}
template <int depth>
void multiply_tile(float (&c)[4], const unsigned (&a)[depth / 2], const unsigned (&b)[depth / 4]) {
  // Tensor cores do not see the last 13 bits.
  float left[depth / 2], right[depth / 4];
  for (int i = 0; i < depth / 2; ++i) left[i] = std::bit_cast<float>(a[i] & 0xffffe000u);
  for (int i = 0; i < depth / 4; ++i) right[i] = std::bit_cast<float>(b[i] & 0xffffe000u);
  emulated::multiply<depth, 1>("products in TF32", c, left, right);
}
inline unsigned tf32_bits(float x) { return (std::bit_cast<unsigned>(x) + 0x1000u) & 0xffffe000u; }
inline float number_of(unsigned bits) { return std::bit_cast<float>(bits); }

template <class Entry, int depth>
void multiply_halves(float (&c)[4], const unsigned (&a)[depth / 4], const unsigned (&b)[depth / 8]) {
  const auto number = [](unsigned bits) { return float(Entry::of_bits(static_cast<unsigned short>(bits))); };
  float left[depth / 2], right[depth / 4];
  for (int i = 0; i < depth / 4; ++i) left[2 * i] = number(a[i]), left[2 * i + 1] = number(a[i] >> 16);
  for (int i = 0; i < depth / 8; ++i) right[2 * i] = number(b[i]), right[2 * i + 1] = number(b[i] >> 16);
  emulated::multiply<depth, 2>("products of 16-bit numbers", c, left, right);
}

template <int squares, bool lines_side_by_side>
void read_squares(unsigned at, unsigned (&to)[squares]) {
  struct part {
    unsigned at, *to;
  } mine{at, to};
  emulated_cluster& cluster = emulated_cluster::of_caller();
  cluster.as_warp("reading squares", mine, [&](part* const* all) {
    for (int s = 0; s < squares; ++s) {
      unsigned short square[8][8];
      for (int row = 0; row < 8; ++row) {
        const unsigned from = all[8 * s + row]->at;
        emulated_cluster::check(from % 16 == 0, "a row of a square that is not aligned");
        std::memcpy(square[row], cluster.shared_at(from, 16), 16);
      }
      for (int lane = 0; lane < 32; ++lane) {
        const int line = lane / 4, pair = lane % 4 * 2;
        const auto number = [&](int i) { return lines_side_by_side ? square[i][line] : square[line][i]; };
        all[lane]->to[s] = number(pair) | unsigned(number(pair + 1)) << 16;
      }
    }
  });
}

template <int count>
void store_words(void* to, const unsigned (&word)[count]) {
  static_assert(count == 2 || count == 4);
  emulated_cluster::check(reinterpret_cast<std::uintptr_t>(to) % sizeof(word) == 0, "an access that is not aligned");
  std::memcpy(to, word, sizeof(word));
}
inline int thread_found_again() { return int(threadIdx.x); }

inline void cluster_barrier() { emulated_cluster::of_caller().cluster_barrier(); }
template <class T>
const T* of_block(const T* mine, int block) {
  return reinterpret_cast<const T*>(emulated_cluster::of_caller().in_block(reinterpret_cast<const char*>(mine), block));
}

}  // namespace tessera::device
