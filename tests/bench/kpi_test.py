# SPDX-License-Identifier: BSD-3-Clause
# bench/kpi.py: reads what Nsight Compute writes, says what it cannot read, and tags claims. ncu is a stand-in that
# prints texts as ncu does.
import json
import os
import pathlib
import subprocess
import sys

program, scripts, here, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
folder = folder / "kpi"
folder.mkdir(exist_ok=True)
sys.path.insert(0, str(scripts))
import kpi  # noqa: E402
import kpi_claims  # noqa: E402
import kpi_counters  # noqa: E402

QUERY = """Device NVIDIA A100-SXM4-40GB (GA100)
-------------------------------------------------------- --------------- --------------- --------------------------
Metric Name                                              Metric Type     Metric Unit     Metric Description
-------------------------------------------------------- --------------- --------------- --------------------------
dram__bytes                                              Counter         byte            # of bytes accessed in DRAM
dram__throughput                                         Throughput      %               DRAM throughput
l1tex__t_sector_hit_rate                                 Ratio                           sector hit rate
lts__throughput                                          Throughput      %               LTS throughput
sm__inst_executed_pipe_fma                               Counter         inst            FMA pipe
sm__inst_executed_pipe_fp64                              Counter         inst            FP64 pipe
sm__throughput                                           Throughput      %               SM throughput
sm__warps_active                                         Counter         warp            warps active
smsp__issue_active                                       Counter         cycle           issue active
smsp__thread_inst_executed_per_inst_executed             Ratio                           threads of an instruction
smsp__warps_eligible                                     Counter         warp            warps eligible
"""
SUFFIXES = """sm__throughput.avg.pct_of_peak_sustained_elapsed
sm__throughput.max.pct_of_peak_sustained_elapsed
smsp__thread_inst_executed_per_inst_executed.ratio
smsp__thread_inst_executed_per_inst_executed.max_rate
"""
RAW = """==PROF== Connected to process 77 (/usr/bin/tessera-bench)
==PROF== Profiling "gemm" - 0: 0%....50%....100% - 9 passes
"ID","Process ID","Kernel Name","Grid Size","dram__bytes.sum","dram__throughput.avg.pct_of_peak_sustained_elapsed","launch__occupancy_limit_registers","lts__throughput.avg.pct_of_peak_sustained_elapsed","sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active","sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active","sm__throughput.avg.pct_of_peak_sustained_elapsed","sm__warps_active.avg.pct_of_peak_sustained_active","smsp__issue_active.avg.pct_of_peak_sustained_active","smsp__thread_inst_executed_per_inst_executed.ratio","smsp__warps_eligible.sum.per_cycle_active"
"","","","","Mbyte","%","block","%","%","%","%","%","%","","warp"
"0","77","void gemm<double, 4>(x, y)","(128, 1, 1)","1,200.5","91.0","4","55.5","3.0","20.0","40.25","48.0","18.0","32","0.9"
"1","77","void gemm<double, 4>(x, y)","(128, 1, 1)","1,200.7","93.0","4","56.5","3.2","20.0","41.75","50.0","18.0","32","1.1"
"2","77","other","(1, 1, 1)","2","1","16","2","n/a","n/a","3","4","5","16.11","6"
"""
TIMED = """"ID","Process ID","Kernel Name","gpu__time_duration.sum"
"","","","nsecond"
"0","77","gemm","1,500"
"1","77","gemm","2500"
"2","77","copy","n/a"
"""
LONG = """"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Section Name","Metric Name","Metric Unit","Metric Value"
"0","9","a","h","copy(float*)","1","7","Command line profiler metrics","dram__bytes.sum","Gbyte","2.5"
"0","9","a","h","copy(float*)","1","7","Command line profiler metrics","sm__throughput.avg.pct_of_peak_sustained_elapsed","%","12.5"
"1","9","a","h","copy(float*)","1","7","Command line profiler metrics","dram__bytes.sum","Gbyte","3.5"
"""
FORBIDDEN = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters\n"

