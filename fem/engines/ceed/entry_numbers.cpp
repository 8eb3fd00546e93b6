// SPDX-License-Identifier: BSD-3-Clause
// Reads the offsets or strides of a CeedElemRestriction.
#include "entry_numbers.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "failure.hpp"
#include "libceed_api.hpp"

namespace tessera::ceed {

entry_numbers::entry_numbers(CeedElemRestriction of) : of_(of) {
  CeedInt elements = 0, entries = 0, components = 0, stride = 0;
  CeedSize size = 0;
  bool strided = false;
  check(CeedElemRestrictionGetNumElements(of, &elements));
  check(CeedElemRestrictionGetElementSize(of, &entries));
  check(CeedElemRestrictionGetNumComponents(of, &components));
  check(CeedElemRestrictionGetLVectorSize(of, &size));
  check(CeedElemRestrictionIsStrided(of, &strided));
  elements_ = elements;
  entries_ = entries;
  components_ = components;
  size_ = size;
  if (!strided) {
    check(CeedElemRestrictionGetCompStride(of, &stride));
    component_stride_ = stride;
    check(CeedElemRestrictionGetOffsets(of, CEED_MEM_HOST, &offsets_));
    return;
  }
  const std::array<CeedInt, 3> strides = strides_of(of);
  entry_stride_ = strides[0];
  component_stride_ = strides[1];
  element_stride_ = strides[2];
}

entry_numbers::~entry_numbers() {
  if (offsets_ != nullptr) CeedElemRestrictionRestoreOffsets(of_, &offsets_);
}

restriction restriction_of(CeedElemRestriction of) {
  const entry_numbers number(of);
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(number.elements() * number.entries()));
  for (index_t e = 0; e < number.elements(); ++e)
    for (index_t i = 0; i < number.entries(); ++i) offsets[std::size_t(i + number.entries() * e)] = number(i, e);
  return restriction({.elements = number.elements(),
                      .entries = number.entries(),
                      .components = number.components(),
                      .size = number.size(),
                      .offsets64 = offsets.data(),
                      .component_stride = number.component_stride()});
}

}  // namespace tessera::ceed
