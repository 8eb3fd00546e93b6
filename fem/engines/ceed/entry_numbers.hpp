// SPDX-License-Identifier: BSD-3-Clause
// Which number of an L-vector an entry of an element is, by a CeedElemRestriction.
#pragma once

#include <ceed/backend.h>

#include <tessera/core/types.hpp>
#include <tessera/element/restriction.hpp>

namespace tessera::ceed {

/// By offsets or by strides; holds the offsets of libCEED while it lives.
class entry_numbers {
 public:
  explicit entry_numbers(CeedElemRestriction of);
  ~entry_numbers();
  entry_numbers(const entry_numbers&) = delete;
  entry_numbers& operator=(const entry_numbers&) = delete;

  index_t elements() const { return elements_; }
  index_t entries() const { return entries_; }  ///< of a component of an element
  int components() const { return components_; }
  index_t size() const { return size_; }  ///< of the L-vector
  index_t component_stride() const { return component_stride_; }
  /// Of component 0 of entry i of element e.
  index_t operator()(index_t i, index_t e) const {
    return offsets_ != nullptr ? index_t(offsets_[i + entries_ * e]) : i * entry_stride_ + e * element_stride_;
  }

 private:
  CeedElemRestriction of_;
  const CeedInt* offsets_ = nullptr;
  index_t elements_ = 0, entries_ = 0, size_ = 0;
  int components_ = 0;
  index_t entry_stride_ = 0, component_stride_ = 0, element_stride_ = 0;
};

/// The same as a restriction of the library. Throws tessera::error where that takes no such list.
restriction restriction_of(CeedElemRestriction of);

}  // namespace tessera::ceed
