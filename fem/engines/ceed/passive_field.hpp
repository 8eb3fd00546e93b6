// SPDX-License-Identifier: BSD-3-Clause
// Passive inputs of a CeedOperator as numbers at points: data there, weights, and fields that a basis evaluates.
#pragma once

#include <tessera/core/types.hpp>

#include <cstdint>
#include <optional>
#include <vector>

#include "basis_tables.hpp"
#include "entry_numbers.hpp"
#include "operator_fields.hpp"

namespace tessera::ceed {

/// One input. Numbers of a point are in libCEED's order: a component each, of gradients component c in direction a at
/// c + components a.
class passive_field {
 public:
  /// `first`: its first number among those of a point.
  passive_field(const operator_field& of, int first);

  int size() const { return size_; }

  class reader;

  /// Whether the vector has changed since `remember`.
  bool has_changed() const;
  void remember();

 private:
  operator_field field_;
  int first_, size_;
  std::uint64_t state_ = 0;
  bool known_ = false;
  std::vector<double> weights_;  // weights only
  basis_tables tables_{};        // of an evaluated field
};

/// Access to the array of a field's vector while it lives.
class passive_field::reader {
 public:
  explicit reader(const passive_field& of);
  ~reader();
  reader(const reader&) = delete;
  reader& operator=(const reader&) = delete;

  /// Number s of point k of element e to to[first + s + stride k].
  void write(index_t element, double* to, int stride);

 private:
  void write_data(index_t element, double* to, int stride) const;
  void write_evaluated(index_t element, double* to, int stride);

  const passive_field& of_;
  std::optional<entry_numbers> where_;  // of all but weights
  const CeedScalar* array_ = nullptr;
  std::vector<double> values_, work_[2];
};

}  // namespace tessera::ceed
