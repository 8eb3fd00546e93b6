// SPDX-License-Identifier: BSD-3-Clause
// Kernels from source text at run time: compiled or found in the disk cache, loaded, ready to be queued.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/detail/jit.hpp>

namespace tessera::device {

struct jit_source {
  std::string text;
  std::vector<std::string> kernels;  // the expressions that name them
};

/// Compiles it for sm_<architecture> (0: the current device's), or finds it in the disk cache. Compiler errors are in
/// the log. Throws status::no_device without NVRTC, naming what to install.
jit_code compile_source(const jit_source& source, const jit_options& options, int architecture = 0);
/// The same of many, several at once.
std::vector<jit_code> compile_sources(std::span<const jit_source> wanted, const jit_options& options,
                                      int architecture = 0);

class loaded_code {
 public:
  /// `name` is used in errors. Throws status::launch_failure if the driver rejects the code.
  loaded_code(std::string name, const jit_code& code);

  /// Queues kernel `number` in `stream`, ceil(items / group) blocks; `arguments` points to each of its parameters. The
  /// kernel calls wait_for_earlier_kernels() (stream_order.cuh) first. Throws status::launch_failure naming the launch
  /// shape.
  void queue(std::size_t number, index_t items, int group, int threads, int shared_bytes, void** arguments,
             void* stream) const;

  int registers(std::size_t number) const;
  /// Bytes of a thread's local memory: spilled registers.
  int local_bytes(std::size_t number) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

/// The source's kernels on the current device: compiled or found on disk, and loaded, once for all who hold them; they
/// stay as kept_code says. Throws status::no_device without NVRTC, and status::internal with the compiler's first error
/// if the source does not compile.
std::shared_ptr<const loaded_code> ready_code(const std::string& name, const jit_source& source);

}  // namespace tessera::device
