# SPDX-License-Identifier: BSD-3-Clause
# The suite hydro as a user runs it: its phases, counts and figures, and what it refuses.
import json
import pathlib
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
PHASES = ["forces", "power", "velocity", "energy", "step"]


def run(*arguments):
    return subprocess.run([program, "hydro", *arguments], capture_output=True, text=True, timeout=250, check=False)


def measured(*arguments):
    file = folder / "hydro.json"
    done = run(*arguments, "--reps", "1", "--json", str(file))
    # A busy machine may spoil so few samples.
    assert done.returncode in (0, 3) and "all results right" in done.stdout, (arguments, done.stdout, done.stderr)
    return json.loads(file.read_text(encoding="utf-8"))["results"], done.stdout


results, out = measured("--k", "1-3", "--points", "2k")
assert [(r["case"]["k"], r["case"]["phase"]) for r in results] == [(k, phase) for k in (1, 2, 3) for phase in PHASES]
for r in results:
    case, seconds = r["case"], r["seconds"]["median"]
    k, cells = case["k"], case["cells"]
    zones = cells**3
    assert r["regime"] == "points" and r["type"] == "f64" and 0 <= r["error"] <= r["error_bound"], r
    assert (case["zones"], case["points"]) == (zones, zones * (2 * k)**3) and case["start"] == "straight", case
    assert (case["kinematic"], case["thermodynamic"]) == (3 * (k * cells + 1)**3, zones * k**3), case
    assert case["list_bytes"] == 0, case  # so few data stay in cache
    kinematic, thermodynamic, points = case["kinematic"], case["thermodynamic"], case["points"]
    if case["phase"] == "forces":
        assert r["bytes"] == 8 * (3 * kinematic + 2 * thermodynamic + points + 11 * zones), r
        assert abs(case["points_per_second"] * seconds / points - 1) < 1e-9, case
        assert abs(case["numbers_per_second"] * seconds / (kinematic + thermodynamic) - 1) < 1e-9, case
        assert case["seconds_of"]["points"] is None and case["seconds_of"]["flops"] > 0, case
        longest = max(case["seconds_of"]["bandwidth"], case["seconds_of"]["flops"])
        assert abs(longest / r["bound"]["seconds"] - 1) < 1e-9, r
    elif case["phase"] == "velocity":
        assert r["bytes"] == 8 * (12 * kinematic + points), r
        assert abs(case["numbers_iterations_per_second"] * case["solve_seconds"] * 3 /
                   (kinematic * case["iterations"]) - 1) < 1e-9, case
    elif case["phase"] == "energy":
        assert r["bytes"] == 4 * thermodynamic * (k**3 + 1) + 16 * thermodynamic, r
        assert abs(case["numbers_per_second"] * seconds / thermodynamic - 1) < 1e-9, case
    elif case["phase"] == "step":
        assert r["bound"]["by"] == "phases" and case["iterations_per_step"] >= 4 * 3, r
        assert case["major_kernels_per_second"] > case["major_kernels_without_points_per_second"] > 0, case
order_2 = next(r for r in results if r["case"]["k"] == 2 and r["case"]["phase"] == "forces")
assert order_2["flops"] == 22928 * order_2["case"]["zones"], order_2
for words in ("are those of an iteration", "quadrature points", "Mnumbers x iterations/s", "major kernels", "3-D k=2 step"):
    assert words in out, (words, out)

for arguments, bytes_of_zone in ((["--dim", "2"], 16 + 6), (["--dim", "2", "--start", "bent", "--threads", "2"], 16 + 4 * 16 + 2)):
    results, _ = measured("--k", "2", "--points", "1k", *arguments)
    assert [r["case"]["phase"] for r in results] == PHASES, results
    r = results[0]
    case = r["case"]
    assert r["bytes"] == 8 * (3 * case["kinematic"] + 2 * case["thermodynamic"] + bytes_of_zone * case["zones"]), r
both, _ = measured("--k", "1", "--dim", "2", "--points", "500,2k")
assert [r["case"]["cells"] for r in both] == [11] * 5 + [22] * 5, both
# Energies without factors.
high, _ = measured("--k", "6", "--points", "1k")
assert "preconditioned" in high[3]["describe"] and high[3]["bytes"] == 8 * (12**3 + 2 * 6**3), high[3]

for wrong, words in [(["--k", "9"], "9 is above 8"), (["--k", "0"], "order"), (["--dim", "4"], "neither 2 nor 3"),
                     (["--points", "many"], "'many'"), (["--type", "f32"], "f32"), (["--start", "round"], "--start"),
                     (["--target", "reference"], "TESSERA_TARGET")]:
    done = run(*wrong)
    assert done.returncode == 2 and words in done.stderr, (wrong, done.returncode, done.stderr)
