# SPDX-License-Identifier: BSD-3-Clause
# bench/micro_tables.py: tables of files of tessera-bench and of made-up ones of a GPU, in a document, and pictures.
import json
import pathlib
import subprocess
import sys

try:
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: matplotlib is not installed")
    sys.exit(0)

program, scripts, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
folder = folder / "micro"
folder.mkdir(exist_ok=True)
sys.path.insert(0, str(scripts))
import micro_tables  # noqa: E402


def cells(lines, first):
    (line,) = [line for line in lines if line.startswith(f"| {first} |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def result(suite, case, impl, seconds, **more):
    return {"suite": suite, "case": case, "impl": impl, "target": None, "type": "f32", "threads": 1, "regime": "cache",
            "seconds": {"median": seconds}, "bytes": 2**27, "flops": 2e12, "bound": {"seconds": 0.03}, "suspect": None,
            "fraction": 0.03 / seconds, "predicted": {"seconds": seconds / 2}, "error": 0, "error_bound": 0, **more}


# Three digits, and no exponents.
for number, text in [(3604.4, "3600"), (5253, "5250"), (443.4, "443"), (3.5, "3.5"), (5.184, "5.18"), (0.0524, "0.0524"),
                     (12345, "12300"), (9.999, "10"), (0, "0")]:
    assert micro_tables.three_digits(number) == text, (number, micro_tables.three_digits(number))

# The thesis' columns alone.
_, rows = micro_tables.launch_table([])
assert rows[0] == ["1", "-", "8022", "172", "97.9 %"] and len(rows) == 8, rows
assert rows[7] == ["32", "-", "9752", "1380", "85.9 %"], rows[7]  # as printed, of times before these were rounded
for n, (apart, together, saved) in micro_tables.A100_LAUNCH.items():
    assert abs(100 * (1 - together / apart) - saved) < 0.052, n
_, rows = micro_tables.stride_table([])
assert rows[5] == ["32"] + ["-"] * 6 + ["160", "0.128"], rows[5]

# Strides: ratios to the first one, of times and of the model.
strides = [result("stride", {"stride": s, "sector_bytes": 32}, way, t) for s, way, t in [
    (1, "bijective", 1e-4), (1, "masked", 1e-4), (32, "bijective", 8e-4), (32, "masked", 4e-4)]]
strides[3]["suspect"] = "noise"
lines = micro_tables.lines_of("stride", strides, "a GPU")
assert cells(lines, 32)[1:7] == ["168", "0.125", "0.125", "336 (suspect)", "0.250 (suspect)", "0.250"], cells(lines, 32)

# Registers: both numbers of chains in a row, and the A100's.
registers = [result("registers", {"held": 96, "chains": c, "registers": 127 + c, "occupancy": 0.25}, "multiply-adds", t)
             for c, t in [(1, 0.06), (4, 0.04)]]
lines = micro_tables.lines_of("registers", registers, "a GPU")
assert cells(lines, 96) == ["96", "128, 131", "25.0 %", "33.3, 50 % (100 %)", "50, 75 % (150 %)"], cells(lines, 96)
assert sum(line.startswith("| A100 ") for line in lines) == 2

# Two-site updates: microseconds of one, the best library by its own kind of call, and the part of the bound.
updates = [result("two-site", {"dp": 16, "chi": 64, "batch": 4, "updates": 10, "beyond_cache": True}, way, t, type="f64")
           for way, t in [("tessera", 1e-4), ("tessera graph", 6e-5), ("staged", 3e-4), ("staged graph", 2e-4),
                          ("direct", 5e-4), ("cublas-strided", 4e-4), ("cublas-strided graph", 3e-4),
                          ("cutensor, M first", 2e-4), ("cutensor graph", 1e-4)]]
updates[-1]["suspect"] = "noise"
lines = micro_tables.lines_of("two-site", updates, "a GPU")
assert lines[2].count("|") == len(cells(lines, 16)) + 1, lines
assert cells(lines, 16) == ["16", "64", "4", "10 (5)", "30", "50", "20, cutensor, M first", "0.50",
                            "6 (3)", "20", "-", "30, cublas-strided", "0.20", "50000 %"], cells(lines, 16)
alone = [result("two-site", {"dp": 2, "chi": 3, "batch": 1, "updates": 1, "beyond_cache": False}, "tessera", 1e-6)]
alone[0]["suspect"] = "noise"
assert cells(micro_tables.lines_of("two-site", alone, "a CPU"), 2) == [
    "2", "3", "1 (in cache)", "1 (suspect) (0.5)", *["-"] * 10], micro_tables.lines_of("two-site", alone, "a CPU")
assert micro_tables.two_site_table([])[1] == []

# Launches: of a real file.
launch, stride, two_site = folder / "launch.json", folder / "stride.json", folder / "two_site.json"
for arguments in (["launch", "--sizes", "2,3x4x5,1", "--batch", "1000", "--target", "reference", "--json", str(launch)],
                  ["stride", "--entries", "4096", "--strides", "1,16", "--target", "reference", "--json", str(stride)],
                  ["two-site", "--dp", "2", "--chi", "3", "--batches", "1,2", "--target", "reference", "--type", "f32",
                   "--json", str(two_site)]):
    subprocess.run([program, *arguments, "--reps", "2", "--quiet"], check=False, timeout=250)
for file in (launch, stride, two_site):  # a busy machine may spoil so few samples
    content = json.loads(file.read_text(encoding="utf-8"))
    for r in content["results"]:
        r["suspect"] = None
    file.write_text(json.dumps(content), encoding="utf-8")
document = folder / "document.md"
document.write_text("a\n<!-- launch -->\nold\n<!-- end of launch -->\nb\n<!-- stride -->\n<!-- end of stride -->\n"
                    "<!-- two-site f32 -->\n<!-- end of two-site f32 -->\n", encoding="utf-8")
subprocess.run([sys.executable, "-B", str(scripts / "micro_tables.py"), str(launch), str(stride), str(two_site),
                "--document", str(document), "--png", str(folder)], check=True)
text = document.read_text(encoding="utf-8")
assert text.startswith("a\n<!-- launch -->\n") and "old" not in text and "\n<!-- end of launch -->\nb\n" in text
launches, of_strides = text.split("<!-- stride -->")
of_strides, of_updates = of_strides.split("<!-- two-site f32 -->")
for line, way in zip([line for line in of_updates.splitlines() if line.startswith("| 2 | 3 |")],
                     [r for r in json.loads(two_site.read_text(encoding="utf-8"))["results"] if r["impl"] == "tessera"],
                     strict=True):
    microseconds = way["seconds"]["median"] / way["case"]["updates"] * 1e6
    assert line.split("|")[4].split()[0] == micro_tables.three_digits(microseconds), (line, microseconds)
two = cells(launches.splitlines(), 2)
measured = {r["impl"]: r["seconds"]["median"] for r in json.loads(launch.read_text(encoding="utf-8"))["results"]
            if r["case"]["n"] == 2}
assert len(two) == 8 and two[5:] == ["7941", "185", "97.7 %"], two
# The smallest products, which are what latency is, are predicted to be as they were measured.
smallest = [r for r in json.loads(launch.read_text(encoding="utf-8"))["results"] if r["case"]["n"] == 1]
assert [r["impl"] for r in smallest] == ["tessera", "separate", "executor"], smallest
assert all(0.9 < r["predicted"]["over_measured"] < 1.1 for r in smallest if r["impl"] == "separate"), smallest
assert two[4] == f"{100 * (1 - measured['tessera'] / measured['separate']):.1f} %", (two, measured)
assert cells(of_strides.splitlines(), 16)[7:] == ["163", "0.131"]
assert cells(of_strides.splitlines(), 2)[1:7] == ["-"] * 6
for picture in ("launch.png", "stride.png"):
    assert (folder / picture).stat().st_size > 5000

# plot.py draws them, too; other files are refused.
plot = [sys.executable, "-B", str(scripts / "plot.py"), "--out", str(folder / "plots")]
subprocess.run([*plot, str(stride)], check=True)
assert (folder / "plots" / "stride_stride.png").exists()
done = subprocess.run([sys.executable, "-B", str(scripts / "micro_tables.py"), str(launch), "--document",
                       str(scripts.parent / "README.md")], capture_output=True, text=True, check=False)
assert done.returncode != 0 and "<!-- launch -->" in done.stderr, done
(folder / "text.json").write_text("no JSON", encoding="utf-8")
(folder / "empty.json").write_text('{"schema": 1, "results": []}', encoding="utf-8")
for arguments, words in [([str(folder / "no file.json")], "cannot read"), ([str(folder / "text.json")], "is no JSON"),
                         ([str(folder / "empty.json")], "launch, stride, registers, two-site"),
                         ([str(launch), "--document", str(folder / "no file.md")], "cannot read")]:
    done = subprocess.run([sys.executable, "-B", str(scripts / "micro_tables.py"), *arguments], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr, (arguments, done.stderr)
made_up = folder / "registers.json"
made_up.write_text(json.dumps({"schema": 1, "platform": {"platform": {"cpu": "c", "gpu": {"name": "a made-up GPU"}}},
                               "results": registers}), encoding="utf-8")
subprocess.run([*plot, str(made_up)], check=True)
assert (folder / "plots" / "registers_registers.png").exists()
assert micro_tables.Run(made_up).where == "a made-up GPU"
