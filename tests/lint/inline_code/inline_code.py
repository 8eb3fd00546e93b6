# SPDX-License-Identifier: BSD-3-Clause
# Lint: contract<> on small static sizes calls no function but those that report an error: inline_code.py OBJDUMP OBJECT
import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(inline_\w+)>:$")
OTHER = re.compile(r"^[0-9a-f]+ <.*>:$")
CALL = re.compile(r"^\s+[0-9a-f]+:\s+call")
TARGET = re.compile(r"R_X86_64_\w+\s+(.+?)(?:[-+]0x[0-9a-f]+)?$")
REPORTS = re.compile(r"(?:void )?tessera::(?:detail::refuse_|simd::check_single<)")


def calls_of(listing):
    """The functions of the file, and of each the names of those that it calls. What a compiler moved to a part for
    errors (NAME.cold) is another function here."""
    calls, name, waits = {}, None, False
    for line in listing.splitlines():
        if FUNCTION.match(line):
            name, waits = FUNCTION.match(line)[1], False
            calls[name] = []
        elif OTHER.match(line):
            name, waits = None, False
        elif name is not None and CALL.match(line):
            waits = True
            calls[name].append("a call of " + line.split("call", 1)[1].strip())
        elif name is not None and waits and TARGET.search(line):
            calls[name][-1], waits = TARGET.search(line)[1], False
        elif ":\t" in line and "R_X86_64" not in line:
            waits = False  # the next instruction
    return calls


def main():
    objdump, *objects = sys.argv[1:]
    listing = "".join(
        subprocess.run([objdump, "-drC", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
        for path in objects)
    calls = calls_of(listing)
    found = [f"{name} calls {called}" for name, all_called in sorted(calls.items())
             for called in all_called if not REPORTS.match(called)]
    for line in found:
        print(line)
    print(f"{len(calls)} functions, {len(found)} faults")
    return 1 if found or not calls else 0


if __name__ == "__main__":
    sys.exit(main())
