// SPDX-License-Identifier: BSD-3-Clause
// Suite contraction: the pairwise contractions of Table 1 over a batch of elements, tables shared.
#include "contraction_case.hpp"
#include "sizes.hpp"
#include "suites.hpp"

namespace tessera::bench {

int run_contraction(const options& o) {
  const std::vector<table_row> rows = choose_rows(o.row);
  const std::vector<int> orders = parse_orders(o.orders);
  points_for(o.points, 1);
  const std::vector<peer> peers = choose_peers(o.peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  for (const table_row& row : rows)
    for (int p : orders) run_case(contraction_case(row, p, s), s, to);
  return to.finish();
}

}  // namespace tessera::bench
