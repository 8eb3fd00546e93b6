// SPDX-License-Identifier: BSD-3-Clause
// deal.II's kernels of the orders 7 to 8.
#include "peers/dealii/kernel.hpp"

namespace tessera::bench::dealii_peer {

std::vector<kernel_row> orders_7_to_8() { return rows_from<7>(std::make_integer_sequence<int, 2>()); }

}  // namespace tessera::bench::dealii_peer
