// SPDX-License-Identifier: BSD-3-Clause
// Operands and memory of packed tensors.
#include "packed_tensor.hpp"

#include <functional>
#include <numeric>
#include <utility>

namespace tessera::spin_chain {

namespace {

index_t product_of(std::span<const index_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), index_t{1}, std::multiplies<>());
}

}  // namespace

operand packed_operand(space_kind where, double* data, std::span<const index_t> extents) {
  operand o;
  o.type = scalar_type::f64;
  o.entry_bytes = sizeof(double);
  o.space = where;
  o.data = data;
  o.facts.rank = int(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    o.facts.extent[d] = extents[d];
    o.facts.stride[d] = product_of(extents.first(d));
  }
  o.span = product_of(extents);
  return o;
}

operand packed_operands(space_kind where, double* data, std::initializer_list<index_t> extents, index_t count) {
  operand o = packed_operand(where, data, extents);
  o.batched = true;
  o.count = count;
  o.stride = o.span;
  return o;
}

packed_tensor::packed_tensor(space_kind where, std::vector<index_t> extents)
    : extents_(std::move(extents)), size_(product_of(extents_)), memory_(where, std::size_t(size_) * sizeof(double)) {}

packed_tensor::packed_tensor(space_kind where, std::vector<index_t> extents, const std::vector<double>& numbers)
    : packed_tensor(where, std::move(extents)) {
  set(numbers);
}

operand packed_tensor::last(index_t i) const {
  const auto before = std::span(extents_).first(extents_.size() - 1);
  return packed_operand(where(), data() + i * product_of(before), before);
}

void packed_tensor::set(std::span<const double> numbers, index_t first) {
  copy_memory(data() + first, numbers.data(), numbers.size_bytes());
}

void packed_tensor::get(std::span<double> numbers, index_t first) const {
  copy_memory(numbers.data(), data() + first, numbers.size_bytes());
}

std::vector<double> packed_tensor::numbers() const {
  std::vector<double> all(std::size_t(size_), 0.0);
  get(all);
  return all;
}

}  // namespace tessera::spin_chain
