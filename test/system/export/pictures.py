# SPDX-License-Identifier: BSD-3-Clause
"""Opens an export in a viewer that is a page, in a Chromium without a window, and makes a picture of what it shows.

usage: pictures.py VIEWER WHAT PICTURE [FOLDER-OF-SPEEDSCOPE]

VIEWER is speedscope, page or devtools, WHAT the file, and for a page its address. Prints the text of the page. Exit code 77: the viewer of
this Chromium is another one.
"""
import base64
import json
import os
import pathlib
import sys
import tempfile

from chromium_page import Page

# The performance panel, which draws the file on its own canvases.
DEVTOOLS = """(async () => {
    const timeline = await import('devtools://devtools/bundled/panels/timeline/timeline.js').catch(() => null);
    const ui = await import('devtools://devtools/bundled/ui/legacy/legacy.js').catch(() => null);
    const panel = timeline?.TimelinePanel?.TimelinePanel?.instance?.();
    if (!panel?.loadFromFile || !ui?.ViewManager)
        return false;
    await ui.ViewManager.ViewManager.instance().showView('timeline');
    await panel.loadFromFile(new File([window.text], 'trace.json', {type: 'application/json'}));
    return true;
})()"""


def speedscope(page, what, viewer, folder):
    content = base64.b64encode(pathlib.Path(what).read_bytes()).decode()
    script = pathlib.Path(folder, 'profile.js')
    script.write_text(f'speedscope.loadFileFromBase64({json.dumps(pathlib.Path(what).name)}, {json.dumps(content)})')
    page.go(pathlib.Path(viewer, 'dist/release/index.html').resolve().as_uri() + f'#localProfilePath={script}')
    page.wait_for('document.querySelectorAll("canvas").length > 0', f'{what}: no profile is drawn')
    return True


def page(page, what, _viewer, _folder):
    page.go(what)
    page.wait_for('document.readyState == "complete"', f'{what} is not loaded')
    return True


def devtools(page, what, _viewer, _folder):
    page.go('devtools://devtools/bundled/devtools_app.html')
    page.wait_for('document.URL.startsWith("devtools:") && document.readyState == "complete"', 'DevTools are not loaded')
    page.evaluate(f'window.text = {json.dumps(pathlib.Path(what).read_text())}; 1')
    return page.evaluate(DEVTOOLS)


VIEWERS = {'speedscope': speedscope, 'page': page, 'devtools': devtools}


def main(viewer, what, picture, speedscope_folder=''):
    with tempfile.TemporaryDirectory() as folder:
        tab = Page(os.path.join(folder, 'browser'))
        try:
            tab.resize(1280, 640)
            if not VIEWERS[viewer](tab, what, speedscope_folder, folder):
                return 77
            tab.picture(picture)
            print(tab.evaluate('document.body?.innerText ?? document.documentElement.textContent'))
        finally:
            tab.close()
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
