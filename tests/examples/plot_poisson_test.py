# SPDX-License-Identifier: BSD-3-Clause
# plot_poisson.py draws what examples/poisson writes, and refuses data of another schema.
import importlib.util
import json
import pathlib
import subprocess
import sys

examples, poisson, folder = map(pathlib.Path, sys.argv[1:4])
if importlib.util.find_spec("matplotlib") is None:
    print("skipped: matplotlib is not installed")
    sys.exit(0)

file, picture = folder / "plot_poisson.json", folder / "plot_poisson.png"
subprocess.run([str(poisson), "--order", "2", "--levels", "2", "--json", str(file)], check=True, capture_output=True)


def draw():
    picture.unlink(missing_ok=True)
    return subprocess.run([sys.executable, str(examples / "plot_poisson.py"), str(file), str(picture)], check=False,
                          capture_output=True, text=True)


done = draw()
assert done.returncode == 0 and picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n", done.stderr

spec = importlib.util.spec_from_file_location("plot_poisson", examples / "plot_poisson.py")
plot_poisson = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot_poisson)
data = json.loads(file.read_text(encoding="utf-8"))
plot_poisson.draw(data, picture)
solution, residuals, errors = plot_poisson.plt.gcf().axes[:3]
# Edges of 4 x 4 elements; a residual for each mesh; the errors and their slope.
assert [len(axes.get_lines()) for axes in (solution, residuals, errors)] == [10, 2, 2]
assert list(errors.get_lines()[0].get_ydata()) == [level["error"] for level in data["levels"]]
assert [len(line.get_xdata()) for line in residuals.get_lines()] == [level["iterations"] + 1 for level in data["levels"]]

file.write_text(json.dumps(dict(data, schema=0)), encoding="utf-8")
done = draw()
assert done.returncode != 0 and "schema 0" in done.stderr and not picture.exists(), done.stderr
