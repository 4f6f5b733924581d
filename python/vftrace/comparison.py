# SPDX-License-Identifier: BSD-3-Clause
"""What has changed between runs."""
import json
import os

import pandas

from . import command

_COLUMNS = {
    "function": "object", "path": "object", "base": "float64", "new": "float64", "difference": "float64",
    "ratio": "float64", "low": "float64", "high": "float64", "p": "float64",
    "base_calls_min": "int64", "base_calls_max": "int64", "new_calls_min": "int64", "new_calls_max": "int64",
    "calls_estimated": "bool", "calls_changed": "bool", "verdict": "object", "renamed_from": "object",
    "moved_from": "object", "perhaps_inlined": "object", "base_timed_calls": "float64", "new_timed_calls": "float64",
    **{f"{name}_ns": "float64" for one in ("median_call", "p90_call", "p99_call")
       for name in (f"base_{one}", f"new_{one}", f"{one}_difference")},
}


def _words(files):
    """Paths for the command line; what begins with a hyphen is no option."""
    files = [files] if isinstance(files, (str, os.PathLike)) else files
    return [os.path.join(os.curdir, path) if path.startswith("-") else path for path in map(os.fspath, files)]


def diff(base, new, paths=False, by="sum", normalise=None, noise=None, paired=False):
    """The rows of ``vftr diff``: one for each function, the largest difference first, with its verdict.

    ``base`` and ``new`` are a path each, or several: recordings, merged files, or folders, of one run or several. With
    ``paths`` there is a row for each call path, whose functions from the root on are a tuple in the column ``path``.
    ``by``, ``normalise``, ``noise`` (in percent) and ``paired`` are the options of ``vftr diff``.

    ``base``, ``new`` and ``difference`` are exclusive times in ``attrs["unit"]``; ``low`` and ``high`` are the 95 %
    interval of ``ratio``. ``base_median_call_ns``, ``new_median_call_ns``, ``median_call_difference_ns`` and those of ``p90``
    and ``p99`` tell how long single calls take, where runs were recorded with ``show_distribution``. What a row does not have is NaN or None. ``attrs`` has what else ``vftr diff`` says of the whole:
    ``base`` and ``new`` (runs, ranks, application time), ``total`` with its verdict, ``paired``, ``vftrace_version``.
    """
    options = ["--format=json", f"--by={by}"]
    if paths:
        options.append("--paths")
    if normalise is not None:
        options.append(f"--normalise={normalise}")
    if noise is not None:
        options.append(f"--noise={noise}")
    if paired:
        options.append("--paired")
    document = command.output(["diff", *options, *_words(base), "--", *_words(new)], "json", json.load)
    rows = []
    for row in document.pop("rows"):
        for side in ("base", "new"):
            row[f"{side}_calls_min"], row[f"{side}_calls_max"] = row.pop(f"{side}_calls")
        if paths:
            row["path"] = tuple(row["path"])
        rows.append(row)
    columns = {name: kind for name, kind in _COLUMNS.items() if paths or name != "path"}
    frame = pandas.DataFrame(rows, columns=list(columns)).astype(columns)
    for name in ("renamed_from", "moved_from", "perhaps_inlined"):
        frame[name] = frame[name].where(frame[name].notna(), None)
    frame.attrs.update({name: value for name, value in document.items() if not name.startswith("schema")})
    return frame
