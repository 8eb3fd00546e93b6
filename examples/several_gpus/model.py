#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# A model of conjugate gradients over more processes than were measured: what it prints is a prediction.
"""Time of an iteration by the number of processes: a model, whose inputs are measured, of data sheets, or assumed.

An iteration takes
    fixed + unknowns * each          computing, from two runs on one GPU
    + split                          the operator in halves and outer elements, from a run that exchanges nothing
    + 2 * sums                       two all-reduces, ceil(log2 of the processes) messages each
    + what halos take longer than half of the product beside which they travel, once for each direction.
A process has a cube of unknowns, whose faces are its halo, 8 bytes a number, to each neighbour. With --slabs it has
neighbours above and below alone, as examples/several_gpus cuts its box. The defaults are of diffusion at p = 4; other
operators and orders need two runs of their own.
"""
import argparse
import math

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--unknowns", type=float, default=5e7, help="of a process")
parser.add_argument("--processes", type=int, nargs="+", default=[2, 8, 64, 512])
parser.add_argument("--slabs", action="store_true")
# Diffusion, p = 4, double, Jacobi, an H200: 0.606 ms with 5.93 and 4.876 ms with 50.24 million unknowns.
parser.add_argument("--fixed", type=float, default=0.035, help="ms of an iteration without unknowns")
parser.add_argument("--each", type=float, default=0.0964, help="ns of an unknown and iteration")
parser.add_argument("--product", type=float, default=0.77, help="share of the product in it")
parser.add_argument("--split", type=float, default=0.02, help="ms")
parser.add_argument("--node", type=int, default=8, help="processes of a node")
# NVLink of an H200: 900 GB/s in both directions together (NVIDIA's data sheet of the H200).
parser.add_argument("--near", type=float, default=450, help="GB/s between GPUs of a node")
# InfiniBand NDR, 400 Gb/s a port, one a GPU (NVIDIA's manual of the ConnectX-7, 'Supported Protocols').
parser.add_argument("--far", type=float, default=50, help="GB/s between nodes, of a process")
# Of a message from GPU to GPU, the launch of its kernel included: an assumption.
parser.add_argument("--near_latency", type=float, default=10, help="us")
parser.add_argument("--far_latency", type=float, default=20, help="us")
given = parser.parse_args()


def milliseconds(processes, unknowns):
    nodes = unknowns ** (1 / 3)  # in a direction
    computing = given.fixed + unknowns * given.each * 1e-6
    if processes == 1:
        return computing
    far = processes > given.node
    latency, speed = (given.far_latency, given.far) if far else (given.near_latency, given.near)
    if given.slabs:
        faces = 1 if processes == 2 else 2
    else:
        faces = sum(1 if s == 2 else 2 if s > 2 else 0 for s in sides(processes))
    halo = latency * 1e-3 + faces * 8 * nodes**2 / speed * 1e-6  # all at once
    sums = 2 * math.ceil(math.log2(processes)) * latency * 1e-3
    waiting = 2 * max(0.0, halo - 0.5 * given.product * computing)
    return computing + given.split + sums + waiting


def sides(processes):
    """As near to a cube as powers of two come."""
    all_sides = [1, 1, 1]
    while math.prod(all_sides) < processes:
        all_sides[all_sides.index(min(all_sides))] *= 2
    return all_sides


alone = milliseconds(1, given.unknowns)
print(f"MODEL, not measured: {given.unknowns:.3g} unknowns a process, {alone:.3f} ms on one")
print(f"{'processes':>10} {'weak, ms':>10} {'efficiency':>11} {'strong, ms':>11} {'efficiency':>11}")
for n in given.processes:
    weak, strong = milliseconds(n, given.unknowns), milliseconds(n, given.unknowns / n)
    print(f"{n:10d} {weak:10.3f} {alone / weak:11.3f} {strong:11.3f} {alone / strong / n:11.3f}")
