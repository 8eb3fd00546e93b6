# SPDX-License-Identifier: BSD-3-Clause
# Known answers of bench/compare.py: faster, slower and within noise, its final line and its exit status.
import json
import pathlib
import subprocess
import sys

scripts, here, folder = map(pathlib.Path, sys.argv[1:4])
sample = here / "sample.json"
content = json.loads(sample.read_text(encoding="utf-8"))


def altered(name, factor):
    changed = json.loads(json.dumps(content))
    for result in changed["results"]:
        for key in ("median", "min"):
            result["seconds"][key] *= factor(result)
    file = folder / name
    file.write_text(json.dumps(changed), encoding="utf-8")
    return file


def compare(a, b):
    done = subprocess.run([sys.executable, str(scripts / "compare.py"), str(a), str(b)], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout


code, out = compare(sample, sample)
assert code == 0 and "0 faster, 0 slower, 4 within noise" in out, out

code, out = compare(sample, altered("compare_faster.json", lambda r: 0.5))
assert code == 0 and "4 faster, 0 slower" in out and "B/A 0.500" in out, out

code, out = compare(sample, altered("compare_mixed.json", lambda r: 1.5 if r["case"].get("n") == 4 else 1.01))
assert code == 1 and "0 faster, 1 slower, 3 within noise" in out, out

# Cases of other suites have labels, too.
strides = json.loads(json.dumps(content))
for stride, result in enumerate(strides["results"], 1):
    result.update(suite="stride", case={"stride": stride, "entries": 4096}, impl="tessera")
file = folder / "compare_strides.json"
file.write_text(json.dumps(strides), encoding="utf-8")
code, out = compare(file, file)
assert code == 0 and "stride stride 3 f64 cache 1t" in out and f"{len(strides['results'])} within noise" in out, out

# Two-site updates that differ in nothing but their batch are different cases.
updates = json.loads(json.dumps(content))
for count, result in enumerate(updates["results"], 1):
    result.update(suite="two-site", case={"dp": 16, "chi": 64, "batch": count, "updates": 9}, impl="tessera")
file = folder / "compare_updates.json"
file.write_text(json.dumps(updates), encoding="utf-8")
code, out = compare(file, file)
assert code == 0 and f"{len(updates['results'])} within noise" in out, out
for count in range(1, len(updates["results"]) + 1):
    assert f"two-site dp 16 chi 64 batch {count} f64" in out, out

# Files from before these suites had a regime of their own still compare; others by their regime.
earlier = json.loads(json.dumps(updates))
for result in earlier["results"]:
    result["regime"] = "stream"
streamed = folder / "compare_streamed.json"
streamed.write_text(json.dumps(earlier), encoding="utf-8")
code, out = compare(file, streamed)
assert code == 0 and f"{len(updates['results'])} within noise" in out, out
earlier = json.loads(json.dumps(content))
for result in earlier["results"]:
    result["regime"] = "stream"
streamed.write_text(json.dumps(earlier), encoding="utf-8")
assert compare(sample, streamed) == (1, "")  # no case is in both files

# What was measured is no part of a case.
launches = json.loads(json.dumps(content))
for result in launches["results"]:
    result["case"]["launch_share"] = 0.5
file = folder / "compare_launches.json"
file.write_text(json.dumps(launches), encoding="utf-8")
assert compare(sample, file)[0] == 0

distrusted = json.loads(json.dumps(content))
distrusted["results"][0]["suspect"] = "samples spread by 50% of their median"
file = folder / "compare_suspect.json"
file.write_text(json.dumps(distrusted), encoding="utf-8")
code, out = compare(sample, file)
assert code == 0 and "3 within noise" in out and "1 suspect, left out" in out, out
