// SPDX-License-Identifier: BSD-3-Clause
// A call in which allocations fail: what it writes, and what it says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/tessera.h>
#include <tessera/core/types.hpp>

namespace tessera::faults {

/// Collects texts without allocating: descriptions, which a failure must not change.
class said {
 public:
  void add(std::string_view text) {
    const std::size_t n = std::min(text.size(), sizeof text_ - size_);
    if (n > 0) std::memcpy(text_ + size_, text.data(), n);
    size_ += n;
  }
  std::string_view text() const { return {text_, size_}; }

 private:
  char text_[16384];
  std::size_t size_ = 0;
};

/// What a call of the C API gave instead of TESSERA_OK. Thrown by `expect_ok`.
struct c_failure {
  tessera_status code;
};
inline void expect_ok(tessera_status code) {
  if (code != TESSERA_OK) throw c_failure{code};
}

struct scenario {
  std::function<void(said&)> call;
  std::vector<std::span<std::byte>> outputs{};  ///< all that it may write
  std::shared_ptr<void> memory{};               ///< where they lie
  /// Of outputs in device memory: to there before the call, and from there behind it.
  std::function<void()> send{}, fetch{};
  /// Before each number of a failure, so that its call has something new to compile.
  std::function<void()> renew{};
};

struct named_scenario {
  std::string name;
  std::function<scenario(int threads)> make;
};
using scenarios = std::vector<named_scenario>;

template <class T>
std::span<std::byte> bytes_of(std::vector<T>& of) {
  return std::as_writable_bytes(std::span(of));
}

/// Small numbers, positive and negative, of any type that is made from a float.
template <class T>
std::vector<T> numbers(index_t count, unsigned seed = 1) {
  std::vector<T> all;
  all.reserve(std::size_t(count));
  unsigned state = seed * 2654435761u + 1u;
  for (index_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    all.push_back(T(float(int(state >> 16) % 9 - 4)));
  }
  return all;
}

scenarios plan_scenarios();
scenarios contract_scenarios();
scenarios container_scenarios();
scenarios chain_scenarios();
scenarios element_scenarios();
scenarios element_c_scenarios();
scenarios own_function_scenarios();
scenarios point_scenarios();
scenarios unknowns_scenarios();
scenarios mass_scenarios();
scenarios record_scenarios();

}  // namespace tessera::faults
