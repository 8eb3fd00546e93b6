# SPDX-License-Identifier: BSD-3-Clause
# Runs tessera-bench as a user does: exit statuses, the final line, and the JSON file with its nine disclosure items.
import json
import pathlib
import subprocess
import sys
import time

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
DISCLOSED = {"platform", "software", "build", "workloads", "timing", "profiling", "statistics", "correctness",
             "artifacts"}
RESULT = {"suite", "case", "impl", "target", "type", "threads", "regime", "seconds", "bytes", "flops",
          "bandwidth_used", "clock_mhz", "joules", "energy", "bound", "fraction", "predicted", "best_peer", "ratio",
          "suspect", "measured", "error", "error_bound", "attribution", "describe"}


def run(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=250, check=False)
    return done.returncode, done.stdout, done.stderr


def measured(name, *arguments, batch=("--batch", "7")):
    file = folder / f"command_line_{name}.json"
    code, out, err = run(*arguments, "--reps", "2", *batch, "--json", str(file))
    content = json.loads(file.read_text(encoding="utf-8"))
    # A busy machine may spoil so few samples: then the status, the table and the file say so.
    suspects = sum(r["impl"] == "tessera" and r["suspect"] is not None for r in content["results"])
    assert code == (3 if suspects else 0), (arguments, code, err)
    assert "all results right" in out.splitlines()[-1], out
    assert (f"{suspects} SUSPECT, left out" in out.splitlines()[-1]) == (suspects > 0), out
    assert all(1 <= r["measured"] <= 3 for r in content["results"])
    assert content["schema"] == 1 and content["complete"] is True
    assert set(content["platform"]) == DISCLOSED, content["platform"].keys()
    assert content["limits"], "limits were measured in the same run"
    for result in content["results"]:
        assert set(result) == RESULT, set(result) ^ RESULT
        assert result["error"] <= result["error_bound"]
        assert result["seconds"]["reps"] >= 2
        # Nothing here reads counters.
        assert result["attribution"] == "non-attributed"
        predicted = result["predicted"]
        assert predicted["by"] in ("bandwidth", "flops") and predicted["seconds"] > 0, predicted
        assert abs(predicted["over_measured"] * result["seconds"]["median"] - predicted["seconds"]) <= 1e-9 * \
            predicted["seconds"], predicted
    assert any(line.startswith("predicted / measured time: geometric") for line in out.splitlines()) or suspects, out
    assert content["models"]["memory"], content["models"]
    return content["results"]


