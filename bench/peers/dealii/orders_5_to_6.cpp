// SPDX-License-Identifier: BSD-3-Clause
// deal.II's kernels of the orders 5 to 6.
#include "peers/dealii/kernel.hpp"

namespace tessera::bench::dealii_peer {

std::vector<kernel_row> orders_5_to_6() { return rows_from<5>(std::make_integer_sequence<int, 2>()); }

}  // namespace tessera::bench::dealii_peer
