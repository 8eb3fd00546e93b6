// SPDX-License-Identifier: BSD-3-Clause
// Contractions as values: what they hold, and what a refused text says.
#include <tessera/contraction.hpp>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

TEST_CASE("a contraction keeps its text and scaling", "[contraction]") {
  const contraction c("kj,jbc->kbc", {2, -1});
  CHECK(c.text() == "kj,jbc->kbc");
  CHECK(c.modes().inputs == 2);
  CHECK(c.scale().alpha == 2);
  CHECK(c.scale().beta == -1);
  const contraction scaled = c.scaled(3, 0.5);
  CHECK(scaled.text() == c.text());
  CHECK(scaled.scale().alpha == 3);
  CHECK(scaled.scale().beta == 0.5);
  CHECK(contraction("ij,jk->ik").scale().beta == 0);
  CHECK(contraction("ij,jk->ik", add).scale().beta == 1);
}

TEST_CASE("a text that is no contraction says why", "[contraction]") {
  const auto refuse = [](const char* text, std::initializer_list<std::string_view> words) {
    check_failure(status::bad_einsum, {"contraction", text}, [&] { contraction{text}; });
    check_failure(status::bad_einsum, words, [&] { contraction{text}; });
  };
  refuse("ij,jk->iz", {"'z'", "no input"});
  refuse("ij,jk->ii", {"'i'", "repeated in the output"});
  refuse("ii,ij->j", {"'i'", "repeated in one input"});
  refuse("ijx,jk->ik", {"'x'", "one operand only"});
  refuse("i?,jk->ik", {"'?'"});
  refuse("ij,jk", {"ab,bc->ac"});
  refuse("ij->ij", {"two or three inputs"});
  refuse("ij,jk,kl,lm->im", {"two or three inputs"});
  refuse("abcdefghijklm,m->abcdefghijkl", {"12 letters"});
  refuse("abcdefghijkl,abcdefmnopqr,ghijklmnopqr->", {"more than 12 letters are summed"});
  refuse("", {"ab,bc->ac"});
  // A text from a file may hold a zero byte: it is not silently cut off there.
  check_failure(status::bad_einsum, {"contraction"}, [] { contraction{std::string_view("ij,jk->ik\0x", 11)}; });
}
