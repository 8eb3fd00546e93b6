// SPDX-License-Identifier: BSD-3-Clause
// call_options: what a plan or an einsum is told beside its arrays.
#pragma once

#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include <tessera/contraction.hpp>
#include <tessera/network.hpp>

#include "own_functions.hpp"
#include "subscripts.hpp"

namespace tessera::python {

namespace nb = nanobind;

/// Keywords of einsum and Plan, for their signatures; einsum has `out`, too.
inline constexpr char signature_of_options[] =
    "batch: str | None = None, alpha: complex = 1, beta: complex | None = None, stream: Stream | None = None, "
    "threads: int = 0, target: str | None = None, regime: Literal['cache', 'stream'] | None = None, "
    "precision: Literal['exact', 'tf32', 'tf32x3'] | None = None, sum_dtype: DTypeLike | None = None, "
    "functions: Functions | None = None, pair: Pair | None = None, compile: bool = True, wait: bool = True, "
    "workspace: bool = True";

struct call_options {
  std::string batch;
  complex<double> alpha = 1;
  std::optional<complex<double>> beta;  // empty: 1 with an addend, else 0
  std::string target;                   // empty: the default
  int threads = 0;
  std::string regime;     // "", "cache", "stream"
  std::string precision;  // "", "exact", "tf32", "tf32x3"
  std::string sum_dtype;  // empty: the usual one
  bool compile = true, wait = true, own_workspace = true;
  std::string functions[4];  // of a, b, addend, result
  std::string pair;
  // In their place, of the caller's own; the identity and plus_times where none is given.
  own_entry_function own_functions[4];
  own_operations own_pair;

  // Not part of what a plan is made of.
  nb::handle out, stream;

  /// All of a call's keywords. Throws TypeError for one that there is not, naming `function`.
  void take_all(const char* function, nb::kwargs given);
  bool has_functions() const;
  /// Whether what is in the output is added.
  bool adds_to_out(const subscripts& what) const {
    return !what.has_addend() && beta && (beta->re != 0 || beta->im != 0);
  }
  /// Appends what makes a plan another one.
  void append_to(std::string& key) const;

  plan_options of_plan() const;
  /// Throws ValueError where compiled code of the caller's is for sums of another type than those of inputs of `in`.
  void check_sums_of(scalar_type in) const;
  /// Of two inputs, by the text of Tessera.
  contraction contraction_of(const std::string& text) const;
  network_options of_network() const;
};

}  // namespace tessera::python
