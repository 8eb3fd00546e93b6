// SPDX-License-Identifier: BSD-3-Clause
// Suite gemm: C = op(A) op(B) + beta C over a batch of small matrices.
#include "product_case.hpp"
#include "suites.hpp"

namespace tessera::bench {

int run_gemm(const options& o) {
  const std::vector<gemm_size> sizes = parse_sizes(o.sizes);
  const std::vector<peer> peers = choose_peers(o.peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  const std::vector<std::string> turns =
      o.trans == "mixed" ? std::vector<std::string>{"nn", "tn", "nt", "tt"} : std::vector<std::string>{o.trans};
  for (std::size_t i = 0; i < sizes.size(); ++i) run_case(product_case(sizes[i], turns[i % turns.size()], s), s, to);
  return to.finish();
}

}  // namespace tessera::bench
