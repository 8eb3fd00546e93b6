# SPDX-License-Identifier: BSD-3-Clause
# plot_demo.py draws one figure of a sample, with a GPU and without, and refuses data of another schema.
import importlib.util
import json
import pathlib
import subprocess
import sys

examples, here, folder = map(pathlib.Path, sys.argv[1:4])
if importlib.util.find_spec("matplotlib") is None:
    print("skipped: matplotlib is not installed")
    sys.exit(0)

sample = json.loads((here / "demo_sample.json").read_text(encoding="utf-8"))


def draw(data, name):
    file, picture = folder / f"{name}.json", folder / f"{name}.png"
    picture.unlink(missing_ok=True)
    file.write_text(json.dumps(data), encoding="utf-8")
    done = subprocess.run([sys.executable, str(examples / "plot_demo.py"), str(file), str(picture)], check=False,
                          capture_output=True, text=True)
    return done, picture


def height(picture):
    head = picture.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", picture
    return int.from_bytes(head[20:24], "big")


done, both = draw(sample, "plot_demo_both")
assert done.returncode == 0, done.stderr
alone = dict(sample, gpu=None, results=[r for r in sample["results"] if r["space"] == "cpu"])
done, cpu = draw(alone, "plot_demo_cpu")
assert done.returncode == 0, done.stderr
assert height(both) > 1.3 * height(cpu), "the GPU has panels of its own"

done, picture = draw(dict(sample, schema=1), "plot_demo_old")
assert done.returncode != 0 and "schema 1" in done.stderr and not picture.exists(), done.stderr
