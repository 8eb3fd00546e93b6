// SPDX-License-Identifier: BSD-3-Clause
// restriction: which number of an L-vector each entry of an element is. L-vectors have each unknown once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <tessera/core/types.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// What -1 - k in a list of offsets stands for.
enum class negative_offset {
  refused,     ///< an error
  sign,        ///< number k with the opposite sign (MFEM)
  constrained  ///< number k, which is constrained (PETSc), all components of the node
};

/// Component c of entry i of element e is number offsets[i + n e] + c component_stride of an L-vector. So components
/// that follow each other have a stride of the nodes' count, interleaved ones a stride of 1 and offsets that are
/// multiples of their number.
struct restriction_spec {
  index_t elements = 0;
  index_t entries = 0;  ///< n: of a component of an element
  int components = 1;
  index_t size = 0;                         ///< numbers of an L-vector
  const std::int32_t* offsets = nullptr;    ///< in host memory, copied; or
  const std::int64_t* offsets64 = nullptr;  ///< with 64 bits
  index_t component_stride = 0;
  negative_offset negative = negative_offset::refused;
  /// Numbers of the L-vector, each a component of a node, that operators leave out; in any order.
  std::span<const index_t> constrained{};
};

/// Elements of one order in a box of cells[0] x cells[1] x cells[2], first direction fastest, as are the nodes of an
/// element and of the box: order cells[a] + 1 nodes in direction a.
struct box_spec {
  int dim = 3;
  index_t cells[3] = {1, 1, 1};
  int order = 1;
  int components = 1;
  bool interleaved = false;  ///< components of a node side by side, else one component after the other
  std::span<const index_t> constrained{};
};

namespace detail {
struct restriction_state;
}

/// G: from an L-vector to an E-vector, and its transpose. Immutable; copies share their lists.
class restriction {
 public:
  /// Throws naming the first offset or constrained number that is out of range, and sizes that do not fit.
  explicit restriction(const restriction_spec& spec);
  static restriction box(const box_spec& spec);

  index_t elements() const;
  index_t entries() const;
  int components() const;
  index_t size() const;
  index_t component_stride() const;
  bool has_signs() const;
  /// Ascending, each once.
  std::span<const index_t> constrained() const;
  /// Number of component 0 of entry i of element e; -1 - k where its sign is the opposite.
  index_t offset(index_t i, index_t e) const;
  /// "4913 numbers, 512 elements of 27 entries, 3 components by 1, 32-bit offsets, 192 constrained".
  std::string describe() const;

  // Vectors are in host memory, where the calling thread does it, or in device memory, where it is queued in `in`. The
  // lists are brought to the current device the first time, so not while a graph is captured, and stay there; the
  // restriction must stay until what is queued has run. Constrained numbers are like the others here.
  /// E = G x, a conventional E-vector: entry i of component c of element e at i + n (c + C e).
  template <class T>
  void to_elements(const T* x, T* E, stream_view in = {}) const;
  /// y += G^T E, in the order of elements, so that the bits are always the same.
  template <class T>
  void add_from_elements(const T* E, T* y, stream_view in = {}) const;
  /// How many entries of elements each number is. In device memory complete on return.
  template <class T>
  void multiplicity(T* y) const;

 private:
  template <class T>
  friend class global_evaluation;
  std::shared_ptr<const detail::restriction_state> state_;
};

}  // namespace tessera
