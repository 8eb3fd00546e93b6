# SPDX-License-Identifier: BSD-3-Clause
# Runs tessera-tune --family general as a user does: the model's tiles, what a plan takes, mistakes; on a GPU a tuning.
# general_program_test.py PROGRAM FOLDER
import json
import os
import pathlib
import shutil
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "general_program"
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
ENVIRONMENT = {**os.environ, "TESSERA_CACHE": str(folder / "cache")}
ENVIRONMENT.pop("TESSERA_RECORDS", None)
OWN = ["--einsum", "bda,dc->abc", "--extents", "a=48,b=48,c=24,d=96"]


def run(*arguments, **more):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=500, check=False,
                          env={**ENVIRONMENT, **more})
    return done.returncode, done.stdout, done.stderr


def tiles_in(text):
    return [line.split("  rows ")[1] for line in text.splitlines() if "  rows " in line]


# The model's tiles, cheapest first.
code, out, err = run("--family", "general", "--row", "1,12", "--model-only", "--candidates", "6")
assert code == 0 and out.startswith("modelled for ") and err == "", (code, out, err)
device = out.split("modelled for ")[1].split("; nothing is measured")[0]
assert "row 1 bda,dc->abc f64: " in out and "row 12 ac,cb->ab f64: " in out, out
assert out.count("do not fit the GPU") == 2 and out.count("are rated slow") == 2, out
assert len(tiles_in(out)) == 12, out
by_first = [float(line.split()[3]) for line in out.splitlines() if "  rows " in line]
assert by_first[0] == 1 and by_first[:6] == sorted(by_first[:6]), by_first
# The command space prints the same, but for the seconds that it took.
code, space, err = run("space", "--row", "1,12", "--family", "general")
assert code == 0 and tiles_in(space)[:6] == tiles_in(out)[:6], space
# Without --family an option of it names it; a contraction of one's own.
code, out, err = run(*OWN, "--model-only")
assert code == 0 and "bda,dc->abc f64: " in out and len(tiles_in(out)) == 16, (code, out, err)
best = tiles_in(out)[0]
# The model's first ten, then others spread over its order; a star at what plans take.
places = [line.split()[0] for line in out.splitlines() if "  rows " in line]
assert places[:10] == ["1*"] + [str(n) for n in range(2, 11)] and int(places[10]) > 11, places
assert "*: the tile that plans take today" in out.splitlines()[0], out
# Both names of three products in TF32 are one type.
code, out, err = run(*OWN, "--model-only", "--type", "tf32x3,3xtf32", "--candidates", "2")
assert code == 0 and out.count(" combinations, ") == 1 and "bda,dc->abc tf32x3: " in out, (code, out, err)
# Random ones, the same each time.
RANDOM = [*OWN, "--model-only", "--search", "random", "--candidates", "10"]
first, second = run(*RANDOM), run(*RANDOM)
assert first[0] == 0 and tiles_in(first[1]) == tiles_in(second[1]) and len(tiles_in(first[1])) in (10, 11), first

# What a plan takes: the model's first choice, or a record's tile.
EXPLAIN = ["explain", "--family", "general", *OWN]
code, out, err = run(*EXPLAIN)
assert code == 0 and best in out and "no record serves" in out, (code, out, err, best)
assert run("explain", *OWN) == (code, out, err)  # --einsum names the family
form = {"rows": [[48, 4608, 1], [48, 1, 48]], "columns": [[24, 96, 2304]], "sum": [[96, 48, 1]], "batch": []}
tile = {"rows": [16, 4], "columns": [24], "sum": [16], "exchanged": False, "warps": [4, 2], "stages": 3, "splits": 1}
record = {"schema": 1, "device": device, "target": "cuda", "compute_capability": "9.0", "records": [
    {"family": "general", "kind": "f64 by tensor cores", **form, "tile": tile}]}
path = folder / "example.json"
path.write_text(json.dumps(record), encoding="utf-8")
code, out, err = run(*EXPLAIN, TESSERA_RECORDS=str(path))
assert code == 0 and "rows 16x4" in out, (code, out, err)
assert f"record of this contraction on {device}, in {path}" in out, out
record["records"][0]["tile"]["rows"] = [49, 1]
path.write_text(json.dumps(record), encoding="utf-8")
code, out, err = run(*EXPLAIN, TESSERA_RECORDS=str(path))
assert code == 2 and str(path) in err and "a box of 49 in a digit of 48" in err, (code, out, err)

for wrong, words in [
        (["--family", "general", "--row", "49"], "--row"),
        (["--family", "general", "--row", "1", "--type", "f8"], "3xtf32"),
        (["--einsum", "ik,kj->ij", "--extents", "i=2,j=3"], "'k' of ik,kj->ij has no extent"),
        (["--einsum", "ik,kj->iz", "--extents", "i=2,j=3,k=4"], "z"),
        (["--row", "1", "--search", "luck"], "random"),
        (["--row", "1", "--candidates", "1"], "2 to 100000"),
        (["--row", "1", "--scale", "3"], "0.001 to 1"),
        (["explain", "5", "--row", "1"], "of family gemm"),
        (["explain"], "size is required"),
        (["--row", "1", "--within", "0.05"], "--search random"),
        (["--row", "1", "--model-only", "--type", "f8"], "tf32x3")]:
    code, out, err = run(*wrong)
    assert code == 2 and words in err and out == "", (wrong, code, out, err)
code, out, err = run("compare", str(path))
assert code != 0 and str(path) in err, (code, err)
code, out, _ = run("--help")
assert code == 0 and "--model-only" in out and "--einsum" in out, out

SMALL = ["--row", "1,20", "--scale", "0.25", "--candidates", "3", "--budget", "120s", "--output"]
code, out, err = run(*SMALL, str(folder / "tuned"))
if code == 2:
    assert "--family general measures tiles on a GPU" in err and "--model-only" in err, err
    assert not (folder / "tuned").exists()
    print("without a GPU")
    sys.exit(0)
assert code == 0 and "geometric mean of 2" in out and "record: " in out and "report: " in out, (code, out, err)
assert "[2/2] row 20" in err, err
files = list((folder / "tuned").glob("*-cuda-general.json"))
assert len(files) == 1, files
written = json.loads(files[0].read_text(encoding="utf-8"))
assert len(written["records"]) == 2 and all(r["seconds"] > 0 for r in written["records"]), written
assert list((folder / "tuned").glob("*-report/index.html"))
# Again: from the journal, with the same result.
code, out, err = run(*SMALL, str(folder / "again"))
assert code == 0 and "going on with" in err, (code, err)
other = json.loads(next((folder / "again").glob("*.json")).read_text(encoding="utf-8"))
assert [r["tile"] for r in other["records"]] == [r["tile"] for r in written["records"]]
code, out, err = run("explain", "--family", "general", "--row", "1", "--scale", "0.25", TESSERA_RECORDS=str(files[0]))
assert code == 0 and "record of this contraction" in out, out
