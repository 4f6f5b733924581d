# SPDX-License-Identifier: BSD-3-Clause
"""What other packages for performance data take. They are needed only where they are used."""
import pandas


def hatchet_literal(root):
    """The list that ``hatchet.GraphFrame.from_literal`` takes; times are seconds."""
    made = {}
    for path in root.walk():
        node = {
            "frame": {"name": path.function, "type": path.kind},
            "metrics": {"time": path.exclusive_ns * 1e-9, "time (inc)": path.inclusive_ns * 1e-9, "calls": path.calls},
            "children": [],
        }
        made[path.id] = node
        if path is not root:
            made[path.parent.id]["children"].append(node)
    return [made[root.id]]


def to_hatchet(root):
    """A ``hatchet.GraphFrame``."""
    import hatchet  # pylint: disable=import-outside-toplevel

    return hatchet.GraphFrame.from_literal(hatchet_literal(root))


def pipit_events(calls):
    """The rows of ``pipit.Trace.events``: one for the begin and one for the end of each call, in the order of time.

    Those of a thread nest as the calls did, also where several begin and end at one time; a call that has not ended has
    no end.
    """
    rows = []
    for _, of_thread in calls.groupby(["process", "thread"], sort=False, observed=True):
        open_calls = []  # depth, name and end; None: it has not ended
        process, thread = of_thread["process"].iat[0], of_thread["thread"].iat[0]

        def leave_down_to(depth):
            while open_calls and open_calls[-1][0] >= depth:
                _, name, end = open_calls.pop()
                if end is not None:
                    rows.append((end, "Leave", name, thread, process))

        for name, depth, start, duration, ended in zip(of_thread["function"], of_thread["depth"], of_thread["start_ns"],
                                                       of_thread["duration_ns"], of_thread["ended"]):
            leave_down_to(depth)
            rows.append((start, "Enter", name, thread, process))
            open_calls.append((depth, name, start + duration if ended else None))
        leave_down_to(0)
    columns = ["Timestamp (ns)", "Event Type", "Name", "Thread", "Process"]
    return pandas.DataFrame(rows, columns=columns).sort_values("Timestamp (ns)", kind="stable", ignore_index=True)


def to_pipit(calls):
    """A ``pipit.Trace``."""
    import pipit  # pylint: disable=import-outside-toplevel

    return pipit.Trace(None, pipit_events(calls))
