# SPDX-License-Identifier: BSD-3-Clause
"""Claims of a result file, whose counters a pack has, and which have to move for a cause to be named."""
import json

# Of each kind of cause: the KPIs of which one has to rise or fall by at least this part.
LEAST_MOVE = 0.1
RULES = {
    "memory": ("a higher throughput of DRAM or L2 for no more bytes, or fewer bytes of DRAM",
               [("K2", 1), ("K3", 1), ("dram_bytes", -1)]),
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


def total(pack, key):
    """The sum over all launches of all kernels; None where it was not read of one."""
    values = [kernel.get(key) for kernel in pack["kernels"]]
    return None if None in values else sum(values)


def main_kpis(pack):
    """The KPIs of a pack's kernel with the most launches; bytes of DRAM are those of all launches."""
    kpis = max(pack["kernels"], key=lambda kernel: kernel["launches"])["kpis"]
    return {**kpis, "dram_bytes": total(pack, "dram_bytes")}


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


def missing_launches(packs):
    """Why a pack may lack launches of its contender; None where it has all."""
    for name, pack in packs:
        selected = pack.get("selection") or {}
        count = sum(kernel["launches"] for kernel in pack["kernels"])
        if selected.get("kernel") or selected.get("launch_skip") or count >= selected.get("launch_count", count + 1):
            return f"{name} has not all launches: collect without --kernel and --launch-skip, with a larger " \
                   "--launch-count"
    return None


def overhead_share(pack, result):
    """The part of a pass in which no kernel runs; None where the time of kernels was not read."""
    seconds = total(pack, "seconds")
    return None if seconds is None else max(0.0, 1 - seconds / result["seconds"]["median"])


def attribute_launches(before, after, ours, other):
    """Fewer launches and a lower share of launch overhead, both."""
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


# Bits of the fraction of what is multiplied; three products in TF32 have about 21.
FRACTION_BITS = {"f64": 52, "c64": 52, "f32": 23, "c32": 23, "tf32x3": 21, "tf32": 10, "f16": 10, "bf16": 7}


def arithmetic_of(result):
    """In which a result was computed: the type, or tf32 or tf32x3 where a GPU rounds floats to that in products."""
    precision = result["case"].get("precision", "exact")
    is_rounded = precision != "exact" and result["type"] == "f32" and result.get("target") in (None, "cuda")
    return precision if is_rounded else result["type"]


def attribute_precision(ours, other):
    """A coarser arithmetic, whose deviation is within its bound."""
    new, old = arithmetic_of(ours), arithmetic_of(other)
    counters = {"arithmetic": [old, new], "error": [ours["error_bound"], ours["error"]]}
    if new == old:
        return False, f"same precision: both in {new}", counters
    bits = [FRACTION_BITS.get(name.split("-")[0]) for name in (new, old)]
    if None in bits or bits[0] >= bits[1]:
        return False, f"{new} instead of {old} is no lower precision", counters
    if not (ours["error"] is not None and ours["error"] <= ours["error_bound"]):
        return False, f"{new} instead of {old}, but the deviation is above its bound", counters
    return True, f"{new} instead of {old}, and the deviation is within its bound", counters


def attribute(kind, before, after, ours, other, gpu="none"):
    """(attributed, reason, counters) of the claim of a result over another one, whose cause is said to be of a kind."""
    if kind == "precision":
        return attribute_precision(ours, other)
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
    if kind in ("launch", "memory"):
        reason = missing_launches([("--before", before), ("--after", after)])
        if reason:
            return False, reason, {}
    if kind == "launch":
        return attribute_launches(before, after, ours, other)
    old, new = main_kpis(before), main_kpis(after)
    expected, keys = RULES[kind]
    if kind == "memory" and moved(old, new, "dram_bytes", 1):
        return False, f"no counter shows {expected}", words_of(old, new, [key for key, _ in keys])
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


def has_counters(pack):
    return pack is not None and pack["source"] == "ncu" and bool(pack["kernels"])


def serial_part(before, after, ours, results, gpu):
    """Where kernels came nearer to their roof, which of equal work is a shorter time, and the whole pass stayed as it
    was: both gains and what they say; None where that is not so, or where no counters tell."""
    if not (has_counters(before) and has_counters(after)) or why_not_of(after, "--after", ours, gpu):
        return None
    if missing_launches([("--before", before), ("--after", after)]):
        return None
    old, new = total(before, "seconds"), total(after, "seconds")
    for other in results:
        if not same_case(other, ours) or why_not_of(before, "--before", other, gpu) or not old or not new:
            continue
        kernels, whole = old / new, other["seconds"]["median"] / ours["seconds"]["median"]
        if kernels > 1 + LEAST_MOVE and whole < 1 + LEAST_MOVE:
            return {"kernels": kernels, "whole": whole,
                    "reason": f"kernels {kernels:.3g} times as fast as those of {other['impl']}, the whole {whole:.3g} "
                              "times: the serial part limits"}
    return None


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


def without_precision(result):
    case = {name: value for name, value in identity(result, None)["case"].items() if name != "precision"}
    return result["suite"], case, result["threads"], result["impl"]


def claims_against(result, results):
    """What a result claims over the same contender's in another file, where only arithmetic may differ."""
    others = [r for r in results if without_precision(r) == without_precision(result) and not r.get("suspect")]
    return [(f"{r['seconds']['median'] / result['seconds']['median']:.3g} times as fast as {r['impl']} in "
             f"{arithmetic_of(r)}", r) for r in others if is_effect(result, r)]


def add_claims(content, kind, before, after, against=None):
    """Adds to each result of ours its claims, those over results of the file `against` among them, and says in all
    results whether their causes are attributed."""
    results, count = content["results"], {"attributed": 0, "non-attributed": 0}
    claiming, gpu = [r for i, r in enumerate(results) if is_claimed(i, results)], gpu_of(content)
    for result in results:
        result["attribution"] = "non-attributed"
    for result in claiming:
        result["claims"] = []
        if result.get("suspect"):
            continue
        if serial := serial_part(before, after, result, results, gpu):
            result["serial"] = serial
        for text, other in claims_of(result, results) + claims_against(result, against["results"] if against else []):
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
