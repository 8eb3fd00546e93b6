// SPDX-License-Identifier: BSD-3-Clause
// The einsums of Table 1 in the order in which they are run.
#include <tessera/fem/chains.hpp>

#include <string>

namespace tessera::fem {

namespace {

struct texts {
  std::vector<const char*> interpolate, back, assemble;  // first direction first
  const char* pointwise;
};

const texts in_2d{{"kj,jb->kb", "kj,aj->ak"},
                  {"ki,kb->ib", "ki,ak->ai"},
                  {"ki,kj,kl->ilj", "ki,kj,akb->aibj"},
                  "ab,ab->ab"};
const texts in_3d{{"kj,jbc->kbc", "kj,ajc->akc", "kj,abj->abk"},
                  {"ki,kbc->ibc", "ki,akc->aic", "ki,abk->abi"},
                  {"ki,kj,klm->ilmj", "ki,kj,akmb->aimbj", "ki,kj,abkcd->abicdj"},
                  "abc,abc->abc"};

const texts& for_directions(const direction_tables& tables) {
  if (tables.size() != 2 && tables.size() != 3)
    throw error("chain of a tensor-product element: " + std::to_string(tables.size()) + " tables, not 2 or 3");
  return tables.size() == 2 ? in_2d : in_3d;
}

}  // namespace

std::vector<chain_step> interpolation_steps(const direction_tables& tables) {
  const texts& t = for_directions(tables);
  std::vector<chain_step> steps;
  for (std::size_t a = tables.size(); a-- > 0;) steps.push_back({contraction(t.interpolate[a]), {tables[a]}});
  return steps;
}

std::vector<chain_step> evaluation_steps(const direction_tables& tables, const operand& D) {
  const texts& t = for_directions(tables);
  std::vector<chain_step> steps = interpolation_steps(tables);
  steps.push_back({contraction(t.pointwise), {D}});
  for (std::size_t a = tables.size(); a-- > 0;) steps.push_back({contraction(t.back[a]), {tables[a]}});
  return steps;
}

std::vector<chain_step> assembly_steps(const direction_tables& tables) {
  const texts& t = for_directions(tables);
  std::vector<chain_step> steps;
  for (std::size_t a = 0; a < tables.size(); ++a)
    steps.push_back({contraction(t.assemble[a]), {tables[a], tables[a]}});
  return steps;
}

std::vector<chain_step> dense_assembly_steps(const operand& B) {
  return {{contraction("kj,k->kj"), {B}}, {contraction("ki,kj->ij"), {B}}};
}

std::vector<chain_step> dense_evaluation_steps(const operand& B, const operand& D) {
  return {{contraction("kj,j->k"), {B}}, {contraction("k,k->k"), {D}}, {contraction("ki,k->i"), {B}}};
}

}  // namespace tessera::fem
