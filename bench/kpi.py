#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Reads the counters behind a result of tessera-bench with Nsight Compute, and tags claims that no counter supports.
"""kpi.py collect --out PACK.json [options] -- tessera-bench SUITE ...
kpi.py claim RESULTS.json [--cause KIND --before PACK.json --after PACK.json] [--against RESULTS.json] [--out FILE.json]

collect runs the command under ncu with the ten counters of Sinkin's KPI pack, by the names that this ncu lists, and
writes each kernel's. Where ncu is missing or counters are not permitted it runs the command as it is, and writes
substitutes: the parts of measured limits, clock, power and utilisation; the file says so and why. Of tessera-bench the
first run of each contender is profiled, or with its option --profile of one. Take one case, with --reps 1.

claim adds to a result file what its results claim: to be faster than the best peer, or than the other ways of the case;
two-site updates called than called ones, and in a CUDA graph than those in a graph. With --against, also to be faster
than the same contender in another file of the same GPU, in another type or --precision. A claim is attributed to a
cause (launch, memory, compute, occupancy, divergence or precision) where the counters before and after are those of the
two contenders in this very case, and moved as that cause has it: launch needs fewer launches and a lower part of the
time outside of kernels, memory the bytes of all launches. precision needs no counters, but a lower precision than the
other contender's and a deviation within its bound. Else it is tagged non-attributed. Where counters of both are at
hand, it says whether the kernels became faster and the whole did not: then the serial part limits.
"""
import argparse
import glob
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading

import json_file
import kpi_claims
import kpi_counters

SAMPLED = ["clocks.sm", "clocks.mem", "power.draw", "utilization.gpu", "utilization.memory"]


def fail(message):
    """Ends the script with exit status 2, which argparse has, too."""
    print(f"kpi.py: {message}", file=sys.stderr)
    sys.exit(2)


def find_ncu(given):
    if given:
        return given if shutil.which(given) else None
    places = ["ncu", "/usr/local/cuda/bin/ncu", *sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu"), reverse=True)]
    return next((place for place in places if shutil.which(place)), None)


def run(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              env={**os.environ, "LC_ALL": "C"})
    except OSError as reason:
        fail(f"cannot run {command[0]}: {reason.strerror}")


def names_of(ncu):
    """What this ncu can read here: base names, and whole ones where it lists these, too."""
    listed = run([ncu, "--query-metrics"])
    names = kpi_counters.listed_names(listed.stdout)
    bases = sorted({metric.split(".")[0] for table in (kpi_counters.KPIS, kpi_counters.FURTHER)
                    for _, candidates in table.values() for metric, _ in candidates} & names)
    if bases:
        whole = run([ncu, "--query-metrics-mode", "suffix", "--metrics", ",".join(bases)])
        names |= {name for name in kpi_counters.listed_names(whole.stdout) if "." in name}
    return names, kpi_counters.refusal(listed.stdout + listed.stderr)


def profile(ncu, options, command):
    """The pack, or the reason why there is none."""
    names, reason = names_of(ncu)
    if not names:
        return None, reason or "ncu lists no metrics here"
    used, absent = kpi_counters.choose(names)
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "ncu.csv"
        results = json_file_of(command) or str(pathlib.Path(folder) / "results.json")
        is_ours = pathlib.Path(command[0]).name == "tessera-bench"
        whole = [*command, "--json", results] if is_ours and not json_file_of(command) else command
        before = time_of(results)
        profiled = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
                    "--metrics", ",".join(metric for metric, _ in used.values()),
                    "--kernel-name-base", "demangled", *(["--kernel-name", options.kernel] if options.kernel else []),
                    *([] if options.whole else ["--profile-from-start", "off"]),
                    "--launch-skip", str(options.launch_skip), "--launch-count", str(options.launch_count),
                    "--target-processes", "all", "--log-file", str(log), *whole]
        done = run(profiled)
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        measured = measured_by(command, results) if is_ours and time_of(results) != before else None
    found = kpi_counters.kernels(text, used)
    if not found:
        return None, kpi_counters.refusal(text + done.stdout + done.stderr) or f"ncu ended with {done.returncode}"
    for key in list(used):
        if all(kernel["kpis"][key] is None for kernel in found):
            absent[key] = f"no value of {used.pop(key)[0]}"
    for kernel in found:
        kernel["pattern"] = kpi_counters.pattern(kernel["kpis"])
    version = run([ncu, "--version"]).stdout.strip().splitlines()
    return {"source": "ncu", "reason": None, "profiler": version[-1] if version else "unknown", "command": profiled,
            "measured": measured, "selection": {key: getattr(options, key)
                                                for key in ("kernel", "launch_skip", "launch_count")},
            "metrics": {key: metric for key, (metric, _) in used.items()}, "absent": absent, "kernels": found}, None


