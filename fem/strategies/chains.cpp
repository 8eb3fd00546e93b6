// SPDX-License-Identifier: BSD-3-Clause
// The einsums of evaluation and assembly, in the order in which they are run.
#include <tessera/fem/strategies/chains.hpp>

#include <string>

namespace tessera::fem {

namespace {

// One step: its einsum, and the direction and form of its table.
struct link {
  const char* text;
  std::size_t direction;
  bool transposed;
};

struct links {
  std::vector<link> interpolate, back;
  const char* pointwise;
  std::vector<const char*> assemble;
};

// First direction first, both ways. Of the orders with the same number of operations this one has the longest
// contiguous rows where most of the work is: on a Zen 5 core with AVX-512 it takes 0.66-0.83 of the time of last
// direction first with (q,d) tables alone, least at p = 7 and 8. Products of pairs made beforehand take 0.35-0.79 of
// the time of pairs multiplied on the fly.
const links in_2d{{{"kj,jb->kb", 0, false}, {"jk,aj->ak", 1, true}},
                  {{"ik,kb->ib", 0, true}, {"ki,ak->ai", 1, false}},
                  "ab,ab->ab",
                  {"ikj,kl->ilj", "kij,akb->aibj"}};
const links in_3d{{{"kj,jbc->kbc", 0, false}, {"jk,ajc->akc", 1, true}, {"jk,abj->abk", 2, true}},
                  {{"ik,kbc->ibc", 0, true}, {"ki,akc->aic", 1, false}, {"ki,abk->abi", 2, false}},
                  "abc,abc->abc",
                  {"ikj,klm->ilmj", "kij,akmb->aimbj", "ijk,abkcd->abicdj"}};

const links& for_directions(std::size_t count) {
  if (count != 2 && count != 3)
    throw error("chain of a tensor-product element: tables of " + std::to_string(count) + " directions, not 2 or 3");
  return count == 2 ? in_2d : in_3d;
}

void append(std::vector<chain_step>& steps, const std::vector<link>& added, const direction_tables& tables) {
  for (const link& l : added)
    steps.push_back({contraction(l.text), {(l.transposed ? tables.transposed : tables.plain)[l.direction]}});
}

}  // namespace

std::vector<chain_step> interpolation_steps(const direction_tables& tables) {
  std::vector<chain_step> steps;
  append(steps, for_directions(tables.plain.size()).interpolate, tables);
  return steps;
}

std::vector<chain_step> evaluation_steps(const direction_tables& tables, const operand& D) {
  const links& l = for_directions(tables.plain.size());
  std::vector<chain_step> steps = interpolation_steps(tables);
  steps.push_back({contraction(l.pointwise), {D}});
  append(steps, l.back, tables);
  return steps;
}

std::vector<chain_step> assembly_steps(const std::vector<operand>& pairs) {
  const links& l = for_directions(pairs.size());
  std::vector<chain_step> steps;
  for (std::size_t a = 0; a < pairs.size(); ++a) steps.push_back({contraction(l.assemble[a]), {pairs[a]}});
  return steps;
}

std::vector<chain_step> dense_assembly_steps(const operand& B) {
  return {{contraction("kj,k->kj"), {B}}, {contraction("ki,kj->ij"), {B}}};
}

std::vector<chain_step> dense_evaluation_steps(const operand& B, const operand& D) {
  return {{contraction("kj,j->k"), {B}}, {contraction("k,k->k"), {D}}, {contraction("ki,k->i"), {B}}};
}

}  // namespace tessera::fem
