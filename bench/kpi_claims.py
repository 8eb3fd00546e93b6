# SPDX-License-Identifier: BSD-3-Clause
"""Claims of a result file, and the counters that have to move for a cause to be named."""

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


def merged(pack):
    """The KPIs of a pack's kernel with the most launches, and the number of all launches."""
    kernels = pack["kernels"]
    main = max(kernels, key=lambda k: k["launches"])
    return main["kpis"], sum(k["launches"] for k in kernels)


def words_of(before, after, keys):
    return {key: [before.get(key), after.get(key)] for key in keys}


def attribute(kind, before, after, ours):
    """(attributed, reason, counters) of a claim whose cause is said to be of that kind."""
    if kind == "precision":
        good = ours["error"] <= ours["error_bound"]
        return good, ("the deviation is within its bound" if good else "the deviation is above its bound"), {
            "error": [ours["error_bound"], ours["error"]]}
    for name, pack in (("--before", before), ("--after", after)):
        if pack is None:
            return False, f"no counters were read: {name} is not given", {}
        if pack["source"] != "ncu":
            return False, f"no counters in {name}: {pack['reason']}", {}
        if not pack["kernels"]:
            return False, f"no kernel in {name}", {}
    (old, old_launches), (new, new_launches) = merged(before), merged(after)
    if kind == "launch":
        good = new_launches < old_launches
        return good, f"{new_launches} launches instead of {old_launches}", {"launches": [old_launches, new_launches]}
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


def claims_of(result, results):
    """What a result of ours claims: to be faster than its best peer, or than each other way of its case."""
    others = [r for r in results if r is not result and same_case(r, result) and not r.get("suspect")]
    if result.get("best_peer"):
        others = [r for r in others if r["impl"] == result["best_peer"]]
    return [f"{r['seconds']['median'] / result['seconds']['median']:.3g} times as fast as {r['impl']}"
            for r in others if is_effect(result, r)]


def add_claims(content, kind, before, after):
    """Adds to each first result of a case its claims, and says in all results whether their causes are attributed."""
    results, count = content["results"], {"attributed": 0, "non-attributed": 0}
    firsts = [r for i, r in enumerate(results) if i == 0 or not same_case(results[i - 1], r)]
    for result in results:
        result["attribution"] = "non-attributed"
    for result in firsts:
        result["claims"] = []
        if result.get("suspect"):
            continue
        for text in claims_of(result, results):
            if kind is None:
                good, reason, counters = False, "no cause was claimed", {}
            else:
                good, reason, counters = attribute(kind, before, after, result)
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