# The names of Sinkin's Table 5.2 come first.
TABLE_5_2 = {
    "K1": "sm__throughput.avg.pct_of_peak_sustained_elapsed", "K2": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "K3": "lts__throughput.avg.pct_of_peak_sustained_elapsed", "K4": "l1tex__t_sector_hit_rate.pct",
    "K5": "smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "K6": "sm__warps_active.avg.pct_of_peak_sustained_active", "K7": "launch__occupancy_limit_registers",
    "K8": "smsp__warps_eligible.sum.per_cycle_active", "K9": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "K10": "smsp__thread_inst_executed_per_inst_executed.pct"}
assert {key: candidates[0][0] for key, (_, candidates) in kpi_counters.KPIS.items()} == TABLE_5_2

# Names: by whole ones where suffixes are listed, by bases else; launch metrics always.
names = kpi_counters.listed_names(QUERY)
assert names == {line.split()[0] for line in QUERY.splitlines()[4:]}, names
used, absent = kpi_counters.choose(names | kpi_counters.listed_names(SUFFIXES))
assert used["K10"] == ("smsp__thread_inst_executed_per_inst_executed.ratio", 100 / 32), used["K10"]
assert used["K5"][0] == "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"
assert used["K7"][0] == "launch__occupancy_limit_registers" and set(absent) == {"tensor", "duration"}, absent
assert "sm__pipe_tensor_cycles_active" in absent["tensor"]
assert kpi_counters.choose(names)[0]["K10"][0].endswith(".pct")
assert kpi_counters.choose(set())[0].keys() == {"K7"}

# Values: medians over launches, units, numbers that are not there.
gemm, other = kpi_counters.kernels(RAW, used)
assert gemm["name"] == "void gemm<double, 4>(x, y)" and gemm["launches"] == 2 and other["launches"] == 1
assert gemm["kpis"]["K1"] == 41 and gemm["kpis"]["K2"] == 92 and gemm["kpis"]["K10"] == 100, gemm
assert gemm["kpis"]["dram_bytes"] == 1200.6e6 and gemm["kpis"]["K4"] is None and other["kpis"]["K5"] is None
assert abs(other["kpis"]["K10"] - 50.34) < 0.01, other
(copy,) = kpi_counters.kernels(LONG, {"dram_bytes": ("dram__bytes.sum", 1),
                                     "K1": ("sm__throughput.avg.pct_of_peak_sustained_elapsed", 1)})
assert copy["launches"] == 2 and copy["kpis"] == {"dram_bytes": 3e9, "K1": 12.5}, copy
of_gemm, of_copy = kpi_counters.kernels(TIMED, {"duration": ("gpu__time_duration.sum", 1)})
assert abs(of_gemm["seconds"] - 4e-6) < 1e-15 and abs(of_gemm["kpis"]["duration"] - 2e-6) < 1e-15, of_gemm
assert of_copy["seconds"] is None and copy["seconds"] is None, of_copy
assert gemm["dram_bytes"] == 2401.2e6 and copy["dram_bytes"] == 6e9 and of_gemm["dram_bytes"] is None, gemm
assert kpi_counters.kernels(FORBIDDEN, used) == [] and kpi_counters.kernels("", used) == []
assert "not permitted" in kpi_counters.refusal(FORBIDDEN) and kpi_counters.refusal("fine") is None
assert kpi_counters.refusal("==ERROR== Unknown metrics") == "ncu: Unknown metrics"

# What limits a kernel: Sinkin's pairs, cuBLAS against plain loops, and uniform against divergent warps.
cublas = {"K1": 98.45, "K2": 3.62, "K3": 20, "K5": 98.67, "K6": 90, "K7": 2, "K8": 2, "K9": 56.15, "K10": 100}
assert kpi_counters.pattern(cublas) == "compute-limited"
plain = {**cublas, "K1": 54.32, "K2": 16.54, "K5": 28.05, "K9": 31.50}
assert kpi_counters.pattern(plain) == "mixed"
assert kpi_counters.pattern({**plain, "K10": 50.35}) == "divergence"
assert kpi_counters.pattern({**plain, "K6": 40}) == "register-limited"
assert kpi_counters.pattern({**plain, "K8": 0.3, "K9": 10}) == "starvation"
assert kpi_counters.pattern(gemm["kpis"]) == "memory-limited"
assert kpi_counters.pattern({**cublas, "K2": None}) is None

