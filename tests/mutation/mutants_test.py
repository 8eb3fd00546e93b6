# SPDX-License-Identifier: BSD-3-Clause
# Tests the mutation operators on small texts, and the copies on small folders; builds nothing.
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutants  # noqa: E402
import mutate  # noqa: E402
import trees  # noqa: E402


def changes(line, before="{"):
    """(kind, changed line) of each mutant of one line of a file."""
    return [(m.kind, m.after) for m in mutants.mutants_of("src", "a.cpp", f"{before}\n{line}\n") if m.line == 2]


class Operators(unittest.TestCase):
    def test_operators(self):
        self.assertIn(("relation", "  x = a <= b;"), changes("  x = a < b;"))
        self.assertIn(("arithmetic", "  x = a - b;"), changes("  x = a + b;"))
        self.assertIn(("logic", "  x = a || b;"), changes("  x = a && b;"))
        self.assertIn(("negation", "  x = a;"), changes("  x = !a;"))
        self.assertIn(("extreme", "  x = std::max(a, b);"), changes("  x = std::min(a, b);"))
        self.assertEqual({("constant", "  f(2, y);"), ("constant", "  f(0, y);"), ("statement", "  {}")},
                         set(changes("  f(1, y);")))

    def test_bounds(self):
        found = changes("  for (int i = 0; i < n; ++i) f(i);")
        self.assertIn(("bound", "  for (int i = 0; i < (n) + 1; ++i) f(i);"), found)
        self.assertIn(("bound", "  for (int i = 0; i < (n) - 1; ++i) f(i);"), found)

    def test_statements(self):
        for line in ("  a.b(c);", "  a[i] = 1;", "  ++i;", "  throw error(why);", "  if (a) return b;"):
            self.assertIn(("statement", "  {}"), changes(line), line)
        for line in ("  const int a = f();", "  return f();", "  int f(int);", "  using a = b;"):
            self.assertNotIn(("statement", "  {}"), changes(line), line)
        self.assertNotIn(("statement", "  {}"), changes("  a.b(c);", before="  x ="), "the end of another statement")

    def test_what_is_no_code(self):
        for line in ("// a < b", '  f("a < b");', "#if a < 1", "  static_assert(a < 1);", "/* a < b */",
                     '  throw error("x" + text(a + 1));', "template <int N = 1>", "  f<a>(b);", "  a('1');",
                     '  text += "a" + b;'):
            self.assertEqual([], [c for c in changes(line) if c[0] != "statement"], line)
        raw = mutants.mutants_of("src", "a.cpp", '{\n  x = R"(a < b\n a < b)";\n  y = a < b;\n')
        self.assertEqual([4], sorted({m.line for m in raw if m.kind == "relation"}))
        several = mutants.mutants_of("src", "a.cpp", "#define A \\\n  a < b\n  static_assert(a <\n  b < c);\n")
        self.assertEqual([], several)

    def test_numbers_with_separators_and_fractions_stay(self):
        self.assertEqual([], [c for c in changes("  f(1'000, 0x10, 1.5, a1, 2u);") if c[0] != "statement"])


class Choice(unittest.TestCase):
    def test_even_and_repeatable(self):
        text = "".join(f"  x{i} = a < b + {i};\n" for i in range(50))
        everything = [m for group in mutants.GROUPS for m in mutants.mutants_of(group, f"{group}/a.cpp", "{\n" + text)]
        chosen = mutants.choose(everything, 30, 1)
        self.assertEqual(chosen, mutants.choose(everything, 30, 1))
        self.assertEqual(chosen[:12], mutants.choose(everything, 12, 1))
        self.assertNotEqual(chosen, mutants.choose(everything, 30, 2))
        for group in mutants.GROUPS:
            self.assertEqual(10, sum(m.group == group for m in chosen))
        self.assertEqual(30, len({(m.file, m.line) for m in chosen}))
        self.assertEqual(30, len({m.name for m in chosen}))


class Copies(unittest.TestCase):
    def test_synchronise(self):
        with tempfile.TemporaryDirectory() as scratch:
            source, copy = pathlib.Path(scratch) / "source", pathlib.Path(scratch) / "copy"
            (source / "a").mkdir(parents=True)
            (source / "build").mkdir()
            (source / "a" / "b").write_text("one")
            trees.synchronise(source, copy, {"build"})
            self.assertEqual("one", (copy / "a" / "b").read_text())
            self.assertFalse((copy / "build").exists())
            (copy / "a" / "b").write_text("two")
            (copy / "a" / "c").write_text("more")
            trees.synchronise(source, copy, {"build"})
            self.assertEqual("one", (copy / "a" / "b").read_text())
            self.assertFalse((copy / "a" / "c").exists())
            self.assertEqual(os.stat(source / "a" / "b").st_mtime_ns, os.stat(copy / "a" / "b").st_mtime_ns)


class Reports(unittest.TestCase):
    def test_outcomes(self):
        output = "The following tests FAILED:\n\t  3 - core: a (b) (Failed)\n\t  4 - src: c (SEGFAULT)\n"
        self.assertEqual(2, len(mutate.failed_tests(output)))
        self.assertTrue(mutate.is_assertion("a.hpp:1: error: static assertion failed"))
        self.assertFalse(mutate.is_assertion("a.hpp:1: error: no match for operator-"))

        self.assertIn("no match", mutate.first_error("FAILED: a.o\na.hpp:1: error: no match for operator-\n"))

    def test_summary(self):
        one = {"name": "1", "group": "src", "file": "src/a.cpp", "line": 3, "kind": "relation", "before": "a < b",
               "after": "a <= b", "by": "", "seconds": 1}
        text = mutate.summary([{**one, "outcome": outcome} for outcome in ("survived", "test", "invalid")])
        self.assertIn("killed    1 of    2 = 0.500", text)
        self.assertIn("survived: src/a.cpp:3", text)
        self.assertIn("-a < b\n+a <= b", text)


if __name__ == "__main__":
    unittest.main()
