# SPDX-License-Identifier: BSD-3-Clause
"""The data of one run."""
import functools
import glob
import json
import os

import pandas

from . import adapters, command, tree

ALL = -1  # in an index of ranks and threads: the sum over all of them, where a merged file has nothing else


def read(files):
    """The run with these files: a path, several paths, or a folder with the files of one run.

    Files of the ranks give values for each rank and, with a timeline, events; the merged file (``..._all.vfd``) gives
    the sums. Nothing is read before it is asked for, but the profile.
    """
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    found = []
    for file in map(os.fspath, files):
        if os.path.isdir(file):
            inside = sorted(glob.glob(os.path.join(glob.escape(file), "*.vfd")) +
                            glob.glob(os.path.join(glob.escape(file), "*.tmpvfd")))
            if not inside:
                raise command.VftraceError(f"{file}: there are no recordings in this folder")
            found += inside
        else:
            found.append(file)
    if not found:
        raise command.VftraceError("there is no file to read")
    return Run(found)


class Run:
    """What vftrace recorded of one run of a program."""

    def __init__(self, files):
        self.files = files
        self._all = command.export("json", json.load, files)

    @property
    def _profile(self):
        return self._all["profiles"][0]

    @functools.cached_property
    def _threads(self):
        """The profiles of single threads; none where there is only the merged file."""
        try:
            return command.export("json", json.load, self.files, "--each-thread")["profiles"]
        except command.VftraceError as error:
            if "--each-thread" in str(error):
                return []
            raise

    @property
    def metadata(self):
        """Of the run as a whole: application, times of start and end, ranks, threads, and the head of the log."""
        return {**self._profile["metadata"], **self._profile["head"], "vftrace_version": self._all["vftrace_version"]}

    @property
    def remarks(self):
        """What a reader must know of the data: what was lost, estimated or left out. Sentences without a full stop."""
        return list(self._all["remarks"])

    @functools.cached_property
    def profile(self):
        """A row for each call path of each thread, indexed by ``path`` (the id in the log), ``rank`` and ``thread``.

        Threads are numbered within their process, whose title is in the column ``process``; only where a rank had several
        (forked children) do rows have the same index. Of a merged file threads are -1, and so are several ranks: all of them.
        """
        frames = []
        for profile in self._threads or [self._profile]:
            frame = pandas.DataFrame(profile["call_paths"]).rename(columns={"id": "path"})
            covered = profile["metadata"]
            frame["rank"] = covered["first_rank"] if self._threads or covered["ranks"] <= 1 else ALL
            frame["thread"] = profile.get("thread", ALL)
            frame["process"] = profile["title"].rsplit(", thread ", 1)[0]
            frames.append(frame)
        whole = pandas.concat(frames, ignore_index=True).set_index(["path", "rank", "thread"]).sort_index()
        whole["parent"] = whole["parent"].astype("Int64")  # the root has none
        return whole

    @functools.cached_property
    def functions(self):
        """A row for each function, over all ranks, threads and call paths, indexed by ``function``, longest first."""
        return (pandas.DataFrame(self._profile["functions"]).set_index("function")
                .sort_values("exclusive_ns", ascending=False, kind="stable"))

    @functools.cached_property
    def messages(self):
        """A row for each call path with messages: how many it sent and received, their bytes and times."""
        rows = []
        for row in self._profile.get("messages", []):
            flat = {key: value for key, value in row.items() if not isinstance(value, dict)}
            for direction in ("sent", "received"):
                for key, value in row.get(direction, {}).items():
                    flat[f"{direction}_{key}"] = value
            rows.append(flat)
        columns = ["path", "function", "sent_messages", "sent_bytes", "received_messages", "received_bytes"]
        return (pandas.DataFrame(rows) if rows else pandas.DataFrame(columns=columns)).set_index("path")

    @functools.cached_property
    def matrix(self):
        """Bytes from rank (row) to rank (column), where the run has recorded messages."""
        cells = self._profile.get("message_matrix", {}).get("cells", [])
        if not cells:
            return pandas.DataFrame(index=pandas.Index([], name="from_rank"),
                                    columns=pandas.Index([], name="to_rank"), dtype="int64")
        return pandas.DataFrame(cells).pivot_table(index="from_rank", columns="to_rank", values="bytes", aggfunc="sum",
                                                   fill_value=0)

    @functools.cached_property
    def threads(self):
        """A row for each of the threads with the longest lives (rank, number, life, CPU time, calls), as in the log: none
        where every process has one."""
        rows = self._profile["threads"]["longest"]
        return pandas.DataFrame(rows) if rows else pandas.DataFrame(columns=["rank", "thread", "life_ns", "calls"])

    def tree(self):
        """The root of the call tree over all ranks and threads, a ``Path``; ``print`` shows the tree."""
        return tree.tree_of(self._profile["call_paths"])

    def events(self, begin=None, end=None, ranks=None, functions=None):
        """The calls of the timeline, one a row, in the order in which they began within a thread.

        ``begin`` and ``end`` are seconds since the start of the run; calls that are under way then are cut there.
        ``ranks`` is a number or several, ``functions`` a regular expression. Columns: ``rank``, ``process`` (its title),
        ``thread``, ``depth`` (how many calls are around it), ``path`` (as in the index of ``profile``), ``function``, ``kind``, ``start_ns``, ``duration_ns``,
        ``ended`` (false: the process was killed before; the duration is 0 then). Times contain the cost of recording and the waits for a core. All of it is held in memory.
        """
        options = ["--max-size=1000000G"]  # nothing is left out
        if begin is not None:
            options.append(f"--from={begin!r}")
        if end is not None:
            options.append(f"--to={end!r}")
        if ranks is not None:
            numbers = ranks if hasattr(ranks, "__iter__") else [ranks]
            options.append("--ranks=" + ",".join(str(int(rank)) for rank in numbers))
        if functions is not None:
            options.append(f"--functions={functions}")
        return command.export("events", _calls_in, self.files, *options)

    def hatchet_literal(self):
        """The call tree as ``hatchet.GraphFrame.from_literal`` takes it."""
        return adapters.hatchet_literal(self.tree())

    def to_hatchet(self):
        """The call tree as a ``hatchet.GraphFrame``. Needs the package hatchet (llnl-hatchet)."""
        return adapters.to_hatchet(self.tree())

    def pipit_events(self, *args, **selection):
        """The timeline in the columns of ``pipit.Trace.events``; arguments as of ``events``."""
        return adapters.pipit_events(self.events(*args, **selection))

    def to_pipit(self, *args, **selection):
        """The timeline as a ``pipit.Trace``; arguments as of ``events``. Needs the package pipit."""
        return adapters.to_pipit(self.events(*args, **selection))

    def __repr__(self):
        metadata = self._profile["metadata"]
        return f"<vftrace.Run of {metadata['application']}: {metadata['ranks']} ranks, {metadata['threads']} threads>"


def _calls_in(stream):
    calls = pandas.read_csv(stream, dtype={"process": "category", "function": "category", "kind": "category"})
    calls["ended"] = calls["duration_ns"].notna()
    calls["duration_ns"] = calls["duration_ns"].fillna(0).astype("int64")
    order = {title: number for number, title in enumerate(calls["process"].unique())}
    calls["order"] = calls["process"].map(order).astype("int64")
    calls = calls.sort_values(["order", "thread", "call"], ignore_index=True)
    return calls[["rank", "process", "thread", "depth", "path", "function", "kind", "start_ns", "duration_ns", "ended"]]
