// SPDX-License-Identifier: BSD-3-Clause
// Checks figures of records against their bounds.
#include <tessera/detail/record_figures.hpp>

#include <cstdio>

namespace tessera {

std::string why_no_figure(const record_figure& of, double value) {
  if ((value >= of.least && value <= of.most) || (of.zero && value == 0)) return "";
  char text[160];
  std::snprintf(text, sizeof text, "\"%.*s\" is %g, not in %g..%g%s", int(of.name.size()), of.name.data(), value,
                of.least, of.most, of.zero && of.least > 0 ? ", and not 0" : "");
  return text;
}

}  // namespace tessera
