# SPDX-License-Identifier: BSD-3-Clause
# plot_report.py draws a summary, every case and the search from sample data, says what is missing, and writes the page.
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys

scripts, here, folder = map(pathlib.Path, sys.argv[1:4])
if importlib.util.find_spec("matplotlib") is None:
    print("skipped: matplotlib is not installed")
    sys.exit(0)
sample = json.loads((here / "report_sample.json").read_text(encoding="utf-8"))


def draw(data, name, **more):
    out = folder / name
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "data.json").write_text(json.dumps(data), encoding="utf-8")
    (out / "cases-9.png").write_bytes(b"of an earlier run")
    done = subprocess.run([sys.executable, str(scripts / "plot_report.py"), str(out)], check=False, text=True,
                          capture_output=True, env={**os.environ, **more})
    return done, out


def is_picture(file):
    data = file.read_bytes()
    return data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 10000


done, out = draw(sample, "report_whole")
assert done.returncode == 0, done.stderr
pictures = ["summary.png", "cases-1.png", "search.png"]
assert sorted(p.name for p in out.glob("*.png")) == sorted(pictures), list(out.iterdir())
assert all(is_picture(out / name) for name in pictures)
page = (out / "index.html").read_text(encoding="utf-8")
order = [page.index(f"src='{name}'") for name in pictures]
assert order == sorted(order), "the summary comes first"
assert "A &lt;CPU&gt; &amp; more" in page and "<CPU>" not in page, page
assert sample["table"] in page and "rank correlation" in page, page

# More cases than a page holds; the same data otherwise.
done, out = draw(dict(sample, cases=sample["cases"] * 4), "report_pages")
assert done.returncode == 0, done.stderr
assert is_picture(out / "cases-2.png") and "cases-2.png" in (out / "index.html").read_text(encoding="utf-8")

# A record whose timings are not there: the gains alone.
done, out = draw(dict(sample, cases=[dict(case, candidates=[]) for case in sample["cases"]]), "report_gains")
assert done.returncode == 0 and [p.name for p in out.glob("*.png")] == ["summary.png"], done.stderr

# What the run called suspect has a mark in the summary and above its panel.
spec = importlib.util.spec_from_file_location("plot_report", scripts / "plot_report.py")
plot_report = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot_report)
kept = []
plot_report.plt.close = lambda figure: kept.append(figure) if figure != "all" else None


def words_of(figure):
    return [text.get_text() for text in figure.findobj(plot_report.matplotlib.text.Text)]


for suspect in (False, True):
    kept.clear()
    cases = [dict(sample["cases"][0], fraction=3.5, suspect=suspect), *sample["cases"][1:]]
    out = folder / "report_whole"
    plot_report.draw_summary(dict(sample, cases=cases), out / "summary.png")
    plot_report.draw_cases(sample, cases[:1], out / "cases-1.png")
    summary, panels = map(words_of, kept)
    assert ("350% (suspect)" if suspect else "350%") in summary, summary
    assert any("suspect: too far above the bound" in words for words in summary) == suspect, summary
    assert any("350% (suspect) of the bound" in words for words in panels) == suspect, panels

done, out = draw(dict(sample, schema=7), "report_schema")
assert done.returncode != 0 and "schema 7" in done.stderr, done

# Without matplotlib: one line that says what to install.
absent = folder / "report_absent"
absent.mkdir(exist_ok=True)
(absent / "matplotlib.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
done, out = draw(sample, "report_none", PYTHONPATH=str(absent))
assert done.returncode != 0 and done.stderr.count("\n") == 1 and "python3-matplotlib" in done.stderr, done.stderr
