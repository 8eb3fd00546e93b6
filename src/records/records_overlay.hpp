// SPDX-License-Identifier: BSD-3-Clause
// The record file that plans search first, if any.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/detail/choose.hpp>
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/element/matrix_choice.hpp>
#include <tessera/detail/general_records.hpp>

namespace tessera::detail {

struct overlay_record {
  target on = target::reference;
  scalar_type type = scalar_type::f64;
  memory_regime in = memory_regime::cache;
  index_t m = 0, n = 0, k = 0;
  bool stale = false;
  cpu_gemm_tuning cpu;  // one of the two, by `on`
  gpu_gemm_tuning gpu;
  packed_layouts layouts = {};  // on a GPU
};

struct overlay {
  int number = 0;  // in the order in which this process read them
  std::string path, device;
  std::vector<overlay_record> records;
  std::vector<tuned_element> elements;  // of no origin
  std::vector<tuned_element_run> runs;  // likewise
  std::vector<tuned_matrix> matrices;   // likewise
  std::vector<tuned_general> generals;  // their texts are in `texts`
  std::vector<std::shared_ptr<const std::string>> texts;

  /// The record of exactly these sizes, of the wanted regime if there are two; null if there is none.
  const overlay_record* find(const choice_query& q) const;
};

/// Throws tessera::error naming the file, the environment variable that it came from, if any, and the fault.
overlay read_overlay(const std::string& path, const std::string& variable = "");

/// The current overlay: of the last overlay_records, else TESSERA_RECORDS; null if neither.
std::shared_ptr<const overlay> current_overlay();

}  // namespace tessera::detail
