// SPDX-License-Identifier: BSD-3-Clause
// What the suites operator, solve and hydro have in common: facts of a case for the file, and bounds by movement or
// flops.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "global_case.hpp"
#include "measure/trust.hpp"
#include "run_case.hpp"

namespace tessera::bench {

/// "98k", "5.1M"
std::string rounded(double count);

/// Of one of `count` iterations that make a pass.
timing divided(timing t, double count);

template <class T>
nlohmann::json facts_of(const global_case<T>& c, numbering how, bool with_list);

/// Of work that moves `bytes` between arrays of `footprint` bytes. The times from `first_movement` on are those of
/// plain movement; without them the bandwidth is that of the copy at the start.
bound limit_of(const std::vector<timing>& times, std::size_t first_movement, double bytes, double footprint,
               double flops, const setting& s);

extern template nlohmann::json facts_of(const global_case<float>&, numbering, bool);
extern template nlohmann::json facts_of(const global_case<double>&, numbering, bool);

}  // namespace tessera::bench
