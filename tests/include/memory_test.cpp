// SPDX-License-Identifier: BSD-3-Clause
// Host memory: aligned, zeroed, counted; and what asking for too much says.
#include <tessera/memory.hpp>

#include <cstdint>
#include <utility>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

namespace {

bool is_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % host_alignment == 0; }

}  // namespace

TEST_CASE("host memory is aligned to 64 bytes and zeroed", "[memory]") {
  // The last two are touched by several threads, in shares of whole pages.
  for (std::size_t bytes : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{4097},
                            (std::size_t{1} << 20) - 1, (std::size_t{1} << 20) + 4097, std::size_t{3} << 20}) {
    const buffer memory(space_kind::cpu, bytes);
    REQUIRE(is_aligned(memory.data()));
    CHECK(memory.bytes() == bytes);
    const char* data = static_cast<const char*>(memory.data());
    std::size_t nonzero = 0;
    for (std::size_t i = 0; i < bytes; ++i) nonzero += data[i] != 0;
    CHECK(nonzero == 0);
  }
}

TEST_CASE("an allocation of nothing is a null pointer and is not counted", "[memory]") {
  const std::size_t before = allocation_count();
  const buffer none(space_kind::cpu, 0);
  CHECK(none.data() == nullptr);
  CHECK(allocation_count() == before);
  const buffer some(space_kind::cpu, 8);
  CHECK(allocation_count() == before + 1);
}

TEST_CASE("a buffer moves without copying", "[memory]") {
  buffer a(space_kind::cpu, 100);
  void* const data = a.data();
  const buffer b = std::move(a);
  CHECK(b.data() == data);
}

TEST_CASE("too much memory is an error that names the bytes", "[memory]") {
  check_failure(status::out_of_memory, {"allocate", "4611686018427387904 bytes"},
                [] { allocate(space_kind::cpu, std::size_t{1} << 62); });
  check_failure(status::out_of_memory, {"allocate", "18446744073709551615 bytes"},
                [] { allocate(space_kind::cpu, SIZE_MAX); });
}
