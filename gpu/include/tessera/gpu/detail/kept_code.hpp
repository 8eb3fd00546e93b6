// SPDX-License-Identifier: BSD-3-Clause
// Kernels that this process has compiled and loaded, by a text of all that they depend on: bounded, and shared with
// whoever runs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace tessera::device {

/// What is made once and held by others, too, stays. What only this holds is destroyed, the least recently used first,
/// while all together have more than `most_bytes`; who asks for it again has it made again.
class kept_code {
 public:
  struct made {
    std::shared_ptr<const void> value;
    std::uint64_t bytes = 0;  // of machine code
  };

  explicit kept_code(std::uint64_t most_bytes) : most_(most_bytes) {}
  kept_code(const kept_code&) = delete;
  kept_code& operator=(const kept_code&) = delete;

  /// The value of that key. If there is none, from make(): other threads that ask for it wait, those that ask for
  /// others do not. What make() throws reaches the caller, and the next one tries again.
  std::shared_ptr<const void> get(const std::string& key, const std::function<made()>& make);
  /// The value of that key if it has been made and is still there, which counts as a use of it; else null, at once.
  std::shared_ptr<const void> find(const std::string& key);

  std::uint64_t bytes() const;
  std::size_t count() const;

 private:
  struct slot {
    std::mutex making;
    made has;
    std::uint64_t used = 0;  // the larger, the later
  };
  using values = std::map<std::string, std::shared_ptr<slot>>;

  // The value that is to go next; end() where none may.
  values::iterator oldest_unused();

  std::uint64_t most_, bytes_ = 0, clock_ = 0;
  mutable std::mutex guard_;
  values all_;
};

/// That of the process, of TESSERA_LOADED_SIZE bytes. Never destroyed: CUDA may be shut down by then.
kept_code& loaded_kernels();

}  // namespace tessera::device
