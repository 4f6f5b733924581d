# SPDX-License-Identifier: BSD-3-Clause
"""Compares what vftr tui shows with what vftr report --format=json prints.

tui_figures.py REPORT.json TABLE VIEW.csv   each cell of the exported view with the member of the table's row
tui_figures.py REPORT.json functions -      the functions on the screen (standard input), in seconds
"""
import csv
import json
import sys


def flat(row):
    result = {}
    for name, value in row.items():
        if isinstance(value, dict):
            result.update({f"{name}_{inner}": cell for inner, cell in value.items()})
        else:
            result[name] = value
    return result


def as_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def rows_of(profile, table):
    if table == "message_matrix":
        return profile["message_matrix"]["cells"]
    if table == "threads":
        return profile["threads"]["longest"]
    if table == "breakdown":
        return [dict(activity=name, **{f"{key}_ns" if not key.endswith("rank") else key: cell for key, cell in value.items()})
                for name, value in profile["breakdown"]["time_ns"].items()]
    return profile[table]


def compare_file(profile, table, path):
    with open(path, newline="", encoding="utf-8") as file:
        shown = list(csv.DictReader(file))
    known = [flat(row) for row in rows_of(profile, table)]
    if not shown or len(shown) != len(known):
        sys.exit(f"{path} has {len(shown)} rows, {table} {len(known)}")
    columns = shown[0].keys()

    def form(cell):
        try:
            return as_text(float(cell)) if "." in cell else cell
        except ValueError:
            return cell

    ours = sorted([form(row[column]) for column in columns] for row in shown)
    theirs = sorted([as_text(row[column]) if column in row else "" for column in columns] for row in known)
    for one, other in zip(ours, theirs):
        if one != other:
            sys.exit(f"{path} has {one}, {table} {other}")


def compare_screen(profile):
    known = {row["function"]: row for row in profile["functions"]}
    seen = 0
    for line in sys.stdin:
        words = line.split()
        if len(words) < 4 or not words[0].isdigit() or words[-1] not in known:
            continue
        row = known[words[-1]]
        wanted = [str(row["calls"])] + [f"{row[name] * 1e-9:.6f}" for name in ("exclusive_ns", "inclusive_ns")]
        if words[:3] != wanted:
            sys.exit(f"{words[-1]} has {words[:3]} on the screen, {wanted} in the report")
        seen += 1
    if seen != len(known):
        sys.exit(f"{seen} functions are on the screen, {len(known)} in the report")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)["profiles"][0]
    if sys.argv[3] == "-":
        compare_screen(profile)
    else:
        compare_file(profile, sys.argv[2], sys.argv[3])


main()
