// SPDX-License-Identifier: BSD-3-Clause
// The sector: the unit in which a GPU's memory is accessed.
#pragma once

namespace tessera {

/// In bytes. A sector that two blocks read or write a part of is transferred twice.
inline constexpr int sector_bytes = 32;

/// The bytes of shared memory that hold `bytes` bytes in whole sectors, wherever inside a sector they start.
template <class Integer>
constexpr Integer bytes_in_sectors(Integer bytes) {
  return (bytes + sector_bytes - 1) / sector_bytes * sector_bytes + sector_bytes;
}

}  // namespace tessera
