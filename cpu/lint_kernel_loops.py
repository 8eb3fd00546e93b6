# SPDX-License-Identifier: BSD-3-Clause
# Lint: innermost loops of kernels for 64-bit ARM keep their vectors in registers and fuse products with sums:
# lint_kernel_loops.py OBJDUMP OBJECT... [--each]
import re
import subprocess
import sys

ISA_OBJECT = re.compile(r"(?:rows|kernels)_([a-z0-9_]+?)_(f32|f64)(?:_[0-9]+)?\.cpp")
# Functions of products. A limit: vector accesses to the stack in an innermost loop, for each 100 multiply-adds.
FAMILIES = {
    "strips": ("run_strip", 0),
    "interleaved batches": ("run_lane_block", 0),
    "specialised rows": ("specialised_gemm", 3),
    "packed products": ("run_packed", 0),
}

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t(\S+)(?:\t(.*))?$")
TARGET = re.compile(r"(?:^|, )([0-9a-f]+) <")
VECTOR = re.compile(r"\b[vz]\d+\.[0-9]*[sd]\b")
# Registers of vectors, or halves of them, and the stack pointer or the frame's.
STACK = re.compile(r"^(?:\{?[vz]\d+\.[0-9]*[bhsd]|[qdz]\d+).*\[(?:sp|x29)\b")
FUSED = ("fmla", "fmls", "fmad", "fmsb", "fnmla", "fnmls", "fnmad", "fnmsb")


class Instruction:
    def __init__(self, address, name, operands):
        self.address, self.name, self.operands = address, name, operands.split("//")[0].strip()
        match = TARGET.search(operands) if name == "b" or name.startswith(("b.", "cb", "tb")) else None
        self.target = int(match.group(1), 16) if match else None
        self.ends = name in ("b", "br", "ret")

    def is_fused(self):
        return self.name in FUSED and VECTOR.search(self.operands) is not None

    def is_(self, name):
        return self.name == name and VECTOR.search(self.operands) is not None

    def spills(self):
        return self.name.startswith(("ld", "st")) and STACK.match(self.operands) is not None

    def registers(self):
        return [int(number) for number in re.findall(r"\b[vz](\d+)\.", self.operands)]


def functions(objdump, path):
    """Name and instructions of each function."""
    text = subprocess.run([objdump, "-d", "-C", "--no-show-raw-insn", path], capture_output=True, text=True,
                          check=True).stdout
    name, body = None, []
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            if body:
                yield name, body
            name, body = match.group(1), []
        elif (match := INSTRUCTION.match(line)) and name:
            body.append(Instruction(int(match.group(1), 16), match.group(2), match.group(3) or ""))
    if body:
        yield name, body


def blocks_of(body):
    """Basic blocks, as lists of instructions, and each one's successors."""
    places = {i.address: n for n, i in enumerate(body)}
    starts = {0}
    for n, i in enumerate(body):
        if i.target in places:
            starts.add(places[i.target])
        if (i.target is not None or i.ends) and n + 1 < len(body):
            starts.add(n + 1)
    starts = sorted(starts)
    block_at = {start: number for number, start in enumerate(starts)}
    blocks = [body[start:end] for start, end in zip(starts, starts[1:] + [len(body)])]
    after = []
    for number, block in enumerate(blocks):
        last, to = block[-1], []
        if last.target in places:
            to.append(block_at[places[last.target]])
        if not last.ends and number + 1 < len(blocks):
            to.append(number + 1)
        after.append(to)
    return blocks, after


def dominators(after):
    """Of each block the immediate one, None where it is not reached."""
    before = [[] for _ in after]
    for block, to in enumerate(after):
        for next_one in to:
            before[next_one].append(block)
    order, seen, stack = [], {0}, [(0, iter(after[0]))]
    while stack:
        block, rest = stack[-1]
        for next_one in rest:
            if next_one not in seen:
                seen.add(next_one)
                stack.append((next_one, iter(after[next_one])))
                break
        else:
            order.append(block)
            stack.pop()
    rank = {block: n for n, block in enumerate(order)}
    found = [None] * len(after)
    found[0] = 0

    def common(a, b):
        while a != b:
            while rank[a] < rank[b]:
                a = found[a]
            while rank[b] < rank[a]:
                b = found[b]
        return a

    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            known = [b for b in before[block] if found[b] is not None]
            new = known[0]
            for other in known[1:]:
                new = common(new, other)
            if found[block] != new:
                found[block], changed = new, True
    return found, before


