// SPDX-License-Identifier: BSD-3-Clause
// Tuning record files as data: the only reader of autotune/records/*.json, for the build, plans and the tuner.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/core/packed_layout.hpp>
#include <tessera/detail/axes.hpp>
#include <tessera/detail/element/element_axes.hpp>
#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/detail/element/matrix_choice.hpp>
#include <tessera/detail/general_tile.hpp>
#include <tessera/detail/record_figures.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// An axis of a tuning, a member of the object "tuning": absent ones have the initial value.
struct record_axis {
  const char* name;
  int initial;
  const char* formerly = "";             // what older files call it
  std::span<const char* const> words{};  // its values in files, where they are no numbers
};

/// What a record is of: a product, an element operator, the matrices of one, or a general contraction.
enum class record_family { gemm, element, matrix, general };
/// "gemm": its name in files.
const char* name_of(record_family f);

/// The axes of a family on a target, in the order of a record's values; general contractions have tiles, not axes.
std::span<const record_axis> record_axes(target on, record_family of);

/// One object of the list "records".
struct tuning_record {
  record_family family = record_family::gemm;
  scalar_type type = scalar_type::f64;
  memory_regime in = memory_regime::stream;  // of element operators on a GPU: always
  index_t m = 0, n = 0, k = 0;               // of a product
  packed_layouts layouts{};                  // likewise
  element_kernel_facts of{};                 // of an element operator
  std::string operator_name;                 // likewise; "" if the record has none
  matrix_facts of_matrix{};                  // of matrices
  bool either = false;                       // likewise: of full ones and of lower triangles
  std::string kind, contraction;             // of a general contraction: "f64 by tensor cores"; in letters, or ""
  general_form form{};                       // likewise
  detail::general_tile tile{};               // likewise: the winner
  std::vector<int> tuning, runner_up;        // by axis; no runner-up: empty; not of a general contraction
  std::string source_hash;                   // of the measured kernels, if it differs from the file's head
  record_measurement measured;
};

/// A file: what all of its records share, and the records.
struct tuning_records {
  static constexpr int schema = 1;
  std::string device;              // "AMD EPYC (family 25, model 17)"
  target on = target::reference;   // its instruction set, or cuda
  std::string compute_capability;  // "9.0"; "" on a CPU
  std::string driver, toolkit, compiler, flags, tessera, source_hash;
  std::vector<tuning_record> records;

  /// 90 for "9.0"; 0 on a CPU.
  int capability() const;
  const std::string& hash_of(const tuning_record& r) const {
    return r.source_hash.empty() ? source_hash : r.source_hash;
  }
};

/// Throws tessera::error naming the fault and the record. All is checked except whether a tuning fits its sizes.
tuning_records read_tuning_records(std::string_view json);

/// "" if the tuning fits the sizes of the record, else the reason: "a tuning that these sizes cannot have: ...".
std::string why_impossible(const tuning_record& r, target on, const gpu_limits& limits);

/// The values of a record as the struct of the kernels.
template <class Tuning>
Tuning tuning_from(std::span<const int> values) {
  Tuning t;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if constexpr (std::is_same_v<Tuning, element_tuning>)
      element_axes[i].set(t, values[i]);
    else
      t.*(axes_of<Tuning>()[i].field) = values[i];
  }
  return t;
}

}  // namespace tessera
