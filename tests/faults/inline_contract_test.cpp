// SPDX-License-Identifier: BSD-3-Clause
// contract<> on static views allocates nothing: it runs where every allocation is refused.
#include <algorithm>
#include <iterator>
#include <vector>

#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

#include "injection.hpp"
#include "testing/catch.hpp"

using namespace tessera;

namespace {

// Ones in, so that each entry of the result is the length of the sum.
template <fixed_string text, class A, class B, class C>
void check_without_memory(const A& a, const B& b, const C& c, double wanted) {
  double left[1024], right[1024], out[1024];
  std::fill(std::begin(left), std::end(left), 1.0);
  std::fill(std::begin(right), std::end(right), 1.0);
  faults::arm(1, faults::kind::from_there_on);
  contract<text>(view(left, a), view(right, b), view(out, c));
  const faults::counted seen = faults::disarm();
  CHECK(seen.asked == 0);
  for (index_t i = 0; i < c.size(); ++i) CHECK(out[i] == wanted);
}

}  // namespace

TEST_CASE("contract<> on static views allocates nothing") {
  check_without_memory<"ik,kj->ij">(of_size<2, 2>(), of_size<2, 2>(), of_size<2, 2>(), 2);
  check_without_memory<"ik,kj->ij">(of_size<5, 5>(), of_size<5, 5>(), of_size<5, 5>(), 5);
  check_without_memory<"ik,kj->ij">(of_size<16, 16>(), of_size<16, 16>(), of_size<16, 16>(), 16);
  check_without_memory<"kj,jbc->kbc">(of_size<4, 3>(), of_size<3, 3, 3>(), of_size<4, 3, 3>(), 3);
  check_without_memory<"kj,ajc->akc">(of_size<4, 3>(), of_size<3, 3, 3>(), of_size<3, 4, 3>(), 3);
  check_without_memory<"kj,abj->abk">(of_size<4, 3>(), of_size<3, 3, 3>(), of_size<3, 3, 4>(), 3);
  check_without_memory<"ab,ab->ab">(of_size<4, 3>(), of_size<4, 3>(), of_size<4, 3>(), 1);
}

TEST_CASE("contract<> on a small batch with static sizes allocates nothing") {
  std::vector<double> a(16 * 9, 1), b(16 * 9, 1), c(16 * 9);
  faults::arm(1, faults::kind::from_there_on);
  contract<"ik,kj->ij">(view_batch(a.data(), of_size<3, 3>(), 16), view_batch(b.data(), of_size<3, 3>(), 16),
                        view_batch(c.data(), of_size<3, 3>(), 16));
  CHECK(faults::disarm().asked == 0);
  for (const double entry : c) CHECK(entry == 3);
}

TEST_CASE("an allocation between arm and disarm is counted") {
  faults::arm(0, faults::kind::once);
  double* volatile memory = new double[100];  // volatile: the compiler may not leave it out
  CHECK(faults::disarm().asked == 1);
  delete[] memory;
}
