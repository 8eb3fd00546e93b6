// SPDX-License-Identifier: BSD-3-Clause
// What a function of C that applies an operator says of it, so that a solver need not believe its caller's sizes.
#pragma once

#include <tessera/tessera_solver.h>
#include <tessera/core/types.hpp>
#include <tessera/space.hpp>

namespace tessera {

/// Of y = A x with `size` numbers y and `trial_size` numbers x.
struct c_operator_facts {
  index_t size = 0, trial_size = 0;
  tessera_type type = TESSERA_F64;
  space_kind space = space_kind::cpu;
};

/// While this object lives, solvers in C know what vectors a function takes. It is static, beside the function.
class known_c_function {
 public:
  /// The facts of a context that is not null.
  using facts_of = c_operator_facts (*)(const void* context);

  template <class... Arguments>
  known_c_function(tessera_status (*f)(Arguments...), facts_of of)
      : known_c_function(reinterpret_cast<any_function>(f), of) {}
  ~known_c_function();
  known_c_function(const known_c_function&) = delete;
  known_c_function& operator=(const known_c_function&) = delete;

  /// Of a function, or null where it is none of these.
  template <class... Arguments>
  static facts_of find(tessera_status (*f)(Arguments...)) {
    return find(reinterpret_cast<any_function>(f));
  }

 private:
  using any_function = void (*)();
  known_c_function(any_function f, facts_of of);
  static facts_of find(any_function f);

  any_function function_;
  facts_of of_;
  known_c_function* next_ = nullptr;
};

}  // namespace tessera
