# SPDX-License-Identifier: BSD-3-Clause
"""Reads trace events as the performance panel of DevTools does, in a Chromium without a window.

usage: devtools.py FILE

Prints a line for each function on each thread: process, thread, function, calls, and the time of these in nanoseconds, with tabs between
them. Exit code 77: the DevTools of this Chromium have no such model of traces.
"""
import json
import os
import pathlib
import sys
import tempfile

from chromium_page import Page

# What the panel makes of a file: the model of all handlers, of which Renderer has the entries of each thread.
PARSED = """(async () => {
    const trace = await import('devtools://devtools/bundled/models/trace/trace.js').catch(() => null);
    if (!trace?.TraceModel?.Model?.createWithAllHandlers)
        return null;
    const model = trace.TraceModel.Model.createWithAllHandlers();
    if (!model.parse || !model.parsedTrace)
        return null;
    await model.parse(JSON.parse(window.text).traceEvents, {metadata: {}, isFreshRecording: false});
    const data = model.parsedTrace(0)?.data;
    if (!data?.Renderer?.processes || !data?.Meta?.processNames)
        return null;
    const rows = [];
    for (const [pid, process] of data.Renderer.processes)
        for (const thread of process.threads.values()) {
            const functions = new Map();
            for (const entry of thread.entries) {
                const sums = functions.get(entry.name) ?? [0, 0];
                functions.set(entry.name, [sums[0] + 1, sums[1] + Math.round((entry.dur ?? 0) * 1000)]);
            }
            for (const [name, sums] of functions)
                rows.push([data.Meta.processNames.get(pid).args.name, thread.name, name, ...sums]);
        }
    return rows;
})()"""


def open_devtools(page, file):
    """With the text of the file in the variable `text`."""
    page.go('devtools://devtools/bundled/devtools_app.html')
    page.wait_for('document.URL.startsWith("devtools:") && document.readyState == "complete"', 'DevTools are not loaded')
    page.evaluate(f'window.text = {json.dumps(pathlib.Path(file).read_text())}; 1')


def main(file):
    with tempfile.TemporaryDirectory() as folder:
        page = Page(os.path.join(folder, 'browser'))
        try:
            open_devtools(page, file)
            rows = page.evaluate(PARSED)
        finally:
            page.close()
    if rows is None:
        return 77
    for row in rows:
        print(*row, sep='\t')
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
