// SPDX-License-Identifier: BSD-3-Clause
// Values as bytes and back.
#include "general/general_values.hpp"

#include <cstring>

#include "work/kernel_check.hpp"

namespace tessera::tune {

namespace {

constexpr int largest_integer = 4;

// -4 ... -1, 1 ... 4
double integer_at(std::uint64_t position) {
  const int drawn = int((value_at(position) + 1) * largest_integer);  // 0 ... 7
  return drawn < largest_integer ? drawn - largest_integer : drawn - largest_integer + 1;
}

template <class T>
void put(std::byte* at, const T& value) {
  std::memcpy(at, &value, sizeof value);
}
template <class T>
T taken(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Never inline: g++ 12 takes two doubles to floats and back for no change when it sees both ways.
[[gnu::noinline]] void store(scalar_type type, std::byte* at, const complex<double>& value) {
  switch (type) {
    case scalar_type::f32: return put(at, float(value.re));
    case scalar_type::f64: return put(at, value.re);
    case scalar_type::c32: return put(at, complex<float>(float(value.re), float(value.im)));
    case scalar_type::c64: return put(at, value);
    case scalar_type::f16: return put(at, half(float(value.re)));
    default: return put(at, bfloat16(float(value.re)));
  }
}

complex<double> load(scalar_type type, const std::byte* at) {
  switch (type) {
    case scalar_type::f32: return taken<float>(at);
    case scalar_type::f64: return taken<double>(at);
    case scalar_type::c32: {
      const auto value = taken<complex<float>>(at);
      return {double(value.re), double(value.im)};
    }
    case scalar_type::c64: return taken<complex<double>>(at);
    case scalar_type::f16: return double(float(taken<half>(at)));
    default: return double(float(taken<bfloat16>(at)));
  }
}

}  // namespace

complex<double> filled_value(filling with, scalar_type type, std::uint64_t seed, std::uint64_t position) {
  const std::uint64_t at = 2 * (position % filling_period) + seed * 0x10001;
  const auto number = [&](std::uint64_t which) {
    return with == filling::integers ? integer_at(which) : value_at(which);
  };
  return {number(at), is_complex_type(type) ? number(at + 1) : 0.0};
}

std::vector<std::byte> filled_entries(filling with, scalar_type type, std::uint64_t seed, std::size_t count) {
  std::vector<std::byte> entries(count * size_of(type));
  for (std::size_t i = 0; i < count; ++i)
    store(type, entries.data() + i * size_of(type), filled_value(with, type, seed, i));
  return entries;
}

complex<double> value_in(scalar_type type, const std::byte* entries, std::size_t position) {
  return load(type, entries + position * size_of(type));
}

complex<double> rounded_to(scalar_type type, const complex<double>& value) {
  std::byte place[sizeof(complex<double>)];
  store(type, place, value);
  return load(type, place);
}

}  // namespace tessera::tune
