# SPDX-License-Identifier: BSD-3-Clause
"""Opens a page of vftr html in a Chromium without a window, or with BROWSER=firefox in a Firefox, and does there what it is told.

usage: html_page.py PAGE STEP...

PAGE is a file, or the address that vftr html --serve prints.

A step is one of
  #FRAGMENT      opens the page at this place, and waits until it is drawn
  click SELECTOR [X Y]
                 clicks into the middle of an element, or at a point of it in pixels from its corner; the selector has no spaces
  drag SELECTOR X Y X2 Y2
                 presses the mouse there, and lets it go at the second point
  over SELECTOR X Y
                 moves the mouse there, until something is told of what is below it
  dark, light    the scheme of the system
  size W H       of the window
  picture FILE   writes what the window shows as PNG
  anything else  is an expression of JavaScript, whose value is printed, other than a string as JSON
"""
import json
import os
import pathlib
import sys
import tempfile

import chromium_page
import firefox_page

Page = {'chromium': chromium_page, 'firefox': firefox_page}[os.environ.get('BROWSER', 'chromium')].Page

DRAWN = 'document.querySelectorAll("nav a").length > 0 || document.querySelector(".problem")'


def point(page, selector, x=None, y=None):
    left, top, width, height = page.evaluate(
        f'(box => [box.left, box.top, box.width, box.height])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())')
    return (left + (width / 2 if x is None else float(x)), top + (height / 2 if y is None else float(y)))


# What has changed is drawn in the next frame.
SETTLED = 'new Promise(end => requestAnimationFrame(() => requestAnimationFrame(() => end(true))))'


def step(page, address, words, text):
    if text.startswith('#'):
        page.go('about:blank')  # as another fragment alone would not load the page again
        page.go(address + text)
        page.wait_for(DRAWN, f'{address}: nothing is drawn')
        page.evaluate(SETTLED)
    elif words[0] == 'click':
        page.click(*point(page, *words[1:]))
        page.evaluate(SETTLED)
    elif words[0] == 'drag':
        page.drag(point(page, *words[1:4]), point(page, words[1], *words[4:]))
        page.evaluate(SETTLED)
    elif words[0] == 'over':
        for _ in range(100):  # a change of the address is drawn later, and then nothing is below the mouse until it moves
            left, top = point(page, *words[1:])
            page.move(left - 1, top)  # to where it is already would be no movement
            page.move(left, top)
            if all(page.evaluate(SETTLED) and page.evaluate("!!document.getElementById('tip')") for _ in range(3)):
                return
        raise RuntimeError(f'{text}: nothing is told there')
    elif words[0] in ('dark', 'light'):
        page.scheme(words[0])
    elif words[0] == 'size':
        page.resize(int(words[1]), int(words[2]))
        page.evaluate(SETTLED)
    elif words[0] == 'picture':
        page.picture(words[1], 4000)
    else:
        value = page.evaluate(text)
        page.evaluate(SETTLED)
        print(value if isinstance(value, str) else json.dumps(value))


def main(file, *steps):
    with tempfile.TemporaryDirectory() as folder:
        page = Page(os.path.join(folder, 'browser'))
        try:
            page.resize(1280, 720)
            for text in steps:
                step(page, file if file.startswith('http:') else pathlib.Path(file).resolve().as_uri(), text.split(), text)
        finally:
            page.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
