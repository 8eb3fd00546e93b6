// SPDX-License-Identifier: BSD-3-Clause
// Places of entries, by Horner's rule from the farthest index.
#include "models/linear_index.hpp"

#include <string>

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

void require_entry(const std::vector<index_t>& extents, const std::vector<index_t>& at) {
  if (at.size() != extents.size())
    throw error("linear index: " + std::to_string(at.size()) + " indices of a tensor of " +
                std::to_string(extents.size()) + " dimensions");
  for (std::size_t d = 0; d < at.size(); ++d)
    if (at[d] < 0 || at[d] >= extents[d])
      throw error("linear index: index " + std::to_string(d) + " is " + std::to_string(at[d]) + ", not from 0 to " +
                  std::to_string(extents[d] - 1));
}

}  // namespace

index_t first_index_nearest(const std::vector<index_t>& extents, const std::vector<index_t>& at) {
  require_entry(extents, at);
  index_t place = 0;
  for (std::size_t d = at.size(); d-- > 0;) place = place * extents[d] + at[d];
  return place;
}

index_t last_index_nearest(const std::vector<index_t>& extents, const std::vector<index_t>& at) {
  require_entry(extents, at);
  index_t place = 0;
  for (std::size_t d = 0; d < at.size(); ++d) place = place * extents[d] + at[d];
  return place;
}

}  // namespace tessera::bench::models
