# SPDX-License-Identifier: BSD-3-Clause
"""Holds a profile against a sampling profile of the same run.

sampled_shares.py PROGRAM PERF_REPORT ROWS OUT: PERF_REPORT has lines "samples object symbol" (perf report, mangled names), ROWS is `vftr report --format=csv` with
mangled names. Samples in vftrace, and in stubs of the procedure linkage table, are those of hooks. Appends to OUT lines
"program function its_share our_share interval" in percent of the time outside of hooks, of each function that perf has with 2 % or more of it, and prints
"program application_seconds our_application_seconds hooks_seconds time_without_hooks_percent tau", the last one Kendall's tau of the first 20 functions.
"""
import csv
import itertools
import os
import re
import sys

FEWEST_PERCENT = 2
SAMPLES_PER_SECOND = 999


def without_clone(name):
    fortran = re.fullmatch(r"__([a-z0-9_]+)_MOD_(.*)", name)
    if fortran:
        name = fortran[1] + "::" + fortran[2]
    return "MAIN" if name == "MAIN__" else re.sub(r"[.](isra|constprop|part|cold|lto_priv).*", "", name)


def read_perf(path, program):
    functions, hooks, elsewhere = {}, 0, 0
    with open(path) as lines:
        for line in lines:
            samples, name, *rest = line.split()
            symbol = rest[-1]
            if "vftrace" in name or symbol.endswith("@plt"):
                hooks += int(samples)
            elif name == program:
                functions[without_clone(symbol)] = functions.get(without_clone(symbol), 0) + int(samples)
            else:
                elsewhere += int(samples)
    return functions, hooks, elsewhere


def read_rows(path):
    times, doubts = {}, {}
    with open(path, newline="") as lines:
        for row in csv.DictReader(lines):
            if row["function"]:
                name, time = without_clone(row["function"]), float(row["exclusive_ns"])
                times[name] = times.get(name, 0) + time
                doubts[name] = doubts.get(name, 0) + time * float(row["exclusive_uncertainty_percent"] or 0) / 100
    return times, doubts


def tau(pairs):
    """Of pairs of figures: (agreeing − disagreeing) / both."""
    orders = [(a[0] - b[0]) * (a[1] - b[1]) for a, b in itertools.combinations(pairs, 2)]
    agree, disagree = sum(o > 0 for o in orders), sum(o < 0 for o in orders)
    return (agree - disagree) / max(agree + disagree, 1)


def main():
    program, perf_report, rows, out = sys.argv[1:]
    functions, hooks, elsewhere = read_perf(perf_report, os.path.basename(program))
    times, doubts = read_rows(rows)
    application, ours = sum(functions.values()) + elsewhere, sum(times.values())
    largest = sorted(functions, key=functions.get, reverse=True)[:20]
    with open(out, "a") as lines:
        for name in largest:
            share = 100 * functions[name] / application
            if share >= FEWEST_PERCENT:
                print(program, name, share, 100 * times.get(name, 0) / ours, 100 * doubts.get(name, 0) / ours, file=lines)
    print(program, application / SAMPLES_PER_SECOND, ours / 1e9, hooks / SAMPLES_PER_SECOND, 100 * elsewhere / application,
          tau([(times.get(name, 0), functions[name]) for name in largest]))


main()
