// SPDX-License-Identifier: BSD-3-Clause
// distributed_operator: y = G^T A G x where each process has some of the elements and of the unknowns. It knows no
// message passing: the calling code brings numbers from process to process.
#pragma once

#include <tessera/fem/global_operator.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace tessera::fem {

/// The numbers of a restriction whose elements are those of one process: first those that it owns, which its vectors
/// have, then those that it receives, from their owners or from no one: these are 0, such as given values that no
/// vector has.
struct owned_numbers {
  index_t owned = 0;
  /// Own numbers that other processes receive, each once.
  std::span<const index_t> sent{};
};

/// What processes tell each other, in the memory where the operator runs: numbers `sent` and `received` in their order.
/// Between a beginning and its end neither is touched. On a GPU numbers are ready, and are to be, in the order of `on`.
/// All are empty where there is one process.
template <class T>
struct halo_exchange {
  /// received = the numbers of their owners; what no one owns stays as it is.
  std::function<void(const T*sent, T*received, stream_view on)> begin_gather, end_gather;
  /// sums[k] = what all who receive sent[k] have for it, added up in the same order each time.
  std::function<void(const T*received, T*sums, stream_view on)> begin_sum, end_sum;
};

/// Elements whose numbers are all owned, the inner ones, read and write the vectors themselves, half of them while
/// numbers travel to this process and half while sums travel back. The others, the outer ones, have a small vector
/// between. One application at a time.
template <class T>
class distributed_operator {
 public:
  /// As global_operator, which refuses what does not fit. Components are interleaved. Constrained numbers that are
  /// received are constrained for their owner, too.
  distributed_operator(const element_nodes<T>& nodes, const restriction& unknowns, const owned_numbers& numbers,
                       const element_operator_options& options, const halo_exchange<T>& exchange);
  /// A function of the calling code with its D, for the elements of the restriction.
  distributed_operator(const compiled_function<T>& function, const T* D, const restriction& unknowns,
                       const owned_numbers& numbers, const element_operator_options& options,
                       const halo_exchange<T>& exchange);

  index_t size() const;  ///< owned numbers, of x and y
  space_kind space() const;
  index_t inner_elements() const;
  index_t outer_elements() const;

  /// y = A x.
  void apply(const T* x, T* y, stream_view on = {}) const;
  /// y += A x.
  void add(const T* x, T* y, stream_view on = {}) const;
  /// y = what this process's elements contribute, to owned numbers of any process, if the received ones are these and
  /// all others 0: subtract it from the load where they are given values. Complete on return.
  void apply_received(const T* values, T* y, stream_view on = {}) const;
  /// The diagonal of A, to memory of either space: 1 at constrained numbers. Complete on return.
  void diagonal(T* y) const;

  /// "3375 elements, 721 of them with some of 961 received numbers, 841 numbers sent; ...".
  std::string describe(detail_level how = detail_level::full) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

extern template class distributed_operator<float>;
extern template class distributed_operator<double>;

}  // namespace tessera::fem
