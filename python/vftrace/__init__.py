# SPDX-License-Identifier: BSD-3-Clause
"""Profiles and timelines of vftrace as data frames.

``read`` takes the files of one run and gives a ``Run``; ``diff`` compares runs. Times of a ``Run`` are nanoseconds in columns whose names end in ``_ns``;
sums are over threads and, where there is no rank in the index, over ranks. What the log says of the quality of the data
is in ``Run.remarks``.
"""
from .command import VftraceError
from .comparison import diff
from .run import Run, read
from .tree import Path

__version__ = "2.1.0"
__all__ = ["Path", "Run", "VftraceError", "diff", "read"]
