// SPDX-License-Identifier: BSD-3-Clause
// How a fused chain is mapped to the GPU: elements and threads of a block, and each step's register tile, by a cost
// model of a multiprocessor. A pure function of the form and the device's limits.
#pragma once

#include <tessera/detail/fits.hpp>
#include <tessera/gpu/detail/chain_form.hpp>
#include <tessera/gpu/detail/device/register_tile.hpp>

namespace tessera::device {

/// Clocks of a multiprocessor, per warp. Not measured: throughputs of data sheets and usual latencies for compute
/// capability 9.0. These are all the figures that the choice uses.
struct chain_clocks {
  double fma_a_byte = 0.0625;  // a multiply-add of 32 lanes: half a clock of f64, a quarter of f32
  double wavefront = 1;        // shared memory transfers 128 bytes per clock
  double same_entry = 0.6;     // a read of one entry by all lanes, which the compiler often merges with adjacent ones
  double alone = 4;            // the cost for one warp of work that four do concurrently
  double turn = 60;            // latency of the first sum of a pass
  double barrier = 40;
  double memory = 1500;  // a block's load and store
};

struct chain_blocks {
  int elements = 0, threads = 0;  // of a block; 0 if not even one element fits
  std::vector<register_tile> tiles;
  int shared_bytes = 0;
  int resident = 0;   // resident blocks of a multiprocessor, as far as they help
  double clocks = 0;  // per element, by the model
};

/// Bytes of shared memory of a block with that many elements.
index_t shared_bytes_of(const chain_form& form, int elements);

/// The step's operands over `elements` elements, as input of lowering.
lowered lowered_step(const chain_form& form, std::size_t step, index_t elements);

/// The shared memory transactions of 128 bytes for a warp that reads or writes one entry per lane: lanes with one
/// address count once, lanes with one bank are serialised.
int wavefronts(const index_t (&address)[32], int lanes, int bytes);

/// The least costly of a few numbers of elements and threads; tiles by step.
chain_blocks choose_blocks(const chain_form& form, const gpu_limits& limits);

/// Pads the results between steps where that avoids bank conflicts. The last result stays packed: it is stored in whole
/// pieces.
void spread_results(chain_form& form, const gpu_limits& limits);

}  // namespace tessera::device
