// SPDX-License-Identifier: BSD-3-Clause
// GPU gemm kernels compiled while the program runs, for any sizes and tuning: by NVRTC, kept on disk.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tessera/any_problem.hpp>
#include <tessera/core/packed_layout.hpp>
#include <tessera/gpu_tuning.hpp>
#include <tessera/scalar.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// out (m,n) (+)= left (m,k) right (k,n), packed, by default column-major with products one behind the other.
struct jit_gemm {
  product_types type = scalar_type::f64;
  index_t m = 1, n = 1, k = 1;
  gpu_gemm_tuning tuning;
  packed_layouts layouts = {};
  bool left_conjugated = false, right_conjugated = false;  // complex entries
};

struct jit_options {
  /// Where compiled kernels are kept; empty: nowhere. See default_cache_folder().
  std::string cache_folder;
  /// Compilations at once; 0: as many as the machine has cores.
  int threads = 0;
};

/// TESSERA_CACHE, else XDG_CACHE_HOME/tessera, else HOME/.cache/tessera; empty where none is set.
std::string default_cache_folder();

/// A kernel that was compiled, as the text and the machine code that NVRTC gave.
struct jit_code {
  std::string machine_code;          // empty: it does not compile, see `log`
  std::vector<std::string> entries;  // the names of its kernels
  std::string log;
  bool from_cache = false;
  std::string cache_problem;  // why it could not be kept, where it could not
  double seconds = 0;         // spent compiling

  /// The first line of the log that names an error, else its first line.
  std::string first_error() const;
};

/// Where this machine has no NVRTC, why; else nothing.
std::string why_no_jit();

/// Compiles for compute capability `architecture` (90 for sm_90; 0: the current device's). Needs no GPU where that is
/// given. Throws status::no_device without NVRTC, naming what to install. What does not compile is in its own log.
std::vector<jit_code> jit_compile(std::span<const jit_gemm> wanted, const jit_options& options, int architecture = 0);

/// A loaded kernel; copies share it.
class jit_kernel {
 public:
  /// Throws status::launch_failure where the driver refuses the code, status::internal where the code is of another
  /// row.
  jit_kernel(const jit_gemm& what, const jit_code& code);

  /// The most of its kernels.
  int registers() const;
  /// Bytes of a thread's local memory, the most of its kernels: what was spilled.
  int local_bytes() const;
  const jit_gemm& what() const;

  /// Queues the problem, whose operands are as `jit_gemm` says; otherwise throws status::internal.
  void run(const problem<float>& p, stream_view on) const;
  void run(const problem<double>& p, stream_view on) const;
  /// Complex entries start on multiples of their size.
  void run(const any_problem& p, stream_view on) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

}  // namespace tessera
