// SPDX-License-Identifier: BSD-3-Clause
// point_function: a function at quadrature points that the caller has compiled, or has as C++ text for a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include <tessera/fem/tessera_fem.h>
#include <tessera/element/evaluation.hpp>

#include "array.hpp"

namespace tessera::python {

namespace nb = nanobind;

class point_function {
 public:
  point_function(nb::handle function, const nb::kwargs& given);

  int dim() const { return dim_; }
  int components() const { return trial_.components; }
  std::array<nb::handle, 1> kept() const { return {kept_}; }
  std::string describe() const;
  /// Throws ValueError where a CPU has no compiled function, or a GPU no text, or it was made for another type.
  template <class T>
  compiled_function<T> of(bool on_gpu) const;

 private:
  std::string name_;
  int dim_ = 0, factors_ = 1;
  point_shape trial_, test_;
  std::optional<scalar_type> type_;  // of its numbers; unknown: whatever the operator has
  tessera_point_function call_ = nullptr;
  void* context_ = nullptr;
  std::string source_, source_type_;
  std::shared_ptr<const void> state_;
  nb::object kept_;  // what the address belongs to
};

void add_point_functions(nb::module_& m);

}  // namespace tessera::python
