# SPDX-License-Identifier: BSD-3-Clause
# The suite solve as a user runs it: its counts, its words, and what it leaves out.
import json
import pathlib
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments):
    return subprocess.run([program, "solve", *arguments], capture_output=True, text=True, timeout=250, check=False)


def measured(*arguments):
    file = folder / "solve.json"
    done = run(*arguments, "--reps", "1", "--json", str(file))
    # A busy machine may spoil so few samples.
    assert done.returncode in (0, 3) and "all results right" in done.stdout, (arguments, done.stdout, done.stderr)
    return json.loads(file.read_text(encoding="utf-8"))["results"], done.stdout


results, out = measured("--p", "1-8", "--unknowns", "3k", "--iterations", "7")
assert len(results) == 2 * 8 and {r["impl"] for r in results} == {"tessera"}, results
for r in results:
    case, p = r["case"], r["case"]["p"]
    numbers = 1 if case["operator"] == "mass" else 6
    # So few data stay in cache.
    assert case["list_bytes"] == 0, case
    assert r["bytes"] == 8 * (12 * case["unknowns"] + numbers * (p + 2) ** 3 * case["elements"]), r
    assert case["iterations"] == 7 and r["regime"] == "unknowns" and 0 <= r["error"] <= r["error_bound"], r
    assert abs(case["dofs_per_second"] * r["seconds"]["median"] / case["unknowns"] - 1) < 1e-9, case
assert "times iterations" in out, out

for arguments in (["--threads", "2", "--q", "p+1", "--numbering", "random"], ["--type", "f32"], ["--components", "2"],
                  ["--form", "matrix_free", "--geometry", "p"]):
    results, _ = measured("--p", "2", "--unknowns", "2k", *arguments)
    assert [r["case"]["iterations"] for r in results] == [20, 20], (arguments, results)
# A matrix that is its diagonal is solved at once.
results, out = measured("--p", "2", "--unknowns", "2k", "--q", "gll")
assert [r["case"]["operator"] for r in results] == ["diffusion"] and "left out, since it is solved" in out, out
every, out = measured("--operator", "all", "--p", "2", "--dim", "2", "--unknowns", "500")
assert "convection: left out" in out and len({r["case"]["operator"] for r in every}) == 4, out

for wrong, words in [(["--unknowns", "many"], "'many'"), (["--iterations", "0"], "--iterations"), (["--dim", "4"], "neither 2 nor 3"),
                     (["--type", "c32"], "c32")]:
    done = run(*wrong)
    assert done.returncode == 2 and words in done.stderr, (wrong, done.returncode, done.stderr)
