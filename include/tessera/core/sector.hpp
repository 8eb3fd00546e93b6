// SPDX-License-Identifier: BSD-3-Clause
// What a GPU's memory moves at once.
#pragma once

namespace tessera {

/// In bytes. A sector of which two blocks ask for, or write, a part each costs both of them.
inline constexpr int sector_bytes = 32;

/// Room in shared memory for that many bytes in whole sectors, wherever inside a sector they start.
template <class Integer>
constexpr Integer bytes_in_sectors(Integer bytes) {
  return (bytes + sector_bytes - 1) / sector_bytes * sector_bytes + sector_bytes;
}

}  // namespace tessera
