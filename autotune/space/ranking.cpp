// SPDX-License-Identifier: BSD-3-Clause
// Rank correlation and the quality of a model's first choices.
#include "space/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

void check_lengths(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size())
    throw error("ranking: " + std::to_string(a.size()) + " values against " + std::to_string(b.size()) +
                    ": give one of each for every candidate",
                status::shape_mismatch);
}

std::vector<std::size_t> order_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

std::vector<double> ranks_of(const std::vector<double>& values) {
  const std::vector<std::size_t> order = order_of(values);
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = double(first + last - 1) / 2;
    first = last;
  }
  return ranks;
}

}  // namespace

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
  check_lengths(a, b);
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double mean = (double(a.size()) - 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

double top_share(const std::vector<double>& predicted, const std::vector<double>& measured, int k) {
  check_lengths(predicted, measured);
  const double none = std::numeric_limits<double>::infinity();
  const std::vector<std::size_t> order = order_of(predicted);
  double best = none, among = none;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double seconds = measured[order[i]];
    if (!std::isfinite(seconds) || seconds <= 0) continue;
    best = std::min(best, seconds);
    if (int(i) < k) among = std::min(among, seconds);
  }
  return among < none ? best / among : 0;
}

}  // namespace tessera::tune
