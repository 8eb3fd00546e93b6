# SPDX-License-Identifier: BSD-3-Clause
# The program blast: its files, pictures, checkpoints, and what it says of mistakes.
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from read_vtu import Grid  # noqa: E402  (the path comes first)

program, examples, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]) / "blast"
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def run(*arguments, status=0):
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout if status == 0 else done.stderr


def last_step(text):
    return [line for line in text.splitlines() if line.startswith("step")][-1]


def refused(text, *arguments, status=2):
    said = run(*arguments, status=status)
    assert text in said, (arguments, said)


# On a GPU the same; without one an error that says so.
small = ["-p", 1, "-r", 1, "-t", 0.1, "--cg-tolerance", 1e-13]
done = subprocess.run([str(program), *map(str, small), "--gpu"], capture_output=True, text=True, check=False, cwd=folder)
if done.returncode == 0:
    assert "on the GPU" in done.stdout and last_step(done.stdout) == last_step(run(*small)), done.stdout
else:
    assert done.returncode == 2 and "there is no GPU" in done.stderr, done.stderr

# Fields of each dimension for ParaView, histories, pictures' numbers, errors.
for dim, problem in [(1, 2), (2, 1), (3, 1)]:
    data = folder / f"run{dim}.json"
    out = run("-p", problem, "-d", dim, "-r", 1, "-t", 0.1, "--vtk", f"run{dim}", "--vtk-every", 5, "--json", data)
    found = json.loads(data.read_text(encoding="utf-8"))
    collection = (folder / f"run{dim}.pvd").read_text(encoding="utf-8")
    frames = sorted(folder.glob(f"run{dim}_*.vtu"))
    steps = found["steps"]
    assert [frame.name for frame in frames] == [f"run{dim}_{s:06d}.vtu" for s in [*range(0, steps, 5), steps]], frames
    assert all(f'file="{frame.name}"' in collection for frame in frames), collection
    if dim > 1:
        grid = Grid(frames[0])
        assert len(grid.cells) == found["zones"] and set(grid.fields) == {"velocity", "density", "energy"}
        density = [value[0] for value in grid.fields["density"]]
        assert max(abs(value - 1) for value in density) < 1e-12, density
    assert len(found["history"]["time"]) == steps + 1 and found["history"]["time"][-1] == 0.1
    assert f"{found['energy_norm']:.10e}" in last_step(out)
    assert 0 < found["density_error"] < 0.3 and f"L1 {found['density_error']:.4e}" in out, out
    picture = found["picture"]
    drawn = (2 ** dim * 2 ** dim if dim < 3 else 16) * 3 ** min(dim, 2)
    assert len(picture["density"]) == len(picture["energy"]) == len(picture["x"]) == drawn, (dim, len(picture["x"]))

# A run that goes on from its checkpoint ends with the same bits; frames of its first part stay in the collection.
whole = run("-p", 3, "-r", 0, "-t", 0.3, "--json", "whole.json")
run("-p", 3, "-r", 0, "-t", 0.3, "--max-steps", 9, "--checkpoint", "kept", "--checkpoint-every", 4, "--vtk", "two")
second = run("-p", 3, "-r", 0, "-t", 0.3, "--restart", "kept", "--checkpoint", "kept", "--json", "second.json",
             "--vtk", "two")
assert last_step(whole) == last_step(second)
first, other = (json.loads((folder / name).read_text(encoding="utf-8")) for name in ("whole.json", "second.json"))
assert first["energy_norm"] == other["energy_norm"] and first["history"] == other["history"]
assert (folder / "two.pvd").read_text(encoding="utf-8").count("<DataSet") == 3
assert "Error of the density" not in run("-p", 2, "-d", 1, "-r", 2, "-t", 0.5)  # the shock has met the wall

