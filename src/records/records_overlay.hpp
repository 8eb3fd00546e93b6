// SPDX-License-Identifier: BSD-3-Clause
// The record file that plans look into first, if any.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/choose.hpp>
#include <tessera/element/element_record.hpp>
#include <tessera/element/matrix_choice.hpp>

namespace tessera::detail {

struct overlay_record {
  target on = target::reference;
  scalar_type type = scalar_type::f64;
  memory_regime in = memory_regime::cache;
  index_t m = 0, n = 0, k = 0;
  bool stale = false;
  cpu_gemm_tuning cpu;  // one of the two, by `on`
  gpu_gemm_tuning gpu;
  packed_lies lies = {};  // on a GPU
};

struct overlay {
  std::string path, device;
  std::vector<overlay_record> records;
  std::vector<tuned_element> elements;  // of no origin
  std::vector<tuned_element_run> runs;  // likewise
  std::vector<tuned_matrix> matrices;   // likewise

  /// The record of these very sizes, of the wanted regime where there are two; null where there is none.
  const overlay_record* find(const choice_query& q) const;
};

/// Throws tessera::error naming the file, the variable that named it where one did, and what is wrong with it.
overlay read_overlay(const std::string& path, const std::string& variable = "");

/// What is in force: the last overlay_records, else TESSERA_RECORDS; null where neither.
std::shared_ptr<const overlay> current_overlay();

}  // namespace tessera::detail
