// SPDX-License-Identifier: BSD-3-Clause
// What a record of an element kernel means for a kernel whose elements need not be contiguous.
#pragma once

#include <tessera/detail/element/element_record.hpp>

namespace tessera::detail {

/// The record's tuning, without its pieces and batches where elements come one by one.
inline element_tuning tuning_of(const tuned_element& r, const element_kernel_facts& f) {
  element_tuning t = r.tuning;
  if (f.adjacent) return t;
  t.packed = 0;
  t.batches = 1;
  t.staged = t.staged && can_be_staged(f);
  return t;
}

}  // namespace tessera::detail