# nvidia-smi: medians; fields that a board has not are left out.
assert kpi.parse_samples("1980, 2619, 300.5, 98, [N/A]\n1950, 2619, 310.5, 100, [N/A]\n") == {
    "clocks.sm": 1965, "clocks.mem": 2619, "power.draw": 305.5, "utilization.gpu": 99}

# Claims: attributed where the counters are those of the case and its contenders, and moved as the cause has it.
def run_of(impl, seconds=1e-3, suite="gemm", best_peer=None, **case):
    return {"suite": suite, "case": {"n": 8, "batch": 1000, **case}, "type": "f64", "threads": 1, "regime": "cache",
            "impl": impl, "seconds": {"median": seconds, "ci95": [0.99 * seconds, 1.01 * seconds]}, "error": 1e-16,
            "error_bound": 1e-15, "suspect": None, "best_peer": best_peer}


def file_of(*results, gpu="none"):
    return {"schema": 1, "platform": {"platform": {"gpu": gpu}}, "results": list(results)}


ours, peer = run_of("tessera"), run_of("peer", 2e-3)


def pack(kernel_kpis, launches=10, of=ours, contender="tessera", seconds=1e-4, dram_bytes=None, **more):
    return {"source": "ncu", "reason": None, "command": ["ncu", "x"], "metrics": {"K2": "dram__throughput"},
            "measured": kpi_claims.measured_in(file_of(*(of if isinstance(of, list) else [of])), contender),
            "kernels": [{"name": "k", "launches": launches, "seconds": seconds, "dram_bytes": dram_bytes,
                         "kpis": kernel_kpis}], **more}


def old(kernel_kpis, *arguments, **more):
    return pack(kernel_kpis, *arguments, **{"of": peer, "contender": "peer", **more})


def attributed(kind, before, after, of=ours, other=peer, gpu="none"):
    return kpi_claims.attribute(kind, before, after, of, other, gpu)


slow, fast = old(plain), pack({**plain, "K2": 80})
assert attributed("memory", slow, fast)[::2] == (True, {"K2": [16.54, 80]})
assert not attributed("memory", old({**plain, "K2": 80}), pack(plain))[0]
assert not attributed("memory", slow, pack(plain))[0]
# Bytes of DRAM are those of all launches and kernels: two of 100 MB against one of 120, and one against ten of 80.
apart = old({**plain, "dram_bytes": 100e6}, 1, dram_bytes=100e6)
apart["kernels"].append({**apart["kernels"][0], "name": "second"})
good, reason, counters = attributed("memory", apart, pack({**plain, "dram_bytes": 120e6}, 1, dram_bytes=120e6))
assert good and counters == {"dram_bytes": [200e6, 120e6]}, (reason, counters)
single, tenfold = old({**plain, "dram_bytes": 100e6}, 1, dram_bytes=100e6), pack({**plain, "dram_bytes": 80e6}, 10,
                                                                                 dram_bytes=800e6)
good, reason, counters = attributed("memory", single, tenfold)
assert not good and counters["dram_bytes"] == [100e6, 800e6], (reason, counters)
tenfold["kernels"][0]["kpis"]["K2"] = 80  # a higher throughput of more bytes
assert not attributed("memory", single, tenfold)[0]
unread = pack({**plain, "dram_bytes": 80e6}, 1, dram_bytes=80e6)
unread["kernels"].append({**unread["kernels"][0], "dram_bytes": None})
assert "dram_bytes" not in attributed("memory", single, unread)[2]
assert attributed("compute", slow, pack(cublas))[0]
assert not attributed("compute", slow, fast)[0]
assert attributed("occupancy", old({**plain, "K6": 40}), pack({**plain, "K9": 50}))[0]
assert not attributed("occupancy", old({**plain, "K6": 40}), pack(plain))[0]  # none is fed better
assert attributed("divergence", old({**plain, "K10": 50.35}), pack(plain))[0]
# Precision: only where the arithmetic is coarser, and the deviation within its bound.
good, reason, counters = attributed("precision", None, None)
assert not good and reason == "same precision: both in f64" and counters["arithmetic"] == ["f64", "f64"], reason


def floats(precision="exact", impl="tessera", seconds=1e-3, **more):
    return {**run_of(impl, seconds, precision=precision), "type": "f32", "target": "cuda", "error_bound": 1e-3, **more}


