// SPDX-License-Identifier: BSD-3-Clause
// Suite gemm: C = op(A) op(B) + beta C over a batch of small matrices.
#include "product_case.hpp"
#include "suites.hpp"

namespace tessera::bench {

int run_gemm(const options& o) {
  const std::vector<gemm_size> sizes = parse_sizes(o.sizes);
  const std::vector<peer> peers = choose_peers(o.peers);
  report to(o, peers);
  const setting s = make_setting(o, peers, to);
  for (const gemm_size& size : sizes) run_case(product_case(size, s), s, to);
  return to.finish();
}

}  // namespace tessera::bench
