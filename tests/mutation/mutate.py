# SPDX-License-Identifier: BSD-3-Clause
# Mutation testing: changes the sources in one place at a time and looks whether the tests notice. See README.md.
import argparse
import difflib
import json
import os
import pathlib
import queue
import re
import signal
import sys
import threading
import time

import mutants
import trees

# What is built and tested first, by folder: most mutants need no more. A stage is a target and the label of its tests;
# the last one is everything.
STAGES = {
    "include/tessera/core": ("core", "include", "cpu", "src"),
    "src": ("src", "include", "fem"),
    "cpu": ("cpu", "fem", "src"),
}
# Not about behaviour, or slow and about compilers and packages. `gpu` needs one.
LABELS_LEFT_OUT = "^(lint|consumer|compile_fail|long|gpu|cmake)$"
KILLED = ("test", "assertion", "timeout")


class Results:
    """One JSON object a line, added as mutants end."""

    def __init__(self, path):
        self.path, self.lock, self.all = path, threading.Lock(), []
        if path.exists():
            self.all = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]

    def names(self):
        return {result["name"] for result in self.all}

    def add(self, result):
        with self.lock:
            self.all.append(result)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")


def failed_tests(output):
    return re.findall(r"^\s*\d+ - (.*?) \((?:Failed|SEGFAULT|Timeout|Subprocess aborted|\w+.*?)\)", output, re.M)


def is_assertion(output):
    """Whether a build failed because of what the code computes while it is compiled."""
    return bool(re.search(r"static assertion failed|static_assert|constant expression|constexpr|narrowing", output))


def first_error(output):
    found = re.search(r"^.*error: .*$", output, re.M) or re.search(r"^FAILED: .*$", output, re.M)
    return found[0][-200:] if found else output[-200:]


class Trial:
    """One mutant in one worker's copy."""

    def __init__(self, where, worker, limit, jobs, only):
        self.where, self.worker, self.limit, self.jobs, self.only = where, worker, limit, jobs, only
        self.folder = where.folder(worker)

    def of(self, mutant):
        trees.synchronise(self.where.pristine(self.worker), self.folder)
        path = self.folder / "tree" / mutant.file
        lines = path.read_text(encoding="utf-8").split("\n")
        if lines[mutant.line - 1] != mutant.before:
            return {"outcome": "invalid", "by": "the source has changed since"}
        lines[mutant.line - 1] = mutant.after
        path.write_text("\n".join(lines), encoding="utf-8")
        end = time.monotonic() + self.limit
        for stage in self.only or (*STAGES[mutant.group], None):
            outcome = self.stage(stage, end)
            if outcome is not None:
                return outcome
        return {"outcome": "survived", "by": ""}

    def stage(self, name, end):
        """The outcome, or None where the stage builds and passes."""
        target = ["all"] if name is None else [f"tessera_{name}_tests"]
        status, output = self.run(["ninja", "-C", "build", "-j", str(self.jobs), *target], end)
        if status is None:
            return {"outcome": "unfinished", "by": f"building {target[0]}"}
        if status != 0:
            return {"outcome": "assertion" if is_assertion(output) else "invalid", "by": first_error(output)}
        tests = ["-LE", LABELS_LEFT_OUT] if name is None else ["-L", f"^{name}$"]
        status, output = self.run(["ctest", "--test-dir", "build", "--stop-on-failure", "--timeout", "300",
                                   "-j", str(self.jobs), *tests], end)
        if status is None:
            return {"outcome": "timeout", "by": f"tests of {name or 'everything'}"}
        return None if status == 0 else {"outcome": "test", "by": ", ".join(failed_tests(output)[:3]) or output[-200:]}

    def run(self, command, end):
        return self.where.run(self.folder, command, limit=max(1.0, end - time.monotonic()), jobs=self.jobs)


def say(text):
    print(text, file=sys.stderr, flush=True)


