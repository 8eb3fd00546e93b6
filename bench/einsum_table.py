# SPDX-License-Identifier: BSD-3-Clause
"""einsum of Python's libraries over the contractions of finite elements: a table, and JSON for others.

    PYTHONPATH=build/release/python python3 bench/einsum_table.py [--device cpu|cuda] [--orders 1-8] [--json FILE]

For each order p and each of the three axes: y = B x in every element, B of (p + 2) x (p + 1), row-major arrays of
float64.
On a CPU on one thread, with a batch that stays in cache; on a GPU with operands of --bytes. Libraries are timed in turn,
medians of --repetitions, or the best of them; every result is checked. Beyond 4096 elements the batch repeats its first
ones. "call" is a call for an empty batch: what Python costs.
"""

import argparse
import json
import statistics
import time

import numpy as np

import tessera_fem as tf

AXES = {"first": "ia,eabc->eibc", "middle": "jb,eabc->eajc", "last": "kc,eabc->eabk"}


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--orders", default="1-8", help="1-8, or 2,5")
    parser.add_argument("--bytes", type=float, help="of x: 0.25e6 on a CPU, 1e9 on a GPU")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument(
        "--best", action="store_true", help="the fastest repetition, not the median: on a machine that others use"
    )
    parser.add_argument("--json", help="also write all figures to this file")
    options = parser.parse_args()
    if options.bytes is None:
        options.bytes = 0.25e6 if options.device == "cpu" else 1e9
    low, _, high = options.orders.partition("-")
    options.orders = range(int(low), int(high) + 1) if high else [int(p) for p in options.orders.split(",")]
    return options


def module(name):
    try:
        return __import__(name)
    except ImportError:
        return None


class Library:
    """How a library makes arrays, contracts, and waits."""

    def __init__(self, name, array, contract, wait=lambda: None):
        self.name, self.array, self.contract, self.wait = name, array, contract, wait


def libraries(device):
    """Tessera first, on arrays of the first other one."""
    torch, cupy = module("torch"), module("cupy")
    if device == "cpu":
        peers = [Library("numpy", np.asarray, lambda t, B, x, y: np.einsum(t, B, x, out=y, optimize=True))]
        if torch is not None:
            torch.set_num_threads(1)
            peers.append(Library("torch", torch.from_numpy, lambda t, B, x, y: torch.einsum(t, B, x)))
    else:
        peers = []
        if cupy is not None:
            wait = cupy.cuda.get_current_stream().synchronize
            peers.append(Library("cupy", cupy.asarray, lambda t, B, x, y: cupy.einsum(t, B, x), wait))
        if torch is not None and torch.cuda.is_available():
            wait = torch.cuda.synchronize
            peers.append(
                Library(
                    "torch", lambda a: torch.from_numpy(a).cuda(), lambda t, B, x, y: torch.einsum(t, B, x), wait
                )
            )
        if not peers or "cuda" not in tf.targets():
            raise SystemExit("einsum_table: needs a GPU, and CuPy or PyTorch with CUDA")
    return peers


def seconds(call, wait, number):
    wait()
    start = time.perf_counter()
    for _ in range(number):
        call()
    wait()
    return (time.perf_counter() - start) / number


def row_of(p, axis, options, peers):
    d, q = p + 1, p + 2
    text = AXES[axis]
    elements = max(1, int(options.bytes / (8 * d**3)))
    block = min(elements, 4096)  # random numbers for more, and their einsum by numpy, would take minutes
    elements = elements // block * block
    random = np.random.default_rng(p)
    B, some = random.standard_normal((q, d)), random.standard_normal((block, d, d, d))
    expected = np.ascontiguousarray(np.einsum(text, B, some, optimize=True))
    x = np.tile(some, (elements // block, 1, 1, 1))
    zeros = np.zeros((elements, *expected.shape[1:]))
    threads = 1 if options.device == "cpu" else 0
    ways = {}
    for peer in peers:
        arrays = [peer.array(a) for a in (B, x, zeros)]
        wanted = peer.array(expected)
        plan = tf.Plan(text, *arrays, batch="e", threads=threads)
        none = [arrays[0], arrays[1][:0], arrays[2][:0]]
        ways[f"Plan, {peer.name}"] = (lambda plan=plan, arrays=arrays: plan.run(*arrays), peer)
        ways[f"einsum, {peer.name}"] = (
            lambda arrays=arrays: tf.einsum(text, *arrays[:2], out=arrays[2], batch="e", threads=threads),
            peer,
        )
        ways[f"call, {peer.name}"] = (lambda plan=plan, none=none: plan.run(*none), peer)
        ways[peer.name] = (lambda peer=peer, arrays=arrays: peer.contract(text, *arrays), peer)
        for way in (f"Plan, {peer.name}", f"einsum, {peer.name}"):
            arrays[2][:] = 0
            ways[way][0]()
            peer.wait()
            differences = abs(arrays[2].reshape(-1, *expected.shape) - wanted)
            assert float(differences.max()) <= 1e-12, f"{way}: {text} differs by {float(differences.max())}"
            del differences
    number, samples = {}, {way: [] for way in ways}
    for way, (call, peer) in ways.items():
        once = min(seconds(call, peer.wait, 1) for _ in range(3))
        number[way] = max(1, int(2e-3 / once)) if options.device == "cpu" else max(1, int(2e-2 / once))
    for _ in range(options.repetitions):
        for way, (call, peer) in ways.items():
            samples[way].append(seconds(call, peer.wait, number[way]))
    of_samples = min if options.best else statistics.median
    seconds_of = {way: of_samples(s) for way, s in samples.items()}
    return {"p": p, "axis": axis, "einsum": text, "elements": elements, "bytes": 8 * elements * (d**3 + d * d * q),
            "seconds": seconds_of}


def main():
    options = parsed()
    peers = libraries(options.device)
    rows = []
    print("p  axis    elements  " + "  ".join(f"{n:>16}" for n in header(peers)))
    for p in options.orders:
        for axis in AXES:
            row = row_of(p, axis, options, peers)
            rows.append(row)
            print(f"{p:<2} {axis:7} {row['elements']:8}  " + "  ".join(f"{v:>16}" for v in values(row, peers)))
    for peer in peers:
        ratios = [r["seconds"][peer.name] / r["seconds"][f"Plan, {peer.name}"] for r in rows]
        print(f"times as fast as {peer.name}: {np.exp(np.mean(np.log(ratios))):.2f} in geometric mean, "
              f"{min(ratios):.2f} to {max(ratios):.2f}")
        shares = [r["seconds"][f"call, {peer.name}"] / r["seconds"][f"Plan, {peer.name}"] for r in rows]
        print(f"the call's share of a run on arrays of {peer.name}: {max(shares):.3f} at most")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"config": tf.config(), "device": options.device, "rows": rows}, file, indent=1)


def header(peers):
    return [name for peer in peers for name in (f"us, {peer.name}'s", "GB/s", f"x {peer.name}", "call us")]


def values(row, peers):
    for peer in peers:
        s = row["seconds"]
        run = s[f"Plan, {peer.name}"]
        yield from (f"{run * 1e6:.1f}", f"{row['bytes'] / run / 1e9:.1f}", f"{s[peer.name] / run:.2f}",
                    f"{s[f'call, {peer.name}'] * 1e6:.2f}")


if __name__ == "__main__":
    main()