# SIGTERM and SIGINT: the step is completed and kept, and the run goes on from it to the same bits.
def interrupted(*arguments, wait_for="step", then):
    """Started, and sent the signals of `then` once it has printed a line that begins so: status, stdout, stderr."""
    with subprocess.Popen([str(program), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, cwd=folder,  # and where this test runs in the background SIGINT is ignored
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as child:
        lines = []
        while not lines or not lines[-1].startswith(wait_for):
            lines.append(child.stdout.readline())
            assert lines[-1], (arguments, lines, child.stderr.read())
        for each in then:
            child.send_signal(each)
            time.sleep(0.05)
        out, errors = child.communicate()
        return child.returncode, "".join(lines) + out, errors


def numbers_of(name):
    data = json.loads((folder / name).read_text(encoding="utf-8"))
    del data["seconds"]
    return data


longer = ["-p", 3, "-r", 1, "-t", 3, "--every", 10]
whole = run(*longer, "--json", "whole.json")
status, out, errors = interrupted(*longer, "--checkpoint", "ended", "--json", "ended.json", "--vtk", "ended",
                                  then=[signal.SIGTERM])
assert status == 128 + signal.SIGTERM, (status, out, errors)
steps = numbers_of("ended.json")["steps"]
assert 0 < steps < numbers_of("whole.json")["steps"] and last_step(out).startswith(f"step {steps:5d},"), out
assert f"ended by SIGTERM after step {steps} at time " in errors and "--restart ended goes on" in errors, errors
assert (folder / f"ended_{steps:06d}.vtu").exists() and "Energy  diff" in out, out
out = run(*longer, "--restart", "ended", "--json", "rest.json")
assert last_step(out) == last_step(whole) and numbers_of("rest.json") == numbers_of("whole.json")
status, out, errors = interrupted(*longer, then=[signal.SIGINT])
assert status == 128 + signal.SIGINT and "ended by SIGINT" in errors and "nothing was kept" in errors, (status, errors)
# A second one does not wait for the end of a step, which takes about half a second here.
status, out, errors = interrupted("-p", 1, "-d", 3, "-r", 2, "-k", 6, "--every", 1, then=2 * [signal.SIGTERM])
assert status == -signal.SIGTERM and "Energy" not in out, (status, out, errors)

# A step that cannot be made: where, when, and the last good state in files.
tube = ["-p", 2, "-d", 1, "-r", 3, "-t", 0.2, "--every", 100000]
crash = [*tube, "--cfl", 3, "--checkpoint", "tube", "--vtk", "tube", "--json", "tube.json"]
errors = run(*crash, status=1)
where = r"blast: step \d+ at time 0\.\d+ got shorter than 2.22e-16.*: zone \d+ .* at its point \d+"
assert re.search(where, errors), errors
hint = "The last good state is in 'tube.crashed': for inspection. An earlier state is in 'tube': --restart tube with"
assert f"{hint} a smaller --cfl\n" in errors, errors
found = json.loads((folder / "tube.json").read_text(encoding="utf-8"))
steps = found["steps"]
assert f"blast: step {steps + 1} at time {found['time']:.8f}"[:30] in errors, (errors, steps)
assert (folder / f"tube_{steps:06d}.vtu").exists() and f"tube_{steps:06d}" in (folder / "tube.pvd").read_text()
done = subprocess.run([str(program), *map(str, tube), "--restart", "tube.crashed", "--cfl", "3"], capture_output=True,
                      text=True, check=False, cwd=folder)
assert done.returncode == 1 and last_step(done.stdout).split("=")[-1].strip() == f"{found['energy_norm']:.10e}", done
assert errors.splitlines()[0] in done.stderr and "in 'blast.crashed'" in done.stderr, done.stderr
assert "A run from the start with a smaller --cfl may get further" in done.stderr, done.stderr
assert (folder / "blast.crashed").read_bytes()[:17] == b"blast checkpoint " and f"step {steps:5d}," in done.stdout
assert "0 steps in" in done.stdout and re.search(r"; \d+ tries were repeated", done.stdout), done.stdout
assert "step   500,\t" in run(*tube, "--restart", "tube", "--max-steps", 1)  # the checkpoint of before stays

# Materials by attribute: the triple point's three gases, on its mesh, are the triple point.
run("-p", 3, "-r", 1, "-t", 0.01, "--write-mesh", "gases.mesh")
text = (folder / "gases.mesh").read_text(encoding="utf-8")
words = text.split("vertices\n")[1].split()
vertices = [tuple(map(float, words[i:i + 2])) for i in range(2, len(words), 2)]
lines = text.splitlines()
first = lines.index("elements") + 2
for i in range(first, first + int(lines[first - 1])):
    zone = lines[i].split()
    x, y = (sum(vertices[int(corner)][a] for corner in zone[2:]) / 4 for a in (0, 1))
    lines[i] = " ".join(["7" if x < 1 else "2" if y < 1.5 else "3", *zone[1:]])
(folder / "gases.mesh").write_text("\n".join(lines) + "\n", encoding="utf-8")
gases = [(7, 1, 1 / (1 * (1.5 - 1)), 1.5), (2, 1, 0.1 / (1 * (1.4 - 1)), 1.4),
         (3, 0.125, 0.1 / (0.125 * (1.5 - 1)), 1.5)]
materials = [word for gas in gases for word in ("--material", ":".join(map(repr, gas)))]
wanted = last_step(run("-p", 3, "-r", 2, "-t", 0.2))
assert last_step(run("-p", 2, "-r", 1, "-t", 0.2, "-m", "gases.mesh", *materials)) == wanted  # of its own it is Sod's
assert last_step(run("-p", 3, "-r", 1, "-t", 0.2, "-m", "gases.mesh", *materials[2:4])) == wanted  # two are its own
assert last_step(run("-p", 3, "-r", 1, "-t", 0.2, "-m", "gases.mesh", "--material", "2:1:0.25:1.5")) != wanted
# The meshes of problems have attribute 1; of another gas nothing is known.
out = run("-p", 2, "-d", 1, "-t", 0.1, "--material", "1:1:1:1.4", "--json", "alone.json")
assert "Error of" not in out and "exact" not in numbers_of("alone.json"), out
assert "Error of the velocity" not in run("-p", 0, "-r", 1, "-t", 0.01, "--material", "1:1:1:1.4")

# Mistakes.
assert "Going on from 'kept'" in run("-p", 3, "-r", 0, "-t", 0.4, "--max-steps", 1, "--restart", "kept",
                                     "--checkpoint", "./kept")  # the same file by another name
refused("exists: --restart goes on from it", "-p", 3, "-r", 0, "--checkpoint", "kept")
refused("not before the final time", "-p", 3, "-r", 0, "-t", 0.3, "--restart", "kept")
refused("is of another run: ", "-p", 3, "-r", 1, "-t", 0.4, "--restart", "kept")
refused("zones: 21 there, 84 here", "-p", 3, "-r", 1, "-t", 0.4, "--restart", "kept")
refused("no zone of the mesh has attribute 9", "--material", "9:1:1:1.4")
refused("the material '1:1:1': expected ATTRIBUTE:DENSITY:ENERGY:GAMMA", "--material", "1:1:1")
refused("refined 10 times the mesh has 8589934592 zones, which need at least", "-d", 3, "-r", 10)
refused("--vtk-times requires --vtk", "--vtk-times", "0.1,0.2")
refused("cannot read the checkpoint", "--restart", "nothing")
refused("there is no problem 8: 0 Taylor-Green vortex", "-p", 8)
refused("there is no Runge-Kutta method 5: 1 Euler", "-s", 5)
refused("defined in 2 to 3 dimensions, not in 1", "-p", 0, "-d", 1)
refused("cannot read the mesh 'nothing'", "-m", "nothing")
refused("a rule of order 1 has 1 points in a direction", "--rule", 1)
refused("cannot write 'no/where.json'", "--json", "no/where.json")
refused("there is no problem 8", "-p", 8, "--json", "unused.json")
assert not list(folder.glob("unused*")) and not list(folder.glob("*.part"))
assert "(default: max(3 k + l - 1, 2 l), k and l" in " ".join(run("--help").split())
refused("--checkpoint-every requires --checkpoint", "--checkpoint-every", 3, status=2)
refused("configuration 12", "-p", 9)
run("-p", 1, "-r", 1, "-t", 0.05, "--write-mesh", "square.mesh")
assert "64 zones" in run("-p", 1, "-m", "square.mesh", "-r", 1, "-t", 0.01)
refused("is 2-D, not 3-D", "-m", "square.mesh", "-d", 3)

# The pictures. Where there is no matplotlib, a line says so.
plot = [sys.executable, str(examples / "blast" / "plot_blast.py")]
(folder / "without").mkdir()
(folder / "without" / "matplotlib.py").write_text("raise ImportError('none')\n", encoding="utf-8")
done = subprocess.run([*plot, "run1.json", "no.png"], cwd=folder, capture_output=True, text=True, check=False,
                      env={**os.environ, "PYTHONPATH": str(folder / "without")})
assert done.returncode == 1 and done.stderr.startswith("No picture: that needs Python with matplotlib"), done
assert len(done.stderr.splitlines()) == 1, done
# A run that cannot draw its picture names why, and keeps the data; its status is that of the run.
def drawn(*arguments, status=0, without=True):
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, check=False, cwd=folder,
                          env={**os.environ, "PYTHONPATH": str(folder / "without")} if without else None)
    assert done.returncode == status, (arguments, done)
    return done


reason = "that needs Python with matplotlib (python3-matplotlib); its data are in"
short = ["-p", 2, "-d", 2, "-r", 1, "-t", 0.02]
done = drawn(*short, "--png", "none.png")
assert done.stderr == f"blast: no picture 'none.png': {reason} 'none.png.json'\n", done
assert "Picture" not in done.stdout and numbers_of("none.png.json")["time"] == 0.02
done = drawn(*short, "--png", "none.png", "--json", "own.json", "--field", "energy")
assert done.stderr == f"blast: no picture 'none.png': {reason} 'own.json'\n" and (folder / "own.json").exists(), done
assert f"'none.png': {reason}" in drawn(*crash[:-6], "--png", "none.png", status=1).stderr
refused("cannot write 'no/where.png'", *short, "--png", "no/where.png")
refused("the picture's name must end in .png", *short, "--png", "picture.json")
refused("--field requires --png", *short, "--field", "energy")
refused("--field: ", *short, "--png", "none.png", "--field", "pressure")
if importlib.util.find_spec("matplotlib") is None:
    print("matplotlib is not installed: no pictures")
    sys.exit(0)
run("-p", 1, "-r", 2, "-t", 0.1, "--json", "finer.json")
run("-p", 7, "-r", 0, "-t", 0.1, "--json", "instability.json")
for names in [["run1.json"], ["run2.json"], ["finer.json", "run2.json"], ["run3.json"], ["instability.json"],
              ["finer.json", "run2.json", "--field", "energy"], ["--field", "density", "run3.json"]]:
    picture = folder / "picture.png"
    picture.unlink(missing_ok=True)
    subprocess.run([*plot, *names, str(picture)], cwd=folder, check=True)
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
done = subprocess.run([*plot, "run1.json", "run2.json", "no.png"], cwd=folder, capture_output=True, text=True,
                      check=False)
assert done.returncode != 0 and "run2.json is of another problem" in done.stderr, done.stderr
for options, kept in [([], ["end.png"]), (["--json", "end.json", "--field", "energy"], ["end.json", "end.png"])]:
    (folder / "end.png").unlink(missing_ok=True)
    done = drawn(*short, "--png", "end.png", *options, without=False)
    assert not done.stderr and "Picture: end.png" in done.stdout, done
    assert sorted(each.name for each in folder.glob("end.*")) == kept, kept
    assert (folder / "end.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
