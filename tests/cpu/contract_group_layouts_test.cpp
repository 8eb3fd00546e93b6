// SPDX-License-Identifier: BSD-3-Clause
// Groups of contract<> in other types and layouts: bit for bit the batch's result.
#include "contract_group_case.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Entries in an order that no strides describe.
struct swapped {
  constexpr tessera::extents<3, 4> extents() const { return {}; }
  constexpr index_t offset(index_t i, index_t j) const { return (3 * j + i) ^ 1; }
};

}  // namespace

TEST_CASE("a group gives the batch's bits, in every layout", "[cpu][contract][group]") {
  constexpr mixtures alone = mixtures::groups_alone;
  for (const scaling s : {assign, scaling{2, -0.5}}) {
    check_mixtures<"ik,kj->ij", float, alone>(of_size<9, 7>(), of_size<7, 9>(), of_size<9, 9>(), s);
    check_mixtures<"ki,kj->ji", double, alone>(of_size<3, 5>(), of_size<3, 4>(), of_size<4, 5>(), s);
    check_mixtures<"ik,kj->ij", double, alone>(row_major(of_size<5, 3>()), pad_to<4>(of_size<3, 4>()),
                                               column_major(of_size<5, 4>(), 7), s);
    check_mixtures<"ki,kj->ij", double, alone>(swapped{}, of_size<3, 2>(), of_size<4, 2>(), s);
    check_mixtures<"ki,kj->ij", double, alone>(swapped{}, of_size(3, 2), of_size(4, 2), s);
    check_mixtures<"ij,ij->ij", double, alone>(of_size(5, 3), row_major(of_size(5, 3)), of_size(5, 3), s);
  }
}
