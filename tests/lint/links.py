# SPDX-License-Identifier: BSD-3-Clause
# Lint: what a document links to exists, headings included, and so does every document in docs that any file names.
import re

import tree

LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
NAMED = re.compile(r"(?<![\w/.-])docs/[\w/.-]*\.md\b")
CODE_BLOCK = re.compile(r"^```.*?^```|`[^`\n]*`", re.S | re.M)
ELSEWHERE = re.compile(r"[a-z]+:")


def anchors(path):
    """The names under which a document's headings can be reached."""
    text = CODE_BLOCK.sub(lambda block: "" if block[0].startswith("```") else block[0].strip("`"),
                          path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def fault_of(path, target):
    """What is wrong with a link from that document; empty where nothing is."""
    if ELSEWHERE.match(target):
        return ""
    name, _, anchor = target.partition("#")
    to = path.parent / name if name else path
    if not to.exists():
        return f"there is no {target}"
    if anchor and (to.suffix != ".md" or anchor not in anchors(to)):
        return f"{name or path.name} has no heading #{anchor}"
    return ""


found, count = [], 0
for path, name in tree.files(tree.CODE | tree.SCRIPTS | {".md", ".txt", ".in"}):
    count += 1
    text = path.read_text(encoding="utf-8", errors="replace")
    faults = []
    if path.suffix == ".md":
        # Code keeps its line breaks, so that line numbers stay right.
        prose = CODE_BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
        faults += [(match.start(), prose, fault_of(path, match["target"])) for match in LINK.finditer(prose)]
    if path.name != "lint_test.py":
        faults += [(match.start(), text, f"there is no {match[0]}") for match in NAMED.finditer(text)
                   if not (tree.root() / match[0]).is_file()]
    found += dict.fromkeys(f"{name}:{whole.count(chr(10), 0, at) + 1}: {fault}" for at, whole, fault in faults if fault)
tree.finish(found, count)
