// SPDX-License-Identifier: BSD-3-Clause
// Memory for the blocks that threads work on: kept by the thread that hands out the work, grown when more is needed.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/cpu/detail/parallel.hpp>

namespace tessera::detail {

/// Rounded up so that what follows is aligned to any vector.
constexpr index_t aligned(index_t entries) { return (entries + 15) / 16 * 16; }

/// `entries` numbers of the calling thread, aligned to a page, as long as this exists. One that is made meanwhile, as
/// by a user's function that applies another operator, has other memory. Throws std::bad_alloc.
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

/// f(first, last, memory) over [0, count), in chunks, one a thread; `memory` has `entries` numbers of the chunk's own,
/// aligned to a page. All of it is allocated before any chunk is begun, so that where this fails, nothing is written.
template <class T, class F>
void for_chunks_with_scratch(index_t count, index_t entries, bool serial, const F& f) {
  constexpr index_t page = 4096 / sizeof(T);
  const index_t chunks = serial ? 1 : batch_chunks(count), each = (entries + page - 1) / page * page;
  const thread_scratch<T> memory(each * chunks);
  if (chunks == 1) return f(0, count, memory.data());
  for_batch_chunks(count, chunks,
                   [&](index_t chunk, index_t first, index_t last) { f(first, last, memory.data() + each * chunk); });
}

}  // namespace tessera::detail
