# SPDX-License-Identifier: BSD-3-Clause
"""Uses a flame graph as one does in a browser, a Chromium without a window: clicks on a box, on the outermost one, and Ctrl-F.

usage: flamegraph.py SVG FUNCTION EXPRESSION

FUNCTION has a box that is narrower than the picture, and calls something. What is clicked is in the first part, and must change no other one. For each
part the share of the time is printed that the search for EXPRESSION tells, which is a plain word that is in some names of each.
"""
import os
import pathlib
import sys
import tempfile

from chromium_page import Page

# Of each part the boxes, as [name, is shown, left, width, is marked].
BOXES = """[...document.querySelectorAll('g.part')].map(part => [...part.querySelectorAll('g.frame')].map(g => {
    const rect = g.querySelector('rect'), box = rect.getBoundingClientRect();
    return [g.dataset.name, box.width > 0, box.left, box.width, getComputedStyle(rect).fill == 'rgb(230, 0, 230)'];
}))"""
CENTRE = """(() => {
    const box = [...document.querySelectorAll('g.part')][0].querySelectorAll('g.frame rect')[%d].getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
})()"""
WIDTH = 1200  # of the picture
GAP = 0.5  # beside each box


def click(page, index):
    page.click(*page.evaluate(CENTRE % index))
    return page.evaluate(BOXES)


def same(parts, others):
    """But for what rounding does to numbers in the file."""
    return len(parts) == len(others) and all(
        len(boxes) == len(other) and all(a[:2] == b[:2] and a[4] == b[4] and abs(a[2] - b[2]) < 0.1 and abs(a[3] - b[3]) < 0.1
                                         for a, b in zip(boxes, other)) for boxes, other in zip(parts, others))


def check_zoom(page, before, function):
    chosen = [box[0] for box in before[0]].index(function)
    left, width = before[0][chosen][2:4]
    assert width < 0.9 * WIDTH, f'{function} is {width} wide at first'
    zoomed = click(page, chosen)
    assert same(zoomed[1:], before[1:]), 'other parts stay as they are'
    boxes = list(zip(before[0], zoomed[0]))
    shown = [(was, now) for was, now in boxes if now[1]]
    outer = [now for _, now in boxes[:chosen + 1] if now[1]]
    assert all(abs(now[3] - WIDTH) < 1 for now in outer), f'{function} and what has called it are as wide as the picture: {outer}'
    below = shown[len(outer):]
    assert below, 'what it calls is shown'
    for was, now in below:
        assert left - 1 <= was[2] and was[2] + was[3] <= left + width + 1, f'{was[0]} is below it'
        assert abs((now[3] + GAP) / (was[3] + GAP) / (WIDTH / (width + GAP)) - 1) < 0.01, f'{was[0]} is wider in proportion'
    assert len(shown) < len(boxes), 'what is beside it is gone'
    assert same(click(page, 0), before), 'a click on the outermost box undoes it'


def check_search(page, before, expression):
    """What is told of each part."""
    page.answer_after_control('f', expression)
    for part in page.evaluate(BOXES):
        assert [box[0] for box in part if box[4]] == [box[0] for box in part if expression in box[0]] != [], 'what is marked'
    told = page.evaluate("[...document.querySelectorAll('g.part .total')].map(text => text.textContent)")
    page.answer_after_control('f', '')
    assert same(page.evaluate(BOXES), before), 'an empty search undoes it'
    return [text.split(' %')[0] for text in told]


def check(page, function, expression):
    before = page.evaluate(BOXES)
    assert all(box[1] and not box[4] for part in before for box in part), 'all boxes are shown at first, and none is marked'
    check_zoom(page, before, function)
    print(*check_search(page, before, expression), sep='\n')


def main(svg, function, expression):
    with tempfile.TemporaryDirectory() as folder:
        page = Page(os.path.join(folder, 'browser'))
        try:
            page.go(pathlib.Path(svg).resolve().as_uri())
            page.wait_for('document.readyState == "complete" && document.querySelector("g.frame") !== null', f'{svg} is not loaded')
            check(page, function, expression)
        finally:
            page.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
