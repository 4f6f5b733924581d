# SPDX-License-Identifier: BSD-3-Clause
"""The open calls of a thread, from which its begin and end events give exclusive times."""


class OpenCalls:
    def __init__(self):
        self._open = []  # function, begin, time of the calls below that have ended

    def enter(self, time, function):
        self._open.append([function, time, 0])

    def leave(self, time):
        """The function whose call ends, and the exclusive time of that call."""
        function, begin, below = self._open.pop()
        assert below <= time - begin, 'calls below take no longer than the call'
        if self._open:
            self._open[-1][2] += time - begin
        return function, time - begin - below

    def functions(self):
        """Of those that have not ended, outermost first."""
        return [function for function, _, _ in self._open]
