// SPDX-License-Identifier: BSD-3-Clause
// Entries of any type for the tensors that a tile is checked and timed with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tessera/core/complex.hpp>
#include <tessera/core/scalar_type.hpp>

namespace tessera::tune {

/// What tensors are filled with: integers of at most 4, none of them 0, whose products and sums are exact in every
/// type, so that all tiles give the same bits; or numbers in [-1, 1), as applications have them, for timing.
enum class filling { integers, numbers };

/// Entries repeat after so many: a prime, so that no stride of a tensor meets the same ones.
inline constexpr std::size_t filling_period = 1'000'003;

/// Entry `position` of a tensor; `seed` distinguishes tensors.
complex<double> filled_value(filling with, scalar_type type, std::uint64_t seed, std::uint64_t position);
/// The first `count` entries as a type has them in memory.
std::vector<std::byte> filled_entries(filling with, scalar_type type, std::uint64_t seed, std::size_t count);

complex<double> value_in(scalar_type type, const std::byte* entries, std::size_t position);
/// As the type stores it.
complex<double> rounded_to(scalar_type type, const complex<double>& value);

}  // namespace tessera::tune
