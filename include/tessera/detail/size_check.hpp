// SPDX-License-Identifier: BSD-3-Clause
// Checks that an array of given sizes can exist, before any of it is read or allocated.
#pragma once

#include <initializer_list>
#include <string>

#include <tessera/core/types.hpp>
#include <tessera/error.hpp>

namespace tessera::detail {

/// The limit of a process's address space: 128 TiB.
inline constexpr index_t most_bytes = index_t{1} << 47;

/// The product, or -1 where so many entries of `entry_bytes` are more than `most_bytes`. No factor is negative.
constexpr index_t product_that_fits(std::initializer_list<index_t> factors, std::size_t entry_bytes) {
  const index_t most = most_bytes / index_t(entry_bytes);
  index_t product = 1;
  bool fits = true;
  for (const index_t factor : factors) {
    if (factor == 0) return 0;
    fits = fits && !__builtin_mul_overflow(product, factor, &product) && product <= most;
  }
  return fits ? product : -1;
}

/// The product. Throws status::overflow, "WHAT: 4611686018427387904 x 27 x 6 entries of 8 bytes are more than a process
/// can address", and names a negative factor.
inline index_t checked_product(const std::string& what, std::initializer_list<index_t> factors,
                               std::size_t entry_bytes) {
  std::string text;
  bool negative = false;
  for (const index_t factor : factors) {
    text += (text.empty() ? "" : " x ") + std::to_string(factor);
    negative = negative || factor < 0;
  }
  const index_t product = negative ? -1 : product_that_fits(factors, entry_bytes);
  if (product < 0)
    throw error(what + ": " + text + " entries of " + std::to_string(entry_bytes) + " bytes are " +
                    (negative ? "a negative number" : "more than a process can address"),
                status::overflow);
  return product;
}

}  // namespace tessera::detail
