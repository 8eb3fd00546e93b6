// SPDX-License-Identifier: BSD-3-Clause
// A contraction of four tensors as pairs in the cheapest order: the effective Hamiltonian of one site of a chain.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

int main() {
  using namespace tessera;
  // snippet network
  // out(x,t,y) = sum over w, a, s, v, b of left(x,w,a) site(a,s,b) site_operator(w,t,s,v) right(y,v,b): bonds of 64, a
  // site of 2 states, an operator with bonds of 5.
  auto left = make_tensor<double>(of_size(64, 5, 64)), right = make_tensor<double>(of_size(64, 5, 64));
  auto site = make_tensor<double>(of_size(64, 2, 64)), out = make_tensor<double>(of_size(64, 2, 64));
  auto site_operator = make_tensor<double>(of_size(5, 2, 2, 5));
  std::fill(left.begin(), left.end(), 0.5);
  std::fill(right.begin(), right.end(), 0.25);
  std::fill(site.begin(), site.end(), 2.0);
  std::fill(site_operator.begin(), site_operator.end(), 1.0);

  const network apply = make_network("xwa,asb,wtsv,yvb->xty", left, site, site_operator, right, out);
  std::cout << apply.describe() << '\n';
  apply.run(left, site, site_operator, right, out);
  // end snippet
  std::fill(out.begin(), out.end(), -1.0);
  // snippet workspace
  // The same with memory of yours between the pairs, and added to the output.
  const network_options options{.scale = add, .own_workspace = false};
  const network adds = make_network("xwa,asb,wtsv,yvb->xty", left, site, site_operator, right, out, options);
  buffer workspace(space_kind::cpu, adds.workspace_bytes());
  adds.run_in(workspace, left, site, site_operator, right, out);
  // end snippet
  const double wanted = 0.5 * 2 * 0.25 * 64 * 64 * 5 * 5 * 2 - 1;
  return std::all_of(out.begin(), out.end(), [&](double x) { return std::abs(x - wanted) < 1e-6; }) ? 0 : 1;
}
