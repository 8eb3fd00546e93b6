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

# Two-site updates: a figure for each dp and chi over the entries of an update, and a roofline.
def update(dp, entries, impl, seconds):
    return {"suite": "two-site", "case": {"dp": dp, "chi": 64, "batch": entries, "updates": 9, "beyond_cache": True},
            "impl": impl, "target": "cuda" if impl == "tessera" else None, "type": "f64", "threads": 1,
            "regime": "stream", "seconds": {"median": seconds, "mad": seconds / 100}, "bytes": 1e6 * entries,
            "flops": 1e8 * entries, "bound": {"seconds": seconds / 2, "bandwidth": 3e12, "peak": 6e13},
            "suspect": "noise" if impl == "staged" else None}


content["platform"]["platform"]["gpu"] = {"name": "a made-up GPU"}
content["results"] = [update(dp, entries, impl, 1e-6 * entries) for dp in (16, 32) for entries in (1, 4, 16)
                      for impl in ("tessera", "tessera graph", "staged")]
drawn = figures_of(content, "two_site.json")
assert len(drawn) == 3 and (out / "two_site_rate_two_site_dp_16_chi_64.png").exists(), list(drawn)
(rate,) = [axes for title, axes in drawn.items() if title.startswith("two-site dp=32 chi=64, a made-up GPU")]
assert points_of(rate, "tessera") == points_of(rate, "tessera graph") == 3 and points_of(rate, "staged") == 0
assert rate.get_xlabel() == "entries of an update" and rate.get_xscale() == "log", rate.get_xlabel()
assert list(rate.get_legend_handles_labels()[0][0].get_xdata()) == [1, 4, 16]
assert "f64, stream, 1 thread, Y = G X M" in rate.get_title(), rate.get_title()

# Cases without an axis get no figure of rates, and no traceback.
for result in content["results"]:
    result["suite"], result["case"] = "tccg", {"text": "abcd-ea-ebcd"}
    result["suspect"] = None
drawn = figures_of(content, "no_axis.json")
assert len(drawn) == 1, list(drawn)
