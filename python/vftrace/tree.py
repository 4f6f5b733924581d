# SPDX-License-Identifier: BSD-3-Clause
"""The call tree."""


class Path:
    """A call path: a function, by whom it was called, and its callees in ``children``.

    ``id`` is its id in the log (STID); ``calls``, ``exclusive_ns`` and ``inclusive_ns`` are sums over ranks and threads.
    """

    __slots__ = ("id", "function", "kind", "calls", "exclusive_ns", "inclusive_ns", "parent", "children")

    def __init__(self, row, parent):
        self.id = row["id"]
        self.function = row["function"]
        self.kind = row["kind"]
        self.calls = row["calls"]
        self.exclusive_ns = row["exclusive_ns"]
        self.inclusive_ns = row["inclusive_ns"]
        self.parent = parent
        self.children = []

    def walk(self):
        """This path and all below it, each before its callees. Uses no recursion, as trees are thousands of calls deep."""
        open_paths = [self]
        while open_paths:
            path = open_paths.pop()
            yield path
            open_paths.extend(reversed(path.children))

    @property
    def depth(self):
        """How many paths are above this one."""
        depth, path = 0, self
        while path.parent is not None:
            depth, path = depth + 1, path.parent
        return depth

    def __str__(self):
        depths, lines = {self.id: 0}, []
        for path in self.walk():
            if path is not self:
                depths[path.id] = depths[path.parent.id] + 1
            lines.append(f"{path.inclusive_ns * 1e-9:12.6f} s {path.calls:12d}  {'  ' * depths[path.id]}{path.function}")
        return "\n".join(lines)

    def __repr__(self):
        return f"<vftrace.Path {self.id}: {self.function}>"


def tree_of(call_paths):
    """The root of the tree with these rows; callers come before their callees."""
    paths = {}
    for row in call_paths:
        parent = paths.get(row.get("parent"))
        path = Path(row, parent)
        if parent is not None:
            parent.children.append(path)
        paths[path.id] = path
    return next(iter(paths.values()))
