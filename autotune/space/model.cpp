// SPDX-License-Identifier: BSD-3-Clause
// The common part of the models of all devices.
#include "space/model.hpp"

namespace tessera::tune {

prediction mean_of(const packed_layouts& layouts, const prediction& assign, const prediction& add) {
  prediction p = assign.seconds >= add.seconds ? assign : add;
  const auto mean = [&](double prediction::*of) { p.*of = (assign.*of + add.*of) / 2; };
  for (double prediction::*of : {&prediction::bytes, &prediction::fmas, &prediction::loads, &prediction::stores,
                                 &prediction::shuffles, &prediction::shared_bytes, &prediction::conflicts})
    mean(of);
  p.seconds = of_both(layouts, assign.seconds, add.seconds);
  return p;
}

}  // namespace tessera::tune
