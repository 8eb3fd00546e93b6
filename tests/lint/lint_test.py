# SPDX-License-Identifier: BSD-3-Clause
# Tests the lints themselves: each must pass a clean tree and name the fault in a tree that breaks its rule.
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
HEAD = "// SPDX-License-Identifier: BSD-3-Clause\n// A file that the tests of the lints write.\n"


def run(lint, files):
    """(passed, output) of one lint over a tree of {name: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        result = subprocess.run([sys.executable, "-B", HERE / f"{lint}.py", folder], capture_output=True, text=True)
        return result.returncode == 0, result.stdout


class InlineCode(unittest.TestCase):
    LISTING = """
0000000000000000 <inline_one>:
   0:	test   %rdi,%rdi
   3:	call   8 <inline_one+0x8>
			4: R_X86_64_PLT32	{called}
   8:	ret

0000000000000010 <inline_one.cold>:
  10:	call   15 <inline_one.cold+0x5>
			11: R_X86_64_PLT32	__cxa_throw-0x4
"""

    def test_calls(self):
        sys.path.insert(0, str(HERE / "inline_code"))
        from inline_code import REPORTS, calls_of
        refused = calls_of(self.LISTING.format(called="tessera::detail::refuse_contract(char const*)-0x4"))
        self.assertEqual(list(refused), ["inline_one"])
        self.assertTrue(REPORTS.match(refused["inline_one"][0]))
        kernel = calls_of(self.LISTING.format(called="void tessera::simd::gemm<int>(int)-0x4"))
        self.assertEqual(kernel, {"inline_one": ["void tessera::simd::gemm<int>(int)"]})
        self.assertFalse(REPORTS.match(kernel["inline_one"][0]))
        nothing = calls_of(self.LISTING.replace("call   8 <inline_one+0x8>", "nop").replace("\t\t\t4: R_X86_64_PLT32\t{called}\n", ""))
        self.assertEqual(nothing, {"inline_one": []})


class Lints(unittest.TestCase):
    def check(self, lint, clean, broken, name):
        passed, output = run(lint, clean)
        self.assertTrue(passed, output)
        passed, output = run(lint, broken)
        self.assertFalse(passed, output)
        self.assertIn(name, output)

    def test_file_head(self):
        self.check("file_head", {"src/a.cpp": HEAD}, {"src/a.cpp": "int a;\n"}, "src/a.cpp")
        licence = HEAD.splitlines()[0] + "\n"
        self.check("file_head", {"src/a.cpp": HEAD}, {"src/a.cpp": licence + "#include <tessera/a.hpp>\n"}, "line 2")
        shell = HEAD.replace("//", "#")
        self.check("file_head", {"a.py": licence.replace("//", "#") + '"""What the module is for."""\n'},
                   {"a.py": licence.replace("//", "#") + "import os\n"}, "line 2")
        self.check("file_head", {"a.py": shell, "CMakeLists.txt": shell}, {"a.py": HEAD}, "line 1")

    def test_file_length(self):
        self.check("file_length", {"src/a.cpp": HEAD}, {"src/a.cpp": HEAD + "\n" * 400}, "402 lines")
        self.check("file_length", {"src/a.cpp": HEAD}, {"src/string_utils.cpp": HEAD}, "string_utils")

    def test_preprocessor(self):
        lines = HEAD + "\n" * 400
        self.check("preprocessor", {"a.cpp": lines + "#if A\n#endif\n"}, {"a.cpp": HEAD + "#if A\n#endif\n"}, "a.cpp:3")

    def test_absolute_paths(self):
        place = "/" + "home/somebody/tessera"
        self.check("absolute_paths", {"a.md": "see docs/home.md"}, {"a.md": f"see {place}"}, "a.md:1")

    def test_include_rule(self):
        core = "include/tessera/core/a.hpp"
        self.check("include_rule", {core: "#include <tessera/core/b.hpp>\n"}, {core: "#include <array>\n"}, "array")
        self.check("include_rule", {core: ""}, {core: "#include <tessera/error.hpp>\n"}, "error.hpp")
        gpu = "gpu/a.cu"
        self.check("include_rule", {gpu: "#include <tessera/plan.hpp>\n"},
                   {gpu: "#include <tessera/cpu/contract.hpp>\n"}, "must not include")
        fem = "fem/a.cpp"
        self.check("include_rule", {fem: "#include <tessera/cpu/contract.hpp>\n"},
                   {fem: "#include <tessera/cpu/detail/gemm_rows.hpp>\n"}, "must not include")
        for user in ("examples/a.cpp", "tests/consumers/a/a.cpp"):
            self.check("include_rule", {user: "#include <tessera/plan.hpp>\n"},
                       {user: "#include <tessera/detail/fits.hpp>\n"}, "internal, not for users")
        bench = {"bench/measure/a.hpp": "", "bench/b.hpp": ""}
        for user in ("autotune/work/a.cpp", "examples/demo/a.cpp"):
            self.check("include_rule", bench | {user: '#include "measure/a.hpp"\n'},
                       bench | {user: '#include "b.hpp"\n'}, "must not include, of bench,")
        self.check("include_rule", bench | {"bench/b.cpp": '#include "b.hpp"\n'},
                   bench | {"bench/measure/a.cpp": '#include "b.hpp"\n'}, "measuring code")
        backend = {"src/element/a.hpp": "", "cpu/element/a.hpp": ""}
        self.check("include_rule", backend | {"gpu/element/a.cpp": '#include "src/element/a.hpp"\n'},
                   backend | {"gpu/element/a.cpp": '#include "cpu/element/a.hpp"\n'}, "must not include, of cpu,")
        self.check("include_rule", backend | {"src/a.cpp": '#include "element/a.hpp"\n'},
                   backend | {"src/a.cpp": '#include "cpu/element/a.hpp"\n'}, "must not include, of cpu,")

    def test_listed_sources(self):
        self.check("listed_sources", {"src/a.cpp": "", "src/CMakeLists.txt": "a.cpp"},
                   {"src/a.cpp": "", "src/CMakeLists.txt": "b.cpp"}, "src/a.cpp")

    def test_snippets(self):
        code = {"examples/a.cpp": HEAD + "// snippet one\nint a;\n// end snippet\nint b;\n"}
        block = "<!-- snippet examples/a.cpp#one -->\n```cpp\n{}```\n"
        self.check("snippets", {**code, "README.md": block.format("int a;\n")},
                   {**code, "README.md": block.format("int c;\n")}, "README.md:1")
        self.check("snippets", {**code, "README.md": "text\n"}, {**code, "README.md": "```cpp\nint a;\n```\n"}, "snippet")

    def test_links(self):
        page = {"docs/b.md": "# A `b`, or c\n"}
        self.check("links", {**page, "docs/a.md": "[b](b.md#a-b-or-c)\n"}, {**page, "docs/a.md": "\n[b](c.md)\n"},
                   "docs/a.md:2: there is no c.md")
        self.check("links", {**page, "a.md": "[b](docs/b.md) and [us](https://example.org)\n`[x](y)`\n"},
                   {**page, "a.md": "[b](docs/b.md#d)\n"}, "a.md:1: docs/b.md has no heading #d")
        self.check("links", {**page, "a.cpp": HEAD + "// docs/b.md\n"}, {**page, "a.cpp": HEAD + "// docs/c.md\n"},
                   "a.cpp:3: there is no docs/c.md")

    def test_release_version(self):
        tree = {"include/tessera/version.hpp": HEAD + "constexpr int version_major = 1;\nconstexpr int version_minor = 2;\n"
                                                      "constexpr int version_patch = 3;\n",
                "CHANGELOG.md": "## Unreleased (1.2.3)\n",
                "packaging/spack/packages/tessera/package.py": 'version("1.2.3")\nversion("1.2.2")\n'}
        for broken, name in (({"CHANGELOG.md": "## 1.2.30\n"}, "CHANGELOG.md: does not name 1.2.3"),
                             ({"packaging/spack/packages/tessera/package.py": 'version("1.2.2")\n'}, "package.py"),
                             ({"README.md": "\nfind_package(tessera 1.1)\n"}, "README.md:2"),
                             ({"docs/a.md": "`libtessera.so.1.3`\n"}, "docs/a.md:1")):
            self.check("release_version", tree | {"README.md": "find_package(tessera 1.2)\n"}, tree | broken, name)


if __name__ == "__main__":
    unittest.main()
