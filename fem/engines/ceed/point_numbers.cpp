// SPDX-License-Identifier: BSD-3-Clause
// Writes the numbers of passive inputs into D, some elements at a time.
#include "point_numbers.hpp"

#include <algorithm>
#include <memory>

namespace tessera::ceed {

point_numbers::point_numbers(const operator_fields& fields, const int* order) : points_(fields.points), order_(order) {
  for (const operator_field& f : fields.in) {
    first_.push_back(f.active ? -1 : factors_);
    if (f.active) continue;
    fields_.emplace_back(f, factors_);
    factors_ += f.size;
  }
  factors_ = std::max(factors_, 1);
}

void point_numbers::renew(point_data<double>& D, std::span<const index_t> elements) {
  const auto changed = [](const passive_field& f) { return f.has_changed(); };
  if (std::none_of(fields_.begin(), fields_.end(), changed)) return;
  write(D, elements);
  for (passive_field& f : fields_) f.remember();
}

void point_numbers::write(point_data<double>& D, std::span<const index_t> elements) const {
  constexpr index_t together = 64;  // elements
  const index_t count = index_t(elements.size()), size = factors_ * points_;
  std::vector<std::unique_ptr<passive_field::reader>> readers;
  for (const passive_field& f : fields_) readers.push_back(std::make_unique<passive_field::reader>(f));
  std::vector<double> numbers(static_cast<std::size_t>(std::min(together, count) * size));
  std::vector<double> point(static_cast<std::size_t>(factors_));
  for (index_t first = 0; first < count; first += together) {
    const index_t some = std::min(together, count - first);
    for (index_t k = 0; k < some; ++k) {
      double* to = numbers.data() + k * size;
      for (const auto& reader : readers) reader->write(elements[std::size_t(first + k)], to, factors_);
      if (order_ == nullptr) continue;
      for (double* at = to; at < to + size; at += factors_) {
        std::copy_n(at, factors_, point.data());
        for (int f = 0; f < factors_; ++f) at[f] = point[std::size_t(order_[f])];
      }
    }
    D.set(first, some, numbers.data());
  }
}

}  // namespace tessera::ceed
