// SPDX-License-Identifier: BSD-3-Clause
// The two-site update of tensor networks, Y = G X M with shared G and M: at once, in two stages, as a chain, of mixed
// shapes; and sums of operators.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <iostream>
#include <list>
#include <vector>

namespace {

using namespace tessera;

template <class Batch>
bool all_are(const Batch& y, double wanted) {
  return std::all_of(y.begin(), y.end(), [&](double found) { return found == wanted; });
}

bool update() {
  // snippet operands
  // Y[b][p][r] = sum over q, c of G[p][q] X[b][q][c] M[c][r]. Arrays of C, so the last index is the nearest in memory
  // and the first one of Tessera. The letters of G are qp, of X cq, of M rc, of Y rp; b is the batch.
  const index_t dp = 16, chi = 64, count = 8;
  auto G = make_tensor<double>(of_size(dp, dp)), M = make_tensor<double>(of_size(chi, chi));
  auto X = make_batch<double>(of_size(chi, dp), count), Y = make_batch<double>(of_size(chi, dp), count);
  std::fill(G.begin(), G.end(), 0.5);
  std::fill(M.begin(), M.end(), 2.0);
  std::fill(X.begin(), X.end(), 1.0);
  // end snippet
  bool right = true;
  const double wanted = double(dp * chi);
  {
    // snippet direct
    // One loop nest over p, q, c, r: dp^2 chi^2 terms an entry of the batch.
    const plan direct = make_plan(contraction("qp,cq,rc->rp"), G, X, M, Y);
    direct.run(G, X, M, Y);
    // end snippet
    right = right && all_are(Y, wanted);
  }
  std::fill(Y.begin(), Y.end(), -1.0);
  {
    // snippet stages
    // Two products of matrices over the batch: dp^2 chi + dp chi^2 terms. T is in memory.
    auto T = make_batch<double>(of_size(chi, dp), count);
    const plan first = make_plan(contraction("qp,cq->cp"), G, X, T);
    const plan second = make_plan(contraction("rc,cp->rp"), M, T, Y);
    first.run(G, X, T);
    second.run(M, T, Y);
    // end snippet
    right = right && all_are(Y, wanted);
  }
  std::fill(Y.begin(), Y.end(), -1.0);
  {
    // snippet chain
    // Both stages, T staying near: on a CPU in blocks of the batch whose T fits the cache, on a GPU in one launch, T in
    // registers or in shared memory.
    const chain both({{contraction("qp,cq->cp"), {operand_of(G)}}, {contraction("rc,cp->rp"), {operand_of(M)}}},
                     operand_of(X), operand_of(Y));
    buffer workspace(space_kind::cpu, both.workspace_bytes(count));
    both.run(X, Y, workspace);
    // end snippet
    std::cout << both.describe() << '\n';
    right = right && all_are(Y, wanted);
  }
  std::fill(Y.begin(), Y.end(), -1.0);
  {
    // snippet network
    // The order found by the library: with all pairs compared, the two stages.
    const network by_pairs = make_network("qp,cq,rc->rp", G, X, M, Y);
    by_pairs.run(G, X, M, Y);
    std::cout << by_pairs.flops() << " operations instead of " << by_pairs.flops_of_one_loop() << '\n';
    // end snippet
    right = right && all_are(Y, wanted) && by_pairs.flops() == 2. * double(count * (dp * dp * chi + dp * chi * chi));
  }
  return right;
}

bool mixed_shapes() {
  // snippet mixed
  // Updates of tensors anywhere in memory, of bonds that differ: G is shared by all, M by those of one bond.
  const index_t dp = 4;
  auto G = make_tensor<double>(of_size(dp, dp));
  std::fill(G.begin(), G.end(), 0.5);
  using matrix = decltype(make_tensor<double>(of_size(dp, dp)));
  std::list<matrix> memory;  // tensors stay where they are
  const auto filled = [&](index_t rows, index_t columns, double value) -> matrix& {
    memory.push_back(make_tensor<double>(of_size(rows, columns)));
    std::fill(memory.back().begin(), memory.back().end(), value);
    return memory.back();
  };
  std::vector<executor_item> items;
  std::vector<matrix*> results;
  for (const index_t chi : {8, 12, 20}) {
    const auto& M = filled(chi, chi, 2.0);
    for (int site = 0; site < 5; ++site) {
      const auto& X = filled(chi, dp, 1.0);
      auto &T = filled(chi, dp, 0.0), &Y = filled(chi, dp, 0.0);
      items.push_back(make_item(contraction("qp,cq->cp"), G, X, T));
      items.push_back(make_item(contraction("rc,cp->rp"), M, T, Y));
      results.push_back(&Y);
    }
  }
  const executor all(items);  // a run for each of 3 bonds and 2 stages, of 5 products each
  all.run();
  std::cout << all.launches() << " runs for " << items.size() << " products\n" << all.describe() << '\n';
  // end snippet
  return all.launches() == 6 && all.rounds() == 2 && std::all_of(results.begin(), results.end(), [&](const auto* Y) {
           return all_are(*Y, double(dp * Y->extents()(0)));
         });
}

bool operator_sum() {
  // snippet sum
  // Y[b] = sum over k of G[k] X[b] M[k], an operator of K terms: its matrix of dp chi rows is never there. The terms
  // are a letter of the first result, over which the second product sums.
  const index_t dp = 4, chi = 24, K = 5, count = 3;
  auto G = make_tensor<double>(of_size(dp, dp, K)), M = make_tensor<double>(of_size(chi, chi, K));
  auto X = make_batch<double>(of_size(chi, dp), count), Y = make_batch<double>(of_size(chi, dp), count);
  std::fill(G.begin(), G.end(), 0.5);
  std::fill(M.begin(), M.end(), 2.0);
  std::fill(X.begin(), X.end(), 1.0);
  const chain sum({{contraction("qpk,cq->cpk"), {operand_of(G)}}, {contraction("rck,cpk->rp"), {operand_of(M)}}},
                  operand_of(X), operand_of(Y));
  buffer workspace(space_kind::cpu, sum.workspace_bytes(count));
  sum.run(X, Y, workspace);
  // end snippet
  bool right = all_are(Y, double(K * dp * chi));
  std::fill(Y.begin(), Y.end(), 0.0);
  // snippet terms
  // Or a chain for each term, which adds to Y: for terms of different kinds, and many of them.
  for (index_t k = 0; k < K; ++k) {
    const auto Gk = view(G.data() + k * dp * dp, of_size(dp, dp)),
               Mk = view(M.data() + k * chi * chi, of_size(chi, chi));
    const chain term({{contraction("qp,cq->cp"), {operand_of(Gk)}}, {contraction("rc,cp->rp", add), {operand_of(Mk)}}},
                     operand_of(X), operand_of(Y));
    term.run(X, Y, workspace);
  }
  // end snippet
  return right && all_are(Y, double(K * dp * chi));
}

bool local_terms() {
  // snippet local
  // H x for a chain of spins, H being a sum of operators of two neighbours: x is seen as (states before, the two sites,
  // states behind), once for each pair. H of n spins would be a matrix of 2^n rows.
  const int n = 12;
  auto h = make_tensor<double>(of_size(4, 4));  // S.S of two spins: triplets have 1/4, the singlet -3/4
  h(0, 0) = h(3, 3) = 0.25;
  h(1, 1) = h(2, 2) = -0.25;
  h(1, 2) = h(2, 1) = 0.5;
  std::vector<double> x(std::size_t{1} << n, 1.0), y(x.size(), 0.0);
  for (int i = 0; i + 1 < n; ++i) {
    const auto sites = of_size(index_t{1} << i, 4, index_t{1} << (n - 2 - i));
    const auto in = view(x.data(), sites), out = view(y.data(), sites);
    make_plan(contraction("pq,lqr->lpr", add), h, in, out).run(h, in, out);
  }
  // end snippet
  // All spins along one direction.
  return std::all_of(y.begin(), y.end(), [&](double found) { return found == 0.25 * (n - 1); });
}

}  // namespace

