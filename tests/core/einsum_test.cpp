// SPDX-License-Identifier: BSD-3-Clause
// Einsum strings at compile time: what is read, and the reason and the letter where one is refused.
#include <tessera/core/einsum.hpp>

#include <string>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

constexpr einsum good = parse_einsum("kj,jbc->kbc");
static_assert(good.fault == einsum_fault::none && good.inputs == 2);
static_assert(good.operand[0].rank == 2 && good.operand[0].letter[0] == 'k' && good.operand[0].letter[1] == 'j');
static_assert(good.operand[1].find('c') == 2 && good.operand[1].find('k') == -1 && good.out().has('b'));
static_assert(parse_einsum("ki, kj, kl -> ilj").inputs == 3 &&
              parse_einsum("ki, kj, kl -> ilj").fault == einsum_fault::none);
static_assert(parse_einsum("aB,Bc->ac").fault == einsum_fault::none);
// A scalar result, and a matrix by a number of rank 0 for an input.
static_assert(parse_einsum("i,i->").fault == einsum_fault::none && parse_einsum("i,i->").out().rank == 0);
static_assert(parse_einsum("abcdefgh,hi->abcdefgi").fault == einsum_fault::none);

constexpr bool refused(const char* text, einsum_fault fault, char offender) {
  const einsum e = parse_einsum(text);
  return e.fault == fault && e.offender == offender;
}

static_assert(refused("", einsum_fault::malformed, 0));
static_assert(refused("ij,jk", einsum_fault::malformed, 0));
static_assert(refused("ij,jk-ik", einsum_fault::malformed, '-'));
static_assert(refused("ij,jk->ik->", einsum_fault::malformed, '-'));
static_assert(refused("i1,1k->ik", einsum_fault::malformed, '1'));
static_assert(refused("ij;jk->ik", einsum_fault::malformed, ';'));
static_assert(refused("ij->ij", einsum_fault::operand_count, 0));
static_assert(parse_einsum("ij,jk,kl,lm->im").fault == einsum_fault::operand_count);
static_assert(refused("ij,jk->i,k", einsum_fault::malformed, ','));
static_assert(refused("abcdefghijklm,m->abcdefghijkl", einsum_fault::rank, 'm'));
static_assert(refused("ii,ij->j", einsum_fault::repeated_input_letter, 'i'));
static_assert(refused("ij,jk->ii", einsum_fault::repeated_output_letter, 'i'));
static_assert(refused("ij,jk->iz", einsum_fault::unknown_output_letter, 'z'));
static_assert(refused("ijx,jk->ik", einsum_fault::lonely_letter, 'x'));

// Eight summed letters are the most; three inputs could share twelve.
static_assert(parse_einsum("abcdefghijkl,abcdefghijkl->").fault == einsum_fault::none);
static_assert(refused("abcdefghijkl,abcdefmnopqr,ghijklmnopqr->", einsum_fault::summed_letters, 'm'));

// The string itself as a template argument.
template <fixed_string Text>
constexpr einsum parsed = parse_einsum(Text.text);
static_assert(parsed<"ij,jk->ik">.out().rank == 2);

}  // namespace

TEST_CASE("a parsed einsum holds its letters in order", "[einsum]") {
  const einsum e = parse_einsum("ki,kj,abkcd->abicdj");
  REQUIRE(e.fault == einsum_fault::none);
  const auto text = [](const modes& m) { return std::string(m.letter, m.letter + m.rank); };
  CHECK(text(e.operand[0]) == "ki");
  CHECK(text(e.operand[1]) == "kj");
  CHECK(text(e.operand[2]) == "abkcd");
  CHECK(text(e.out()) == "abicdj");
}
