# SPDX-License-Identifier: BSD-3-Clause
# tessera-bench tccg as a user runs it, its file, and the document and pictures that bench/tccg_table.py makes of it.
import importlib.util
import json
import pathlib
import subprocess
import sys

program, scripts, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
script = scripts / "tccg_table.py"


def run(*arguments):
    return subprocess.run([program, "tccg", *arguments], capture_output=True, text=True, timeout=250, check=False)


def table(*arguments):
    return subprocess.run([sys.executable, "-B", str(script), *map(str, arguments)], capture_output=True, text=True,
                          timeout=100, check=False)


file = folder / "tccg.json"
done = run("--rows", "1-2,12,31", "--scale", "0.06", "--reps", "2", "--threads", "2", "--json", str(file))
assert done.returncode in (0, 3), done.stderr
lines = done.stdout.splitlines()
assert "all results right" in lines[-1], done.stdout
content = json.loads(file.read_text(encoding="utf-8"))
results = content["results"]
ours = {r["case"]["row"]: r for r in results if r["impl"] == "tessera"}
assert sorted(ours) == [1, 2, 12, 31], sorted(ours)
assert {r["impl"] for r in results} >= {"tessera", "loops"}
assert ours[1]["case"]["einsum"] == "bda,dc->abc" and ours[1]["case"]["extents"] == {"a": 19, "b": 19, "c": 1, "d": 19}
assert ours[1]["flops"] == 2 * 19**3 and ours[1]["bytes"] == 8 * (19**2 + 19**3 + 19)
assert all(r["error"] <= r["error_bound"] for r in results)
# A product of the same sizes is measured, but ours is not compared with it.
assert all(r["best_peer"] in ("loops", "ttgt-openblas", None) for r in results)
heading = next(line for line in lines if line.startswith("row "))
assert "loops" in heading and sum(line.startswith(("1 abc-bda-dc", "31 abcdef-")) for line in lines) == 2, done.stdout
trusted = [r for r in ours.values() if not r["suspect"]]
assert {g["group"] for g in content["groups"]} == ({r["case"]["group"] for r in trusted} | {"all"} if len(
    {r["case"]["group"] for r in trusted}) > 1 else {r["case"]["group"] for r in trusted}), content["groups"]
assert sum(g["rows"] for g in content["groups"] if g["group"] != "all") == len(trusted)
assert any(line.startswith("mean, worst (row)") for line in lines) == bool(trusted), done.stdout

# Plain loops, which integers run by on a CPU, have no prediction by the peak of multiply-adds.
whole = run("--rows", "1", "--scale", "0.05", "--reps", "1", "--type", "i32", "--json", str(file))
assert whole.returncode in (0, 3) and "all results right" in whole.stdout, (whole.stdout, whole.stderr)
for result in json.loads(file.read_text(encoding="utf-8"))["results"]:
    assert result["type"] == "i32" and result["error_bound"] == 0 and result["predicted"] is None, result
assert all(r["predicted"] is not None for r in ours.values())

for wrong, words in [(["--rows", "49"], "'49'"), (["--scale", "2"], "--scale"), (["--precision", "tf16"], "tf32x3"),
                     (["--function", "relu"], "leaky_relu"), (["--peers", "cutensr"], "did you mean 'cutensor'"),
                     (["--search", "-1"], "--search"), (["--type", "i8"], "i16-i32"),
                     (["--type", "i32", "--beta", "0.5", "--rows", "1"], "whole number"),
                     (["--vary", "stages", "--rows", "1"], "--target cuda"), (["--vary", "colour"], "panel"),
                     (["--vary", "splits", "--target", "cuda", "--beta", "1"], "without --function"),
                     (["--function", "leaky_relu", "--type", "c64", "--rows", "1"], "complex")]:
    failed = run(*wrong)
    assert failed.returncode == 2 and words in failed.stderr, (wrong, failed.returncode, failed.stderr)

# The table of this file, with measurements that are known.
for result in results:
    result["suspect"] = None
    result["fraction"] = {"tessera": 0.5, "loops": 0.25}.get(result["impl"], 0.4)
results[:] = [r for r in results if r["impl"] in ("tessera", "loops")]
next(r for r in results if r["impl"] == "tessera" and r["case"]["row"] == 31)["suspect"] = "noise"
next(r for r in results if r["impl"] == "loops" and r["case"]["row"] == 2)["fraction"] = 0.5
known = folder / "tccg_known.json"
known.write_text(json.dumps(content), encoding="utf-8")
printed = table(known)
assert printed.returncode == 0, printed.stderr
text = printed.stdout.splitlines()
assert any(line.startswith("| tensor by matrix | 2 | 50.0 % | 50.0 % (1) | 1.41, 1.41, 1.00 (2) |")
           for line in text), text
assert any("plain loops: GM_1, GM_2, worst" in line for line in text), text
assert any(line.startswith("| all | 3 | 50.0 % |") for line in text), text
assert any(line.startswith("| 31 | abcdef-dega-gfbc |") and "(suspect)" in line and line.endswith("| 2.00 |")
           for line in text), text

document = folder / "tccg.md"
document.write_text("before\n<!-- tccg f64 -->\nold\n<!-- end of tccg f64 -->\nafter\n", encoding="utf-8")
assert table(known, "--document", document).returncode == 0
written = document.read_text(encoding="utf-8")
assert written.startswith("before\n<!-- tccg f64 -->\n") and written.endswith("<!-- end of tccg f64 -->\nafter\n")
assert "old" not in written and "| all | 3 |" in written
document.write_text("no marks\n", encoding="utf-8")
failed = table(known, "--document", document)
assert failed.returncode != 0 and "<!-- tccg f64 -->" in failed.stderr

# On a GPU, at full extents, what was measured elsewhere can stand beside it, and is named so.
for result in results:
    result["case"]["scale"] = 1
    if result["impl"] == "tessera":
        result["target"] = "cuda"
results[:] = [r for r in results if r["impl"] == "tessera"]
content["platform"]["platform"]["gpu"] = {"name": "a GPU"}
known.write_text(json.dumps(content), encoding="utf-8")
cited = table(known, "--cited").stdout
assert "cuTENSOR, cited" in cited and "was measured on another GPU, an H100" in cited, cited
# Row 1 took cuTENSOR 0.265 ms of a bound of 0.08697 ms: 0.328 of it, ours 0.5.
assert any(line.startswith("| 1 | abc-bda-dc |") and "| 1.52 |" in line for line in cited.splitlines()), cited
# And torch.einsum, by transpositions, 0.417 ms: 0.209 of it.
columns = next(line for line in cited.splitlines() if line.startswith("| row |")).split(" | ")
ratios = next(line for line in cited.splitlines() if line.startswith("| 1 | abc-bda-dc |")).split(" | ")
assert ratios[columns.index("torch.einsum (TTGT), cited |")].rstrip(" |") == "2.40", (columns, ratios)
assert "torch.einsum (TTGT), cited: GM_1, GM_2, worst" in cited, cited
assert "cited" not in table(known).stdout

if importlib.util.find_spec("matplotlib") is not None:
    drawn = table(known, "--cited", "--png", folder / "tccg_figures")
    assert drawn.returncode == 0, drawn.stderr
    data = (folder / "tccg_figures" / "tccg_f64.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 10000
