# SPDX-License-Identifier: BSD-3-Clause
# examples/spin_chain: the energy of 20 sites, its lines, its file, its exit status, and the chart where matplotlib is
# installed.
import importlib.util
import json
import pathlib
import subprocess
import sys

scripts, spin_chain, folder = map(pathlib.Path, sys.argv[1:4])


def run(*arguments):
    return subprocess.run([str(spin_chain), *arguments], capture_output=True, text=True, check=False)


file = folder / "spin_chain.json"
done = run("--sites", "20", "--bond", "64", "--compare", "blas", "--json", str(file), "--plans")
assert done.returncode == 0 and "DIFFERENT" not in done.stdout, done.stdout + done.stderr
assert "\nconverged after" in done.stdout and "xaw,asrb,srvwtu,bvy->xtuy" in done.stdout, done.stdout
data = json.loads(file.read_text(encoding="utf-8"))
assert data["converged"] and data["sites"] == 20 and data["bond"] == 64, data
assert abs(data["exact_energy"] + 8.682473334399) < 1e-12, data["exact_energy"]
assert [way["by"] for way in data["ways"]] == ["tessera", "blas"]
for way in data["ways"]:
    sweeps = way["sweeps"]
    # The state is variational: above the exact energy, and it falls.
    assert abs(sweeps[-1]["energy"] + 8.682473334399) < 1e-10, sweeps[-1]
    assert all(s["energy"] > data["exact_energy"] - 1e-12 for s in sweeps)
    assert all(b["energy"] < a["energy"] + 1e-11 for a, b in zip(sweeps, sweeps[1:]))
    assert sweeps[-1]["bond"] == 64 and 0 < sweeps[-1]["truncation"] < 1e-12
    assert len(way["cuts"]) == 19 and max(c["bond"] for c in way["cuts"]) == 64
    assert all(s["contractions_seconds"] > 0 and s["flops"] > 0 for s in sweeps)
    # The chain is its own mirror image.
    for c, mirrored in zip(way["cuts"], reversed(way["cuts"])):
        assert abs(c["entropy"] - mirrored["entropy"]) < 1e-5
lines = [line.split() for line in done.stdout.splitlines()]
assert sum(line[1:2] == ["tessera"] for line in lines) == len(data["ways"][0]["sweeps"]), done.stdout

done = run("--sites", "20", "--bond", "8", "--sweeps", "2")
assert done.returncode == 1 and "not converged after 2 sweeps" in done.stdout, done
done = run("--sites", "9", "--bond", "8", "--tolerance", "1e-7")
assert done.returncode == 0 and " 2 sites" not in done.stdout, done
# Mistakes: the option, what was wrong, and what it takes.
for mistake, words in ((("--sites", "1"), "--sites: '1' is not an integer from 2 to 10000"),
                       (("--sites", "0x10"), "--sites: '0x10' is not an integer from 2 to 10000"),
                       (("--sites", "8.5"), "'8.5' is not an integer"),
                       (("--bond", "0"), "--bond: '0' is not an integer from 1 to 4096"),
                       (("--bond", "many"), "--bond: 'many' is not an integer from 1 to 4096"),
                       (("--sweeps", "0"), "--sweeps: '0' is not an integer from 1 to 100000"),
                       (("--vectors", "1"), "--vectors: '1' is not an integer from 2 to 100"),
                       (("--tolerance", "0"), "--tolerance: '0' is not a number from 1e-15 to 1"),
                       (("--tolerance", "nan"), "--tolerance: 'nan' is not a number from 1e-15 to 1"),
                       (("--residual", "x"), "--residual: 'x' is not a number from 1e-14 to 1"),
                       (("--compare", "mkl"), "--compare: mkl not in {blas}"),
                       (("--sites", "4", "--json", "/nowhere/s.json"), "cannot write '/nowhere/s.json'"),
                       (("--evolve", "--step", "0.5"), "--step: '0.5' is not a number from 0.0001 to 0.2"),
                       (("--evolve", "--time", "0"), "--time: '0' is not a number from 1 to 1e+06"),
                       (("--evolve", "--compare", "blas"), "--compare excludes --evolve"),
                       (("--evolve", "--sweeps", "3"), "--sweeps excludes --evolve"),
                       (("--step", "0.1"), "--step requires --evolve"), (("--length", "4"), "--length")):
    done = run(*mistake)
    assert done.returncode == 2 and words in done.stderr, (mistake, done)

