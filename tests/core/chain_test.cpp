// SPDX-License-Identifier: BSD-3-Clause
// Chains at compile time: the assembly and evaluation of Table 1 size their intermediates, and faults name their step.
#include "core/table1_rows.hpp"

#include "testing/catch.hpp"

using namespace tessera;
using table1::packed_facts;
using table1::tensor_shape;

namespace {

constexpr chain_link link(const char* text, auto... first) { return {parse_einsum(text), {first.facts()...}}; }

constexpr auto d1 = table1::d1, d2 = table1::d2, d3 = table1::d3, q1 = table1::q1, q2 = table1::q2, q3 = table1::q3;
constexpr tensor_shape b1 = table1::b1, b2 = table1::b2, b3 = table1::b3, weights(q1, q2, q3);

// (4a)-(4f) with D in the middle.
constexpr chain_link evaluation[] = {link("kj,abj->abk", b3),       link("kj,ajc->akc", b2), link("kj,jbc->kbc", b1),
                                     link("abc,abc->abc", weights), link("ki,abk->abi", b3), link("ki,akc->aic", b2),
                                     link("ki,kbc->ibc", b1)};
constexpr lowered_chain evaluated = lower_chain(evaluation, 7, packed_facts(d1, d2, d3), packed_facts(d1, d2, d3));
static_assert(evaluated.steps == 7 && evaluated.failed_step == -1);
static_assert(evaluated.step[0].form == canonical::eq8a && evaluated.step[1].form == canonical::eq8b);
static_assert(evaluated.step[3].form == canonical::pointwise && evaluated.step[6].form == canonical::eq8a);

// (2a)-(2c): D grows into M.
constexpr chain_link assembly[] = {link("ki,kj,klm->ilmj", b1, b1), link("ki,kj,akmb->aimbj", b2, b2),
                                   link("ki,kj,abkcd->abicdj", b3, b3)};
constexpr lowered_chain assembled = lower_chain(assembly, 3, weights.facts(), packed_facts(d1, d2, d3, d1, d2, d3));
static_assert(assembled.failed_step == -1 && assembled.step[2].form == canonical::eq9);

constexpr bool same_extents(const operand_facts& facts, const tensor_shape& wanted) {
  if (facts.rank != wanted.rank) return false;
  index_t stride = 1;
  for (int d = 0; d < facts.rank; ++d) {
    if (facts.extent[d] != wanted.extent[d] || facts.stride[d] != stride) return false;
    stride *= facts.extent[d];
  }
  return true;
}
static_assert(same_extents(evaluated.result[0], tensor_shape(d1, d2, q3)));
static_assert(same_extents(evaluated.result[1], tensor_shape(d1, q2, q3)));
static_assert(same_extents(evaluated.result[2], tensor_shape(q1, q2, q3)));
static_assert(same_extents(evaluated.result[4], tensor_shape(q1, q2, d3)));
static_assert(same_extents(assembled.result[0], tensor_shape(d1, q2, q3, d1)));
static_assert(same_extents(assembled.result[1], tensor_shape(d1, d2, q3, d1, d2)));

// The last step's output is checked too, and the first faulty step is the one named.
static_assert(lower_chain(evaluation, 7, packed_facts(d1, d2, d3), packed_facts(d1, d2, 9)).failed_step == 6);
static_assert(lower_chain(evaluation, 7, packed_facts(d1, d2, 9), packed_facts(d1, d2, d3)).failed_step == 0);
static_assert(lower_chain(evaluation, 7, packed_facts(9, d2, d3), packed_facts(d1, d2, d3)).failed_step == 2);
static_assert(lower_chain(evaluation, 7, packed_facts(d1, d2), packed_facts(d1, d2, d3)).step[0].fault ==
              lower_fault::rank);

}  // namespace

TEST_CASE("a chain stops lowering at its first fault", "[chain]") {
  const lowered_chain broken = lower_chain(evaluation, 7, packed_facts(d1, 9, d3), packed_facts(d1, d2, d3));
  CHECK(broken.failed_step == 1);
  CHECK(broken.step[0].fault == lower_fault::none);
  CHECK(broken.step[1].fault == lower_fault::extent);
  CHECK(broken.step[1].offender == 'j');
}
