// SPDX-License-Identifier: BSD-3-Clause
// How code behind libCEED's C interface reports: its error codes pass through, what is not taken goes to the delegate.
#pragma once

#include <ceed/backend.h>

#include <string>

namespace tessera::ceed {

/// A call of libCEED, or a user's QFunction, failed. libCEED has reported it already.
struct failure {
  int code;
};

/// Why an operator is left to the delegate.
struct not_taken {
  std::string why;
};

/// As CeedCallBackend: errors of the interface become errors of a backend.
inline int backend_code(int code) { return code > CEED_ERROR_SUCCESS ? int(CEED_ERROR_BACKEND) : code; }

inline void check(int code) {
  if (code != CEED_ERROR_SUCCESS) throw failure{backend_code(code)};
}

}  // namespace tessera::ceed
