// SPDX-License-Identifier: BSD-3-Clause
// What strides cost in memory traffic, how many warps registers leave, and what too few warps cost.
#pragma once

namespace tessera::bench::models {

/// Bytes that memory moves for each useful one where neighbouring threads access entries `stride` entries apart, and
/// memory moves whole sectors (32 bytes on a GPU, a line of 64 on a CPU) that are used once: min(stride, sector /
/// entry).
double stride_traffic(double stride, double entry_bytes, double sector_bytes);

/// Bytes of all sectors that the index (t stride) mod n reaches, of n entries that are `bytes` large: 1 / stride of the
/// entries, each in a sector of its own from a sector's length on.
double masked_footprint(double bytes, double stride, double entry_bytes, double sector_bytes);

/// What a multiprocessor has; the defaults are those of capabilities 8.0 and 9.0.
struct multiprocessor {
  int registers = 65536;
  int register_unit = 256;  // registers of a warp are a multiple of this
  int warps = 64;
  int blocks = 32;
  int schedulers = 4;
};

/// One that has room for this many threads at once: 2048 with capabilities 8.0 and 9.0, 1536 with 8.6, 8.9 and 12.0.
multiprocessor with_threads(int threads);

/// Blocks of `threads` threads with `registers` registers each that are resident at once, as far as registers, warps
/// and the number of blocks limit them.
int resident_blocks(int registers, int threads, const multiprocessor& on = {});

/// Their warps over the most there can be.
double occupancy(int registers, int threads, const multiprocessor& on = {});

/// The largest part of the peak of an instruction whose result is awaited for `latency` cycles: each of `warps` warps
/// of a scheduler, which issues one instruction a cycle, has `chains` independent ones: min(1, warps chains / latency).
double issue_fraction(double warps, double chains, double latency);

}  // namespace tessera::bench::models
