// SPDX-License-Identifier: BSD-3-Clause
// GPU gemm kernels compiled at run time by NVRTC, for any sizes and tuning, and cached on disk.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tessera/core/packed_layout.hpp>
#include <tessera/detail/any_problem.hpp>
#include <tessera/detail/gpu_tuning.hpp>
#include <tessera/scalar.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// out (m,n) (+)= left (m,k) right (k,n), packed, by default column-major and consecutive.
struct jit_gemm {
  product_types type = scalar_type::f64;
  index_t m = 1, n = 1, k = 1;
  gpu_gemm_tuning tuning;
  packed_layouts layouts = {};
  bool left_conjugated = false, right_conjugated = false;  // complex entries
};

struct jit_options {
  /// The folder in which compiled kernels are cached; empty: no cache. See default_cache_folder().
  std::string cache_folder;
  /// Concurrent compilations; 0: one for each core.
  int threads = 0;
};

/// TESSERA_CACHE, else XDG_CACHE_HOME/tessera, else HOME/.cache/tessera; empty where none is set.
std::string default_cache_folder();

/// A compiled kernel: the log and the machine code of NVRTC.
struct jit_code {
  std::string machine_code;          // empty: compilation failed, see `log`
  std::vector<std::string> entries;  // the names of its kernels
  std::string log;
  bool from_cache = false;
  std::string cache_problem;  // why it could not be cached, if so
  double seconds = 0;         // spent compiling

  /// The first line of the log with an error, else its first line.
  std::string first_error() const;
};

/// If this machine has no NVRTC, the reason; else nothing.
std::string why_no_jit();

/// Compiles for compute capability `architecture` (90 for sm_90; 0: the current device's). Needs no GPU if that is
/// given. Throws status::no_device without NVRTC, naming what to install. The log of each kernel says why it does not
/// compile.
std::vector<jit_code> jit_compile(std::span<const jit_gemm> wanted, const jit_options& options, int architecture = 0);

/// A loaded kernel; copies share it.
class jit_kernel {
 public:
  /// Throws status::launch_failure if the driver rejects the code, status::internal if the code belongs to another row.
  jit_kernel(const jit_gemm& what, const jit_code& code);

  /// Registers of a thread, the largest of its kernels.
  int registers() const;
  /// Bytes of a thread's local memory, the largest of its kernels: spilled registers.
  int local_bytes() const;
  const jit_gemm& what() const;

  /// Queues the problem, whose operands are as `jit_gemm` says; otherwise throws status::internal.
  void run(const problem<float>& p, stream_view on) const;
  void run(const problem<double>& p, stream_view on) const;
  /// Complex entries are aligned to their size.
  void run(const any_problem& p, stream_view on) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

}  // namespace tessera
