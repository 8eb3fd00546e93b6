// SPDX-License-Identifier: BSD-3-Clause
// Host memory: aligned, zeroed, counted, from an allocator of the program's; and what asking for too much says.
#include <tessera/batch.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
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

namespace {

/// Of the C library's memory, with counts; gives what is misaligned by `off` bytes.
struct counting {
  std::size_t given = 0, taken_back = 0, bytes = 0, off = 0;
  bool empty = false;

  allocator hooks() {
    return {[this](space_kind, std::size_t size) -> void* {
              if (empty) return nullptr;
              ++given;
              bytes += size;
              const std::size_t room = (size + off + host_alignment - 1) / host_alignment * host_alignment;
              char* const memory = static_cast<char*>(std::aligned_alloc(host_alignment, room));
              std::memset(memory, 7, room);
              return memory + off;
            },
            [this](space_kind, void* memory) {
              ++taken_back;
              std::free(static_cast<char*>(memory) - off);
            }};
  }
};

struct set_for_now {
  explicit set_for_now(counting& by) { set_allocator(by.hooks()); }
  ~set_for_now() { set_allocator({}); }
};

}  // namespace

TEST_CASE("memory comes from the allocator that was set, and goes back there", "[memory]") {
  REQUIRE(live_allocations() == 0);
  counting by;
  {
    const set_for_now set(by);
    {
      const buffer some(space_kind::cpu, 100), more(space_kind::cpu, 28);
      const auto x = make_batch<double>(of_size<3>(), 5);
      CHECK(by.given == 3);
      CHECK(by.taken_back == 0);
      CHECK(by.bytes == 100 + 28 + 15 * sizeof(double));
      CHECK(live_allocations() == 3);
      for (std::size_t i = 0; i < 100; ++i) CHECK(static_cast<const char*>(some.data())[i] == 0);
    }
    CHECK(by.taken_back == 3);
    CHECK(live_allocations() == 0);
  }
  const buffer own(space_kind::cpu, 8);
  CHECK(by.given == 3);
}

TEST_CASE("what an allocator throws when it takes memory back does not end the process", "[memory]") {
  REQUIRE(live_allocations() == 0);
  int taken_back = 0;
  set_allocator({[](space_kind, std::size_t size) {
                   return std::aligned_alloc(host_alignment,
                                             (size + host_alignment - 1) / host_alignment * host_alignment);
                 },
                 [&](space_kind, void* memory) {
                   std::free(memory);
                   ++taken_back;
                   throw std::runtime_error("a mistake");
                 }});
  { const buffer some(space_kind::cpu, 100); }
  CHECK(taken_back == 1);
  CHECK(live_allocations() == 0);
  set_allocator({});
}

TEST_CASE("an allocator is not exchanged while its memory is in use", "[memory]") {
  REQUIRE(live_allocations() == 0);
  counting by;
  buffer own(space_kind::cpu, 8);
  check_failure(status::invalid_argument, {"set_allocator", "1 allocations are in use"},
                [&] { set_allocator(by.hooks()); });
  own = buffer();
  set_allocator(by.hooks());
  buffer theirs(space_kind::cpu, 8);
  check_failure(status::invalid_argument, {"set_allocator", "1 allocations are in use"}, [] { set_allocator({}); });
  CHECK(by.given == 1);
  theirs = buffer();
  CHECK(by.taken_back == 1);
  set_allocator({});
}

TEST_CASE("what an allocator does wrong is said", "[memory]") {
  counting by;
  check_failure(status::null_pointer, {"set_allocator", "deallocate is missing"},
                [&] { set_allocator({.allocate = by.hooks().allocate}); });
  const set_for_now set(by);
  by.off = 8;
  check_failure(status::invalid_argument, {"40 bytes of host memory", "8 bytes behind a multiple of 64"},
                [] { buffer(space_kind::cpu, 40); });
  CHECK(by.given == by.taken_back);
  by.empty = true;
  check_failure(status::out_of_memory, {"allocator that was set", "40 bytes"}, [] { buffer(space_kind::cpu, 40); });
  CHECK(live_allocations() == 0);
  if (!device::available()) {
    check_failure(status::no_device, {"allocate 40 bytes"}, [] { buffer(space_kind::gpu, 40); });
    CHECK(live_allocations() == 0);
  }
}
