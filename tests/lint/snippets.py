# SPDX-License-Identifier: BSD-3-Clause
# Lint: C++ in the documents is text of files that the build compiles; `snippets.py ROOT --update` copies it in again.
#
# A block of C++ follows a line <!-- snippet PATH --> (the file below its head) or <!-- snippet PATH#NAME --> (what is
# between its lines `// snippet NAME` and `// end snippet`).
import re
import sys
import textwrap

import tree

BLOCK = re.compile(r"(?:<!-- snippet (?P<source>\S+) -->\n)?```(cpp|c\+\+|cuda|c|fortran)\n(?P<text>.*?)```\n", re.S)
MARK = re.compile(r"^\s*(//|!) (end )?snippet\b.*\n", re.M)


def text_of(source):
    """The text that a block must have; None where there is no such file or snippet."""
    path, _, name = source.partition("#")
    if not (tree.root() / path).is_file():
        return None
    text = (tree.root() / path).read_text(encoding="utf-8")
    if not name:
        return MARK.sub("", "".join(text.splitlines(keepends=True)[2:])).strip("\n") + "\n"
    region = re.search(rf"^\s*(?://|!) snippet {re.escape(name)}\n(.*?)^\s*(?://|!) end snippet\b", text, re.S | re.M)
    return None if region is None else MARK.sub("", textwrap.dedent(region[1])).strip("\n") + "\n"


def check(name, document, faults):
    """The document with its blocks renewed; faults gets what is wrong with them."""
    def renew(block):
        place = f"{name}:{document.count(chr(10), 0, block.start()) + 1}"
        if block["source"] is None:
            faults.append(f"{place}: C++ without a line <!-- snippet PATH --> above it")
            return block[0]
        wanted = text_of(block["source"])
        if wanted is None:
            faults.append(f"{place}: there is no snippet {block['source']}")
            return block[0]
        if block["text"] != wanted:
            faults.append(f"{place}: differs from {block['source']}; run snippets.py ROOT --update")
        start, end = block.start("text") - block.start(), block.end("text") - block.start()
        return block[0][:start] + wanted + block[0][end:]

    return BLOCK.sub(renew, document)


found, count = [], 0
for path, name in tree.files({".md"}):
    count += 1
    document = path.read_text(encoding="utf-8")
    renewed = check(name, document, found)
    if "--update" in sys.argv and renewed != document:
        path.write_text(renewed, encoding="utf-8")
        print(f"{name}: updated")
tree.finish([] if "--update" in sys.argv else found, count)
