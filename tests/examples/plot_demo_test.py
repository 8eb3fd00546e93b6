# SPDX-License-Identifier: BSD-3-Clause
# plot_demo.py draws one figure of a sample, with a GPU and without, marks what is disturbed or not believed, draws files
# that do not say so, and refuses data of another schema.
import copy
import importlib.util
import json
import math
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

spec = importlib.util.spec_from_file_location("plot_demo", examples / "plot_demo.py")
plot_demo = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot_demo)


def panels(data):
    """For each panel its hollow markers, (order, shape), and the orders at which it has a bound."""
    plot_demo.draw(data, folder / "plot_demo_marks.png")
    found = []
    for axes in plot_demo.plt.gcf().axes:
        lines = axes.get_lines()
        hollow = {(x, line.get_marker()) for line in lines if line.get_markerfacecolor() == "white"
                  for x in line.get_xdata()}
        bounds = {x for line in lines if line.get_color() == "black"
                  for x, y in zip(line.get_xdata(), line.get_ydata()) if not math.isnan(y)}
        found.append((hollow, bounds))
    return found


def words():
    return " ".join(text.get_text() for text in plot_demo.plt.gcf().findobj(plot_demo.plt.Text))


mass, diffusion, matrices = panels(alone)
tessera, plain, csr = (plot_demo.CURVES[curve][1]["marker"] for curve in ("tessera", "plain loop", "csr"))
assert mass == ({(1, csr), (2, tessera), (3, plain)}, {1, 2, 3}), mass
assert diffusion == ({(2, tessera)}, {1, 3}), diffusion
assert matrices == ({(2, plot_demo.OPERATORS["mass"][1])}, {1, 2, 3}), matrices
assert "Hollow: " in words() and "No bound: " in words() and "bound of the\noperator" in words(), words()

# Files of earlier versions: only the cases are marked.
old = copy.deepcopy(alone)
for row in old["results"]:
    del row["believed"]
    for entry in row["seconds"].values():
        del entry["disturbed"]
mass, diffusion, _ = panels(old)
assert mass == ({(2, tessera)}, {1, 2, 3}) and diffusion == ({(2, tessera)}, {1, 2, 3}), (mass, diffusion)
assert "No bound: " not in words(), words()

# Nothing to believe, nothing to label.
for row in alone["results"]:
    row["believed"] = False
assert all(not bounds for _, bounds in panels(alone)) and "bound of" not in words(), words()
