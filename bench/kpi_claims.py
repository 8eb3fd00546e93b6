# SPDX-License-Identifier: BSD-3-Clause
"""Claims of a result file, whose counters a pack has, and which have to move for a cause to be named."""
import json

# Of each kind of cause: the KPIs of which one has to rise or fall by at least this part.
LEAST_MOVE = 0.1
RULES = {
    "memory": ("a higher throughput of DRAM or L2, or fewer bytes of DRAM", [("K2", 1), ("K3", 1), ("dram_bytes", -1)]),
    "compute": ("a pipe that is more active", [("K5", 1), ("fp64", 1), ("tensor", 1)]),
    "occupancy": ("more active warps, and more of them eligible or issuing", [("K6", 1)]),
    "divergence": ("more threads of an instruction", [("K10", 1)]),
}
KINDS = ["launch", "precision", *RULES]


def moved(before, after, key, direction):
    old, new = before.get(key), after.get(key)
    if old is None or new is None:
        return None
    return (new - old) * direction > LEAST_MOVE * abs(old) or (old == 0 and new * direction > 0)


def main_kpis(pack):
    """The KPIs of a pack's kernel with the most launches."""
    return max(pack["kernels"], key=lambda kernel: kernel["launches"])["kpis"]


def words_of(before, after, keys):
    return {key: [before.get(key), after.get(key)] for key in keys}


# Members of a case that are measured, and so differ between two runs of it.
MEASURED = {"launch_share", "seconds_of", "elements_over_ours", "elements_suspect", "iterations", "iterations_per_step"}
GRAPH_ENDING = " graph"


def identity(result, gpu):
    """What two runs of the same case have in common."""
    case = {name: value for name, value in result["case"].items()
            if name not in MEASURED and not name.endswith(("_per_second", "_seconds"))}
    return {"suite": result["suite"], "case": case, "type": result["type"], "threads": result["threads"], "gpu": gpu}


def gpu_of(content):
    gpu = content["platform"]["platform"]["gpu"]
    return gpu if isinstance(gpu, str) else gpu["name"]


def measured_in(content, contender):
    """Of whom a pack's counters are: the cases of a run's file, and the contender that was profiled (several: None)."""
    cases = []
    for result in content["results"]:
        of = identity(result, gpu_of(content))
        if of not in cases:
            cases.append(of)
    contenders = list(dict.fromkeys(result["impl"] for result in content["results"]))
    if contender is None and len(contenders) == 1:
        contender = contenders[0]
    return {"cases": cases, "contenders": contenders, "contender": contender}


def difference(found, wanted):
    """The first member that differs, in words."""
    for key in ("suite", "type", "threads", "gpu"):
        if found[key] != wanted[key]:
            return f"{key} {found[key]} instead of {wanted[key]}"
    for key in {**wanted["case"], **found["case"]}:
        old, new = found["case"].get(key), wanted["case"].get(key)
        if old != new:
            return f"{key} {json.dumps(old)} instead of {json.dumps(new)}"
    return "the same"


def why_not_of(pack, name, result, gpu):
    """Why a pack's counters are not those of a result; None where they are."""
    of = pack.get("measured")
    if not of:
        return f"{name} does not say of which case and contender its counters are: collect them from tessera-bench"
    if len(of["cases"]) != 1:
        return f"{name} has counters of {len(of['cases'])} cases together: collect those of one"
    wanted = identity(result, gpu)
    if of["cases"][0] != wanted:
        return f"the counters in {name} are of another case: {difference(of['cases'][0], wanted)}"
    if of["contender"] is None:
        return f"{name} has counters of {', '.join(of['contenders'])} together: collect those of one by --profile"
    if of["contender"] != result["impl"]:
        return f"the counters in {name} are of {of['contender']}, not of {result['impl']}"
    return None


def overhead_share(pack, result):
    """The part of a pass in which no kernel runs; None where the time of kernels was not read."""
    seconds = [kernel.get("seconds") for kernel in pack["kernels"]]
    return None if None in seconds else max(0.0, 1 - sum(seconds) / result["seconds"]["median"])


def attribute_launches(before, after, ours, other):
    """Fewer launches and a lower share of launch overhead, both."""
    for name, pack in (("--before", before), ("--after", after)):
        selected = pack.get("selection") or {}
        count = sum(kernel["launches"] for kernel in pack["kernels"])
        if selected.get("kernel") or selected.get("launch_skip") or count >= selected.get("launch_count", count + 1):
            return False, f"{name} has not all launches: collect without --kernel and --launch-skip, with a larger " \
                          "--launch-count", {}
    old, new = (sum(kernel["launches"] for kernel in pack["kernels"]) for pack in (before, after))
    counters = {"launches": [old, new]}
    if new >= old:
        return False, f"{new} launches instead of {old}", counters
    shares = [overhead_share(before, other), overhead_share(after, ours)]
    if None in shares:
        return False, f"{new} launches instead of {old}, but the time of kernels was not read, so that the share of " \
                      "launch overhead is not known", counters
    counters["overhead_share"] = shares
    text = f"{new} launches instead of {old}, {100 * shares[1]:.0f} % of the time outside of kernels instead of " \
           f"{100 * shares[0]:.0f} %"
    return shares[1] < (1 - LEAST_MOVE) * shares[0], text, counters


