// SPDX-License-Identifier: BSD-3-Clause
// The restriction behind its handle of C.
#pragma once

#include <tessera/fem/tessera_fem.h>
#include <tessera/element/restriction.hpp>

#include <string>

#include "c_options.hpp"

struct tessera_restriction {
  tessera::restriction of;
  std::string description;
};

namespace tessera::fem::detail {

inline const restriction& checked(const tessera_restriction* r) {
  if (r == nullptr) refuse("null restriction", status::null_pointer);
  return r->of;
}

}  // namespace tessera::fem::detail
