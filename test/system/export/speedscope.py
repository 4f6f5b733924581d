# SPDX-License-Identifier: BSD-3-Clause
"""Opens profiles in speedscope, in a Chromium without a window, and prints what its table of functions shows.

usage: speedscope.py FOLDER-OF-SPEEDSCOPE FILE...

For the first profile of each file a line for each function: the file, the function's name, its own time in
nanoseconds as far as it is shown, and the part of the time that it has inclusive of its callees, in percent; with
tabs between them. Chromium is driven by the DevTools protocol through a pipe (--remote-debugging-pipe), so nothing but the browser
and this interpreter is needed.
"""
import base64
import json
import os
import pathlib
import sys
import tempfile

from chromium_page import Page


UNITS = {'': 1, 'ns': 1, 'µs': 1e3, 'ms': 1e6, 's': 1e9}


def nanoseconds(shown):
    """Of "2.76ms (24%)"; folded stacks have no unit, "2,760,123"."""
    text = shown.split(' ')[0].replace(',', '')
    digits = text.rstrip('nµms')
    return float(digits) * UNITS[text[len(digits):]]


def open_file(page, speedscope, folder, file):
    """Until the first profile is drawn. The folder is for a script that brings the file."""
    name = pathlib.Path(file).name
    script = pathlib.Path(folder, 'profile.js')
    content = base64.b64encode(pathlib.Path(file).read_bytes()).decode()
    script.write_text(f'speedscope.loadFileFromBase64({json.dumps(name)}, {json.dumps(content)})')
    page.go('about:blank')  # as another fragment alone would not load the page again
    page.go(pathlib.Path(speedscope, 'dist/release/index.html').resolve().as_uri() + f'#localProfilePath={script}')
    page.wait_for('document.querySelectorAll("canvas").length > 0', f'{file}: no profile is drawn')


def show(page, speedscope, folder, file):
    open_file(page, speedscope, folder, file)
    page.press('3')  # the view with a table
    rows = '[...document.querySelectorAll("table tr")].map(row => [...row.cells].map(cell => cell.innerText))'
    page.wait_for(f'{rows}.slice(0, -1).some(row => row[2] == "Symbol Name")', f'{file}: no functions in the table')
    shown = page.evaluate(rows)
    start = next(i for i, row in enumerate(shown) if row[2:3] == ['Symbol Name'])
    for whole, own, function in shown[start + 1:]:
        print(pathlib.Path(file).name, function, f'{nanoseconds(own):.0f}', whole.split('(')[1].rstrip('%)'), sep='\t')


def main(speedscope, *files):
    with tempfile.TemporaryDirectory() as folder:
        page = Page(os.path.join(folder, 'browser'))
        try:
            for file in files:
                show(page, speedscope, folder, file)
        finally:
            page.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
