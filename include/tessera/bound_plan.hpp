// SPDX-License-Identifier: BSD-3-Clause
// bound_plan: a plan with its operands, checked once, for a caller's own parallel loop over parts of the batch.
#pragma once

#include <memory>
#include <utility>

#include <tessera/core/types.hpp>

namespace tessera {

namespace detail {
struct bound_state;
}

/// Made by plan::bind, on a CPU. Immutable; copies share their state. What the operands point to has to stay.
class bound_plan {
 public:
  /// Entries [first, first + count) of the batch, on the calling thread. Several threads may run ranges that do not
  /// meet at the same time; any first and count are right, also inside a block of interleaved entries. Throws where
  /// the range is not in the batch.
  void run(index_t first, index_t count) const;
  /// Entries of the batch; 1 without one.
  index_t count() const;

 private:
  friend class plan;
  explicit bound_plan(std::shared_ptr<const detail::bound_state> state) : state_(std::move(state)) {}
  std::shared_ptr<const detail::bound_state> state_;
};

}  // namespace tessera
