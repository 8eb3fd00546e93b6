# SPDX-License-Identifier: BSD-3-Clause
# deal.II as a peer of the suite element: right at every order, with whole and partly filled groups of cells, or absent.
import json
import pathlib
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
NAMES = ["dealii-4", "dealii-8"]


def measured(*arguments):
    file = folder / "dealii.json"
    command = [program, "element", *arguments, "--reps", "1", "--json", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    # 3: right, but other work disturbed the times.
    assert done.returncode in (0, 3) and "all results right" in done.stdout, (command, done.stdout, done.stderr)
    content = json.loads(file.read_text(encoding="utf-8"))
    return content["results"], content["platform"]["software"]["libraries"], done.stdout


results, libraries, out = measured("--operator", "mass", "--p", "1", "--batch", "1")
found = [name for name in NAMES if not libraries[name].startswith("absent")]
if not found:
    assert "not found: dealii-4" in out and {r["impl"] for r in results} == {"tessera"}, out
    print("skipped: deal.II was not found when tessera-bench was built")
    sys.exit()

# One group of cells that is not full, whole groups with one that is not behind them, and threads with as much as
# nothing.
for operator, points, arguments in [
        ("mass", "p+2", ["--batch", "3"]), ("mass", "p+1", ["--batch", "17", "--beta", "1", "--threads", "2"]),
        ("diffusion", "p+2", ["--batch", "8", "--threads", "2"]), ("diffusion", "gll", ["--batch", "13"])]:
    results, _, out = measured("--operator", operator, "--q", points, *arguments)
    for p in range(1, 9):
        by = {r["impl"]: r for r in results if r["case"]["p"] == p}
        assert set(by) == {"tessera", *found}, (operator, points, p, set(by))
        for name in found:
            assert 0 < by[name]["error"] <= by[name]["error_bound"], by[name]
            assert by[name]["describe"] == libraries[name] and by[name]["flops"] == by["tessera"]["flops"], by[name]
    lines = [line.split() for line in out.splitlines() if line.startswith(operator)]
    assert len(lines) == 8 and all(set(line) & set(found) for line in lines), out

# What it cannot do it leaves out, and what was not asked for.
for changed in ({"--operator": "helmholtz"}, {"--type": "f32"}, {"--dim": "2"}, {"--components": "2"}, {"--q": "7"},
                {"--p": "9"}, {"--peers": "none"}):
    asked = {"--operator": "mass", "--p": "2", "--batch": "5"} | changed
    results, _, _ = measured(*(word for option in asked.items() for word in option))
    assert {r["impl"] for r in results} == {"tessera"}, (changed, results)
results, _, _ = measured("--operator", "mass", "--p", "2", "--batch", "5", "--peers", found[0])
assert [r["impl"] for r in results] == ["tessera", found[0]], results
