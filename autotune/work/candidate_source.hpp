// SPDX-License-Identifier: BSD-3-Clause
// C++ text of a group of candidates: one translation unit, which becomes one shared object.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "family.hpp"

namespace tessera::tune {

/// A candidate to compile: a tuning for the sizes of a case.
struct candidate {
  tuning_case of;
  config how;

  friend bool operator==(const candidate&, const candidate&) = default;
};

/// The C++ that makes `name` a function, or a constant pointer to one, of type
/// void(const tessera::problem<scalar>&, tessera::index_t first, tessera::index_t last).
using definition = std::function<std::string(const candidate&, const std::string& name)>;

/// The library's specialised kernel with the candidate's tuning.
std::string specialised_definition(const candidate& c, const std::string& name);

/// Symbols of the shared object: the array of functions, its length, and the size of a problem that they expect.
inline constexpr char candidates_symbol[] = "tessera_candidates";
inline constexpr char count_symbol[] = "tessera_candidate_count";
inline constexpr char problem_bytes_symbol[] = "tessera_problem_bytes";

/// All candidates have the given target and type.
std::string source_of(target on, scalar_type type, std::span<const candidate> group, const definition& define);

}  // namespace tessera::tune