def innermost_block_sets(body):
    """The numbers of the blocks of each natural loop that has no other inside."""
    blocks, after = blocks_of(body)
    dominator, before = dominators(after)

    def dominates(a, b):
        while b not in (a, 0):
            b = dominator[b]
        return b == a

    loops = {}
    for block, to in enumerate(after):
        for head in to:
            if dominator[block] is None or not dominates(head, block):
                continue
            inside, waiting = loops.setdefault(head, {head}), [block]
            while waiting:
                one = waiting.pop()
                if one not in inside:
                    inside.add(one)
                    waiting += [b for b in before[one] if dominator[b] is not None]
    for head, inside in loops.items():
        if not any(other != head and other in inside for other in loops):
            yield inside


def innermost_loops(body):
    """Lists of blocks."""
    blocks, _ = blocks_of(body)
    for inside in innermost_block_sets(body):
        yield [blocks[block] for block in sorted(inside)]


def unfused(block):
    """Sums of a block that take a product as it is."""
    products, count = set(), 0
    for i in block:
        registers = i.registers()
        if i.is_("fadd") and any(r in products for r in registers[1:]):
            count += 1
        if registers and not i.name.startswith("st"):
            products.discard(registers[0])
        if i.is_("fmul"):
            products.add(registers[0])
    return count


class Loop:
    def __init__(self, blocks):
        every = [i for block in blocks for i in block]
        self.instructions = len(every)
        self.fused = sum(i.is_fused() for i in every)
        self.spills = sum(i.spills() for i in every)
        self.unfused = sum(unfused(block) for block in blocks)
        self.broadcasts = sum(i.name in ("ld1r", "ld1rd", "ld1rw", "dup") for i in every)


def main():
    objdump, arguments = sys.argv[1], sys.argv[2:]
    each = "--each" in arguments
    objects = [o for o in arguments if ISA_OBJECT.search(o)]
    totals, faults = {}, []
    for path in objects:
        isa, scalar = ISA_OBJECT.search(path).groups()
        for name, body in functions(objdump, path):
            family = next((f for f, (part, _) in FAMILIES.items() if part + "<" in name), None)
            if family is None:
                continue
            of = totals.setdefault((isa, scalar, family), [])
            for loop in map(Loop, innermost_loops(body)):
                if loop.fused == 0:
                    continue
                of.append(loop)
                if each:
                    print(f"{isa} {scalar} {name[:150]}: {loop.instructions} instructions, {loop.fused} multiply-adds, "
                          f"{loop.broadcasts} broadcasts, {loop.spills} spills, {loop.unfused} unfused")
                if 100 * loop.spills > FAMILIES[family][1] * loop.fused or loop.unfused:
                    faults.append(f"{isa} {scalar} {name}: {loop.fused} multiply-adds, {loop.spills} vector accesses to "
                                  f"the stack, {loop.unfused} products apart from their sums")
    for (isa, scalar, family), loops in sorted(totals.items()):
        print(f"{isa} {scalar} {family}: {len(loops)} innermost loops, {sum(l.instructions for l in loops)} "
              f"instructions, {sum(l.fused for l in loops)} multiply-adds, {sum(l.broadcasts for l in loops)} broadcasts, "
              f"{sum(l.spills for l in loops)} vector accesses to the stack in {sum(l.spills > 0 for l in loops)} loops")
    for fault in faults:
        print(f"fault: {fault}")
    print(f"{len(objects)} objects, {len(faults)} faults")
    return 1 if faults or not totals else 0


if __name__ == "__main__":
    sys.exit(main())
