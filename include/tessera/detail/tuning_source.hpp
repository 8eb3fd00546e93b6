// SPDX-License-Identifier: BSD-3-Clause
// The source of a kernel's tuning, as text.
#pragma once

#include <string>

namespace tessera {

/// Tunings of element operators without a record have the source "default": a rule sets them.
struct tuning_source {
  std::string name;     ///< "record of this device", "nearest record 7x7x7 of NVIDIA H200", "default"
  std::string notes{};  ///< "measured with an earlier version of the kernels"; several have "; " between them

  void note(const std::string& text) {
    if (!text.empty()) notes += (notes.empty() ? "" : "; ") + text;
  }
  std::string text() const { return notes.empty() ? name : name + "; " + notes; }
};

}  // namespace tessera
