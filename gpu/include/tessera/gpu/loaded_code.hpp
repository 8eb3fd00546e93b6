// SPDX-License-Identifier: BSD-3-Clause
// Kernels from source text while the program runs: compiled or found on disk, loaded, ready to be queued.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/jit.hpp>

namespace tessera::device {

struct jit_source {
  std::string text;
  std::vector<std::string> kernels;  // the expressions that name them
};

/// Compiles it for sm_<architecture> (0: the current device's), or finds it where it was kept. What does not compile is
/// in the log. Throws status::no_device without NVRTC, naming what to install.
jit_code compile_source(const jit_source& source, const jit_options& options, int architecture = 0);
/// The same of many, several at once.
std::vector<jit_code> compile_sources(std::span<const jit_source> wanted, const jit_options& options,
                                      int architecture = 0);

class loaded_code {
 public:
  /// `name` is what errors call it. Throws status::launch_failure where the driver refuses the code.
  loaded_code(std::string name, const jit_code& code);

  /// Queues kernel `number` in `stream`, ceil(items / group) blocks; `arguments` points to each of its parameters. The
  /// kernel calls wait_for_earlier_kernels() (stream_order.cuh) first. Throws status::launch_failure naming the launch
  /// shape.
  void queue(std::size_t number, index_t items, int group, int threads, int shared_bytes, void** arguments,
             void* stream) const;

  int registers(std::size_t number) const;
  /// Bytes of a thread's local memory: what was spilled.
  int local_bytes(std::size_t number) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

/// The source's kernels on the current device: compiled or found on disk, and loaded, once a process. They stay to the
/// end of the process, since queued runs and captured graphs outlive those who asked. Throws status::no_device without
/// NVRTC, and status::internal with its first error where it refuses the source.
const loaded_code& ready_code(const std::string& name, const jit_source& source);

}  // namespace tessera::device
