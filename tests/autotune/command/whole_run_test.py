# SPDX-License-Identifier: BSD-3-Clause
# Runs tessera-tune as a user does: a small tuning, again from its journal, interrupted, killed, and with mistakes.
# whole_run_test.py PROGRAM FOLDER [stream]: with stream, an element operator from memory too, which takes minutes.
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

program, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "whole_run"
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
# Drawing takes seconds: only the first run has matplotlib, where there is one.
undrawn = folder / "undrawn"
undrawn.mkdir()
(undrawn / "matplotlib.py").write_text("raise ImportError('no matplotlib here')\n", encoding="utf-8")
ENVIRONMENT = {**os.environ, "TESSERA_CACHE": str(folder / "cache"), "XDG_CACHE_HOME": str(folder / "xdg"),
               "PYTHONPATH": str(undrawn)}
SMALL = ["--sizes", "3", "--type", "f64", "--regime", "cache", "--target", "best", "--candidates", "8",
         "--share", "1.0", "--budget", "120s"]


def run(*arguments, **more):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=500, check=False,
                          env={**ENVIRONMENT, **more})
    return done.returncode, done.stdout, done.stderr


def records(where):
    files = list((folder / where).glob("*.json"))
    assert len(files) == 1, files
    return json.loads(files[0].read_text(encoding="utf-8"))


def check_report(where, out):
    """The data, and the pictures unless matplotlib is missing, as one line then says with the command for later."""
    reports = list((folder / where).glob("*-report"))
    assert len(reports) == 1 and (reports[0] / "data.json").exists(), reports
    data = json.loads((reports[0] / "data.json").read_text(encoding="utf-8"))
    assert all(case["present"] in ("runs", "none") for case in data["cases"]), data["cases"]
    told = [line for line in out.splitlines() if line.startswith("report: ")]
    assert len(told) == 1, out
    if (reports[0] / "summary.png").exists():
        assert told[0] == f"report: {reports[0] / 'index.html'}" and (reports[0] / "index.html").exists(), told
    else:
        assert "matplotlib" in told[0] and "plot_report.py" in told[0], told


def tuned(where, *arguments, **more):
    code, out, err = run(*SMALL, "--output", str(folder / where), *arguments, **more)
    assert code == 0, (code, err)
    assert "geometric mean" in out and "TESSERA_RECORDS" in out, out
    check_report(where, out)
    return records(where), err


if shutil.which(os.environ.get("CXX", "c++")) is None and shutil.which("g++") is None:
    print("skipped: no compiler")
    sys.exit(0)

first, progress = tuned("first", PYTHONPATH=os.environ.get("PYTHONPATH", ""))
assert len(first["records"]) == 1, first
assert "[1/1]" in progress and "of bound" in progress, progress

# The same command again: nothing is measured, the result is the same to the last digit.
again, progress = tuned("again")
assert "going on with" in progress, progress
for member in ("tuning", "seconds", "mad", "initial_seconds", "runner_up", "tried"):
    assert again["records"][0][member] == first["records"][0][member], member

# Only what earlier kernels gave is measured: nothing, and then everything.
STALE = ["--stale", "--family", "gemm", *SMALL[2:], "--output", str(folder / "again")]
code, out, err = run(*STALE)
assert code == 0 and "stale cases: 0" in out and "geometric mean" not in out, (code, out, err)
path = next((folder / "again").glob("*.json"))
path.write_text(json.dumps({**again, "source_hash": "of earlier kernels"}), encoding="utf-8")
code, out, err = run(*STALE, "--fresh")
assert code == 0 and "stale cases: 1" in out and "[1/1]" in err, (code, out, err)
renewed = records("again")
assert renewed["source_hash"] == first["source_hash"] and len(renewed["records"]) == 1, renewed
code, out, err = run("--stale", "--target", "best", "--output", str(folder / "again"))
assert code == 0 and out.count("stale cases: 0") == 2, (code, out, err)
code, out, err = run(*STALE[:-1], str(folder / "nothing"))
assert code == 2 and "--stale" in err and "nothing" in err, (code, out, err)

# A report that cannot be written, since a file is in its folder's place: the record is named, and the run succeeds.
blocked = folder / "blocked"
blocked.mkdir()
(blocked / next((folder / "first").glob("*-report")).name).write_text("", encoding="utf-8")
code, out, err = run(*SMALL, "--output", str(blocked))
assert code == 0 and len(records("blocked")["records"]) == 1, (code, out, err)
assert 0 < out.index("\nrecord: ") < out.index("\nreport: no pictures (") < out.index("\nto build with it"), out

