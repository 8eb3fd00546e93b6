// SPDX-License-Identifier: BSD-3-Clause
// Operands from the bytes of an input.
#include "operand_case.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace fuzz {

namespace {

std::int64_t tensor_span(const tessera_operand& o) {
  std::int64_t span = 1;
  for (int d = 0; d < o.rank; ++d)
    if (o.extent[d] > 1) span += (o.extent[d] - 1) * std::abs(o.stride[d]);
  return span;
}

}  // namespace

block::block(std::size_t bytes) : memory_(static_cast<char*>(std::malloc(bytes))), bytes_(bytes) {
  if (memory_ == nullptr) throw std::bad_alloc();
  std::memset(memory_.get(), 0, bytes);
}

void block::release::operator()(char* memory) const { std::free(memory); }

std::ptrdiff_t operand_case::place(const std::int64_t* index, std::int64_t b) const {
  std::int64_t at = 0;
  for (int d = 0; d < o.rank; ++d) at += index[d] * o.stride[d];
  const auto entry = std::int64_t(bytes_of(o.type));
  if (o.members != nullptr)
    return static_cast<char*>(members[std::size_t(b)]) - memory->data() + std::ptrdiff_t(at * entry);
  if (o.batched) at += b / o.lanes * o.batch_stride + b % o.lanes;
  return static_cast<char*>(o.data) - memory->data() + std::ptrdiff_t(at * entry);
}

std::int64_t operand_case::tensor_entries() const {
  std::int64_t all = 1;
  for (int d = 0; d < o.rank; ++d)
    if (__builtin_mul_overflow(all, o.extent[d], &all)) all = o.extent[d] == 0 ? 0 : INT64_MAX;
  return all;
}

std::int64_t bytes_before(const tessera_operand& o) {
  wide before = 0;
  for (int d = 0; d < o.rank; ++d) {
    if (o.extent[d] == 0) return 0;  // nothing is there, whatever the strides
    if (o.extent[d] > 1 && o.stride[d] < 0) before -= wide(o.extent[d] - 1) * o.stride[d];
  }
  return before > most_entries ? 0 : std::int64_t(before) * std::int64_t(bytes_of(o.type));
}

std::optional<std::int64_t> entries_spanned(const tessera_operand& o) {
  if (o.rank < 0 || o.rank > TESSERA_MAX_RANK || bytes_of(o.type) == 0 || o.space != TESSERA_CPU) return std::nullopt;
  if (o.batched && (o.count < 0 || (o.members == nullptr && (o.lanes < 1 || o.batch_stride < 0)))) return std::nullopt;
  wide entries = o.batched ? o.count : 1, span = 1;
  bool is_empty = entries == 0;
  for (int d = 0; d < o.rank; ++d) {
    if (o.extent[d] < 0) return std::nullopt;
    is_empty = is_empty || o.extent[d] == 0;
  }
  for (int d = 0; d < o.rank && !is_empty; ++d) {
    entries *= o.extent[d];
    const wide stride = o.stride[d];
    span += wide(o.extent[d] - 1) * (stride < 0 ? -stride : stride);
    if (entries > most_entries || span > most_entries) return std::nullopt;
  }
  if (is_empty) return 0;
  if (o.batched && o.members == nullptr) {
    const std::int64_t last = (o.count - 1) / o.lanes;
    span += wide(last) * o.batch_stride + (last > 0 ? o.lanes : o.count) - 1;
  } else if (o.batched) {
    span *= o.count;
  }
  if (entries > most_entries || span > most_entries) return std::nullopt;
  return std::int64_t(span);
}

void lay_out(tessera_operand& o, bytes& from) {
  int order[TESSERA_MAX_RANK]{};
  for (int d = 0; d < o.rank; ++d) {  // the d-th dimension goes anywhere among those before
    const int at = d - from.below(d + 1);
    for (int i = d; i > at; --i) order[i] = order[i - 1];
    order[at] = d;
  }
  static constexpr int lanes[] = {1, 1, 1, 2, 4, 8, 3, 16};
  o.lanes = o.batched ? from.one_of(lanes) : 1;
  std::int64_t stride = o.lanes;
  const bool gaps = from.one_in(4), random = from.one_in(16);
  for (int i = 0; i < o.rank; ++i) {
    const int d = order[i];
    o.stride[d] = random ? from.next() : stride;
    if (gaps && from.one_in(8) && o.stride[d] != INT64_MIN) o.stride[d] = -o.stride[d];
    if (__builtin_mul_overflow(stride, o.extent[d] > 0 ? o.extent[d] : 1, &stride)) stride = 1;
    if (gaps && __builtin_add_overflow(stride, from.below(4), &stride)) stride = 1;
  }
  if (gaps && __builtin_add_overflow(stride, from.below(4), &stride)) stride = 1;
  o.batch_stride = o.batched ? stride : 0;
  if (from.one_in(16)) o.batch_stride = from.next();
}

