// SPDX-License-Identifier: BSD-3-Clause
// The call of blast's plotting script, and why it may fail.
#include "picture.hpp"

#include <filesystem>
#include <string>

#include "temporary_file.hpp"
#include "testing/catch.hpp"

using namespace tessera::blast;

TEST_CASE("blast: the plotting script is there, and gets field and files", "[blast]") {
  CHECK(std::filesystem::exists(default_plot_program().script));
  // A shell reads this script in the place of Python.
  const temporary_file script("[ \"$*\" = \"--field energy a b.json c'd.png\" ] || exit 1");
  CHECK(draw_picture("a b.json", "c'd.png", "energy", {"sh", script.name()}) == "");
}

TEST_CASE("blast: why a picture is not drawn, in one line", "[blast]") {
  CHECK(draw_picture("a", "b", "density", {"no_such_python", "c"}) ==
        "cannot start 'no_such_python': No such file or directory");
  const temporary_file trace("echo 'Traceback:'; echo '  a line' >&2; echo 'ValueError: all is wrong.' >&2; exit 1");
  CHECK(draw_picture("a", "b", "density", {"sh", trace.name()}) == "ValueError: all is wrong");
  const temporary_file own("echo 'No picture: that needs more.'; exit 1");
  CHECK(draw_picture("a", "b", "density", {"sh", own.name()}) == "that needs more");
  const temporary_file silent("exit 3");
  CHECK(draw_picture("a", "b", "density", {"sh", silent.name()}) == "'sh' failed without a word");
}
