// SPDX-License-Identifier: BSD-3-Clause
// Gather by numbers, scatter by the list of entries of each unknown.
#include "gather_scatter.hpp"

namespace tessera::demo {

gather_scatter::gather_scatter(const std::vector<int>& number, index_t unknowns)
    : number_(number), start_(std::size_t(unknowns) + 1), entry_(number.size()) {
  for (const int unknown : number) ++start_[std::size_t(unknown) + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < number.size(); ++i) entry_[std::size_t(next[std::size_t(number[i])]++)] = int(i);
}

void gather_scatter::gather(const double* unknowns, double* entries) const {
  const int* const number = number_.data();
  const index_t count = index_t(number_.size());
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < count; ++i) entries[i] = unknowns[number[i]];
}

void gather_scatter::scatter(const double* entries, double* unknowns) const {
  const int *const start = start_.data(), *const entry = entry_.data();
  const index_t count = index_t(start_.size()) - 1;
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += entries[entry[k]];
    unknowns[i] = sum;
  }
}

}  // namespace tessera::demo
