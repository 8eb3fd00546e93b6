// SPDX-License-Identifier: BSD-3-Clause
// How much describe() prints.
#pragma once

namespace tessera {

enum class detail_level {
  brief,  ///< one line: the kernel and the source of its tuning
  full    ///< all decisions and their reasons
};

}  // namespace tessera
