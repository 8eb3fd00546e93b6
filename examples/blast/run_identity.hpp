// SPDX-License-Identifier: BSD-3-Clause
// What two runs have in common if one goes on where the other ended, as the first line of a checkpoint.
#pragma once

#include <tessera/fem/hydro/gas_spaces.hpp>

#include <string>

namespace tessera::blast {

struct settings;

/// "blast checkpoint 2: problem=3; dimensions=2; ...". Mesh, walls and gas are in it as hashes.
std::string identity_of(const settings& given, const fem::gas_spaces& in);

/// Empty where they are the same; else what differs, as "zones: 21 there, 84 here; the walls are others". `there` is
/// the first line of any file.
std::string differences(const std::string& there, const std::string& here);

}  // namespace tessera::blast
