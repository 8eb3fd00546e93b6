// SPDX-License-Identifier: BSD-3-Clause
// copy: dense operands as one block, everything else rearranged entry by entry on the host.
#include <tessera/copy.hpp>

#include <cstring>
#include <string>

#include <tessera/gpu/detail/runtime.hpp>

#include "overlap.hpp"

namespace tessera {

namespace {

std::string call_text(const operand& from, const operand& to) {
  return "copy: " + text_of(from) + " to " + text_of(to);
}

void check(const operand& from, const operand& to) {
  const std::string what = call_text(from, to);
  for (const operand* o : {&from, &to}) detail::check_sizes("copy", *o);
  if (from.entry_bytes != to.entry_bytes || from.type != to.type)
    throw error(what + ": scalar types differ", status::wrong_type);
  bool same = from.facts.rank == to.facts.rank && from.count == to.count;
  for (int d = 0; same && d < from.facts.rank; ++d) same = from.facts.extent[d] == to.facts.extent[d];
  if (!same) throw error(what + ": shapes differ", status::shape_mismatch);
  for (const operand* o : {&from, &to})
    if (o->conjugated)
      throw error(what + ": the " + (o == &from ? "source" : "destination") + " is conjugated, and copies are not");
  if (!to.writable) throw error(what + ": the destination is const");
  const auto pointer = [](const operand& o) { return o.grouped ? o.members : o.data; };
  if (from.entries() > 0 && from.count > 0 && (pointer(from) == nullptr || pointer(to) == nullptr))
    throw error(what + ": null pointer", status::null_pointer);
  if (!detail::distinct_entries(to))
    throw error(what + ": entries of the destination share addresses" + detail::repeat_text(to.facts), status::overlap);
  if (from.space == to.space && !detail::same_addresses(from, to) && detail::entries_meet(from, to))
    throw error(what + ": the destination overlaps the source", status::overlap);
  for (const operand* o : {&from, &to})
    if (o->grouped && !o->list)
      throw error(what + ": the addresses of the members of a group are in device memory only", status::wrong_space);
}

// The tensor at batch position b.
operand tensor_at(const operand& o, index_t b) {
  operand one = o;
  one.data = o.grouped ? o.member(b)
                       : static_cast<const char*>(o.data) + batch_start(b, o.stride, o.lanes) * index_t(o.entry_bytes);
  one.count = one.lanes = 1;
  one.stride = 0;
  one.batched = one.grouped = false;
  return one;
}

bool same_layout(const operand& a, const operand& b) {
  if (a.offsets || b.offsets) return a.offsets && b.offsets && *a.offsets == *b.offsets;
  for (int d = 0; d < a.facts.rank; ++d)
    if (a.facts.extent[d] > 1 && a.facts.stride[d] != b.facts.stride[d]) return false;
  return true;
}

// One block without gaps, so that copying the bytes writes nothing else.
bool dense(const operand& o) {
  const index_t tensor = o.entries() * o.lanes;
  if (o.batched && o.count > 1 && o.stride != tensor && o.count > o.lanes) return false;
  if (o.lanes > 1 && o.count % o.lanes != 0) return false;
  return (o.span + o.lanes - 1) / o.lanes * o.lanes == tensor;
}

device::direction direction_of(const operand& from, const operand& to) {
  if (from.space == space_kind::cpu) return device::direction::host_to_device;
  return to.space == space_kind::cpu ? device::direction::device_to_host : device::direction::device_to_device;
}

void move_block(const operand& from, const operand& to, std::optional<stream_view> on) {
  void* destination = const_cast<void*>(to.lowest());
  const void* const source = from.lowest();
  const std::size_t bytes = std::size_t(from.reach()) * from.entry_bytes;
  if (from.space == space_kind::cpu && to.space == space_kind::cpu)
    std::memmove(destination, source, bytes);  // which may be onto itself
  else if (on)
    device::copy_async(destination, source, bytes, direction_of(from, to), on->handle());
  else
    device::copy(destination, source, bytes, direction_of(from, to));
}

// The address range of an operand in host memory: its own, or a copy of device memory.
class host_image {
 public:
  explicit host_image(const operand& o) : operand_(o), bytes_(std::size_t(o.reach()) * o.entry_bytes) {
    if (o.space == space_kind::cpu) return;
    copy_.resize(bytes_);
    device::copy(copy_.data(), o.lowest(), bytes_, device::direction::device_to_host);
  }
  // Of entry (0, 0, ...).
  char* data() {
    if (operand_.space == space_kind::cpu) return static_cast<char*>(const_cast<void*>(operand_.data));
    return copy_.data() + operand_.facts.before() * index_t(operand_.entry_bytes);
  }
  void write_back() {
    if (operand_.space == space_kind::gpu)
      device::copy(const_cast<void*>(operand_.lowest()), copy_.data(), bytes_, device::direction::host_to_device);
  }

 private:
  const operand& operand_;
  std::size_t bytes_;
  std::vector<char> copy_;
};

void rearrange(const operand& from, const operand& to, std::optional<stream_view> on) {
  if (on && (from.space == space_kind::gpu || to.space == space_kind::gpu)) on->synchronize();
  host_image source(from), destination(to);
  const auto entry = index_t(from.entry_bytes);
  for (index_t b = 0; b < from.count; ++b)
    for (index_t i = 0; i < from.entries(); ++i)
      std::memcpy(destination.data() + to.offset(i, b) * entry, source.data() + from.offset(i, b) * entry,
                  std::size_t(entry));
  destination.write_back();
}

void copy_checked(const operand& from, const operand& to, std::optional<stream_view> on) {
  if (same_layout(from, to) && dense(from) && dense(to) && from.lanes == to.lanes)
    move_block(from, to, on);
  else
    rearrange(from, to, on);
}

}  // namespace

void copy_operand(const operand& from, const operand& to, std::optional<stream_view> on) {
  check(from, to);
  if (from.entries() == 0 || from.count == 0) return;
  try {
    if (!from.grouped && !to.grouped) return copy_checked(from, to, on);
    for (index_t b = 0; b < from.count; ++b) copy_checked(tensor_at(from, b), tensor_at(to, b), on);
  } catch (const error& e) {  // of the runtime, which names bytes only
    throw error(call_text(from, to) + ": " + e.what(), e.code());
  }
}

}  // namespace tessera