good, reason, counters = attributed("precision", None, None, floats("tf32"), floats())
assert good and reason.startswith("tf32 instead of f32") and counters["arithmetic"] == ["f32", "tf32"], reason
assert attributed("precision", None, None, floats(), ours)[0]
assert attributed("precision", None, None, {**ours, "type": "f16-f32"}, ours)[0]
assert "no lower" in attributed("precision", None, None, floats(), floats("tf32"))[1]
assert "no lower" in attributed("precision", None, None, floats("tf32"), {**ours, "type": "bf16"})[1]
assert "no lower" in attributed("precision", None, None, {**ours, "type": "i32"}, ours)[1]
assert attributed("precision", None, None, floats("tf32", target="avx2"), floats())[1] == "same precision: both in f32"
for error in (2e-3, None):
    good, reason, _ = attributed("precision", None, None, floats("tf32", error=error), floats())
    assert not good and "above its bound" in reason, reason
# Over the same contender in another file; those of another case are no part of that.
rounded, exact = file_of(floats("tf32", seconds=1e-3)), file_of(floats(seconds=4e-3), floats(seconds=9e-3, impl="peer"))
assert kpi_claims.add_claims(rounded, "precision", None, None, exact) == {"attributed": 1, "non-attributed": 0}
(claimed,) = rounded["results"][0]["claims"]
assert claimed["claim"] == "4 times as fast as tessera in f32" and claimed["attribution"] == "attributed", claimed
other_case = floats(seconds=4e-3)
other_case["case"] = {**other_case["case"], "n": 9}
assert kpi_claims.add_claims(rounded, "precision", None, None, file_of(other_case))["attributed"] == 0
for before, word in [(None, "--before is not given"),
                     ({"source": "substitutes", "reason": "ncu was not found"}, "not found")]:
    good, reason, _ = attributed("memory", before, fast)
    assert not good and word in reason, reason
assert "was not read" in attributed("memory", old({}), pack({}))[1]

# Counters of another suite, case, contender or machine, or of several together, attribute nothing.
both = [ours, peer]
for before, after, words in [
        (old(plain, of=run_of("peer", suite="launch")), fast, "another case: suite launch instead of gemm"),
        (old(plain, of=run_of("peer", n=4)), fast, "--before are of another case: n 4 instead of 8"),
        (slow, pack({"K2": 80}, of=run_of("tessera", batch=16)), "--after are of another case: batch 16 instead of"),
        (slow, pack({"K2": 80}, of=run_of("tessera", beta=1)), "beta 1 instead of null"),
        (slow, pack({"K2": 80}, of=dict(ours, type="f32")), "type f32 instead of f64"),
        (old(plain, contender="cutensor"), fast, "--before are of cutensor, not of peer"),
        (old(plain, of=both, contender=None), fast, "has counters of tessera, peer together"),
        (old(plain, of=[peer, run_of("peer", n=4)]), fast, "--before has counters of 2 cases together"),
        ({**slow, "measured": None}, fast, "does not say of which case"),
        (slow, slow, "--after are of peer, not of tessera")]:
    for kind in ("memory", "launch"):
        good, reason, _ = attributed(kind, before, after)
        assert not good and words in reason, (words, reason)
assert "gpu none instead of an H200" in attributed("memory", slow, fast, gpu="an H200")[1]
assert attributed("memory", old(plain, of=both), pack({**plain, "K2": 80}, of=both))[0]
assert attributed("memory", old(plain, of=peer, contender=None), fast)[0]  # a run with one contender
# What is measured does not tell cases apart.
measured_facts = {"launch_share": 0.9, "dofs_per_second": 1e9}
assert attributed("memory", old(plain, of=run_of("peer", **measured_facts)), fast)[0]