def work(worker, todo, results, options, where, stop_at, total):
    trial = Trial(where, worker, options.limit, max(1, options.cores // options.jobs), options.only)
    while time.monotonic() < stop_at:
        try:
            mutant = todo.get_nowait()
        except queue.Empty:
            return
        start = time.monotonic()
        try:
            outcome = trial.of(mutant)
        except OSError as wrong:  # a full disk, for example: the mutant is not judged
            say(f"worker {worker}: {wrong}")
            return
        seconds = round(time.monotonic() - start)
        results.add({"name": mutant.name, **vars(mutant), **outcome, "seconds": seconds})
        say(f"[{len(results.all)}/{total}] {outcome['outcome']:10} {seconds:5} s  {mutant.file}:{mutant.line} "
            f"{mutant.kind}  {outcome['by'][:70]}")


def check_unchanged(where, only, jobs):
    """Without a change every test passes, or no mutant can be judged."""
    say("testing the unchanged tree")
    tests = ["-L", f"^({'|'.join(only)})$"] if only else ["-LE", LABELS_LEFT_OUT]
    status, output = where.run(where.pristine(0), ["ctest", "--test-dir", "build", "-j", str(jobs), "--timeout", "600",
                                                   *tests], jobs=jobs)
    if status != 0:
        raise SystemExit("the unchanged tree fails: " + ", ".join(failed_tests(output)) + "\n" + output[-2000:])


def prepare(where, source, options):
    base = where.pristine(0)
    say(f"building {base} with {options.cores} jobs" + ("" if where.mounts else ", and each worker's copy"))
    where.prepare(source, base if where.mounts else where.folder(0), options.cmake, options.cores)
    for worker in range(options.jobs):
        if not where.mounts:
            if worker > 0:
                where.prepare(source, where.folder(worker), options.cmake, options.cores)
            trees.synchronise(where.folder(worker), where.pristine(worker))
        else:
            trees.synchronise(base, where.folder(worker))


def diff_of(result):
    return "\n".join(line for line in difflib.unified_diff([result["before"]], [result["after"]], lineterm="", n=0)
                     if not line.startswith(("---", "+++", "@@")))


def summary(all_results):
    """The table: shares by folder, then every mutant that is not killed with its change."""
    lines = []
    for group in (*mutants.GROUPS, "all"):
        of_group = [r for r in all_results if group in (r["group"], "all")]
        judged = [r for r in of_group if r["outcome"] in (*KILLED, "survived")]
        killed = [r for r in judged if r["outcome"] in KILLED]
        counts = {kind: sum(r["outcome"] == kind for r in of_group)
                  for kind in (*KILLED, "survived", "invalid", "unfinished")}
        share = f"{len(killed) / len(judged):.3f}" if judged else "-"
        lines.append(f"{group:22} killed {len(killed):4} of {len(judged):4} = {share}   "
                     + ", ".join(f"{kind} {count}" for kind, count in counts.items()))
    for outcome in ("survived", "unfinished"):
        for r in sorted((r for r in all_results if r["outcome"] == outcome), key=lambda r: (r["file"], r["line"])):
            lines += ["", f"{outcome}: {r['file']}:{r['line']} ({r['kind']}, {r['name']})", diff_of(r)]
    return "\n".join(lines) + "\n"


def arguments():
    parser = argparse.ArgumentParser(description="Changes the sources in one place at a time, and runs the tests.")
    parser.add_argument("tree", type=pathlib.Path, help="the source tree, which is only read")
    parser.add_argument("--scratch", type=pathlib.Path, required=True, help="a folder for the copies; 2 GB a job")
    parser.add_argument("--count", type=int, default=200, help="of mutants that compile (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time (default 1)")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="of the machine, shared by the jobs")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no mutant later than this")
    parser.add_argument("--limit", type=float, default=1800, help="seconds a mutant may take (default 1800)")
    parser.add_argument("--results", type=pathlib.Path, help="JSON lines (default: scratch/results.jsonl)")
    parser.add_argument("--only", nargs="+", default=[], metavar="LABEL", choices=("core", "include", "src", "cpu", "fem"),
                        help="only the tests of these labels: core, include, src, cpu, fem (default: all, in an order "
                        "that fits the mutant)")
    parser.add_argument("--resume", action="store_true", help="keep what the results hold, and go on")
    parser.add_argument("--prepared", action="store_true", help="the copies of an earlier run are as they should be")
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    parser.add_argument("--cmake", action="append", default=[], metavar="-DNAME=VALUE",
                        help="one more option for CMake: --cmake=-DNAME=VALUE")
    return parser.parse_args()


def main():
    options = arguments()
    start, tree = time.monotonic(), options.tree.resolve()
    # Some do not compile: more are at hand than are asked for.
    chosen = mutants.choose(mutants.all_mutants(tree), 2 * options.count, options.seed)
    if options.list:
        for m in chosen[:options.count]:
            print(f"{m.name} {m.kind:10} {m.file}:{m.line}\n  - {m.before.strip()}\n  + {m.after.strip()}")
        return
    options.scratch.mkdir(parents=True, exist_ok=True)
    path = options.results or options.scratch.resolve() / "results.jsonl"
    if path.exists() and not options.resume:
        path.rename(path.with_suffix(".old.jsonl"))
    results = Results(path)
    where = trees.Trees(options.scratch.resolve(), options.cores)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        if not options.prepared:
            prepare(where, tree, options)
            check_unchanged(where, options.only, options.cores)
        run_all([m for m in chosen if m.name not in results.names()], results, options, where, start)
    finally:
        where.stop()
    text = summary(results.all)
    path.with_suffix(".txt").write_text(text)
    print(text)


def run_all(waiting, results, options, where, start):
    """Rounds of as many as are missing: one that does not compile is replaced by the next."""
    stop_at = start + 60 * options.minutes
    while waiting and time.monotonic() < stop_at:
        missing = options.count - sum(r["outcome"] != "invalid" for r in results.all)
        if missing <= 0:
            return
        todo = queue.Queue()
        for mutant in waiting[:missing]:
            todo.put(mutant)
        before = len(results.all)
        threads = [threading.Thread(target=work, args=(w, todo, results, options, where, stop_at, options.count),
                                    daemon=True)
                   for w in range(options.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        done = results.names()
        waiting = [m for m in waiting if m.name not in done]
        if len(results.all) == before:
            return


if __name__ == "__main__":
    main()
