// SPDX-License-Identifier: BSD-3-Clause
// How much describe() tells.
#pragma once

namespace tessera {

enum class detail_level {
  brief,  ///< one line: the kernel, and where its tuning comes from
  full    ///< all that was decided, and why
};

}  // namespace tessera