# Launches: fewer of them, and a lower share of the time outside of kernels.
many, one = old(plain, 1000, seconds=2e-4), pack(plain, 1, seconds=9e-4)
good, reason, counters = attributed("launch", many, one)
assert good and "1 launches instead of 1000, 10 % of the time outside of kernels instead of 90 %" == reason, reason
assert counters["launches"] == [1000, 1] and [round(s, 6) for s in counters["overhead_share"]] == [0.9, 0.1], counters
assert not attributed("launch", many, pack(plain, 1, seconds=1e-4))[0]  # as much overhead as before
assert not attributed("launch", many, pack(plain, 1000, seconds=9e-4))[0]  # as many launches
good, reason, counters = attributed("launch", many, pack(plain, 1, seconds=None))
assert not good and "share of launch overhead is not known" in reason and counters == {"launches": [1000, 1]}, reason
assert attributed("launch", many, pack(plain, 1, seconds=5e-3))[2]["overhead_share"][1] == 0
for cut in ({"launch_skip": 3}, {"kernel": "regex:gemm"}, {"launch_count": 1000}):
    for kind in ("launch", "memory"):
        good, reason, _ = attributed(kind, {**many, "selection": {"launch_count": 2000, **cut}}, {
            **one, "kernels": [{**one["kernels"][0], "kpis": {**plain, "K2": 80}}]})
        assert not good and "--before has not all launches" in reason, (cut, reason)
assert attributed("launch", {**many, "selection": {"kernel": None, "launch_skip": 0, "launch_count": 2000}}, one)[0]

# Kernels that became faster in a pass that did not: the serial part limits.
flat = file_of(ours, run_of("peer", 1.05e-3))
serial = kpi_claims.serial_part(old(plain, of=flat["results"][1], seconds=4e-4), pack(plain, seconds=1e-4), ours,
                                flat["results"], "none")
assert serial["kernels"] == 4 and round(serial["whole"], 3) == 1.05 and "serial part limits" in serial["reason"], serial
kpi_claims.add_claims(flat, None, old(plain, of=flat["results"][1], seconds=4e-4), pack(plain, seconds=1e-4))
assert flat["results"][0]["serial"] == serial and "serial" not in flat["results"][1], flat
for before, after in [(old(plain, seconds=4e-4), pack(plain, seconds=1e-4)),  # the whole is twice as fast, too
                      (old(plain, seconds=1e-4), pack(plain, seconds=1e-4)),  # no faster kernels
                      (old(plain, seconds=None), pack(plain, seconds=1e-4)), (None, pack(plain))]:
    assert kpi_claims.serial_part(before, after, ours, [ours, peer], "none") is None, (before, after)
assert kpi_claims.serial_part({**old(plain, of=flat["results"][1], seconds=4e-4), "selection": {"launch_skip": 3}},
                              pack(plain, seconds=1e-4), ours, flat["results"], "none") is None

# Two-site updates: called with called, and in a graph with those in a graph.
ways = [run_of(way, seconds, suite="two-site") for way, seconds in [
    ("tessera", 4e-3), ("tessera graph", 1e-3), ("staged", 6e-3), ("staged graph", 2e-3), ("cutensor", 8e-3),
    ("cutensor graph", 3e-3), ("cutensor, M first graph", 5e-4)]]
updates = file_of(*ways, run_of("tessera", 1e-3, suite="two-site", dp=2))
count = kpi_claims.add_claims(updates, "launch", old(plain, 9, of=ways, contender="cutensor graph", seconds=1e-4),
                              pack(plain, 1, of=ways, contender="tessera graph", seconds=9e-4))
claims = {r["impl"]: [(c["claim"], c["attribution"]) for c in r["claims"]]
          for r in updates["results"] if r.get("claims")}
assert claims == {
    "tessera": [("1.5 times as fast as staged", "non-attributed"), ("2 times as fast as cutensor", "non-attributed")],
    "tessera graph": [("2 times as fast as staged graph", "non-attributed"),
                      ("3 times as fast as cutensor graph", "attributed")]}, claims
assert count == {"attributed": 1, "non-attributed": 3}, count
assert [r["attribution"] for r in updates["results"]] == ["non-attributed"] * len(updates["results"])


# The commands, with a stand-in for ncu.
def stand_in(name, profile):
    file = folder / name
    file.write_text(f"""#!{sys.executable}
import pathlib, sys
a = sys.argv[1:]
if a == ["--query-metrics"]: print({QUERY!r})
elif "--query-metrics-mode" in a: print({SUFFIXES!r})
elif a == ["--version"]: print("NVIDIA (R) Nsight Compute Command Line Profiler\\nVersion 2025.3.0.0")
else:
    assert "sm__throughput" in a[a.index("--metrics") + 1] and ("off" in a) == ("--kernel-name" not in a), a
    pathlib.Path(a[a.index("--log-file") + 1]).write_text({profile!r})
""", encoding="utf-8")
    file.chmod(0o755)
    return str(file)


