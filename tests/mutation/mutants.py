# SPDX-License-Identifier: BSD-3-Clause
# Finds the mutants of C++ files: small changes of operators, bounds, constants and statements, one a mutant.
import dataclasses
import hashlib
import random
import re

# The folders that the mutants are spread over, and the files in them that a build without a GPU, AVX-512, Neon and SVE
# does not run.
GROUPS = ("include/tessera/core", "src", "cpu")
LEFT_OUT = re.compile(r"(^|/)(device_|gpu_|jit_|fused_|loaded_once)|/info/|neon|sve|avx512|source_function")

SWAPS = {
    "relation": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "arithmetic": {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="},
    "logic": {"&&": "||", "||": "&&"},
}
BINARY = re.compile(r"(?<=[\w)\]] )(<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|[<>+\-*/%])(?= [\w(!\-*&:~'\"]| *$)")
NUMBER = re.compile(r"(?<![\w.'])(\d+)(?![\w.'])")
NEGATION = re.compile(r"(?<![\w)\]=!])!(?=[\w(])")
EXTREME = re.compile(r"\bstd::(min|max)\b(?=[<(])")
LOOP_BOUND = re.compile(r"\bfor \([^;]*; [^;]*?(?:<=?|>=?|!=) ([^;&|]+?);")
ONE_IF = re.compile(r"^\s+(?:\} else )?if (?:constexpr )?\(.*\) (?:\w.*);$")
STATEMENT = re.compile(r"^\s+(?:(?:\+\+|--)[\w.>\[\]()-]+|[\w.:>\[\]()*-]+ (?:[+\-*/|&]?=) .*|"
                       r"[\w.:>-]+\(.*\)|throw .*);$")
NO_STATEMENT = re.compile(r"^\s+(?:return|using|static_assert|break|continue|case|default|goto)\b")


@dataclasses.dataclass(frozen=True)
class Mutant:
    group: str
    file: str  # relative to the tree
    line: int  # from 1
    kind: str
    before: str  # the line
    after: str

    @property
    def name(self):
        text = "\n".join([self.file, str(self.line), self.kind, self.before, self.after])
        return hashlib.sha1(text.encode()).hexdigest()[:10]


def code_mask(text):
    """For each character whether it is code: not a comment, a text, or a line of the preprocessor."""
    mask = [True] * len(text)
    at = 0

    def hide(end):
        nonlocal at
        for i in range(at, min(end, len(text))):
            mask[i] = False
        at = end

    while at < len(text):
        rest = text[at:at + 2]
        if rest == "//":
            hide(end_of(text, "\n", at))
        elif rest == "/*":
            hide(end_of(text, "*/", at + 2) + 2)
        elif rest == 'R"':
            opening = text.index("(", at)
            closing = ")" + text[at + 2:opening] + '"'
            hide(end_of(text, closing, opening) + len(closing))
        elif text[at] in "\"'" and not (text[at] == "'" and text[at - 1:at].isalnum()):
            hide(end_of_literal(text, at))
        elif text[at] == "#" and text[text.rfind("\n", 0, at) + 1:at].strip() == "":
            end = end_of(text, "\n", at)
            while text[end - 1] == "\\":
                end = end_of(text, "\n", end + 1)
            hide(end)
        else:
            at += 1
    return mask


def end_of(text, what, start):
    found = text.find(what, start)
    return len(text) if found < 0 else found


def end_of_literal(text, at):
    quote, at = text[at], at + 1
    while at < len(text) and text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    return at + 1


def hide_calls(text, mask, opening):
    """Hides what stands between the parentheses of every match of `opening`, which ends before the first one."""
    for match in opening.finditer(text):
        if not mask[match.start()]:
            continue
        depth, at = 0, text.find("(", match.end() - 1)
        while 0 <= at < len(text):
            depth += {"(": 1, ")": -1}.get(text[at], 0) if mask[at] else 0
            mask[at] = False
            at += 1
            if depth == 0:
                break


ASSERTION = re.compile(r"\bstatic_assert\(")
# Texts of errors are put together of these calls' arguments: nothing depends on them but the text.
MESSAGE = re.compile(r"\b(?:throw error|refuse|fail)\(|\brequires \(")


def mutants_of(group, file, text):
    """Every mutant of a file, in order."""
    mask = code_mask(text)
    hide_calls(text, mask, ASSERTION)
    statement_mask = list(mask)
    hide_calls(text, mask, MESSAGE)
    found, start, previous = [], 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        here = mask[start:start + len(line)]

        def add(kind, begin, end, new):
            if all(here[begin:end]):
                found.append(Mutant(group, file, number, kind, line, line[:begin] + new + line[end:]))

        if not re.match(r"\s*(template|using|namespace|friend|class|struct|enum|case)\b", line):
            of_line(line, add)
        statement = all(statement_mask[start:start + len(line)]) or re.match(r"\s+(if .*)?throw ", line)
        if statement and previous[-1:] in ("{", "}", ";") and is_statement(line):
            indent = len(line) - len(line.lstrip())
            found.append(Mutant(group, file, number, "statement", line, line[:indent] + "{}"))
        previous = line.split("//")[0].rstrip() or previous
        start += len(line) + 1
    return found


def is_statement(line):
    return not NO_STATEMENT.match(line) and bool(STATEMENT.match(line) or ONE_IF.match(line))


def of_line(line, add):
    for match in BINARY.finditer(line):
        before = line[:match.start()].rstrip()
        if before.endswith(("operator", "template", "typename", "const", "auto", "requires")):
            continue
        for kind, swaps in SWAPS.items():
            if match[1] in swaps and not (kind == "arithmetic" and '"' in line):  # there + joins texts
                add(kind, match.start(1), match.end(1), swaps[match[1]])
    for match in NUMBER.finditer(line):
        for change in (1, -1):
            if int(match[1]) + change >= 0:
                add("constant", match.start(1), match.end(1), str(int(match[1]) + change))
    for match in NEGATION.finditer(line):
        add("negation", match.start(), match.end(), "")
    for match in EXTREME.finditer(line):
        add("extreme", match.start(), match.end(), "std::" + {"min": "max", "max": "min"}[match[1]])
    for match in LOOP_BOUND.finditer(line):
        for change in (" + 1", " - 1"):
            add("bound", match.start(1), match.end(1), f"({match[1]}){change}")


def all_mutants(tree):
    for group in GROUPS:
        for path in sorted((tree / group).rglob("*")):
            file = path.relative_to(tree).as_posix()
            if path.suffix in {".cpp", ".hpp"} and not LEFT_OUT.search(file):
                yield from mutants_of(group, file, path.read_text(encoding="utf-8"))


def choose(mutants, count, seed):
    """As many of each group and kind as there are, taken in turn, no line twice; the first n of a longer list are the
    list of n."""
    draw = random.Random(seed)
    piles = {}
    for mutant in mutants:
        piles.setdefault(mutant.group, {}).setdefault(mutant.kind, []).append(mutant)
    for kinds in piles.values():
        for pile in kinds.values():
            draw.shuffle(pile)
    chosen, lines, turns = [], set(), dict.fromkeys(GROUPS, 0)
    while len(chosen) < count and any(pile for kinds in piles.values() for pile in kinds.values()):
        for group in GROUPS:
            mutant = next_of(piles.get(group, {}), turns, group, lines)
            if mutant is not None and len(chosen) < count:
                chosen.append(mutant)
    return chosen


def next_of(kinds, turns, group, lines):
    """The next mutant of a folder, of the next kind, on a line that has none yet; None where there is none."""
    while left := [pile for _, pile in sorted(kinds.items()) if pile]:
        mutant = left[turns[group] % len(left)].pop()
        if (mutant.file, mutant.line) not in lines:
            lines.add((mutant.file, mutant.line))
            turns[group] += 1
            return mutant
    return None
