// SPDX-License-Identifier: BSD-3-Clause
// How a fused chain is spread over the GPU: elements and threads of a block, and each step's register tile, by counting
// what a multiprocessor does. A pure function of the form and the device's limits.
#pragma once

#include <tessera/fits.hpp>
#include <tessera/gpu/chain_form.hpp>
#include <tessera/gpu/device/register_tile.hpp>

namespace tessera::device {

/// Clocks of a multiprocessor, for a warp at a time. Not measured: data sheets' widths of units and usual latencies of
/// devices of compute capability 9.0. All that the choice knows about speed is here.
struct chain_clocks {
  double fma_a_byte = 0.0625;  // a multiply-add of 32 lanes: half a clock of f64, a quarter of f32
  double wavefront = 1;        // shared memory answers 128 bytes a clock
  double same_entry = 0.6;     // a read of one entry by all lanes, which the compiler often joins with its neighbours'
  double alone = 4;            // what a warp by itself takes for work that four do side by side
  double turn = 60;            // until a warp's first sum of a pass is there
  double barrier = 40;
  double memory = 1500;  // a block's load and store
};

struct chain_blocks {
  int elements = 0, threads = 0;  // of a block; 0 where not even one element fits
  std::vector<register_tile> tiles;
  int shared_bytes = 0;
  int resident = 0;   // blocks at once on a multiprocessor, as far as they help
  double clocks = 0;  // an element, as counted
};

/// Bytes of shared memory of a block of so many elements.
index_t shared_bytes_of(const chain_form& form, int elements);

/// The step's operands over `elements` elements, as lowering takes them.
lowered lowered_step(const chain_form& form, std::size_t step, index_t elements);

/// Shared memory's answers to a warp that reads or writes one entry a lane, 128 bytes each: lanes at one address count
/// once, lanes in one bank after each other.
int wavefronts(const index_t (&address)[32], int lanes, int bytes);

/// The least costly of a few numbers of elements and threads; tiles by step.
chain_blocks choose_blocks(const chain_form& form, const gpu_limits& limits);

/// Moves entries of the results between steps apart where that saves shared memory's banks collisions. The last result
/// stays packed: it leaves in whole pieces.
void spread_results(chain_form& form, const gpu_limits& limits);

}  // namespace tessera::device
