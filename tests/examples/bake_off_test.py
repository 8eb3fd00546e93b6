# SPDX-License-Identifier: BSD-3-Clause
# examples/bake_off: its counts, its exit status, its file, and the chart of it where matplotlib is installed.
import importlib.util
import json
import pathlib
import subprocess
import sys

examples, bake_off, folder = map(pathlib.Path, sys.argv[1:4])


def run(*arguments):
    return subprocess.run([str(bake_off), *arguments], capture_output=True, text=True, check=False)


file = folder / "bake_off.json"
done = run("--problem", "1-4,5,6", "--orders", "1-3,8", "--unknowns", "100,3e3", "--repetitions", "1", "--iterations", "10",
           "--json", str(file))
assert done.returncode == 0 and "WRONG" not in done.stdout, done.stdout + done.stderr
data = json.loads(file.read_text(encoding="utf-8"))
results = data["results"]
# Of order 8 the smallest box is the closest one to both numbers.
assert len(results) == 6 * (3 * 2 + 1), results
for r in results:
    components = 3 if r["problem"] % 2 == 0 else 1
    cells = [2, 2, 2]
    for a in range(100):
        if cells[0] * cells[1] * cells[2] == r["elements"]:
            break
        cells[a % 3] *= 2
    nodes = 1
    for n in cells:
        nodes *= n * r["order"] + 1
    assert r["unknowns"] == components * nodes, r
    # Few unknowns are solved sooner.
    assert r["iterations"] == 10 or r["iterations"] < 10 and r["unknowns"] < 400, r
    rate = r["unknowns"] * r["iterations"] / r["seconds"]
    assert abs(r["unknowns_times_iterations_per_second"] / rate - 1) < 1e-9, r
assert sum("BP6" in line for line in done.stdout.splitlines()) == 7, done.stdout
# A problem that converges: the mass.
done = run("--problem", "1", "--orders", "4", "--unknowns", "5e3", "--iterations", "500", "--repetitions", "1")
assert done.returncode == 0 and int(done.stdout.split()[-3]) < 200, done.stdout

for mistake, words in ((("--orders", "3-1"), "--orders: '3-1' is no number"), (("--orders", "2x"), "'2x' is no number"),
                       (("--problem", "1", "--orders", "1", "--unknowns", "10", "--json", "/nowhere/b.json"),
                        "cannot write"),
                       (("--problem", "0-3"), "--problem: '0-3'"), (("--problem", "7"), "1-6")):
    done = run(*mistake)
    assert done.returncode == 2 and words in done.stderr, (mistake, done)
assert run("--problem", "1", "--iterations", "0").returncode == 2 and run("--help").returncode == 0
done = run("--problem", "1", "--orders", "2", "--unknowns", "1e3", "--gpu")
assert done.returncode == 0 or done.returncode == 2 and "--gpu: there is none" in done.stderr, done

if importlib.util.find_spec("matplotlib") is None:
    print("matplotlib is not installed: no chart")
    sys.exit(0)
spec = importlib.util.spec_from_file_location("plot_bake_off", examples / "plot_bake_off.py")
plot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot)
picture = folder / "bake_off.png"
picture.unlink(missing_ok=True)
plot.draw(data, picture)
assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
panels = [axes for axes in plot.plt.gcf().axes if axes.get_lines()]
assert [len(axes.get_lines()) for axes in panels] == [4] * 6
assert sorted(panels[0].get_lines()[0].get_xdata()) == sorted(
    r["unknowns"] for r in results if (r["problem"], r["order"]) == (1, 1))
file.write_text(json.dumps(dict(data, schema=0)), encoding="utf-8")
done = subprocess.run([sys.executable, str(examples / "plot_bake_off.py"), str(file), str(picture)], check=False,
                      capture_output=True, text=True)
assert done.returncode != 0 and "schema 0" in done.stderr, done
