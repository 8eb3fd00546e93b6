// SPDX-License-Identifier: BSD-3-Clause
// global_evaluation: y (+)= G^T B^T D(B G x), an evaluation between L-vectors, gather and scatter included.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tessera/element/evaluation.hpp>
#include <tessera/element/restriction.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// The order of elements inside a global evaluation, which D is in.
enum class element_order {
  close,  ///< neighbours one after the other: fewer numbers are shared by patches
  as_given
};

/// How y is added up where patches of a CPU, or elements on a GPU, share a number.
enum class sum_order {
  in_order,  ///< the same bits for any patches, parts and threads, in every run
  atomic     ///< on a GPU: by atomic additions, so that rounding differs from run to run. On a CPU as in_order
};

struct patch_options {
  element_order order = element_order::close;
  /// Elements of a patch, which one thread of a CPU computes at once. 0: by rule. A GPU has no patches.
  index_t patch_elements = 0;
  /// The part that each element belongs to, numbered from 0; empty: all are in part 0. Parts are run one by one, see
  /// `global_evaluation::begin`.
  std::span<const int> part{};
  int parts = 0;  ///< their number; some may be empty. 0: the highest in `part`, and one more
  sum_order sums = sum_order::in_order;
};

/// What y has at constrained numbers. A constrained number of x counts as 0.
enum class constrained_rows {
  identity,  ///< x there; x and y need the same restriction, one object or copies of it
  zero
};

template <class T>
struct global_application {
  const T* x = nullptr;  ///< where the evaluation runs: in host or in device memory; x and y do not overlap
  T* y = nullptr;
  bool add = false;  ///< y += instead of y =
  constrained_rows rows = constrained_rows::identity;
  /// If given, a number in the vectors' memory that becomes x.y; not with `add`. Where x and y have one restriction,
  /// elements sum it up while they are computed, on a GPU where that is faster than a pass over the vectors. It is the
  /// same bits where y is; on a GPU y may differ by rounding from that of an application without `dot`.
  double* dot = nullptr;
  /// Of a GPU, where all of it is queued. Each stream keeps memory for terms of shared numbers, and for those of x.y,
  /// until the evaluation ends. Not cudaStreamPerThread in several threads of the host at once: it is one handle of
  /// several streams.
  stream_view in{};
};

namespace detail {
struct element_patches;
template <class T>
class shared_memory;
}  // namespace detail

/// Results are the same, bit by bit, for any number of threads, any patches and any parts: each number of y is the sum
/// of its elements' entries in one order. A CPU and a GPU have different orders.
template <class T>
class global_evaluation {
 public:
  /// Throws where restrictions and evaluation do not fit together. `y` may be `x` itself, or have other functions; both
  /// have the same elements.
  global_evaluation(const evaluation<T>& by, const restriction& x, const restriction& y,
                    const patch_options& options = {});

  /// The elements in the order in which the evaluation has them, and in which D is to be: D's element k is element
  /// order()[k] of the restrictions. With parts those of a part follow each other; sums go by the order without parts.
  std::span<const index_t> order() const;
  index_t elements() const;
  int parts() const;
  const evaluation<T>& kernel() const { return by_; }
  const restriction& trial() const { return x_; }
  const restriction& test() const { return y_; }
  /// Whether x and y have the same one, not merely a like one.
  bool has_one_restriction() const { return x_.state_ == y_.state_; }
  /// "3375 elements in 33 patches of up to 104, 18 % of 97336 numbers shared by patches, ordered in 0.017 s"; of a GPU
  /// without patches, numbers being shared by elements.
  std::string describe() const;

  void apply(const global_application<T>& a, const point_data<T>& D) const;

  /// An application in parts: run() each part once, in any order or at the same time, then end(). Numbers of y that
  /// patches, or on a GPU elements, share, and constrained ones, are written by end(). x and y must stay until then. x
  /// at the numbers of a part's elements is read by its run(), at constrained numbers by end(). On a GPU they only
  /// queue that.
  class running {
   public:
    void run(int part);
    /// Throws if a part has not run.
    void end();

   private:
    friend class global_evaluation;
    running() = default;
    struct state;
    std::shared_ptr<state> state_;
  };
  /// `keep`: what D refers to, if it may end before the application does.
  [[nodiscard]] running begin(const global_application<T>& a, const point_data<T>& D,
                              const std::shared_ptr<const void>& keep = {}) const;

 private:
  void check(const global_application<T>& a, const point_data<T>& D) const;
  evaluation<T> by_;
  restriction x_, y_;
  std::shared_ptr<const detail::element_patches> patches_;
  std::shared_ptr<detail::shared_memory<T>> memory_;
};

extern template class global_evaluation<float>;
extern template class global_evaluation<double>;

}  // namespace tessera