def attribute(kind, before, after, ours, other, gpu="none"):
    """(attributed, reason, counters) of the claim of a result over another one, whose cause is said to be of a kind."""
    if kind == "precision":
        good = ours["error"] <= ours["error_bound"]
        return good, ("the deviation is within its bound" if good else "the deviation is above its bound"), {
            "error": [ours["error_bound"], ours["error"]]}
    for name, pack, result in (("--before", before, other), ("--after", after, ours)):
        if pack is None:
            return False, f"no counters were read: {name} is not given", {}
        if pack["source"] != "ncu":
            return False, f"no counters in {name}: {pack['reason']}", {}
        if not pack["kernels"]:
            return False, f"no kernel in {name}", {}
        reason = why_not_of(pack, name, result, gpu)
        if reason:
            return False, reason, {}
    if kind == "launch":
        return attribute_launches(before, after, ours, other)
    old, new = main_kpis(before), main_kpis(after)
    expected, keys = RULES[kind]
    found = [key for key, direction in keys if moved(old, new, key, direction)]
    if kind == "occupancy" and found:
        fed = [key for key in ("K8", "K9") if moved(old, new, key, 1)]
        found = found + fed if fed else []
    if found:
        return True, f"{expected}: " + ", ".join(found), words_of(old, new, found)
    known = [key for key, _ in keys if old.get(key) is not None and new.get(key) is not None]
    if not known:
        return False, f"{expected} was not read", {}
    return False, f"no counter shows {expected}", words_of(old, new, known)


def is_effect(ours, other):
    """Whether the intervals of the two medians are apart, ours below."""
    return ours["seconds"]["ci95"][1] < other["seconds"]["ci95"][0]


def same_case(a, b):
    return all(a[key] == b[key] for key in ("suite", "case", "type", "threads", "regime"))


def is_in_graph(result):
    return result["suite"] == "two-site" and result["impl"].endswith(GRAPH_ENDING)


def is_claimed(i, results):
    """Of a case the first result is ours; of two-site updates that in a CUDA graph, too."""
    return i == 0 or not same_case(results[i - 1], results[i]) or (
        is_in_graph(results[i]) and results[i]["impl"] == "tessera" + GRAPH_ENDING)


def claims_of(result, results):
    """What a result of ours claims, [(text, the other one)]: to be faster than its best peer, or than each other way of
    its case. Two-site updates are compared called with called, and in a graph with those in a graph."""
    others = [r for r in results if r is not result and same_case(r, result) and not r.get("suspect")
              and is_in_graph(r) == is_in_graph(result)]
    if result.get("best_peer"):
        others = [r for r in others if r["impl"] == result["best_peer"]]
    return [(f"{r['seconds']['median'] / result['seconds']['median']:.3g} times as fast as {r['impl']}", r)
            for r in others if is_effect(result, r)]


def add_claims(content, kind, before, after):
    """Adds to each result of ours its claims, and says in all results whether their causes are attributed."""
    results, count = content["results"], {"attributed": 0, "non-attributed": 0}
    claiming, gpu = [r for i, r in enumerate(results) if is_claimed(i, results)], gpu_of(content)
    for result in results:
        result["attribution"] = "non-attributed"
    for result in claiming:
        result["claims"] = []
        if result.get("suspect"):
            continue
        for text, other in claims_of(result, results):
            if kind is None:
                good, reason, counters = False, "no cause was claimed", {}
            else:
                good, reason, counters = attribute(kind, before, after, result, other, gpu)
            tag = "attributed" if good else "non-attributed"
            count[tag] += 1
            result["claims"].append({"claim": text, "cause": kind, "attribution": tag, "reason": reason,
                                     "counters": counters})
        if result["claims"] and all(c["attribution"] == "attributed" for c in result["claims"]):
            result["attribution"] = "attributed"
    used = [p for p in (before, after) if p is not None]
    content["platform"]["profiling"] = {
        "commands": [" ".join(p["command"]) for p in used] or "none",
        "metrics": sorted({m for p in used for m in p["metrics"].values()}) or "none",
        "attribution": f"{count['attributed']} claims attributed, {count['non-attributed']} non-attributed"}
    return count
