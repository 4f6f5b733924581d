# SPDX-License-Identifier: BSD-3-Clause
"""Holds a profile against a sampling profile of the same run.

sampled_shares.py PROGRAM SAMPLES ROWS OUT: SAMPLES is what `perf script -F ip,sym,dso --show-mmap-events --no-demangle` prints, ROWS is `vftr report
--format=csv` with mangled names. Samples in vftrace, in stubs of the procedure linkage table and in the system's clock, which these programs do not read, are
those of hooks. Appends to OUT lines
"program function its_share our_share interval" in percent of the time outside of hooks, of each function that perf has with 2 % or more of it, and prints
"program application_seconds our_application_seconds hooks_seconds time_without_hooks_percent tau", the last one Kendall's tau of the first 20 functions.

A function that is inlined has its hooks where it is inlined, and so a row. The debug information tells what is inlined at an address (addr2line): a sample
is one of the innermost function that has a row.
"""
import collections
import csv
import itertools
import os
import re
import subprocess
import sys

FEWEST_PERCENT = 2
SAMPLES_PER_SECOND = 999
MAPPING = re.compile(r"PERF_RECORD_MMAP2? .*\[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*: r-xp (.*)")
SAMPLE = re.compile(r"\s*([0-9a-f]+) (.*) \((.*)\)")


def without_clone(name):
    fortran = re.fullmatch(r"__([a-z0-9_]+)_MOD_(.*)", name)
    if fortran:
        name = fortran[1] + "::" + fortran[2]
    return "MAIN" if name == "MAIN__" else re.sub(r"[.](isra|constprop|part|cold|lto_priv).*", "", name)


def inlined_at(program, addresses):
    """What is inlined at each address of the file, from the inside to the outside, without the function that it stands in."""
    said = subprocess.run(["addr2line", "-a", "-f", "-i", "-e", program], input="\n".join(map(hex, addresses)), capture_output=True, text=True, check=True)
    found = []
    for line in said.stdout.splitlines():
        if line.startswith("0x"):
            found.append([])
        else:
            found[-1].append(line)
    return {address: names[::2][:-1] for address, names in zip(addresses, found)}


def read_perf(path, program, rows):
    """Samples by function, those of hooks, and those elsewhere. Code has the address that it has in the file, as linkers place it."""
    start, places, hooks, elsewhere = 0, collections.Counter(), 0, 0
    with open(path) as lines:
        for line in lines:
            mapping, sample = MAPPING.search(line), SAMPLE.match(line)
            if mapping and os.path.basename(mapping[4]) == os.path.basename(program):
                start = int(mapping[1], 16) - int(mapping[3], 16)
            elif sample and not mapping:
                address, symbol, name = int(sample[1], 16), sample[2], sample[3]
                if "vftrace" in name or name == "[vdso]" or "clock_gettime" in symbol or symbol.endswith("@plt"):
                    hooks += 1
                elif os.path.basename(name) == os.path.basename(program):
                    places[address - start, symbol] += 1
                else:
                    elsewhere += 1
    inlined = inlined_at(program, sorted({address for address, _ in places}))
    functions = collections.Counter()
    for (address, symbol), samples in places.items():
        names = map(without_clone, inlined[address] + [symbol])
        functions[next((name for name in names if name in rows), without_clone(symbol))] += samples
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
    program, samples, rows, out = sys.argv[1:]
    times, doubts = read_rows(rows)
    functions, hooks, elsewhere = read_perf(samples, program, times)
    application, ours = sum(functions.values()) + elsewhere, sum(times.values())
    largest = sorted(functions, key=functions.get, reverse=True)[:20]
    with open(out, "a") as lines:
        for name in largest:
            share = 100 * functions[name] / application
            if share >= FEWEST_PERCENT:
                print(os.path.basename(program), name, share, 100 * times.get(name, 0) / ours, 100 * doubts.get(name, 0) / ours, file=lines)
    print(os.path.basename(program), application / SAMPLES_PER_SECOND, ours / 1e9, hooks / SAMPLES_PER_SECOND, 100 * elsewhere / application,
          tau([(times.get(name, 0), functions[name]) for name in largest]))


main()