# An installed program runs the script in share/tessera; where that cannot draw, one line says why and what to type.
timings = folder / "timings.json"
tuned("timed", "--record-timings", str(timings))
installed = folder / "installed"
for name in ("bin", "share/tessera"):
    (installed / name).mkdir(parents=True, exist_ok=True)
shutil.copy(program, installed / "bin/tessera-tune")
script = installed / "share/tessera/plot_report.py"
script.write_text("import sys\nsys.exit('no chart today')\n", encoding="utf-8")
drawn = subprocess.run([str(installed / "bin/tessera-tune"), "report", str(next((folder / "timed").glob("*.json"))),
                        str(timings), "--output", str(installed)], check=False, text=True, capture_output=True,
                       env=ENVIRONMENT)
line = drawn.stdout.splitlines()[-1]
assert drawn.returncode == 0 and line.startswith("report: no pictures (no chart today)"), drawn
assert f'"{script}" "{next(installed.glob("*-report"))}"' in line, line

# Killed in the middle, three times at other moments, then finished from the journal.
journal = folder / "killed.journal"
killed = 0
for delay in (0.5, 2.0, 4.0):
    child = subprocess.Popen([program, *SMALL, "--output", str(folder / "killed"), "--journal", str(journal)],
                             env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(delay)
    child.kill()
    child.wait()
    killed += child.returncode == -signal.SIGKILL
assert killed > 0, "every run was over before it could be killed"
finished, progress = tuned("killed", "--journal", str(journal))
assert finished["records"][0]["seconds"] > 0
assert len(finished["records"]) == 1 and finished["records"][0]["tried"] == first["records"][0]["tried"]

# Overlapping sizes are tuned once; a budget that is too small says what it did not reach.
code, out, err = run(*["3,2-3" if word == "3" else "0.1s" if word == "120s" else word for word in SMALL],
                     "--output", str(folder / "short"), "--journal", str(folder / "short.journal"))
assert code == 1 and "2 cases were not reached" in err and "no record is written" in out, (code, out, err)
code, out, err = run(*["3,2-3" if word == "3" else word for word in SMALL], "--output", str(folder / "short"),
                     "--journal", str(folder / "short.journal"))
assert code == 0 and len(records("short")["records"]) == 2, (code, out, err)

# Two at once into one folder, each with a journal of its own: neither loses what the other found.
both = [subprocess.Popen([program, *[size if word == "3" else word for word in SMALL], "--output", str(folder / "both"),
                          "--journal", str(folder / f"both-{size}.journal")], env=ENVIRONMENT,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for size in ("2", "4")]
assert [child.wait(timeout=500) for child in both] == [0, 0]
assert [r["m"] for r in records("both")["records"]] == [2, 4], records("both")
assert not list((folder / "both").glob("*.lock")) and not list((folder / "both").glob("*.new.*"))

# A journal line with a time that no clock gives is skipped, and that is said.
text = (folder / "both-2.journal").read_text(encoding="utf-8").splitlines()
line = {**json.loads(text[1]), "how": "ok", "seconds": 1e-300}
line.pop("reason", None)
(folder / "both-2.journal").write_text("\n".join([text[0], json.dumps(line), *text[1:]]) + "\n", encoding="utf-8")
code, _, err = run(*["2" if word == "3" else word for word in SMALL], "--output", str(folder / "both"), "--journal",
                   str(folder / "both-2.journal"))
assert code == 0 and "1 lines of" in err and "no clock" not in err and "skipped" in err, (code, err)

# A folder that is not there is reported before a device's limits are measured.
for option in ["--journal", "--record-timings"]:
    code, _, err = run(*SMALL, "--output", str(folder / "both"), option, str(folder / "absent" / "file"))
    assert code == 2 and "absent" in err and "limits" not in err, (code, err)

# Ctrl-C: the journal stays, the exit status says so.
MANY = ["3-9" if word == "3" else word for word in SMALL]
child = subprocess.Popen([program, *MANY, "--output", str(folder / "stopped"), "--journal",
                          str(folder / "stopped.journal")], env=ENVIRONMENT, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
time.sleep(6)
child.send_signal(signal.SIGINT)
_, err = child.communicate(timeout=120)
assert child.returncode == 130 and "continues from here" in err, (child.returncode, err)
assert (folder / "stopped.journal").exists()

# An element operator on the CPU: a record a regime, and again from the journal.
CANDIDATES = {"cache": 6, "stream": 92}
REGIMES = ["cache", "stream"] if "stream" in sys.argv[3:] else ["cache"]
ELEMENT = ["--family", "element", "--target", "best", "--operator", "diffusion", "--p", "2", "--q", "gll", "--type", "f64",
           "--regime", "all" if len(REGIMES) > 1 else "cache", "--budget", "300s"]


def tuned_element(where):
    done, said, told = run(*ELEMENT, "--output", str(folder / where))
    assert done == 0 and "geometric mean" in said and f"[{len(REGIMES)}/{len(REGIMES)}]" in told, (done, said, told)
    check_report(where, said)
    return records(where), told


elements, progress = tuned_element("element")
assert [r["regime"] for r in elements["records"]] == REGIMES, elements
for r in elements["records"]:
    assert r["nodal"] is True and r["family"] == "element" and r["d"] == r["q"] == 3 and r["seconds"] > 0, r
    assert set(r["tuning"]) == {"prefetch_kib", "nontemporal", "prefetch_level", "prefetch_repeats"} and r["tried"] == r["candidates"], r
assert [r["candidates"] for r in elements["records"]] == [CANDIDATES[regime] for regime in REGIMES], elements
again, progress = tuned_element("element_again")
assert "going on with" in progress, progress
for one, other in zip(elements["records"], again["records"]):
    assert one["tuning"] == other["tuning"] and one["seconds"] == other["seconds"], (one, other)
code, out, err = run("report", str(next((folder / "element").glob("*.json"))), "absent.json")
assert code != 0 and "absent.json" in err, (code, err)

fifo = folder / "fifo"
os.mkfifo(fifo)
for wrong, words in [
        (["t4", str(fifo), "out.json"], "a FIFO, not a regular file"),
        (["simulate", str(fifo)], "a FIFO, not a regular file"),
        (["simulate", "--share", "nan", "absent.json"], "'nan' is not a number from 0.01 to 1"),
        ([*SMALL, "--journal", str(fifo)], "a FIFO, not a regular file"),
        ([*SMALL, "--record-timings", "/dev/null"], "a device, not a regular file"),
        (["--share", "nan"], "'nan' is not a number from 0.01 to 1"),
        (["--budget", "infs"], "10m"),
        (["--strategy", "eliminate"], "did you mean 'elimination'?"),
        (["--sizes", "3x4"], "3x5x4"),
        (["--sizes", "40"], "1 to 32"),
        (["--budget", "ten"], "10m"),
        (["--strategy", "luck"], "elimination"),
        (["--target", "vax"], "vax"),
        ([*SMALL, "--fresh", "--output", "/dev/null/records"], "/dev/null"),
        (["simulate", "absent.json"], "absent.json"),
        (["space", "--family", "element", "--dim", "4"], "1 to 3"),
        (["space", "--family", "element", "--operator", "weight"], "'weight'"),
        (["space", "--family", "element", "--p", "0"], "1 to 16"),
        (["t4", "absent.json", "out.json"], "absent.json")]:
    code, _, err = run(*wrong)
    assert code != 0 and words in err, (wrong, code, err)
code, _, err = run(*SMALL, "--fresh", TESSERA_TUNE_CXX="no-such-compiler")
assert code != 0 and "no-such-compiler" in err, (code, err)

code, out, _ = run("space", "--sizes", "5", "--target", "best", "--type", "f64", "--regime", "cache")
assert code == 0 and "5x5x5" in out and "same kernel as another" in out, out
code, out, _ = run("space", "--family", "element", "--operator", "diffusion", "--p", "3", "--q", "p+2", "--type", "f64")
assert code == 0 and "cuda f64 diffusion 3-D p3 q5" in out and "256  candidates" in out and "not drawn" in out, out
code, out, _ = run("space", "--family", "element", "--p", "3", "--q", "gll", "--type", "f64", "--target", "best")
assert code == 0 and "f64 cache mass 3-D p3 q4 gll" in out and "6  candidates" in out and "prefetch_kib" in out, out
assert "cuda" not in out and "92  candidates" in out, out
code, out, _ = run("explain", "5", "--target", "best", "--type", "f64", "--regime", "cache")
assert code == 0 and out.strip(), out
EXPLAIN = ["explain", "--family", "element", "--operator", "diffusion", "--p", "4", "--q", "p+2", "--type", "f64"]
code, out, _ = run(*EXPLAIN, "--target", "best", "--regime", "stream")
assert code == 0 and "f64 stream diffusion 3-D p4 q6: " in out and out.count("  default: ") == 1, out
assert "  takes: prefetch " in out and "  kernel: diffusion 3-D, d = 5, q = 6, f64: " in out, out
code, out, _ = run(*EXPLAIN, "--target", "cuda")
assert code == 0 and "cuda f64 diffusion 3-D p4 q6: " in out and "NVIDIA H200" in out, out
assert "elements per block of " in out and "  kernel: " in out, out
code, out, _ = run("t4", str(next((folder / "first").glob("*.json"))), str(folder / "t4.json"))
assert code == 0 and json.loads((folder / "t4.json").read_text(encoding="utf-8"))["results"]
