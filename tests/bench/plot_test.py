# SPDX-License-Identifier: BSD-3-Clause
# bench/plot.py draws one rate figure for each suite or row of a sample file, and a roofline.
import importlib.util
import pathlib
import subprocess
import sys

scripts, here, folder = map(pathlib.Path, sys.argv[1:4])
if importlib.util.find_spec("matplotlib") is None:
    print("skipped: matplotlib is not installed")
    sys.exit(0)

out = folder / "figures"
subprocess.run([sys.executable, str(scripts / "plot.py"), str(here / "sample.json"), "--out", str(out)], check=True)
for name in ("sample_rate_gemm.png", "sample_rate_contraction__4b.png", "sample_roofline.png"):
    data = (out / name).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 10000, name
