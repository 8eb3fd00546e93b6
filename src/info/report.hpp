// SPDX-License-Identifier: BSD-3-Clause
// What tessera-info prints: sections of named facts, as text or as JSON.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace tessera::info {

struct fact {
  std::string name;  // "gemm_records"; in text "gemm records"
  std::variant<std::string, long long, bool, std::vector<std::string>> value;
};

struct section {
  std::string name;
  std::vector<fact> facts;
};

using report = std::vector<section>;

std::string as_text(const report& all);
std::string as_json(const report& all);

}  // namespace tessera::info
