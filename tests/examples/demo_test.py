# SPDX-License-Identifier: BSD-3-Clause
# tessera-demo checks and measures every case that it is asked for, and its data agree with each other.
import json
import pathlib
import subprocess
import sys

demo, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments):
    return subprocess.run([demo, *arguments], capture_output=True, text=True, check=False)


done = run("--quick", "--orders", "2", "--no-chart", "--out", str(folder / "demo"))
assert done.returncode == 0, done.stdout + done.stderr
assert "All results are right." in done.stdout, done.stdout
data = json.loads((folder / "demo" / "demo.json").read_text(encoding="utf-8"))
assert data["schema"] == 2 and data["threads"] > 0 and data["peaks"]["cpu"] > 0, data
assert data["gpu"] is not None or "GPU: none: " in done.stdout and "tessera::cpu" in done.stdout, done.stdout

cases = {(r["space"], r["what"], r["operator"], r["p"]) for r in data["results"]}
spaces = ["cpu"] + ["gpu"] * (data["gpu"] is not None)
assert cases == {(s, w, o, p) for s in spaces for w in ("apply", "matrices") for o in ("mass", "diffusion")
                 for p in (1, 2)}, cases

for r in data["results"]:
    p, numbers = r["p"], 1 if r["operator"] == "mass" else 6
    n, points = (p + 1) ** 3, (p + 2) ** 3
    results = n if r["what"] == "apply" else n * n
    read = n if r["what"] == "apply" else 0
    assert r["entries"] == r["elements"] * results, r
    assert r["bytes"] == 8 * r["elements"] * (read + results + numbers * points), r
    assert 0 <= r["error"] <= data["tolerance"], r
    assert r["kernel"] and r["bandwidth"] > 0 and 1 <= r["attempts"] <= 3, r
    assert r["bound"]["seconds"] >= r["bytes"] / r["bandwidth"] * (1 - 1e-12), r
    assert abs(r["fraction"] * r["seconds"]["tessera"]["median"] / r["bound"]["seconds"] - 1) < 1e-9, r
    peers = {"tessera with gather and scatter", "plain loop", "csr"}
    beside = set(r["seconds"]) - {"tessera"}
    assert beside == (peers if r["space"] == "cpu" and r["what"] == "apply" else set()), r
    assert all(t["median"] > 0 for t in r["seconds"].values()), r
    assert r["disturbed"] or r["believed"] and not r["seconds"]["tessera"]["disturbed"], r

# What is printed as a fraction can be believed: a limit that was not reached by measuring is a question mark.
rows = [line.split() for line in done.stdout.splitlines() if line.startswith(("mass ", "diffusion "))]
assert len(rows) == len(cases), done.stdout
for row, r in zip(rows, data["results"]):
    assert (row[4] == "?") == (not r["believed"]), (row, r)
    rates = [row[3], *row[6:9]] if len(r["seconds"]) == 4 else [row[3]]
    entries = ("tessera", "tessera with gather and scatter", "plain loop", "csr")
    assert all(rate.startswith("~") == r["seconds"][name]["disturbed"] for rate, name in zip(rates, entries)), (row, r)
    assert row[4] == "?" or 0 <= int(row[4].strip("~%")) <= 240, row

# Mistakes are refused before anything is measured.
for mistake in (("--orders", "9"), ("--threads", "0"), ("--fast",)):
    assert run(*mistake).returncode not in (0, 1), mistake
