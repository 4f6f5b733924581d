# SPDX-License-Identifier: BSD-3-Clause
"""A page in a Chromium without a window.

It is driven by the DevTools protocol through a pipe (--remote-debugging-pipe), so nothing but the browser and this
interpreter is needed.
"""
import base64
import json
import os
import pathlib
import subprocess
import time

from browser_page import BrowserPage


class Page(BrowserPage):
    """A page of a browser of its own."""

    def __init__(self, profile):
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def as_three_and_four():  # the numbers that the browser expects
            os.dup2(from_browser, 104)
            os.dup2(to_browser, 103)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self._browser = subprocess.Popen(
            ['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
             '--allow-file-access-from-files', '--window-size=1280,720', '--remote-debugging-pipe',
             f'--user-data-dir={profile}', 'about:blank'],
            pass_fds=(3, 4, to_browser, from_browser), preexec_fn=as_three_and_four,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._id, self._session = b'', 0, None
        targets = self._command('Target.getTargets')['targetInfos']
        page = next(target for target in targets if target['type'] == 'page')
        self._session = self._command('Target.attachToTarget', targetId=page['targetId'], flatten=True)['sessionId']

    def _send(self, method, **parameters):
        self._id += 1
        message = {'id': self._id, 'method': method, 'params': parameters}
        if self._session:
            message['sessionId'] = self._session
        os.write(self._write, json.dumps(message).encode() + b'\0')
        return self._id

    def _receive(self, key, value):
        """The first message that has this value; those before it are of no interest."""
        while True:
            while b'\0' not in self._buffer:
                more = os.read(self._read, 1 << 16)
                if not more:
                    raise RuntimeError('the browser has ended')
                self._buffer += more
            text, self._buffer = self._buffer.split(b'\0', 1)
            message = json.loads(text)
            if message.get(key) == value:
                return message

    def _command(self, method, **parameters):
        answer = self._receive('id', self._send(method, **parameters))
        if 'error' in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer['result']

    def go(self, address):
        self._command('Page.navigate', url=address)

    def evaluate(self, expression):
        """The value of an expression of JavaScript; of a promise what it comes to."""
        result = self._command('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(result['exceptionDetails'])
        return result['result'].get('value')

    def press(self, key):
        for kind in ('keyDown', 'keyUp'):
            self._command('Input.dispatchKeyEvent', type=kind, key=key, text=key if kind == 'keyDown' else '',
                          code=f'Digit{key}', windowsVirtualKeyCode=ord(key))

    def answer_after_control(self, key, text):
        """Presses a key with Ctrl, on which the page asks for a text."""
        self._command('Page.enable')
        self._send('Input.dispatchKeyEvent', type='rawKeyDown', modifiers=2, key=key, code=f'Key{key.upper()}',
                   windowsVirtualKeyCode=ord(key.upper()))  # its answer comes after that of the dialog
        self._receive('method', 'Page.javascriptDialogOpening')
        self._command('Page.handleJavaScriptDialog', accept=True, promptText=text)
        self._command('Input.dispatchKeyEvent', type='keyUp', modifiers=2, key=key, code=f'Key{key.upper()}',
                      windowsVirtualKeyCode=ord(key.upper()))

    def click(self, x, y):
        for kind in ('mousePressed', 'mouseReleased'):
            self._command('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left', clickCount=1)

    def move(self, x, y):
        self._command('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y)

    def drag(self, start, end):
        for kind, (x, y) in (('mousePressed', start), ('mouseMoved', end), ('mouseReleased', end)):
            self._command('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left', clickCount=1)

    def scheme(self, name):
        self._command('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': name}])

    def resize(self, width, height):
        self._command('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path, least):
        """Writes what the window shows as PNG, once that does not change any more and has at least so many bytes.

        Pages draw when they have time for it, and say nothing.
        """
        before = None
        for _ in range(120):
            shot = base64.b64decode(self._command('Page.captureScreenshot', format='png')['data'])
            if shot == before and len(shot) >= least:
                break
            before = shot
            time.sleep(0.5)
        pathlib.Path(path).write_bytes(shot)

    def close(self):
        try:
            self._command('Browser.close')
        except (RuntimeError, OSError):
            pass
        self._browser.wait()