# Imaginary time: DMRG's energy, off by the fourth power of the step, and its file, which is no file of sweeps.
evolved = folder / "evolution.json"
done = run("--evolve", "--sites", "10", "--bond", "32", "--tolerance", "1e-9", "--json", str(evolved), "--plans")
assert done.returncode == 0 and "\nconverged after an imaginary time of " in done.stdout, done.stdout + done.stderr
assert "qp,cq->cp" in done.stdout, done.stdout
by_time = json.loads(evolved.read_text(encoding="utf-8"))
by_sweeps = run("--sites", "10", "--bond", "32", "--json", str(folder / "ten.json"))
assert by_sweeps.returncode == 0, by_sweeps
dmrg_energy = json.loads((folder / "ten.json").read_text(encoding="utf-8"))["ways"][0]["sweeps"][-1]["energy"]
assert abs(dmrg_energy - by_time["exact_energy"]) < 1e-10, dmrg_energy
blocks = by_time["blocks"]
assert 0 < blocks[-1]["energy"] - dmrg_energy < 1e-7, (blocks[-1], dmrg_energy)
assert [step for step in dict.fromkeys(b["step"] for b in blocks)] == [0.2, 0.1, 0.05, 0.025], blocks
assert all(b["bond"] == 32 for b in blocks[3:]) and blocks[-1]["updates"] == 41 * 5 + 40 * 4, blocks[-1]
done = run("--evolve", "--sites", "20", "--bond", "8", "--time", "1", "--step", "0.2")
assert done.returncode == 1 and "not converged" in done.stdout, done
# Blocks end at either end of the chain in turns, with energies that differ where bonds are cut.
done = run("--evolve", "--sites", "7", "--bond", "3", "--json", str(folder / "seven.json"))
assert done.returncode == 0 and "\nconverged after" in done.stdout, done.stdout[-600:]
ends = [b["energy"] for b in json.loads((folder / "seven.json").read_text(encoding="utf-8"))["blocks"]][-3:]
assert abs(ends[2] - ends[0]) < 1e-10 < abs(ends[2] - ends[1]), ends
# Long chains: no exact energy, which takes too long, and that is said.
done = run("--sites", "1001", "--bond", "1", "--sweeps", "1", "--json", str(folder / "long.json"))
assert done.returncode == 1 and "not computed beyond 1000 sites" in done.stdout, done
assert "exact one" not in done.stdout and done.stdout.splitlines()[4].split()[4] == "-", done.stdout
long_chain = json.loads((folder / "long.json").read_text(encoding="utf-8"))
assert long_chain["exact_energy"] is None and long_chain["ways"][0]["sweeps"][0]["energy"] < 0, long_chain
done = run("--help")
assert done.returncode == 0 and "--compare" in done.stdout and "no two-site update" in done.stdout
done = run("--sites", "6", "--bond", "8", "--gpu")
assert done.returncode == 0 or done.returncode == 2 and "--gpu: there is none" in done.stderr, done

if importlib.util.find_spec("matplotlib") is None:
    print("matplotlib is not installed: no chart")
    sys.exit(0)
spec = importlib.util.spec_from_file_location("plot_spin_chain", scripts / "plot_spin_chain.py")
plot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot)
picture = folder / "spin_chain.png"
picture.unlink(missing_ok=True)
plot.draw([data], picture)
assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
errors, truncations, entropies, times = plot.plt.gcf().axes
assert len(errors.get_lines()[0].get_xdata()) == len(data["ways"][0]["sweeps"])
assert list(entropies.get_lines()[0].get_ydata()) == [c["entropy"] for c in data["ways"][0]["cuts"]]
assert len(times.patches) == 4 * sum(len(way["sweeps"]) for way in data["ways"])
plot.draw([data, long_chain], picture, with_times=False)
assert [len(axes.get_lines()) for axes in plot.plt.gcf().axes] == [2, 2, 2]
file.write_text(json.dumps(dict(data, schema=0)), encoding="utf-8")
done = subprocess.run([sys.executable, str(scripts / "plot_spin_chain.py"), str(file), str(picture)], check=False,
                      capture_output=True, text=True)
assert done.returncode != 0 and "schema 0" in done.stderr, done
done = subprocess.run([sys.executable, str(scripts / "plot_spin_chain.py"), str(evolved), str(picture)], check=False,
                      capture_output=True, text=True)
assert done.returncode != 0 and "a run of --evolve" in done.stderr and "Traceback" not in done.stderr, done
