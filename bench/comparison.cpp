// SPDX-License-Identifier: BSD-3-Clause
// Chooses the fastest peer in one half of the rounds and compares it in the other.
#include "comparison.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::bench {

namespace {

// The median over the rounds of one parity.
double median_of_half(const timing& t, std::size_t parity) {
  std::vector<double> half;
  for (std::size_t round = parity; round < t.samples.size(); round += 2) half.push_back(t.samples[round]);
  return half.empty() ? t.seconds.median : median(half);
}

template <class Seconds>
std::size_t fastest(const std::vector<const timing*>& peers, const Seconds& seconds) {
  std::vector<double> all;
  for (const timing* peer : peers) all.push_back(seconds(*peer));
  return std::size_t(std::min_element(all.begin(), all.end()) - all.begin());
}

}  // namespace

std::optional<peer_comparison> compare_with_best(const timing& ours, const std::vector<const timing*>& peers) {
  if (peers.empty()) return std::nullopt;
  double product = 1;
  for (std::size_t parity = 0; parity < 2; ++parity) {
    const std::size_t chosen = fastest(peers, [&](const timing& t) { return median_of_half(t, parity); });
    product *= median_of_half(*peers[chosen], 1 - parity) / median_of_half(ours, 1 - parity);
  }
  return peer_comparison{fastest(peers, [](const timing& t) { return t.seconds.median; }), std::sqrt(product)};
}

}  // namespace tessera::bench
