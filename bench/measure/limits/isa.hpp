// SPDX-License-Identifier: BSD-3-Clause
// The kernels of one instruction set for the limit measurements: FMA chains and plain data movement, as function
// pointers.
#pragma once

#include <cstddef>
#include <vector>

#include <tessera/target.hpp>

namespace tessera::bench {

/// The bits that write() stores: an ordinary number in any type of real entries.
constexpr long long written_bits = 0x3f993f993f993f99;

/// Lengths are in doubles and rounded down to whole groups of vectors; data moves as bits.
struct isa_kernels {
  const char* name;
  int vector_bytes;
  bool streams;  // has non-temporal stores; the *_streaming functions are ordinary ones elsewhere

  /// Runs `rounds` rounds of independent fused multiply-adds and returns the flops done.
  double (*fma_f64)(long rounds);
  double (*fma_f32)(long rounds);

  void (*read)(const double* a, std::size_t n);
  void (*write)(double* c, std::size_t n);  // written_bits
  void (*write_streaming)(double* c, std::size_t n);
  void (*copy)(double* c, const double* a, std::size_t n);
  void (*copy_streaming)(double* c, const double* a, std::size_t n);
  /// c from a and b: two reads, one write; c becomes a.
  void (*triad)(double* c, const double* a, const double* b, std::size_t n);
  void (*triad_streaming)(double* c, const double* a, const double* b, std::size_t n);
  /// c from a, b and c: three reads, one write, and no change of c.
  void (*update)(double* c, const double* a, const double* b, std::size_t n);
};

/// The instruction sets of this machine, widest last.
std::vector<const isa_kernels*> available_isas();

/// Defined for each instruction set of this build, in a file of its own.
template <target isa>
const isa_kernels& compiled_kernels();

}  // namespace tessera::bench
