// SPDX-License-Identifier: BSD-3-Clause
// Forms of packed products in words and back.
#include <tessera/lies_text.hpp>

#include <set>

#include "testing/catch.hpp"

using namespace tessera;

TEST_CASE("every form has a text of its own, which leads back to it") {
  constexpr lie all[] = {lie::by_cols, lie::by_rows, lie::shared_by_cols, lie::shared_by_rows};
  std::set<std::string> texts;
  for (const lie left : all)
    for (const lie right : all)
      for (const lie out : {lie::by_cols, lie::by_rows}) {
        const packed_lies lies{left, right, out};
        const std::string text = form_text(lies);
        INFO(text);
        REQUIRE(lies_from(text));
        CHECK(*lies_from(text) == lies);
        texts.insert(text);
      }
  CHECK(texts.size() == 32);
}

TEST_CASE("forms say what differs from columns; other texts are none") {
  CHECK(form_text({}) == "packed");
  CHECK(form_text({lie::shared_by_rows, lie::by_rows, lie::by_cols}) == "packed, A shared by rows, B by rows");
  for (const char* text : {"", "gemm", "packed,", "packed, A", "packed, C shared", "packed, B shared, A shared"})
    CHECK_FALSE(lies_from(text));
}