def script(*arguments, path=None):
    environment = {**os.environ, **({"PATH": path} if path else {})}
    return subprocess.run([sys.executable, "-B", str(scripts / "kpi.py"), *arguments], capture_output=True, text=True,
                          check=False, env=environment)


def collected(name, *arguments):
    out = folder / name
    done = script("collect", "--out", str(out), *arguments)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return json.loads(out.read_text(encoding="utf-8")), done.stdout


read, shown = collected("read.json", "--ncu", stand_in("ncu", RAW), "--", program, "gemm")
assert read["source"] == "ncu" and read["profiler"] == "Version 2025.3.0.0" and len(read["kernels"]) == 2, read
assert read["kernels"][0]["pattern"] == "memory-limited" and "memory-limited" in shown and "92" in shown, shown
assert "K4" in read["absent"] and "no value of" in read["absent"]["K4"] and "K4" not in read["metrics"], read["absent"]
assert read["command"][-4:-1] == [program, "gemm", "--json"] and read["measured"] is None, read["command"]
assert read["selection"] == {"kernel": None, "launch_skip": 0, "launch_count": 2000}, read["selection"]
# With a file of results the pack says whose counters it has.
runs = folder / "running_ncu"
runs.write_text((folder / "ncu").read_text(encoding="utf-8") + """    import subprocess
    subprocess.run(a[a.index("--log-file") + 2:], check=False, capture_output=True)
""", encoding="utf-8")
runs.chmod(0o755)
small = [program, "gemm", "--sizes", "3", "--reps", "1", "--batch", "9", "--peers", "plain"]
ran, _ = collected("ran.json", "--ncu", str(runs), "--", *small, "--profile", "plain")
assert ran["measured"]["contender"] == "plain" and ran["measured"]["contenders"] == ["tessera", "plain"], ran
assert ran["measured"]["cases"][0]["case"]["m"] == 3 and ran["measured"]["cases"][0]["suite"] == "gemm", ran["measured"]
ran, _ = collected("ran_all.json", "--ncu", str(runs), "--", *small, "--json", str(folder / "ran_results.json"))
assert ran["measured"]["contender"] is None and ran["command"].count("--json") == 1, ran
whole, _ = collected("whole.json", "--ncu", str(folder / "ncu"), "--whole", "--kernel", "regex:gemm", "--", "a.out")
assert "regex:gemm" in whole["command"] and whole["source"] == "ncu", whole["command"]
case = [program, "gemm", "--sizes", "3", "--reps", "2", "--batch", "9", "--peers", "none"]
refused, shown = collected("refused.json", "--ncu", stand_in("forbidden_ncu", FORBIDDEN), "--", *case)
assert refused["source"] == "substitutes" and "not permitted" in refused["reason"] and "not permitted" in shown, refused
assert refused["results"][0]["part_of_bandwidth"] > 0 and refused["results"][0]["part_of_peak"] > 0, refused
assert set(refused["absent"]) == set(kpi_counters.KPIS) and refused["substitutes"], refused
none, _ = collected("none.json", "--ncu", str(folder / "no_ncu"), "--", *case, "--json", str(folder / "own.json"))
assert none["reason"] == "ncu was not found" and (folder / "own.json").exists(), none
failed = script("collect", "--out", str(folder / "x.json"), "--ncu", str(folder / "no_ncu"), "--", program, "gem")
assert failed.returncode != 0 and "no suite is called 'gem'" in failed.stderr, failed

equals, _ = collected("equals.json", "--ncu", str(folder / "no_ncu"), "--", *case, f"--json={folder / 'equals_own.json'}")
assert equals["results"] and (folder / "equals_own.json").exists(), equals

# Mistakes: a message without a traceback, and exit status 2.
(folder / "text.json").write_text("no JSON", encoding="utf-8")
(folder / "list.json").write_text("[1]", encoding="utf-8")
(folder / "other.json").write_text('{"schema": 1}', encoding="utf-8")
(folder / "newer.json").write_text('{"schema": 2, "results": []}', encoding="utf-8")
(folder / "against.json").write_text(json.dumps(file_of(ours, gpu="an H200")), encoding="utf-8")
writer = folder / "writer"  # a program that writes JSON, but no results, and one that writes none
writer.write_text(f"#!{sys.executable}\nimport sys\nopen(sys.argv[sys.argv.index('--json') + 1], 'w').write('{{}}')\n",
                  encoding="utf-8")
