// SPDX-License-Identifier: BSD-3-Clause
// Tests timing: how much memory, how long a sample, and that it tells a slow kernel from a fast one.
#include "work/kernel_timing.hpp"

#include <algorithm>

#include "measure/machine.hpp"
#include "measure/stopwatch.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

index_t products = 0, furthest = 0;
double least_seen = 1;

// Takes about `nanoseconds` a product, whatever the machine.
template <int nanoseconds>
void waits(const problem<float>& p, index_t first, index_t last) {
  products += last - first;
  furthest = std::max(furthest, last);
  least_seen = std::min(least_seen, double(p.beta));
  const bench::stopwatch watch;
  while (watch.seconds() < 1e-9 * nanoseconds * double(last - first)) continue;
}

tuning_case sized(index_t n, memory_regime in) { return {target::reference, scalar_type::f32, in, n, n, n}; }

}  // namespace

TEST_CASE("operands take half of L2, or exceed the last-level cache") {
  CHECK(operand_bytes(memory_regime::cache) == bench::this_machine().l2_bytes / 2);
  CHECK(operand_bytes(memory_regime::stream) >= 4 * bench::this_machine().llc_bytes);
  CHECK(operand_bytes(memory_regime::stream) >= std::size_t{256} << 20);
  timing_ground<float> ground(sized(8, memory_regime::cache));
  const auto bytes = std::size_t(ground.batch()) * 3 * 64 * 4;
  CHECK(bytes <= bench::this_machine().l2_bytes / 2);
  CHECK(bytes > bench::this_machine().l2_bytes / 3);
}

TEST_CASE("a sample lasts long enough and gives the time of one product") {
  timing_ground<float> ground(sized(16, memory_regime::cache));
  const bench::stopwatch watch;
  double slow = ground.sample(waits<400>, 2e-3).seconds, fast = ground.sample(waits<100>, 2e-3).seconds;
  CHECK(watch.seconds() >= 8e-3);  // both of C = A B and C += A B, twice
  CHECK(least_seen == 0);
  // A busy machine makes times longer, hardly shorter: the best of several tell.
  for (int i = 0; i < 100 && slow < 2 * fast; ++i) {
    slow = std::min(slow, ground.sample(waits<400>, 1e-4).seconds);
    fast = std::min(fast, ground.sample(waits<100>, 1e-4).seconds);
  }
  CHECK((slow > 390e-9 && slow < 4e-6));
  CHECK(fast > 99e-9);
  CHECK(slow / fast > 2);
  CHECK(ground.is_intact());
}

TEST_CASE("streamed samples move on through all of the memory") {
  timing_ground<float> ground(sized(8, memory_regime::stream));
  products = furthest = 0;
  ground.sample(waits<10>, 1e-4);
  CHECK(products < ground.batch());
  for (int i = 0; i < 40 && furthest < ground.batch(); ++i) ground.sample(waits<10>, 1e-4);
  CHECK(furthest == ground.batch());
}

TEST_CASE("buffers lie one behind the other in large pages, and see what is written between them") {
  constexpr std::size_t entries = 100, bytes = guarded_buffer<double>::bytes_for(entries);
  large_pages memory(2 * bytes);
  guarded_buffer<double> first(memory, entries), second(memory, entries);
  CHECK(reinterpret_cast<std::byte*>(second.data()) - reinterpret_cast<std::byte*>(first.data()) ==
        std::ptrdiff_t(bytes));
  std::fill(first.begin(), first.end(), 1.0);
  CHECK((first.is_intact() && second.is_intact()));
  *second.end() = 1.0;
  CHECK((first.is_intact() && !second.is_intact()));
  tessera::testing::check_failure(status::internal, {"large_pages"}, [&] { memory.take(std::size_t{1} << 40); });
}
