// SPDX-License-Identifier: BSD-3-Clause
// Forms of packed products in words and back.
#include <tessera/detail/packed_layouts_text.hpp>

#include <set>

#include "testing/catch.hpp"

using namespace tessera;

TEST_CASE("every form has a text of its own, which leads back to it") {
  constexpr packed_layout all[] = {packed_layout::by_cols, packed_layout::by_rows, packed_layout::shared_by_cols,
                                   packed_layout::shared_by_rows};
  std::set<std::string> texts;
  for (const packed_layout left : all)
    for (const packed_layout right : all)
      for (const packed_layout out : {packed_layout::by_cols, packed_layout::by_rows}) {
        const packed_layouts layouts{left, right, out};
        const std::string text = form_text(layouts);
        INFO(text);
        REQUIRE(layouts_from(text));
        CHECK(*layouts_from(text) == layouts);
        texts.insert(text);
      }
  CHECK(texts.size() == 32);
}

TEST_CASE("forms say what differs from columns; other texts are none") {
  CHECK(form_text({}) == "packed");
  CHECK(form_text({packed_layout::shared_by_rows, packed_layout::by_rows, packed_layout::by_cols}) ==
        "packed, A shared by rows, B by rows");
  for (const char* text : {"", "gemm", "packed,", "packed, A", "packed, C shared", "packed, B shared, A shared"})
    CHECK_FALSE(layouts_from(text));
}
