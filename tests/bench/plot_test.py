# SPDX-License-Identifier: BSD-3-Clause
# bench/plot.py draws one rate figure for each suite or row of a sample file, and a roofline, without suspect points.
import importlib.util
import json
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


# The figures themselves: titles, and how many points each curve has.
spec = importlib.util.spec_from_file_location("plot", scripts / "plot.py")
plot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot)


def figures_of(content, name):
    kept = {}

    def keep(figure):
        if figure != "all":  # matplotlib's own call, at the first figure
            kept[figure.axes[0].get_title().split("\n")[0]] = figure.axes[0]

    plot.plt.close = keep
    (out / name).write_text(json.dumps(content), encoding="utf-8")
    sys.argv = ["plot.py", str(out / name), "--out", str(out)]
    plot.main()
    return kept


def points_of(axes, label):
    handles, labels = axes.get_legend_handles_labels()
    found = dict(zip(labels, handles)).get(label)
    if found is None:
        return 0
    return len((found[0] if isinstance(found, tuple) else found).get_xdata())


content = json.loads((here / "sample.json").read_text(encoding="utf-8"))
assert not any("suspect" in title for title in figures_of(content, "trusted.json"))
content["results"][0]["suspect"] = "17799% of the bound"
content["results"][1]["suspect"] = None
drawn = figures_of(content, "one_suspect.json")
(rate,) = [axes for title, axes in drawn.items() if title.startswith("gemm") and "(1 suspect, left out)" in title]
assert points_of(rate, "tessera") == 2 and points_of(rate, "bound") == 2 and points_of(rate, "plain") == 3
(roofline,) = [axes for title, axes in drawn.items()
               if not title.startswith(("gemm", "contraction")) and "(1 suspect, left out)" in title]
assert points_of(roofline, "tessera") == 3 and points_of(roofline, "plain") == 4
assert not any("suspect" in title for title in drawn if title.startswith("contraction")), list(drawn)

# Where nothing can be trusted nothing is drawn.
for result in content["results"]:
    result["suspect"] = "samples spread by 50% of their median"
assert not figures_of(content, "all_suspect.json")
