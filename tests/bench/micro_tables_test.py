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


# The thesis' columns alone.
_, rows = micro_tables.launch_table([])
assert rows[0] == ["1", "-", "8022", "172", "97.9 %"] and len(rows) == 8, rows
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

# Launches: of a real file.
launch, stride = folder / "launch.json", folder / "stride.json"
for arguments in (["launch", "--sizes", "2,3x4x5", "--batch", "1000", "--target", "reference", "--json", str(launch)],
                  ["stride", "--entries", "4096", "--strides", "1,16", "--target", "reference", "--json", str(stride)]):
    subprocess.run([program, *arguments, "--reps", "2", "--quiet"], check=False, timeout=250)
for file in (launch, stride):  # a busy machine may spoil so few samples
    content = json.loads(file.read_text(encoding="utf-8"))
    for r in content["results"]:
        r["suspect"] = None
    file.write_text(json.dumps(content), encoding="utf-8")
document = folder / "document.md"
document.write_text("a\n<!-- launch -->\nold\n<!-- end of launch -->\nb\n<!-- stride -->\n<!-- end of stride -->\n",
                    encoding="utf-8")
subprocess.run([sys.executable, "-B", str(scripts / "micro_tables.py"), str(launch), str(stride), "--document",
                str(document), "--png", str(folder)], check=True)
text = document.read_text(encoding="utf-8")
assert text.startswith("a\n<!-- launch -->\n") and "old" not in text and "\n<!-- end of launch -->\nb\n" in text
launches, of_strides = text.split("<!-- stride -->")
two = cells(launches.splitlines(), 2)
measured = {r["impl"]: r["seconds"]["median"] for r in json.loads(launch.read_text(encoding="utf-8"))["results"]
            if r["case"]["n"] == 2}
assert len(two) == 8 and two[5:] == ["7941", "185", "97.7 %"], two
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
made_up = folder / "registers.json"
made_up.write_text(json.dumps({"schema": 1, "platform": {"platform": {"cpu": "c", "gpu": {"name": "a made-up GPU"}}},
                               "results": registers}), encoding="utf-8")
subprocess.run([*plot, str(made_up)], check=True)
assert (folder / "plots" / "registers_registers.png").exists()
assert micro_tables.Run(made_up).where == "a made-up GPU"
