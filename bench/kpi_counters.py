# SPDX-License-Identifier: BSD-3-Clause
"""The ten counters of Sinkin's KPI pack: their names in Nsight Compute, and what its texts say."""
import csv
import io
import re
import statistics

# Of each the names that it has had, the best first, and the factor to the unit that is reported.
KPIS = {
    "K1": ("SM throughput, %", [("sm__throughput.avg.pct_of_peak_sustained_elapsed", 1)]),
    "K2": ("DRAM throughput, %", [("dram__throughput.avg.pct_of_peak_sustained_elapsed", 1),
                                  ("dram__bytes.sum.pct_of_peak_sustained_elapsed", 1)]),
    "K3": ("L2 throughput, %", [("lts__throughput.avg.pct_of_peak_sustained_elapsed", 1),
                                ("lts__t_sectors.avg.pct_of_peak_sustained_elapsed", 1)]),
    "K4": ("L1 hit rate, %", [("l1tex__t_sector_hit_rate.pct", 1)]),
    "K5": ("FP32 FMA pipe, %", [("smsp__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", 1),
                                ("sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", 1),
                                ("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", 1)]),
    "K6": ("warps active, %", [("sm__warps_active.avg.pct_of_peak_sustained_active", 1)]),
    "K7": ("blocks by registers", [("launch__occupancy_limit_registers", 1)]),
    "K8": ("warps eligible a cycle", [("smsp__warps_eligible.sum.per_cycle_active", 1),
                                      ("smsp__warps_eligible.avg.per_cycle_active", 1)]),
    "K9": ("issue active, %", [("smsp__issue_active.avg.pct_of_peak_sustained_active", 1),
                               ("smsp__inst_issued.avg.pct_of_peak_sustained_active", 1)]),
    "K10": ("threads of an instruction, %", [("smsp__thread_inst_executed_per_inst_executed.pct", 1),
                                             ("smsp__thread_inst_executed_per_inst_executed.ratio", 100 / 32)]),
}
# Beside the pack: the pipes of double and of matrix instructions, which K5 does not see, the traffic of memory, and the
# time of a kernel, without which no share of launch overhead is known.
FURTHER = {
    "fp64": ("FP64 pipe, %", [("sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", 1),
                              ("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", 1)]),
    "tensor": ("tensor pipe, %", [("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", 1),
                                  ("sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active", 1)]),
    "dram_bytes": ("bytes of DRAM", [("dram__bytes.sum", 1)]),
    "duration": ("seconds of a launch", [("gpu__time_duration.sum", 1)]),
}
NAME = re.compile(r"^\s*([a-z][a-z0-9]*__[a-z0-9_]+(?:\.[a-z0-9_]+)*)\b")
UNITS = {"byte": 1, "kbyte": 1e3, "mbyte": 1e6, "gbyte": 1e9, "tbyte": 1e12,
         "nsecond": 1e-9, "usecond": 1e-6, "msecond": 1e-3, "second": 1, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}


def listed_names(text):
    """The metrics that `ncu --query-metrics` lists: base names, or with --query-metrics-mode suffix whole ones."""
    return {found.group(1) for found in map(NAME.match, text.splitlines()) if found}


def is_listed(metric, names):
    """Launch metrics are those of the driver, which no query lists; of others the whole name or its base has to be."""
    base = metric.split(".")[0]
    if base.startswith("launch__"):
        return True
    whole = {name for name in names if name.startswith(base + ".")}
    return metric in whole if whole else base in names


def choose(names):
    """{KPI: (metric, factor)} of those that can be read, and {KPI: reason} of the others."""
    used, absent = {}, {}
    for key, (_, candidates) in {**KPIS, **FURTHER}.items():
        found = next((c for c in candidates if is_listed(c[0], names)), None)
        if found:
            used[key] = found
        else:
            absent[key] = "not listed by this ncu: " + ", ".join(metric for metric, _ in candidates)
    return used, absent


def refusal(text):
    """Why ncu read nothing, from what it printed; None where it says no reason."""
    if "ERR_NVGPUCTRPERM" in text:
        return "counters are not permitted (ERR_NVGPUCTRPERM): an administrator has to allow them"
    if "No kernels were profiled" in text:
        return "no kernel was profiled: none ran between cudaProfilerStart and Stop, or none matched --kernel"
    errors = [line.split("==ERROR==", 1)[1].strip() for line in text.splitlines() if "==ERROR==" in line]
    return "ncu: " + errors[0] if errors else None


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None  # "n/a", or a text


def in_base_units(value, unit):
    """Bytes and seconds; other units are left as they are."""
    return value * UNITS.get(unit.strip().lower(), 1) if value is not None else None


def launches(text):
    """[(kernel, {metric: value})] of each launch, from ncu's CSV: a line a launch (--page raw), or a line a value."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return []
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in lines[start:] if line.startswith('"')))))
    if rows and "Metric Name" in rows[0]:
        found = {}
        for row in rows:
            key = (row.get("Process ID"), row["ID"])
            of = found.setdefault(key, (row["Kernel Name"], {}))
            of[1][row["Metric Name"]] = in_base_units(number(row["Metric Value"]), row.get("Metric Unit") or "")
        return list(found.values())
    units = rows[0] if rows and not rows[0]["ID"].strip() else {}
    metrics = [name for name in rows[0] if name and "__" in name] if rows else []
    def value(row, name):
        return in_base_units(number(row[name] or ""), units.get(name) or "")

    return [(row["Kernel Name"], {name: value(row, name) for name in metrics}) for row in rows if row["ID"].strip()]


# Of these all launches together count, too: the member of a kernel with their sum.
SUMS = {"duration": "seconds", "dram_bytes": "dram_bytes"}


def kernels(text, used):
    """Each kernel with its number of launches, the seconds and the bytes of DRAM of all of them, and the median of each
    KPI over them; values that are absent are None."""
    by_name = {}
    for name, metrics in launches(text):
        by_name.setdefault(name, []).append(metrics)
    found = []
    for name, all_metrics in by_name.items():
        kpis, sums = {}, dict.fromkeys(SUMS.values())
        for key, (metric, factor) in used.items():
            values = [m[metric] for m in all_metrics if m.get(metric) is not None]
            kpis[key] = statistics.median(values) * factor if values else None
            if key in SUMS and len(values) == len(all_metrics):
                sums[SUMS[key]] = sum(values) * factor
        found.append({"name": name, "launches": len(all_metrics), **sums, "kpis": kpis})
    return found


def pattern(kpis, high=60, low=30):
    """What limits a kernel by Sinkin's rules; None without the counters for that, "mixed" where no rule fits."""
    def value(key):
        return kpis.get(key)

    pipes = [v for v in (value("K5"), value("fp64"), value("tensor")) if v is not None]
    if None in (value("K1"), value("K2"), value("K3")) or not pipes:
        return None
    if value("K10") is not None and value("K10") < high:
        return "divergence"
    if max(value("K2"), value("K3")) >= high and max(value("K2"), value("K3")) >= max(pipes):
        return "memory-limited"
    if value("K1") >= high and max(pipes) >= high:
        return "compute-limited"
    if value("K6") is not None and value("K7") is not None and value("K6") < high and value("K7") <= 4:
        return "register-limited"
    if value("K8") is not None and value("K9") is not None and value("K8") < 1 and value("K9") < low:
        return "starvation"
    return "mixed"
