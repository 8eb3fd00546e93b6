// SPDX-License-Identifier: BSD-3-Clause
// Plain data movement over a case's own arrays: the bandwidth side of its bound.
#include <algorithm>

#include "limits/cpu.hpp"
#include "limits/isa.hpp"

namespace tessera::bench {

namespace {

// Arrays of unequal length advance together in blocks, so that each is read in order and once.
void move_part(const isa_kernels& isa, const arrays& d, bool accumulate, bool streaming) {
  if (d.na == d.nb && d.nb == d.nc) {
    if (accumulate) return isa.update(d.c, d.a, d.b, d.nc);
    return (streaming ? isa.triad_streaming : isa.triad)(d.c, d.a, d.b, d.nc);
  }
  const std::size_t longest = std::max({d.na, d.nb, d.nc}), blocks = longest / 2048 + 1;
  const auto part = [&](std::size_t n, std::size_t i) { return n * i / blocks / 64 * 64; };
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t a = part(d.na, i), b = part(d.nb, i), c = part(d.nc, i);
    const std::size_t na = part(d.na, i + 1) - a, nb = part(d.nb, i + 1) - b, nc = part(d.nc, i + 1) - c;
    isa.read(d.b + b, nb);
    if (accumulate) {
      isa.read(d.a + a, na);
      isa.update(d.c + c, d.c + c, d.c + c, nc);
    } else if (na == nc) {
      (streaming ? isa.copy_streaming : isa.copy)(d.c + c, d.a + a, nc);
    } else {
      isa.read(d.a + a, na);
      (streaming ? isa.write_streaming : isa.write)(d.c + c, nc);
    }
  }
}

}  // namespace

void move_once(const arrays& data, bool accumulate, bool streaming, int threads) {
  static const isa_kernels& isa = *available_isas().back();
  if (threads == 1) return move_part(isa, data, accumulate, streaming);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int t = 0; t < threads; ++t) {
    const auto part = [&](std::size_t n, int i) { return n * std::size_t(i) / std::size_t(threads) / 64 * 64; };
    arrays mine = data;
    mine.a += part(data.na, t);
    mine.b += part(data.nb, t);
    mine.c += part(data.nc, t);
    mine.na = part(data.na, t + 1) - part(data.na, t);
    mine.nb = part(data.nb, t + 1) - part(data.nb, t);
    mine.nc = part(data.nc, t + 1) - part(data.nc, t);
    move_part(isa, mine, accumulate, streaming);
  }
}

}  // namespace tessera::bench
