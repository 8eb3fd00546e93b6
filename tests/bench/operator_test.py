# SPDX-License-Identifier: BSD-3-Clause
# The suite operator as a user runs it: its counts and words, and the peers that are found.
import json
import pathlib
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
PEERS = {"dealii-4", "dealii-8", "libceed-blocked", "libceed-opt"}


def run(*arguments):
    return subprocess.run([program, "operator", *arguments], capture_output=True, text=True, timeout=250, check=False)


def measured(*arguments):
    file = folder / "operator.json"
    done = run(*arguments, "--reps", "1", "--json", str(file))
    # A busy machine may spoil so few samples.
    assert done.returncode in (0, 3) and "all results right" in done.stdout, (arguments, done.stdout, done.stderr)
    content = json.loads(file.read_text(encoding="utf-8"))
    return content["results"], content["platform"]["software"]["libraries"], done.stdout


results, libraries, out = measured("--p", "1-8", "--unknowns", "900")
assert set(libraries) >= PEERS, libraries
found = {name for name in PEERS if not libraries[name].startswith("absent")}
assert len([r for r in results if r["impl"] == "tessera"]) == 2 * 8, results
for r in results:
    case, p = r["case"], r["case"]["p"]
    cells = [int(n) for n in case["cells"].split("x")]
    unknowns = elements = 1
    for n in cells:
        unknowns, elements = unknowns * (n * p + 1), elements * n
    numbers = 1 if case["operator"] == "mass" else 6
    assert (case["unknowns"], case["elements"]) == (unknowns, elements), case
    # So few data stay in cache.
    assert case["list_bytes"] == 0 and r["bytes"] == 8 * (2 * unknowns + numbers * (p + 2) ** 3 * elements), r
    assert r["regime"] == "unknowns" and case["numbering"] == "box" and case["rule"] == "gauss", r
    assert 0 <= r["error"] <= r["error_bound"], r
    ours = next(o for o in results if o["impl"] == "tessera" and o["case"] == case)
    assert abs(case["elements_over_ours"] * ours["seconds"]["median"] / case["elements_seconds"] - 1) < 1e-9, case
    assert abs(case["dofs_per_second"] * ours["seconds"]["median"] / unknowns - 1) < 1e-9, case
assert "dofs are numbers of an L-vector x: each unknown once" in out, out
lines = [line for line in out.splitlines() if line.startswith(("mass ", "diffusion "))]
assert len(lines) == 16 and all("; E/L " in line and "e9 dofs/s" in line for line in lines), out

# Peers of one thread and of several, in other numberings and at other points.
for name in found:
    takes = [r["case"]["p"] for r in results if r["impl"] == name]
    assert sorted(takes) == sorted(2 * list(range(1, 9))), (name, takes)
for arguments in (["--numbering", "mesh"], ["--numbering", "random", "--q", "gll"], ["--threads", "2", "--q", "p+1"]):
    results, _, out = measured("--p", "2,5", "--unknowns", "2k", *arguments)
    wanted = {name for name in found if "--threads" not in arguments or name.startswith("dealii")}
    assert {r["impl"] for r in results} == {"tessera", *wanted}, (arguments, results)
for arguments in (["--form", "matrix_free", "--geometry", "p"], ["--type", "f32"], ["--operator", "helmholtz"],
                  ["--components", "2"], ["--peers", "none"]):
    results, _, _ = measured("--p", "2", "--unknowns", "2k", *arguments)
    assert {r["impl"] for r in results} == {"tessera"}, (arguments, results)
every, _, _ = measured("--operator", "all", "--p", "2", "--dim", "2", "--unknowns", "500,2k")
assert len({r["case"]["operator"] for r in every}) == 6, every
assert len({r["case"]["unknowns"] for r in every if r["case"]["operator"] == "mass"}) == 2, every

for wrong, words in [(["--unknowns", "many"], "'many'"), (["--numbering", "mash"], "did you mean 'mesh'?"),
                     (["--batch", "3"], "--batch"), (["--peers", "mkl"], "libceed-opt"), (["--dim", "4"], "neither 2 nor 3"),
                     (["--type", "c32"], "c32")]:
    done = run(*wrong)
    assert done.returncode == 2 and words in done.stderr, (wrong, done.returncode, done.stderr)
print("peers that were found:", *sorted(found) or ["none"])
