// SPDX-License-Identifier: BSD-3-Clause
// What strides cost in memory traffic, how many warps registers leave, and what too few warps cost.
#pragma once

namespace tessera::bench::models {

/// Bytes that memory moves for each useful one where neighbouring threads access entries `stride` entries apart, and
/// memory moves whole sectors (32 bytes on a GPU, a line of 64 on a CPU) that are used once: min(stride, sector /
/// entry).
double stride_traffic(double stride, double entry_bytes, double sector_bytes);

/// What a multiprocessor has; the defaults are those of capabilities 8.0 and 9.0.
struct multiprocessor {
  int registers = 65536;
  int register_unit = 256;  // registers of a warp are a multiple of this
  int warps = 64;
  int blocks = 32;
  int schedulers = 4;
};

/// Blocks of `threads` threads with `registers` registers each that are resident at once, as far as registers, warps
/// and the number of blocks limit them.
int resident_blocks(int registers, int threads, const multiprocessor& on = {});

/// Their warps over the most there can be.
double occupancy(int registers, int threads, const multiprocessor& on = {});

/// The largest part of the peak of an instruction whose result is awaited for `latency` cycles: each of `warps` warps
/// of a scheduler, which issues one instruction a cycle, has `chains` independent ones: min(1, warps chains / latency).
double issue_fraction(double warps, double chains, double latency);

}  // namespace tessera::bench::models
