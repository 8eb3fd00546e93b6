// SPDX-License-Identifier: BSD-3-Clause
// Where an operator and its vectors are: /cpu/self/tessera or /gpu/cuda/tessera.
#pragma once

#include <ceed/backend.h>

#include <optional>

namespace tessera::ceed {

enum class place { host, device };

inline constexpr const char* host_resource = "/cpu/self/tessera";
inline constexpr const char* device_resource = "/gpu/cuda/tessera";

/// By the resource; empty: of another backend.
std::optional<place> place_of(Ceed ceed);
/// Of an operator of this backend.
place place_of(CeedOperator op);

inline CeedMemType memory_at(place p) { return p == place::device ? CEED_MEM_DEVICE : CEED_MEM_HOST; }

}  // namespace tessera::ceed
