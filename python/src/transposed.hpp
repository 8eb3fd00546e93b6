// SPDX-License-Identifier: BSD-3-Clause
// transposable: an operator's state and that of its transpose, which know each other until the data of one changes.
#pragma once

#include <memory>

#include "e_vector.hpp"
#include "operator_arguments.hpp"

namespace tessera::python {

/// The base of State, which also has `facts`. Members change under Python's lock alone.
template <class State>
struct transposable {
  std::shared_ptr<State> transposed;  // made when it is first needed
  std::weak_ptr<State> original;      // whose transposed one this is
  int data_changes = 0;

  /// For new data: neither is the transpose of the other any more.
  void forget_transposed() {
    if (const auto of = original.lock()) of->transposed.reset();
    if (transposed != nullptr) transposed->original.reset();
    original.reset();
    transposed.reset();
    ++data_changes;
  }
};

/// The state of A^T, by make() where there is none yet; make() may release Python's lock. Throws ValueError for a
/// function of the user's own, whose transpose is not known.
template <class State, class Make>
std::shared_ptr<State> transposed_state(const std::shared_ptr<State>& of, bool is_symmetric, const Make& make) {
  if (is_symmetric) return of;
  State& s = *of;
  while (true) {
    if (auto original = s.original.lock()) return original;
    if (s.transposed != nullptr) return s.transposed;
    if (s.facts.own_function() != nullptr)
      refuse_value("the transpose of " + s.facts.own_function()->describe() +
                   " is not known: make an operator of the transposed function, with the same D");
    const int data_before = s.data_changes;
    std::shared_ptr<State> made = make();
    // In another thread D may have changed meanwhile, or the transpose may have been made.
    if (data_before != s.data_changes || s.transposed != nullptr) continue;
    made->original = of;
    s.transposed = std::move(made);
  }
}

}  // namespace tessera::python
