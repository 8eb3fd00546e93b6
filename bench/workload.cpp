// SPDX-License-Identifier: BSD-3-Clause
// The data of a case: made, filled, moved to a device and fetched from it.
#include "workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <type_traits>

#include <tessera/error.hpp>

#include "entry_types.hpp"
#include "measure/gpu/device.hpp"
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

// The seed of imaginary parts, different from that of real parts.
index_t imaginary(index_t position) { return position + (index_t(1) << 60); }

// What memory holds for values of [-1, 1): of integers those from -4 to 3, whose sums are exact in any order.
template <class T>
T stored(double re, double im) {
  if constexpr (std::is_integral_v<T>)
    return std::isfinite(re) ? T(std::floor(4 * re)) : std::numeric_limits<T>::min();
  else
    return entry_of<T>(re, im);
}

template <class Value>
void write_all(scalar_type type, void* memory, std::size_t bytes, const Value& value) {
  const index_t count = index_t(bytes / size_of(type));
  with_type(type, [&](auto entry) {
    using T = decltype(entry);
    T* const p = static_cast<T*>(memory);
#pragma omp parallel for schedule(static)
    for (index_t i = 0; i < count; ++i) p[i] = stored<T>(value(i), is_complex<T> ? value(imaginary(i)) : 0);
  });
}

}  // namespace

struct pages {
  buffer host, device;
  scalar_type type = scalar_type::f64;
  std::size_t filled = 0;    // bytes from the start with the seed's values, on the host
  std::size_t uploaded = 0;  // and on the device
};

namespace {

std::shared_ptr<pages> pages_for(int seed, scalar_type type, std::size_t bytes) {
  static auto& all = *new std::map<int, std::shared_ptr<pages>>;  // never destroyed: CUDA may be shut down by then
  std::shared_ptr<pages>& p = all[seed];
  if (!p || p->type != type || p->host.bytes() < bytes) {
    p.reset();
    p = std::make_shared<pages>();
    p->host = buffer(space_kind::cpu, bytes);
    p->type = type;
  }
  return p;
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
  bytes_in_memory_ = std::size_t(blocks * stride + shift) * o.entry_bytes;
  pages_ = pages_for(seed, type, bytes_in_memory_);
  o.data = static_cast<std::byte*>(memory()) + std::size_t(shift) * o.entry_bytes;
  place_ = host_;
}

void* data::memory() const { return pages_->host.data(); }

// Of a packed operand that begins at its memory's start, if it mirrors itself.
double data::value(index_t i) const {
  const index_t n = host_.entries();
  return value_at(seed_, mirrored_ && i < n ? std::min(i, n - 1 - i) : i);
}

complex<double> data::initial(index_t offset) const {
  const index_t at = offset + shift_;
  return with_type(*host_.type, [&](auto entry) {
    using T = decltype(entry);
    const T entry_there = stored<T>(value(at), value(imaginary(at)));
    if constexpr (is_complex<T>)
      return complex<double>(entry_there);
    else
      return complex<double>(double(entry_there));
  });
}

void data::move_to_device() {
  if (pages_->device.bytes() < bytes_in_memory_) {
    pages_->device = buffer();
    pages_->device = buffer(space_kind::gpu, pages_->host.bytes());
    pages_->uploaded = 0;
  }
  place_ = host_;
  place_.space = space_kind::gpu;
  place_.data = static_cast<std::byte*>(pages_->device.data()) + std::size_t(shift_) * host_.entry_bytes;
}

// The memory has other values than those of its seed.
void data::forget() { pages_->filled = pages_->uploaded = 0; }

void data::provide() {
  if (mirrored_) forget();
  if (pages_->filled < bytes_in_memory_) {
    write_all(*host_.type, memory(), bytes_in_memory_, [this](index_t i) { return value(i); });
    pages_->filled = bytes_in_memory_;
    pages_->uploaded = 0;
  }
  if (place_.space == space_kind::gpu && pages_->uploaded < bytes_in_memory_) {
    device::upload(pages_->device.data(), memory(), bytes_in_memory_);
    pages_->uploaded = bytes_in_memory_;
  }
  if (mirrored_) forget();
}

void data::fill() {
  forget();
  provide();
  forget();  // about to be overwritten
}

void data::fill_nan() {
  forget();
  if (place_.space == space_kind::gpu) return device::fill_with_ones(pages_->device.data(), bytes_in_memory_);
  write_all(*host_.type, memory(), bytes_in_memory_, [](index_t) { return std::numeric_limits<double>::quiet_NaN(); });
}

operand data::as_group() {
  addresses_.clear();
  for (index_t b = 0; b < place_.count; ++b) {
    const auto entries = batch_start(b, place_.stride, place_.lanes);
    addresses_.push_back(static_cast<std::byte*>(const_cast<void*>(place_.data)) +
                         entries * index_t(place_.entry_bytes));
  }
  operand group = place_;
  group.list =
      std::make_shared<member_list>("group", place_, std::vector<const void*>(addresses_.begin(), addresses_.end()));
  group.grouped = true;
  group.members = place_.space == space_kind::gpu ? group.list->in_device_memory() : addresses_.data();
  group.data = nullptr;
  group.stride = 0;
  group.lanes = 1;
  return group;
}

void data::fetch(index_t b) const {
  if (place_.space != space_kind::gpu) return;
  const std::size_t first = std::size_t(b / host_.lanes * host_.stride + shift_) * host_.entry_bytes;
  const std::size_t all = bytes_in_memory_ - first;
  const std::size_t bytes = host_.batched ? std::min(std::size_t(host_.stride) * host_.entry_bytes, all) : all;
  device::download(static_cast<std::byte*>(memory()) + first,
                   static_cast<const std::byte*>(pages_->device.data()) + first, bytes);
}

}  // namespace tessera::bench