void distort(tessera_operand& o, bytes& from) {
  const int dimension = from.below(TESSERA_MAX_RANK);
  switch (from.below(12)) {
    case 0: o.extent[dimension] = from.absurd(); break;
    case 1: o.stride[dimension] = from.absurd(); break;
    case 2: o.count = from.absurd(), o.batched = 1; break;
    case 3: o.batch_stride = from.absurd(); break;
    case 4: o.lanes = from.absurd(); break;
    case 5: o.rank = from.absurd_int(); break;
    case 6: o.type = from.absurd_int(); break;
    case 7: o.space = from.absurd_int(); break;
    case 8: o.batched = from.next(); break;
    case 9: o.conjugated = from.next(); break;
    case 10: o.count = from.below(9); break;
    default: o.extent[dimension] = from.below(9), o.stride[dimension] = from.below(9); break;
  }
}

void scatter(operand_case& c, bytes& from) {
  tessera_operand& o = c.o;
  if (!o.batched || o.count < 0 || o.count > 64 || !entries_spanned(o)) return;
  for (int d = 0; d < o.rank; ++d) {
    if (o.lanes > 1 && o.stride[d] % o.lanes == 0) o.stride[d] /= o.lanes;
    if (o.extent[d] == 0) return;
  }
  static void* const some = nullptr;
  o.members = &some;
  const auto spanned = entries_spanned(o);
  o.members = nullptr;
  if (!spanned) return;
  const auto entry = std::int64_t(bytes_of(o.type));
  c.memory = std::make_shared<block>(std::size_t(*spanned * entry));
  for (std::int64_t b = 0; b < o.count; ++b)
    c.members.push_back(c.memory->data() + b * tensor_span(o) * entry + bytes_before(o));
  for (std::size_t b = 1; b < c.members.size(); ++b)
    std::swap(c.members[b], c.members[b - std::size_t(from.below(int(b) + 1))]);
  if (from.one_in(8) && c.members.size() > 1) c.members.front() = c.members.back();
  if (from.one_in(32) && !c.members.empty()) c.members.front() = nullptr;
  c.members.push_back(nullptr);  // so that there is an array even of none
  o.members = c.members.data();
  o.data = nullptr;
}

void fill(operand_case& c, bytes& from) {
  const std::size_t entry = bytes_of(c.o.type);
  if (c.memory == nullptr) {
    const auto spanned = entries_spanned(c.o);
    if (!spanned) return;
    c.memory = std::make_shared<block>(std::size_t(*spanned) * entry);
    c.o.data = c.memory->data() + bytes_before(c.o);
  }
  // What repeats after a number of entries that no extent is a multiple of.
  const unsigned seed = from.next();
  for (std::size_t i = 0; i < c.memory->bytes() / entry; ++i) {
    const auto some = unsigned(i) * 2654435761u + seed * 40503u;
    write_entry(c.o.type, c.memory->data() + i * entry, {double(some >> 16 & 7) - 3, double(some >> 20 & 7) - 3});
  }
}

std::string text_of(const operand_case& c) {
  const tessera_operand& o = c.o;
  std::string text = "  type " + std::to_string(o.type) + ", space " + std::to_string(o.space) + ", rank " +
                     std::to_string(o.rank) + ", extents";
  for (const std::int64_t n : o.extent) text += " " + std::to_string(n);
  text += ", strides";
  for (const std::int64_t n : o.stride) text += " " + std::to_string(n);
  if (o.batched)
    text += ", batch of " + std::to_string(o.count) + ", stride " + std::to_string(o.batch_stride) + ", lanes " +
            std::to_string(o.lanes);
  if (o.members != nullptr) text += ", group";
  if (o.conjugated) text += ", conjugated";
  return text + (c.memory != nullptr ? ", in memory" : ", nowhere") + "\n";
}

}  // namespace fuzz