# What a run that is ended early has measured is in a whole file.
early = folder / "command_line_early.json"
early.unlink(missing_ok=True)
with subprocess.Popen([program, "gemm", "--sizes", "2-32", "--reps", "200", "--json", str(early)],
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
    while not early.exists() and running.poll() is None:
        time.sleep(0.2)
    assert running.poll() is None, "it ended before it wrote"
    running.kill()
begun = json.loads(early.read_text(encoding="utf-8"))
assert begun["complete"] is False and begun["results"], begun["complete"]

squares = measured("squares", "gemm", "--sizes", "2,3x5x4", "--beta", "1", "--type", "f32")
assert {r["impl"] for r in squares} >= {"tessera", "plain"}
first = next(r for r in squares if r["impl"] == "tessera")
assert first["flops"] == 2 * 2**3 * 7 and first["bytes"] == 4 * 4 * 4 * 7, first

measured("interleaved", "gemm", "--sizes", "3", "--layout", "interleaved:4", "--offset", "1", "--peers", "none")
measured("rows", "gemm", "--sizes", "4x3x2", "--layout", "row", "--trans", "tn", "--shared", "a", "--threads", "2")
measured("groups", "gemm", "--sizes", "3x5x4,6", "--group", "ac", "--shared", "b", "--peers", "none")
measured("lanes", "gemm", "--sizes", "5", "--group", "bc", "--layout", "interleaved:4", "--beta", "1", "--peers", "none")
for name, inputs, output, flops in [("c32", 8, 8, 8), ("c64", 16, 16, 8), ("f32/f64", 4, 4, 2), ("f16", 2, 2, 2),
                                    ("f16-f32", 2, 4, 2), ("bf16", 2, 2, 2), ("bf16-f32", 2, 4, 2)]:
    typed = measured("types", "gemm", "--sizes", "3x5x4", "--type", name, "--conj", "ab", "--trans", "tn")
    assert [r["impl"] for r in typed] == ["tessera"] and typed[0]["type"] == name, typed
    assert typed[0]["flops"] == flops * 3 * 5 * 4 * 7, typed
    assert typed[0]["bytes"] == (inputs * (3 * 4 + 4 * 5) + output * 3 * 5) * 7, typed
added = measured("added", "gemm", "--sizes", "3", "--type", "c64", "--beta", "1")
assert added[0]["flops"] == 8 * 27 * 7 and added[0]["bytes"] == 4 * 16 * 9 * 7, added
table = measured("table", "contraction", "--row", "1a,1b,2a,2b,2c,3c,4b,4f,D3", "--p", "1-2", "--q", "p+1")
assert {r["case"]["row"] for r in table} == {"1a", "1b", "2a", "2b", "2c", "3c", "4b", "4f", "D3"}
assert {r["case"]["row"] for r in table if r["impl"] == "plain"} == {"1a", "1b", "2a", "2b", "2c", "3c", "4b", "4f"}
pointwise = next(r for r in table if r["case"]["row"] == "D3" and r["case"]["p"] == 1)
assert pointwise["flops"] == 8 * 7 and pointwise["bytes"] == 3 * 8 * 8 * 7, pointwise

elements = measured("elements", "element", "--operator", "all", "--p", "1,2", "--dim", "2", "--beta", "1")
assert {r["case"]["operator"] for r in elements} == {
    "mass", "diffusion", "helmholtz", "convection", "elasticity", "advection_diffusion"}
mass = next(r for r in elements if r["case"]["operator"] == "mass" and r["case"]["p"] == 1)
assert mass["bytes"] == 8 * (3 * 4 + 9) * 7 and mass["flops"] == (4 * (3 * 4 + 9 * 2) + 9) * 7, mass
matrices = measured("matrices", "assembly", "--operator", "all", "--p", "1,2", "--dim", "2", "--storage", "both")
assert len(matrices) == 20 and {r["case"]["storage"] for r in matrices} == {"full", "lower"}
of_mass = next(r for r in matrices if r["case"]["operator"] == "mass" and r["case"]["p"] == 2)
assert of_mass["bytes"] == 8 * (16 + 81) * of_mass["case"]["elements"], of_mass
tetrahedra = measured("tetrahedra", "element", "--operator", "all", "--p", "1,2", "--q", "p+1", "--shape", "simplex")
assert {r["case"]["shape"] for r in tetrahedra} == {"simplex"} and {r["impl"] for r in tetrahedra} == {"tessera"}
gradients = next(r for r in tetrahedra if r["case"]["operator"] == "diffusion" and r["case"]["p"] == 2)
assert gradients["flops"] == 2 * 6 * 10 * 27 * 7 and gradients["bytes"] == 8 * (2 * 10 + 6 * 27) * 7, gradients
cubes = measured("cubes", "element", "--operator", "mass", "--p", "2", "--q", "gll", "--type", "f32")
assert cubes[0]["bytes"] == 4 * (2 + 1) * 27 * 7 and cubes[0]["flops"] == 27 * 7, cubes

for suite in ("element", "assembly"):
    _, out, _ = run(suite, "--operator", "mass", "--p", "1", "--reps", "1", "--batch", "5", "--peers", "none")
    lines = out.splitlines()
    assert any(line.startswith("dofs are entries of an E-vector") for line in lines), out
    assert any(line.startswith("mass 3-D p=1") and "e9 dofs/s" in line for line in lines), out
assert all(r["case"]["dofs_are"] == "entries of an E-vector" and r["case"]["dofs_per_second"] > 0
           for r in elements + matrices)

chains = measured("chains", "chain", "--p", "1,3", "--target", "reference")
assert {(r["case"]["p"], r["impl"]) for r in chains} == {(1, "tessera"), (3, "tessera")}, chains
assert chains[0]["bytes"] == 8 * (2 * 8 + 27) * 7, chains
assert chains[0]["flops"] == (4 * (3 * 8 + 9 * 4 + 27 * 2) + 27) * 7, chains
planes = measured("planes", "chain", "--p", "2", "--q", "3", "--dim", "2", "--beta", "1", "--type", "f32")
assert planes[0]["bytes"] == 4 * (3 * 9 + 9) * 7 and planes[0]["flops"] == (4 * (3 * 9 + 9 * 3) + 9) * 7, planes

# Without a GPU separate runs and one run stand beside each other; products are those of the suite gemm.
launches = measured("launch", "launch", "--sizes", "2,13", "--target", "reference")
assert {(r["case"]["n"], r["impl"]) for r in launches} == {
    (n, impl) for n in (2, 13) for impl in ("tessera", "separate", "executor")}
assert all(r["case"]["batch"] == 7 and r["flops"] == 2 * r["case"]["n"] ** 3 * 7 for r in launches)
# Each way has a prediction of its own, below its times; Hockney's line goes through the times of all sizes.
for r in launches:
    assert r["predicted"]["latency"] > 0 and "launch_share" in r["case"], r
lines = json.loads((folder / "command_line_launch.json").read_text(encoding="utf-8"))["launch_lines"]
assert [line["impl"] for line in lines] == ["tessera", "separate", "executor"], lines
for line in lines:  # a latency that few samples did not show is null, and never 0
    latency, of_one = line["latency"], line["latency_of_a_product"]
    assert latency is None and of_one is None or abs(of_one * 7 - latency) <= 1e-9 * latency and latency > 0, line
_, out, _ = run("launch", "--reps", "1", "--batch", "3", "--target", "reference")
assert "need a GPU" in out and [line.split()[0] for line in out.splitlines() if line.startswith("n=")] == [
    f"n={n}" for n in (1, 2, 4, 8, 13, 16, 23, 32)], out

# What plans assume, and where memory is.
for regime in ("cache", "stream"):
    assumed = measured("assumed", "gemm", "--sizes", "4", "--assume", regime, "--peers", "none")
    assert all(f"{regime}: forced by plan_options::regime" in r["describe"] for r in assumed), assumed
    assumed = measured("assumed", "chain", "--p", "1", "--assume", regime)
    assert all(f"{regime}: forced by plan_options::regime" in r["describe"] for r in assumed), assumed
for policy in ("local", "interleaved", "halves"):
    measured("numa", "gemm", "--sizes", "4", "--numa", policy, "--peers", "none", "--threads", "2")
    platform = json.loads((folder / "command_line_numa.json").read_text(encoding="utf-8"))["platform"]
    assert platform["workloads"]["numa"] == policy, platform["workloads"]
    nodes = platform["platform"]["numa_nodes"]
    _, _, err = run("gemm", "--sizes", "2", "--reps", "1", "--batch", "3", "--numa", policy, "--peers", "none")
    assert ("has no effect" in err) == (len(nodes) == 1 and policy != "local"), (nodes, err)

# Groups and steps behind the table: squares of neighbouring sizes, and each kind of index.
_, out, _ = run("gemm", "--sizes", "2-4", "--reps", "1", "--batch", "20", "--peers", "plain")
assert any(line.startswith("squares, 3 cases: peer time / our time: geometric mean") for line in out.splitlines()) or \
    "SUSPECT" in out, out
assert any("its neighbours': worst" in line and "(n=3), of 1 cases" in line for line in out.splitlines()) or \
    "SUSPECT" in out, out
_, out, _ = run("contraction", "--row", "4a,4b,4e", "--p", "1-2", "--reps", "1", "--batch", "9", "--peers", "none")
for group in ("4a, 2 cases", "4b, 2 cases", "last index, 2 cases", "middle index, 4 cases"):
    assert any(line.startswith(group) for line in out.splitlines()) or "SUSPECT" in out, out

# The best peer and the ratio are with our results.
ratios = measured("ratios", "gemm", "--sizes", "3,4", "--peers", "plain,plain-sum")
ours = [r for r in ratios if r["impl"] == "tessera"]
assert {r["best_peer"] for r in ours} <= {"plain", "plain-sum", None} and all(
    (r["ratio"] is None) == (r["best_peer"] is None) for r in ratios), ratios
assert all(r["ratio"] is None for r in ratios if r["impl"] != "tessera")
assert any(r["ratio"] for r in ours) or any(r["suspect"] for r in ratios), ratios

# Few products at once: every way in every group, and the cost of a call behind the times.
few = measured("small", "small", "--sizes", "2,4", "--p", "1", "--batches", "1,4", "--peers", "plain")
assert {(r["case"].get("n"), r["case"]["at_once"], r["impl"]) for r in few if "n" in r["case"]} == {
    (n, at_once, impl) for n in (2, 4) for at_once in (1, 4)
    for impl in ("tessera", "tessera-batch", "tessera-plan", "plain")}, few
assert all(r["case"]["batch"] == 8 for r in few) and any("row" in r["case"] for r in few)
_, out, _ = run("small", "--sizes", "3", "--p", "none", "--batches", "1,2", "--reps", "1", "--batch", "4", "--peers", "none")
lines = out.splitlines()
heading = next(i for i, line in enumerate(lines) if line.endswith("a call"))
assert lines[heading].split() == ["1", "2", "a", "call"] and lines[heading + 1] == "n=3", out
rows = {line[:18].strip(): line[18:].split() for line in lines[heading + 2:heading + 5]}
assert set(rows) == {"contract", "contract, batch", "plan"} and all(len(r) >= 3 and float(r[0]) > 0 for r in rows.values())
assert lines[heading + 5].split()[0] == "predicted" and float(lines[heading + 5].split()[1]) > 0, lines
for one, two, a_call in [map(float, r[:3]) for r in rows.values()]:
    assert abs(a_call - (one - (2 * two - one))) <= 0.31, rows  # rounded to 0.1 ns

# The cost of a call: products of the larger run less those of a run of one, over the further products.
calls = measured("call", "call", "--sizes", "2,3x5x4")
assert {(r["case"]["m"], r["case"]["trans"], r["impl"]) for r in calls} == {
    (m, trans, impl) for m in (2, 3) for trans in ("nn", "nt")
    for impl in ("tessera", "separate", "tessera-operands", "separate-operands")}, calls
_, out, _ = run("call", "--sizes", "4", "--reps", "1")
lines = [line for line in out.splitlines() if line.startswith("n=4")]
assert "run of 1  run of 9 a product     fixed  operands  row" in out, out
assert [line[:12].strip() for line in lines] == ["n=4", "n=4 nt"], out
for line in lines:
    one, nine, product, fixed, _ = map(float, line[12:].split()[:5])
    assert abs(product - (nine - one) / 8) <= 0.07 and abs(fixed - (one - product)) <= 0.16, line
assert "generic" in lines[1], out

# Strides on a CPU: both indices, each with its prediction.
strides = measured("stride", "stride", "--entries", "4096", "--strides", "1,16,64", "--target", "reference", batch=())
assert {(r["case"]["stride"], r["impl"]) for r in strides} == {
    (stride, impl) for stride in (1, 16, 64) for impl in ("bijective", "masked")}, strides
assert all(r["bytes"] == 2 * 4 * 4096 and r["error"] == 0 and r["type"] == "f32" for r in strides)
bijective = {r["case"]["stride"]: r["predicted"] for r in strides if r["impl"] == "bijective"}
assert bijective[16]["seconds"] > bijective[1]["seconds"] and bijective[16]["seconds"] == bijective[64]["seconds"]

# Two-site updates on a CPU: the chain and one loop nest, each with a prediction; no library, so no figure of one.
updates = measured("two_site", "two-site", "--dp", "2", "--chi", "3", "--batches", "1,2", "--target", "reference",
                   batch=())
assert {(r["case"]["dp"], r["case"]["chi"], r["case"]["batch"], r["impl"]) for r in updates} == {
    (2, 3, count, impl) for count in (1, 2) for impl in ("tessera", "direct")}
for r in updates:
    count, copies = r["case"]["batch"], r["case"]["updates"]
    assert copies == 4096 and r["case"]["beyond_cache"] is False, r["case"]
    assert r["flops"] == copies * 2 * count * 2 * 3 * (2 + 3) and r["predicted"]["latency"] > 0
    assert r["bytes"] == copies * 8 * (2 * 2 + 3 * 3 + 2 * count * 2 * 3)
whole = json.loads((folder / "command_line_two_site.json").read_text(encoding="utf-8"))["two_site"]
assert whole["figures"] == {} and whole["cases"] == [
    {"dp": 2, "chi": 3, "batch": count, "called": None, "graph": None, "graph_of_bound": None} for count in (1, 2)]
few_only = measured("two_site_few", "two-site", "--dp", "3", "--chi", "4", "--batches", "16,17", "--target", "reference",
                    "--type", "f32", batch=())
assert [(r["case"]["batch"], r["impl"]) for r in few_only] == [(16, "tessera"), (16, "direct"), (17, "tessera")]
assert run("two-site", "--type", "c32")[0] == 2
for option, wrong in (("--dp", "0"), ("--dp", "16,x"), ("--chi", "many"), ("--chi", "64-32"), ("--batches", "")):
    code, out, err = run("two-site", option, wrong)
    assert code == 2 and f"{option}: '" in err and f"{option} takes numbers from 1 to " in err, (option, wrong, err)
    assert "order" not in err, err
# Where the data of a pass is: these cases fit a cache, 4 GB do not.
assert {r["regime"] for r in updates + few_only + strides} == {"cache"}, {r["regime"] for r in updates}
assert {r["regime"] for r in few} == {"batch"} and {r["regime"] for r in elements} == {"batch"}
code, out, err = run("models", "--machine", "h200")
assert code == 0 and "h200 by its data sheet" in out, (code, out, err)
code, out, err = run("models", "--machine", "h200", "--updates", "0x1x1")
assert code != 0 and "--updates, batch: '0'" in err and "size m" not in err, (code, err)
code, out, err = run("models", "--machine", "v100")
assert code == 2 and all(word in err for word in ("--machine", "'v100'", "measured", "a100-40gb", "h200")), err
assert all(machine in run("models", "--help")[1] for machine in ("a100-40gb", "a100-80gb", "h100-sxm5", "h200"))

# The models, of a data sheet and of this machine.
file = folder / "command_line_models.json"
code, out, err = run("models", "--machine", "a100-40gb", "--type", "f32", "--json", str(file))
assert code == 0 and "47x84x64           7.76      6.85   11.7%  48x96x64" in out, (code, out, err)
models = json.loads(file.read_text(encoding="utf-8"))["models"]
assert not models["measured"] and {row["type"]: round(row["ridge"], 1) for row in models["ridge_points"]} == {
    "f64": 6.2, "f32": 12.5, "tf32": 100.3}, models
assert models["largest_squares"][0]["f64"] == 40824 and "transfers" not in models and "give --base-watts" in out
code, out, err = run("models", "--reps", "1", "--threads", "2", "--target", "reference", "--sizes", "16x16x16",
                     "--peak-f64", "2", "--bandwidth", "1000", "--base-watts", "10", "--pj-per-flop", "1",
                     "--pj-per-byte", "2", "--json", str(file))
assert code == 0, (code, out, err)
models = json.loads(file.read_text(encoding="utf-8"))["models"]
assert models["measured"] and models["ridge_points"][0]["ridge"] == 2 and len(models["products"]) == 1, models
assert {row["path"] for row in models["transfers"]} >= {"copy in L1", "copy in DRAM"}, models["transfers"]
assert sum("measured" in row for row in models["speedup"]) == 2 and len(models["energy"]) == 1, models
assert run("models", "--help")[0] == 0 and "--fractions" in run("models", "--help")[1]

for wrong, words in [
        (["models", "--machine", "a100"], "'a100' is neither measured nor one of a100-40gb"),
        (["models", "--type", "c64"], "c64"),
        (["models", "--fractions", "2"], "'2' is not a number from 0 to 1"),
        (["models", "--machine", "a100-40gb", "--base-watts", "5"], "all three"),
        (["models", "--tile", "0"], "'0' is not an integer from 1 to"),
        (["stride", "--strides", "3"], "'3' is not a power of 2"),
        (["stride", "--entries", "5000"], "5000 entries"),
        (["registers"], "--target cuda"),
        (["gemm", "--numa", "halfs"], "did you mean 'halves'?"),
        (["gemm", "--numa", "halves:0,1023"], "may not use memory of node 1023"),
        (["gemm", "--assume", "memory"], "--assume"),
        (["multiply"], "limits gemm contraction chain element operator solve hydro tccg assembly launch small call "
         "stride registers models two-site"),
        (["gemm", "--target", "vax"], "vax"),
        (["gemm", "--sizes", "3x4"], "3x4"),
        (["gemm", "--peers", "atlas"], "openblas"),
        (["element", "--peers", "eigen"], "dealii-4"),
        (["contraction", "--row", "9z"], "9z"),
        (["launch", "--sizes", "one"], "one"),
        (["small", "--sizes", "17"], "n = 17"),
        (["small", "--sizes", "2x3x4"], "not square"),
        (["small", "--threads", "2"], "one thread"),
        (["small", "--type", "c64"], "c64"),
        (["call", "--type", "f16"], "f16"),
        (["call", "--batch", "1"], "from 2 to"),
        (["assembly", "--storage", "upper"], "'upper' is none of full, lower and both"),
        (["element", "--operator", "wave"], "'wave' is none of mass"),
        (["element", "--dim", "4"], "neither 2 nor 3"),
        (["element", "--shape", "simplex", "--q", "gll"], "Gauss-Jacobi"),
        (["element", "--function", "own", "--operator", "mass"], "it is diffusion"),
        (["element", "--function", "own", "--operator", "diffusion", "--target", "reference"], "--target cuda"),
        (["chain", "--type", "c32"], "c32"),
        (["chain", "--dim", "4"], "neither 2 nor 3"),
        (["launch", "--type", "c32"], "c32"),
        (["gemm", "--type", "f8"], "f16-f32"),
        (["gemm", "--group", "d"], "--group"),
        (["gemm", "--group", "ab", "--shared", "a"], "not a group"),
        (["gemm", "--beta", "nan"], "'nan' is not a number from"),
        (["gemm", "--batch", "1e3"], "'1e3' is not an integer from 1 to"),
        (["element", "--operator", "masss"], "did you mean 'mass'?"),
        (["gemm", "--target", "avx51"], "did you mean 'avx512'?"),
        (["gemm", "--layout", "diagonal"], "interleaved:W")]:
    code, _, err = run(*wrong)
    assert code != 0 and words in err, (wrong, code, err)
assert run("gemm", "--quiet", "--sizes", "2", "--reps", "1", "--batch", "3")[1] == ""
