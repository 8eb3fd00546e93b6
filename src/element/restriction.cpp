// SPDX-License-Identifier: BSD-3-Clause
// Checks the lists of a restriction, and goes over them plainly.
#include <tessera/element/restriction.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include "restriction_state.hpp"

namespace tessera {

namespace detail {

namespace {

[[noreturn]] void refuse_restriction(const std::string& why, status code = status::invalid_argument) {
  throw error("restriction: " + why, code);
}

void check_restriction_sizes(const restriction_spec& s) {
  if (s.elements < 0) refuse_restriction(std::to_string(s.elements) + " elements", status::overflow);
  if (s.entries < 1) refuse_restriction(std::to_string(s.entries) + " entries of an element; there is at least one");
  if (s.components < 1) refuse_restriction(std::to_string(s.components) + " components; there is at least one");
  if (s.size < 0) refuse_restriction(std::to_string(s.size) + " numbers of an L-vector", status::overflow);
  checked_product("restriction", {s.elements, s.entries, s.components}, sizeof(double));
  checked_product("restriction", {s.size}, sizeof(double));
  if (s.components > 1 && s.component_stride < 1)
    refuse_restriction("component stride " + std::to_string(s.component_stride) + " of " +
                       std::to_string(s.components) + " components; it is at least 1");
  if (s.elements > 0 && s.components > 1 && s.component_stride > s.size / (s.components - 1))
    refuse_restriction(std::to_string(s.components) + " components by a stride of " +
                       std::to_string(s.component_stride) + " do not fit " + std::to_string(s.size) + " numbers");
  if ((s.offsets == nullptr) == (s.offsets64 == nullptr) && s.elements > 0)
    refuse_restriction(s.offsets == nullptr ? "null offsets" : "offsets of 32 and of 64 bits are both given",
                       s.offsets == nullptr ? status::null_pointer : status::invalid_argument);
  if (int(s.negative) < 0 || int(s.negative) > 2)
    refuse_restriction("negative offsets " + std::to_string(int(s.negative)) +
                       " is none of refused, sign, constrained");
}

std::string not_in(index_t last) {
  return last < 0 ? ", and there are no numbers" : " is not one of 0 to " + std::to_string(last);
}

// Takes offsets as they are given; what negative ones stand for is decided here.
template <class Given, class Kept>
void take_offsets(const restriction_spec& s, const Given* given, std::vector<Kept>& kept, restriction_state& to) {
  const index_t count = s.elements * s.entries, last = s.component_stride * (s.components - 1);
  kept.resize(std::size_t(count));
  for (index_t j = 0; j < count; ++j) {
    const index_t k = given[j], number = k < 0 ? -1 - k : k;
    if ((k < 0 && s.negative == negative_offset::refused) || number > s.size - 1 - last)
      refuse_restriction("offset " + std::to_string(k) + " of entry " + std::to_string(j % s.entries) + " of element " +
                         std::to_string(j / s.entries) + not_in(s.size - 1 - last));
    if (k < 0 && s.negative == negative_offset::constrained)
      for (int c = 0; c < s.components; ++c) to.constrained.push_back(number + c * s.component_stride);
    kept[std::size_t(j)] = Kept(s.negative == negative_offset::sign ? k : number);
    to.signs = to.signs || (k < 0 && s.negative == negative_offset::sign);
  }
}

// Each number is one component of one node.
void check_components(const restriction_state& s) {
  if (s.components == 1) return;
  std::vector<bool> first(std::size_t(s.size)), taken(std::size_t(s.size));
  for (index_t j = 0; j < s.elements * s.entries; ++j) first[std::size_t(s.number(j))] = true;
  for (index_t k = 0; k < s.size; ++k)
    for (int c = 0; c < s.components && first[std::size_t(k)]; ++c) {
      const index_t number = k + c * s.stride;
      if (taken[std::size_t(number)])
        refuse_restriction(
            "number " + std::to_string(number) + " is component " + std::to_string(c) + " of the node at offset " +
                std::to_string(k) +
                " and a component of another node; offsets of interleaved components are multiples of their "
                "number",
            status::overlap);
      taken[std::size_t(number)] = true;
    }
}

std::shared_ptr<const restriction_state> checked_restriction(const restriction_spec& s) {
  check_restriction_sizes(s);
  auto made = std::make_shared<restriction_state>();
  made->elements = s.elements;
  made->entries = s.entries;
  made->components = s.components;
  made->size = s.size;
  made->stride = s.components > 1 ? s.component_stride : 0;
  for (const index_t k : s.constrained)
    if (k < 0 || k >= s.size) refuse_restriction("constrained number " + std::to_string(k) + not_in(s.size - 1));
  made->constrained.assign(s.constrained.begin(), s.constrained.end());
  const bool wide = s.size > std::numeric_limits<std::int32_t>::max();
  const auto take = [&](const auto* given) {
    if (wide)
      take_offsets(s, given, made->wide, *made);
    else
      take_offsets(s, given, made->narrow, *made);
  };
  if (s.offsets64 != nullptr)
    take(s.offsets64);
  else if (s.offsets != nullptr)
    take(s.offsets);
  check_components(*made);
  std::sort(made->constrained.begin(), made->constrained.end());
  made->constrained.erase(std::unique(made->constrained.begin(), made->constrained.end()), made->constrained.end());
  return made;
}

// f(place in the E-vector, number of the L-vector, its sign) for every entry.
template <class F>
void each_entry(const restriction_state& s, const F& f) {
  for (index_t e = 0; e < s.elements; ++e)
    for (int c = 0; c < s.components; ++c)
      for (index_t i = 0; i < s.entries; ++i) {
        const index_t j = i + s.entries * e;
        f(i + s.entries * (c + s.components * e), s.number(j) + c * s.stride, s.is_negative(j) ? -1 : 1);
      }
}

}  // namespace

}  // namespace detail

restriction::restriction(const restriction_spec& spec) : state_(detail::checked_restriction(spec)) {}

restriction restriction::box(const box_spec& b) {
  const auto refuse = [](const std::string& why) { detail::refuse_restriction("box: " + why); };
  if (b.dim < 1 || b.dim > 3) refuse(std::to_string(b.dim) + " dimensions; there are 1 to 3");
  if (b.order < 1) refuse("order " + std::to_string(b.order) + "; it is at least 1");
  if (b.components < 1) refuse(std::to_string(b.components) + " components; there is at least one");
  index_t cells[3] = {1, 1, 1}, nodes[3] = {1, 1, 1}, each[3] = {1, 1, 1};
  for (int a = 0; a < b.dim; ++a) {
    if (b.cells[a] < 0) refuse(std::to_string(b.cells[a]) + " cells in direction " + std::to_string(a));
    detail::checked_product("restriction: box", {b.cells[a], index_t(b.order)}, sizeof(double));
    cells[a] = b.cells[a];
    nodes[a] = b.order * b.cells[a] + 1;
    each[a] = index_t(b.order) + 1;
  }
  detail::checked_product("restriction: box", {nodes[0], nodes[1], nodes[2], b.components}, sizeof(double));
  detail::checked_product("restriction: box", {cells[0], cells[1], cells[2], each[0], each[1], each[2]},
                          sizeof(double));
  const index_t all = nodes[0] * nodes[1] * nodes[2], factor = b.interleaved ? b.components : 1;
  std::vector<std::int64_t> offsets;
  offsets.reserve(std::size_t(cells[0] * cells[1] * cells[2] * each[0] * each[1] * each[2]));
  for (index_t e3 = 0; e3 < cells[2]; ++e3)
    for (index_t e2 = 0; e2 < cells[1]; ++e2)
      for (index_t e1 = 0; e1 < cells[0]; ++e1)
        for (index_t i3 = 0; i3 < each[2]; ++i3)
          for (index_t i2 = 0; i2 < each[1]; ++i2)
            for (index_t i1 = 0; i1 < each[0]; ++i1)
              offsets.push_back(factor *
                                (b.order * e1 + i1 + nodes[0] * (b.order * e2 + i2 + nodes[1] * (b.order * e3 + i3))));
  return restriction({.elements = cells[0] * cells[1] * cells[2],
                      .entries = each[0] * each[1] * each[2],
                      .components = b.components,
                      .size = all * b.components,
                      .offsets64 = offsets.data(),
                      .component_stride = b.interleaved ? 1 : all,
                      .constrained = b.constrained});
}

index_t restriction::elements() const { return state_->elements; }
index_t restriction::entries() const { return state_->entries; }
int restriction::components() const { return state_->components; }
index_t restriction::size() const { return state_->size; }
index_t restriction::component_stride() const { return state_->stride; }
bool restriction::has_signs() const { return state_->signs; }
std::span<const index_t> restriction::constrained() const { return state_->constrained; }
index_t restriction::offset(index_t i, index_t e) const { return state_->signed_number(i + state_->entries * e); }

std::string restriction::describe() const {
  const detail::restriction_state& s = *state_;
  return std::to_string(s.size) + " numbers, " + std::to_string(s.elements) + " elements of " +
         std::to_string(s.entries) + " entries" +
         (s.components > 1 ? ", " + std::to_string(s.components) + " components by " + std::to_string(s.stride) : "") +
         (s.is_wide() ? ", 64-bit offsets" : ", 32-bit offsets") + (s.signs ? " with signs" : "") +
         (s.constrained.empty() ? "" : ", " + std::to_string(s.constrained.size()) + " constrained");
}

namespace detail {

namespace {

// Whether both vectors are in device memory.
bool are_on_device(const char* method, const char* first, const void* a, const char* second, const void* b) {
  const bool is_there = device::is_device_pointer(a);
  if (is_there != device::is_device_pointer(b))
    throw error(std::string("restriction::") + method + ": " + (is_there ? first : second) + " is in device memory, " +
                    (is_there ? second : first) + " is not",
                status::wrong_space);
  return is_there;
}

}  // namespace

}  // namespace detail

template <class T>
void restriction::to_elements(const T* x, T* E, stream_view in) const {
  const detail::restriction_state& s = *state_;
  if (s.elements == 0) return;
  if (detail::are_on_device("to_elements", "x", x, "E", E))
    s.there.of(s).to_elements(x, E, in.handle());
  else
    detail::each_entry(s,
                       [&](index_t place, index_t number, int sign) { E[place] = sign < 0 ? -x[number] : x[number]; });
}
template <class T>
void restriction::add_from_elements(const T* E, T* y, stream_view in) const {
  const detail::restriction_state& s = *state_;
  if (s.elements == 0) return;
  if (detail::are_on_device("add_from_elements", "E", E, "y", y))
    s.there.of(s).add_from_elements(E, y, in.handle());
  else
    detail::each_entry(s,
                       [&](index_t place, index_t number, int sign) { y[number] += sign < 0 ? -E[place] : E[place]; });
}
template <class T>
void restriction::multiplicity(T* y) const {
  const detail::restriction_state& s = *state_;
  const auto count = [&](T* to) {
    std::fill_n(to, s.size, T(0));
    detail::each_entry(s, [&](index_t, index_t number, int) { to[number] += T(1); });
  };
  if (!device::is_device_pointer(y)) return count(y);
  std::vector<T> counts(static_cast<std::size_t>(s.size));
  count(counts.data());
  copy_memory(y, counts.data(), counts.size() * sizeof(T));
}

template void restriction::to_elements(const float*, float*, stream_view) const;
template void restriction::to_elements(const double*, double*, stream_view) const;
template void restriction::add_from_elements(const float*, float*, stream_view) const;
template void restriction::add_from_elements(const double*, double*, stream_view) const;
template void restriction::multiplicity(float*) const;
template void restriction::multiplicity(double*) const;

}  // namespace tessera