def parse_samples(text):
    """{field: median} of lines of nvidia-smi; fields that are not supported are left out."""
    columns = {}
    for line in text.splitlines():
        for name, value in zip(SAMPLED, line.split(",")):
            number = kpi_counters.number(value.strip())
            if number is not None:
                columns.setdefault(name, []).append(number)
    return {name: statistics.median(values) for name, values in columns.items()}


class Sampler:
    """Reads nvidia-smi every tenth of a second while a command runs."""

    def __enter__(self):
        self.lines, self.process, self.thread = [], None, None
        if shutil.which("nvidia-smi"):
            self.process = subprocess.Popen(
                ["nvidia-smi", "--query-gpu=" + ",".join(SAMPLED), "--format=csv,noheader,nounits", "-lms", "100"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.thread = threading.Thread(target=lambda: self.lines.extend(self.process.stdout))
            self.thread.start()
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.thread.join()
            self.process.wait()


def substitutes_of(results):
    """What times and limits alone say of our results: parts of the bandwidth and of the peak, clock and power."""
    found = []
    for r in results:
        bandwidth, peak, seconds = r["bound"]["bandwidth"], r["bound"]["peak"], r["seconds"]["median"]
        energy = r.get("energy") or {}
        found.append({"case": r["case"], "impl": r["impl"],
                      "part_of_bandwidth": r["bytes"] / seconds / bandwidth if bandwidth else None,
                      "part_of_peak": r["flops"] / seconds / peak if peak else None,
                      "clock_mhz": r["clock_mhz"], "watts": energy.get("watts")})
    return found


def value_of(command, option):
    """What `option VALUE` or `option=VALUE` gives; None without."""
    for i, argument in enumerate(command):
        if argument == option:
            if i + 1 == len(command):
                fail(f"collect: {option} names no {'file' if option == '--json' else 'contender'}")
            return command[i + 1]
        if argument.startswith(option + "="):
            return argument.removeprefix(option + "=")
    return None


def json_file_of(command):
    return value_of(command, "--json")


def time_of(file):
    return os.stat(file).st_mtime_ns if os.path.exists(file) else None


def measured_by(command, file):
    """The case and the contender that the counters of a run of tessera-bench are of; None without a file of results."""
    content = json_file.read(file, fail)
    if not content.get("results") or "platform" not in content:
        return None
    profiled = value_of(command, "--profile")
    return kpi_claims.measured_in(content, None if profiled in (None, "all", "none") else profiled)


def substitute(command, reason):
    with tempfile.TemporaryDirectory() as folder:
        given = json_file_of(command)
        file = pathlib.Path(given or pathlib.Path(folder) / "results.json")
        whole = command if given else [*command, "--json", str(file)]
        before = time_of(file)
        with Sampler() as sampler:
            done = run(whole)
        if time_of(file) in (None, before):
            fail(f"{' '.join(whole)}: ended with {done.returncode} and wrote no results: {done.stderr.strip()}")
        content = load(file, "results", f"{' '.join(whole)}: substitutes are read from results of tessera-bench: ")
    sampled = parse_samples("".join(sampler.lines))
    return {"source": "substitutes", "reason": reason, "profiler": "none", "command": command,
            "measured": None, "metrics": {},
            "absent": {key: reason for key in kpi_counters.KPIS}, "kernels": [],
            "substitutes": ["parts of the measured bandwidth and peak", "clock and power of the benchmark's meters",
                            *(f"nvidia-smi {name}" for name in sampled)],
            "results": substitutes_of(content["results"]), "sampled": sampled}


def cell(value):
    return f"{'-':>8}" if value is None else f"{value:8.4g}"


def show(pack):
    if pack["source"] != "ncu":
        print("no counters: " + pack["reason"])
        print("substitutes: " + ", ".join(pack["substitutes"]))
        for r in pack["results"]:
            print(f"{r['impl']:14} of bandwidth {cell(r['part_of_bandwidth'])}, of peak {cell(r['part_of_peak'])}, "
                  f"MHz {cell(r['clock_mhz'])}, W {cell(r['watts'])}")
        return
    for key, reason in pack["absent"].items():
        print(f"{key}: {reason}")
    for kernel in pack["kernels"]:
        print(f"{kernel['name'][:100]}: {kernel['launches']} launches, {kernel['pattern'] or 'pattern not read'}")
        for key, (what, _) in {**kpi_counters.KPIS, **kpi_counters.FURTHER}.items():
            if key in pack["metrics"]:
                print(f"  {key:10} {what:30} {cell(kernel['kpis'][key])}  {pack['metrics'][key]}")


def collect(options):
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        fail("collect: no command behind --")
    ncu = find_ncu(options.ncu)
    pack, reason = profile(ncu, options, command) if ncu else (None, "ncu was not found")
    if pack is None:
        pack = substitute(command, reason)
    write(options.out, {"schema": 1, **pack})
    show(pack)


def write(file, content):
    try:
        pathlib.Path(file).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    except OSError as reason:
        fail(f"cannot write {file}: {reason.strerror}")


def load(file, member, what=""):
    """A file of tessera-bench, with results, or of collect, with kernels; `what` begins the message if it is none."""
    content = json_file.read(file, lambda message: fail(what + message))
    if member not in content:
        fail(f"{what}{file} has no '{member}'")
    if content.get("schema") != 1:
        fail(f"{what}{file}: schema {content.get('schema')}, this script reads 1")
    return content


def claim(options):
    content = load(options.file, "results")
    before, after = (load(file, "kernels") if file else None for file in (options.before, options.after))
    if "platform" not in content:
        fail(f"{options.file} has no 'platform': it is no file of tessera-bench")
    against = load(options.against, "results") if options.against else None
    if against and ("platform" not in against or kpi_claims.gpu_of(against) != kpi_claims.gpu_of(content)):
        fail(f"{options.against} is not of the same GPU as {options.file}")
    count = kpi_claims.add_claims(content, options.cause, before, after, against)
    write(options.out or options.file, content)
    for result in content["results"]:
        for c in result.get("claims", []):
            case = json.dumps(result["case"])[:60]
            print(f"{c['attribution']:15} {result['suite']} {case}: {c['claim']}; {c['reason']}")
        if result.get("serial"):
            print(f"serial part     {result['suite']} {json.dumps(result['case'])[:60]}: {result['serial']['reason']}")
    print(f"{count['attributed']} claims attributed, {count['non-attributed']} non-attributed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    collecting = commands.add_parser("collect", help="read the counters of a command")
    collecting.add_argument("--out", required=True, help="the file to write")
    collecting.add_argument("--ncu", help="Nsight Compute's program (default: where it is usually)")
    collecting.add_argument("--whole", action="store_true",
                            help="all of the command, not only what lies between cudaProfilerStart and Stop")
    collecting.add_argument("--kernel", help="only these kernels, as ncu's --kernel-name has it: regex:...")
    collecting.add_argument("--launch-skip", type=int, default=0, help="launches of these before the first one")
    collecting.add_argument("--launch-count", type=int, default=2000, help="launches to profile at most")
    collecting.add_argument("command", nargs=argparse.REMAINDER)
    collecting.set_defaults(run=collect)
    claiming = commands.add_parser("claim", help="tag the claims of a result file")
    claiming.add_argument("file")
    claiming.add_argument("--cause", choices=kpi_claims.KINDS, help="why ours is faster")
    claiming.add_argument("--before", help="the pack of what ours is compared with")
    claiming.add_argument("--after", help="the pack of ours")
    claiming.add_argument("--against", help="results of the same contender in another type or --precision")
    claiming.add_argument("--out", help="the file to write (default: the file itself)")
    claiming.set_defaults(run=claim)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