bool mixed_shapes_in_chains() {
  const index_t dp = 4;
  auto G = make_tensor<double>(of_size(dp, dp));
  std::fill(G.begin(), G.end(), 0.5);
  // snippet mixed_chains
  // Items that are chains, of G and of the M of their bond. Where the tensors of a bond are in one allocation, evenly
  // spaced, they run as one chain over a batch: both stages in one launch on a GPU.
  struct sites_of_a_bond {
    decltype(make_tensor<double>(of_size(1, 1))) M;
    decltype(make_batch<double>(of_size(1, 1), 1)) X, Y;
  };
  std::list<sites_of_a_bond> bonds;
  std::vector<executor_item> items;
  for (const index_t chi : {8, 12, 20}) {
    const index_t sites = 5;
    bonds.push_back({make_tensor<double>(of_size(chi, chi)), make_batch<double>(of_size(chi, dp), sites),
                     make_batch<double>(of_size(chi, dp), sites)});
    auto& [M, X, Y] = bonds.back();
    std::fill(M.begin(), M.end(), 2.0);
    std::fill(X.begin(), X.end(), 1.0);
    for (index_t site = 0; site < sites; ++site)
      items.push_back(
          make_item({{contraction("qp,cq->cp"), {operand_of(G)}}, {contraction("rc,cp->rp"), {operand_of(M)}}}, X(site),
                    Y(site)));
  }
  const executor all(items);
  all.run();
  std::cout << all.describe() << '\n';
  // end snippet
  return all.shapes() == 3 && all.rounds() == 1 &&
         std::all_of(bonds.begin(), bonds.end(),
                     [&](const sites_of_a_bond& bond) { return all_are(bond.Y, double(dp * bond.M.extents()(0))); });
}

int main() { return update() && mixed_shapes() && mixed_shapes_in_chains() && operator_sum() && local_terms() ? 0 : 1; }
