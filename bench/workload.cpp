// SPDX-License-Identifier: BSD-3-Clause
// The data of a case: made, filled, moved to a device and fetched from it.
#include "workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <tessera/error.hpp>

#include "gpu/device.hpp"
#include "sizes.hpp"

namespace tessera::bench {

namespace {

// Mixes seed and position into 64 random bits; any position costs the same, so threads can fill in any order.
double value_at(int seed, index_t position) {
  std::uint64_t x = (std::uint64_t(position) + 1) * 0x9e3779b97f4a7c15u + std::uint64_t(seed) * 0xd1b54a32d192ed03u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return double(std::int64_t(x >> 11)) * 0x1p-52 - 1.0;
}

template <class Value>
void write_all(scalar_type type, void* memory, std::size_t bytes, const Value& value) {
  const index_t count = index_t(bytes / size_of(type));
  if (type == scalar_type::f64) {
    double* const p = static_cast<double*>(memory);
#pragma omp parallel for schedule(static)
    for (index_t i = 0; i < count; ++i) p[i] = value(i);
  } else {
    float* const p = static_cast<float*>(memory);
#pragma omp parallel for schedule(static)
    for (index_t i = 0; i < count; ++i) p[i] = float(value(i));
  }
}

}  // namespace

storage_order parse_layout(std::string_view text) {
  if (text == "col") return {storage_order::kind::col, 1};
  if (text == "row") return {storage_order::kind::row, 1};
  if (text.substr(0, 12) == "interleaved:")
    return {storage_order::kind::interleaved, parse_integer(text.substr(12), "interleaving width", 1)};
  throw error("layout: '" + std::string(text) + "' is not col, row or interleaved:W");
}

data::data(scalar_type type, std::vector<index_t> extent, const storage_order& order, std::optional<index_t> batch,
           index_t shift, int seed)
    : shift_(shift), seed_(seed) {
  operand& o = host_;
  o.type = type;
  o.entry_bytes = size_of(type);
  o.facts.rank = int(extent.size());
  const bool by_row = order.order == storage_order::kind::row;
  o.lanes = batch ? order.lanes : 1;
  index_t stride = o.lanes;
  for (int i = 0; i < o.facts.rank; ++i) {
    const int d = by_row ? o.facts.rank - 1 - i : i;
    o.facts.extent[d] = extent[std::size_t(d)];
    o.facts.stride[d] = stride;
    stride *= extent[std::size_t(d)];
  }
  o.span = stride - o.lanes + 1;
  if (batch) {
    o.batched = true;
    o.count = *batch;
    o.stride = stride;
  }
  const index_t blocks = (o.count + o.lanes - 1) / o.lanes;
  memory_ = buffer(space_kind::cpu, std::size_t(blocks * stride + shift) * o.entry_bytes);
  o.data = static_cast<std::byte*>(memory_.data()) + std::size_t(shift) * o.entry_bytes;
  place_ = host_;
}

double data::initial(index_t offset) const {
  const double value = value_at(seed_, offset + shift_);
  return *host_.type == scalar_type::f64 ? value : double(float(value));
}

void data::fill() {
  write_all(*host_.type, memory_.data(), memory_.bytes(), [this](index_t i) { return value_at(seed_, i); });
}

void data::fill_nan() {
  write_all(*host_.type, memory_.data(), memory_.bytes(),
            [](index_t) { return std::numeric_limits<double>::quiet_NaN(); });
}

void data::move_to_device() {
  device_ = buffer(space_kind::gpu, memory_.bytes());
  place_ = host_;
  place_.space = space_kind::gpu;
  place_.data = static_cast<std::byte*>(device_.data()) + std::size_t(shift_) * host_.entry_bytes;
  refresh_device();
}

operand data::as_group() {
  std::vector<std::uintptr_t> starts;
  addresses_.clear();
  for (index_t b = 0; b < place_.count; ++b) {
    const auto entries = batch_start(b, place_.stride, place_.lanes);
    addresses_.push_back(static_cast<std::byte*>(const_cast<void*>(place_.data)) +
                         entries * index_t(place_.entry_bytes));
    starts.push_back(reinterpret_cast<std::uintptr_t>(addresses_.back()));
  }
  operand group = place_;
  group.list = std::make_shared<member_list>("group", place_, std::move(starts));
  group.grouped = true;
  group.members = place_.space == space_kind::gpu ? group.list->in_device_memory() : addresses_.data();
  group.data = nullptr;
  group.stride = 0;
  group.lanes = 1;
  return group;
}

void data::refresh_device() const {
  if (place_.space == space_kind::gpu) device::upload(device_.data(), memory_.data(), memory_.bytes());
}

void data::fetch(index_t b) const {
  if (place_.space != space_kind::gpu) return;
  const std::size_t first = std::size_t(b / host_.lanes * host_.stride + shift_) * host_.entry_bytes;
  const std::size_t bytes = std::min(std::size_t(host_.stride) * host_.entry_bytes, memory_.bytes() - first);
  device::download(static_cast<std::byte*>(memory_.data()) + first,
                   static_cast<const std::byte*>(device_.data()) + first, bytes);
}

}  // namespace tessera::bench
