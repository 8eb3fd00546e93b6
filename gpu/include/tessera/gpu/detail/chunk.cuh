// SPDX-License-Identifier: BSD-3-Clause
// Moving one contiguous chunk of run-time size between global and shared memory: by bulk copies where there are any,
// else by every thread.
#pragma once

#include <tessera/gpu/detail/bulk.cuh>

namespace tessera::device {

/// A chunk whose 16-byte pieces are copied by bulk copies; threads copy the entries before the first and behind the
/// last whole piece. In shared memory the chunk has the same offset inside a 16-byte piece as in global memory.
template <class T>
struct chunk {
  static constexpr int piece = 16 / int(sizeof(T));
  int phase, head, body, count;  // entries

  __device__ chunk(const T* global, int entries) : count(entries) {
    phase = int(reinterpret_cast<unsigned long long>(global) % 16 / sizeof(T));
    head = min(entries, (piece - phase) % piece);
    body = (entries - head) / piece * piece;
  }
  __device__ int body_bytes() const { return body * int(sizeof(T)); }
  __device__ int edges() const { return count - body; }
  /// Position of edge entry i.
  __device__ int edge(int i) const { return i < head ? i : i + body; }
};

/// Copies the chunk with all threads: whole pieces as one access each, the edges entry by entry.
template <class T>
__device__ void move_by_threads(T* to, const T* from, const chunk<T>& part) {
  for (int i = threadIdx.x; i < part.body / chunk<T>::piece; i += blockDim.x)
    reinterpret_cast<int4*>(to + part.head)[i] = reinterpret_cast<const int4*>(from + part.head)[i];
  for (int i = threadIdx.x; i < part.edges(); i += blockDim.x) to[part.edge(i)] = from[part.edge(i)];
}

/// Called by every thread; the chunk has arrived after a barrier of the block and `arrived.wait()`.
template <class T>
__device__ void load_chunk(T* shared, const T* global, const chunk<T>& part, const arrival& arrived) {
  if (!has_bulk_copy()) return move_by_threads(shared, global, part);
  if (threadIdx.x == 0 && part.body > 0)
    ptx::bulk_load(shared + part.head, global + part.head, part.body_bytes(), arrived.barrier);
  for (int i = threadIdx.x; i < part.edges(); i += blockDim.x) shared[part.edge(i)] = global[part.edge(i)];
}

/// Every thread calls this between its last write to the chunk and the barrier before `store_chunk`.
__device__ inline void before_store() { ptx::writes_before_bulk(); }

/// Called by every thread, once, as the block's last access to the chunk.
template <class T>
__device__ void store_chunk(T* global, const T* shared, const chunk<T>& part) {
  if (!has_bulk_copy()) return move_by_threads(global, shared, part);
  const bool first = threadIdx.x == 0 && part.body > 0;
  if (first) ptx::bulk_store(global + part.head, shared + part.head, part.body_bytes());
  for (int i = threadIdx.x; i < part.edges(); i += blockDim.x) global[part.edge(i)] = shared[part.edge(i)];
  if (first) ptx::bulk_store_has_read();  // another block gets the shared memory when this one ends
}

}  // namespace tessera::device
