// SPDX-License-Identifier: BSD-3-Clause
// Memory that a thread keeps for the blocks that it works on: grown when larger ones are met, never shared.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include <tessera/core/types.hpp>

namespace tessera::detail {

/// Rounded up so that what follows is aligned to any vector.
constexpr index_t aligned(index_t entries) { return (entries + 15) / 16 * 16; }

/// `entries` numbers of the calling thread's, aligned to a page, while this lives. Those of one that is made meanwhile,
/// as by a user's function that applies another operator, lie elsewhere.
template <class T>
class thread_scratch {
 public:
  explicit thread_scratch(index_t entries) : memory_(static_cast<T*>(take(std::size_t(entries) * sizeof(T)))) {}
  ~thread_scratch() { --mine().used; }
  thread_scratch(const thread_scratch&) = delete;
  thread_scratch& operator=(const thread_scratch&) = delete;
  T* data() const { return memory_; }

 private:
  static constexpr std::align_val_t alignment{4096};
  struct release {
    void operator()(void* memory) const { ::operator delete(memory, alignment); }
  };
  struct piece {
    std::unique_ptr<void, release> memory;
    std::size_t bytes = 0;
  };
  struct stack {
    std::vector<piece> pieces;
    std::size_t used = 0;
  };

  static stack& mine() {
    static thread_local stack of_this_thread;
    return of_this_thread;
  }
  static void* take(std::size_t bytes) {
    stack& s = mine();
    if (s.used == s.pieces.size()) s.pieces.emplace_back();
    piece& p = s.pieces[s.used];
    if (bytes > p.bytes) {
      p = {};
      p.memory.reset(::operator new(bytes, alignment));
      p.bytes = bytes;
    }
    ++s.used;
    return p.memory.get();
  }

  T* memory_;
};

}  // namespace tessera::detail
