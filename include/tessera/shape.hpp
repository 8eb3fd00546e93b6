// SPDX-License-Identifier: BSD-3-Clause
// shape: rank and sizes known only at run time, for example from an input file.
#pragma once

#include <tessera/detail/shape_text.hpp>
#include <tessera/error.hpp>

namespace tessera {

/// Up to max_rank sizes; packed column-major if used as a layout. Implicit from any `extents`.
class shape {
 public:
  constexpr shape() = default;
  template <index_t... E>
  constexpr shape(const extents<E...>& e) : rank_(e.rank()) {
    for (int d = 0; d < rank_; ++d) extent_[d] = e(d);
  }
  /// Throws where rank is outside 0..max_rank.
  shape(const index_t* extent, int rank);

  constexpr int rank() const { return rank_; }
  constexpr index_t operator()(int i) const { return extent_[i]; }
  constexpr const index_t* data() const { return extent_; }
  constexpr index_t size() const {
    index_t product = 1;
    for (int d = 0; d < rank_; ++d) product *= extent_[d];
    return product;
  }
  template <class... Index>
  constexpr index_t offset(Index... i) const {
    if (int(sizeof...(Index)) != rank_)
      throw error("index: " + std::to_string(sizeof...(Index)) + " indices for extents " + text_of(extent_, rank_),
                  status::shape_mismatch);
    index_t sum = 0, scale = 1;
    int d = 0;
    ((sum += i * scale, scale *= extent_[d++]), ...);
    return sum;
  }

  friend constexpr bool operator==(const shape& a, const shape& b) {
    if (a.rank_ != b.rank_) return false;
    for (int d = 0; d < a.rank_; ++d)
      if (a.extent_[d] != b.extent_[d]) return false;
    return true;
  }

 private:
  int rank_ = 0;
  index_t extent_[max_rank]{};
};

inline std::string text_of(const shape& s) { return text_of(s.data(), s.rank()); }

/// Throws status::shape_mismatch naming both shapes where they differ.
void check_same(const char* operation, const shape& a, const shape& b);

}  // namespace tessera
