// SPDX-License-Identifier: BSD-3-Clause
// Reads the place of an operator from the name of its resource.
#include "place.hpp"

#include <string>

#include "failure.hpp"
#include "libceed_api.hpp"

namespace tessera::ceed {

std::optional<place> place_of(Ceed ceed) {
  const char* resource = nullptr;
  check(CeedGetResource(ceed, &resource));
  const std::string name = std::string(resource).substr(0, std::string(resource).find(':'));
  if (name == host_resource) return place::host;
  if (name == device_resource) return place::device;
  return {};
}

place place_of(CeedOperator op) { return place_of(ceed_of(op)).value_or(place::host); }

}  // namespace tessera::ceed
