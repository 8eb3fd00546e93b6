// SPDX-License-Identifier: BSD-3-Clause
// deal.II's kernels of the orders 1 to 4.
#include "peers/dealii/kernel.hpp"

namespace tessera::bench::dealii_peer {

std::vector<kernel_row> orders_1_to_4() { return rows_from<1>(std::make_integer_sequence<int, 4>()); }

}  // namespace tessera::bench::dealii_peer
