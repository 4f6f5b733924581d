# SPDX-License-Identifier: BSD-3-Clause
"""Opens an export in a viewer that is a page, in a Chromium without a window, and makes a picture of what it shows.

usage: pictures.py VIEWER WHAT PICTURE [FOLDER-OF-SPEEDSCOPE]

VIEWER is speedscope, page or devtools, WHAT the file, and for a page its address. Prints the text of the page. Exit code 77: the viewer of
this Chromium is another one.
"""
import os
import sys
import tempfile
import time

from chromium_page import Page
from devtools import open_devtools
from speedscope import open_file

WIDTH, HEIGHT = 1280, 640
LEAST = 4000  # bytes of a picture in which something is drawn

# The performance panel, which draws the file on its own canvases.
DEVTOOLS = """(async () => {
    const timeline = await import('devtools://devtools/bundled/panels/timeline/timeline.js').catch(() => null);
    const ui = await import('devtools://devtools/bundled/ui/legacy/legacy.js').catch(() => null);
    if (!timeline?.TimelinePanel?.TimelinePanel?.instance || !ui?.ViewManager?.ViewManager?.instance)
        return false;
    await ui.ViewManager.ViewManager.instance().showView('timeline');
    const panel = timeline.TimelinePanel.TimelinePanel.instance();
    if (!panel.loadFromFile)
        return false;
    await panel.loadFromFile(new File([window.text], 'trace.json', {type: 'application/json'}));
    return true;
})()"""


def speedscope(page, what, viewer, folder):
    open_file(page, viewer, folder, what)
    return True


def page(page, what, _viewer, _folder):
    page.go(what)
    page.wait_for('document.readyState == "complete"', f'{what} is not loaded')
    height = page.evaluate('document.documentElement.getBoundingClientRect().height')
    page.resize(WIDTH, max(1, min(HEIGHT, round(height))))
    return True


def devtools(page, what, _viewer, _folder):
    open_devtools(page, what)
    if not page.evaluate(DEVTOOLS):
        return False
    # Out of the way: what is shown to newcomers. Then the tracks of both ranks and of their first threads are opened, lower ones first.
    page.wait_for(r'/\d\sms/.test(document.body.innerText)', f'{what}: no timeline is drawn')
    for x, y in ((1251, 77), (15, 40), (10, 150), (10, 129), (20, 206), (20, 147)):
        time.sleep(1)
        page.click(x, y)
    return True


VIEWERS = {'speedscope': speedscope, 'page': page, 'devtools': devtools}


def main(viewer, what, picture, speedscope_folder=''):
    with tempfile.TemporaryDirectory() as folder:
        tab = Page(os.path.join(folder, 'browser'))
        try:
            tab.resize(WIDTH, HEIGHT)
            if not VIEWERS[viewer](tab, what, speedscope_folder, folder):
                return 77
            tab.picture(picture, LEAST)
            print(tab.evaluate('document.body?.innerText ?? document.documentElement.textContent'))
        finally:
            tab.close()
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
