// SPDX-License-Identifier: BSD-3-Clause
// Plain data movement over a case's own arrays: the bandwidth part of its bound.
#include <algorithm>
#include <span>
#include <utility>

#include "measure/limits/cpu.hpp"
#include "measure/limits/isa.hpp"

namespace tessera::bench {

namespace {

// Arrays of unequal length advance together in blocks, so that each is read once, in order. As much as possible is
// copied, so that memory reads and writes at the same time. Even the shortest has 256 KB of a block: shorter reads are
// bound by latency, and so are the streaming stores after them (Zen 5, one line read for 63 written: 30 GB/s where the
// longest has 16 KB, else 44).
void move_part(const isa_kernels& isa, const arrays& d, bool accumulate, bool streaming) {
  if (d.na == d.nb && d.nb == d.nc) {
    if (accumulate) return isa.update(d.c, d.a, d.b, d.nc);
    return (streaming ? isa.triad_streaming : isa.triad)(d.c, d.a, d.b, d.nc);
  }
  std::size_t shortest = d.nc;
  for (const std::size_t n : {d.na, d.nb})
    if (n > 0) shortest = std::min(shortest, n);
  const std::size_t blocks = shortest / 32768 + 1;
  const auto part = [&](auto* of, std::size_t n, std::size_t i) {
    const std::size_t begin = n * i / blocks / 64 * 64, end = n * (i + 1) / blocks / 64 * 64;
    return std::span(of + begin, end - begin);
  };
  for (std::size_t i = 0; i < blocks; ++i) {
    std::span<const double> from = part(d.a, d.na, i), other = part(d.b, d.nb, i);
    const std::span<double> to = part(d.c, d.nc, i);
    if (from.size() < other.size()) std::swap(from, other);
    isa.read(other.data(), other.size());
    if (accumulate) {
      isa.read(from.data(), from.size());
      isa.update(to.data(), to.data(), to.data(), to.size());
      continue;
    }
    const std::size_t copied = std::min(from.size(), to.size());
    (streaming ? isa.copy_streaming : isa.copy)(to.data(), from.data(), copied);
    isa.read(from.data() + copied, from.size() - copied);
    (streaming ? isa.write_streaming : isa.write)(to.data() + copied, to.size() - copied);
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