writer.chmod(0o755)
collect = ["collect", "--out", str(folder / "x.json"), "--ncu", str(folder / "no_ncu")]
for arguments, words in [
        ([*collect, "--", str(writer)], ["substitutes are read from results of tessera-bench", "has no 'results'"]),
        ([*collect, "--", sys.executable, "-c", "0"], ["ended with 0 and wrote no results"]),
        ([*collect, "--", sys.executable, "-c", "0", "--json", str(folder / "own.json")], ["wrote no results"]),
        ([*collect, "--", program, "gemm", "--json"], ["--json names no file"]),
        ([*collect, "--", str(folder / "no program")], ["cannot run", "no program", "No such file"]),
        (["collect", "--out", str(folder / "x.json"), "--ncu", str(folder / "text.json"), "--"], ["no command"]),
        (["collect", "--out", str(folder / "none" / "x.json"), *collect[3:], "--", *case], ["cannot write", "x.json"]),
        (["claim", str(folder / "no file.json")], ["cannot read", "no file.json", "No such file"]),
        (["claim", str(folder / "text.json")], ["text.json is no JSON"]),
        (["claim", str(folder / "list.json")], ["list.json holds no JSON object"]),
        (["claim", str(folder / "newer.json")], ["schema 2"]),
        (["claim", str(here / "sample.json"), "--cause", "memory", "--before", str(folder / "other.json")],
         ["other.json has no 'kernels'"]),
        (["claim", str(here / "sample.json"), "--against", str(folder / "against.json")], ["not of the same GPU"]),
        (["claim", str(here / "sample.json"), "--cause", "memory", "--after", str(folder / "gone.json")],
         ["cannot read", "gone.json"])]:
    done = script(*arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr, (arguments, done.returncode, done.stderr[-500:])
    assert all(word in done.stderr for word in words), (arguments, done.stderr[-500:])

content = json.loads((here / "sample.json").read_text(encoding="utf-8"))
for result in content["results"]:
    middle = result["seconds"]["median"]
    result["seconds"]["ci95"] = [0.99 * middle, 1.01 * middle]
results = folder / "results.json"
results.write_text(json.dumps(content), encoding="utf-8")
before, after = folder / "before.json", folder / "after.json"
first, peer = content["results"][:2]
assert (first["impl"], peer["impl"]) == ("tessera", "plain"), (first, peer)
before.write_text(json.dumps({"schema": 1, **old(plain, of=peer, contender="plain")}), encoding="utf-8")
after.write_text(json.dumps({"schema": 1, **pack({**plain, "K2": 80}, of=first)}), encoding="utf-8")
for arguments, tag, reason in [
        ([], "non-attributed", "no cause was claimed"),
        (["--cause", "memory"], "non-attributed", "--before is not given"),
        (["--cause", "precision"], "non-attributed", "same precision: both in f64"),
        (["--cause", "memory", "--before", str(folder / "refused.json"), "--after", str(after)], "non-attributed",
         "not permitted"),
        (["--cause", "memory", "--before", str(before), "--after", str(after)], "attributed", "K2")]:
    out = folder / "claims.json"
    done = script("claim", str(results), "--out", str(out), *arguments)
    assert done.returncode == 0, done
    tagged = json.loads(out.read_text(encoding="utf-8"))
    claims = [c for r in tagged["results"] for c in r.get("claims", [])]
    # Those of other cases are attributed to nothing by counters of the first one.
    assert claims and claims[0]["attribution"] == tag and reason in claims[0]["reason"], (arguments, claims)
    assert all(c["attribution"] == "non-attributed" for c in claims[1:]), claims
    assert claims[0]["claim"] == "1.14 times as fast as plain", claims[0]
    first, peer = tagged["results"][:2]
    assert first["attribution"] == tag and peer["attribution"] == "non-attributed" and "claims" not in peer
    assert f" {tag}" in tagged["platform"]["profiling"]["attribution"], tagged["platform"]["profiling"]
