// SPDX-License-Identifier: BSD-3-Clause
// EntryFunction and Operations: functions of entries and pairs of operations of the caller's own.
#pragma once

#include <array>
#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include <tessera/core/scalar_type.hpp>
#include <tessera/fused.hpp>

namespace tessera::python {

namespace nb = nanobind;

/// What a keyword took: a value, the type of sums that its compiled code is for (empty: of any), and what the addresses
/// of that code belong to, which whoever calls it keeps, too.
struct own_entry_function {
  entry_function function;
  std::optional<scalar_type> sum;
  std::array<nb::object, 1> owners;
  const auto& kept() const { return owners; }
};
struct own_operations {
  operations pair;
  std::optional<scalar_type> sum;
  std::array<nb::object, 2> owners;
  const auto& kept() const { return owners; }
};

/// The C++ object of an EntryFunction or an Operations; null for other objects.
const own_entry_function* entry_function_in(nb::handle value);
const own_operations* operations_in(nb::handle value);

/// Throws ValueError where the compiled code is for another type than that of a contraction's sums.
void check_sums(const std::string& name, const std::optional<scalar_type>& made_for, scalar_type sums);

void add_own_functions(nb::module_& m);

}  // namespace tessera::python
