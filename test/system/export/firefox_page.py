# SPDX-License-Identifier: BSD-3-Clause
"""A page in a Firefox without a window, with the methods of chromium_page.Page that html_page.py uses.

It is driven by Marionette, the protocol that geckodriver speaks with the browser, so nothing but the browser and this
interpreter is needed.
"""
import base64
import json
import pathlib
import shutil
import socket
import subprocess
import time

from browser_page import BrowserPage

PREFERENCES = {
    'marionette.port': 0,  # any that is free; the browser writes it into its profile
    'browser.shell.checkDefaultBrowser': False,
    'browser.tabs.remote.autostart': True,
    'datareporting.policy.dataSubmissionEnabled': False,
    'layout.css.prefers-color-scheme.content-override': 1,  # light
}


class Page(BrowserPage):
    """A page of a browser of its own."""

    def __init__(self, profile):
        folder = pathlib.Path(profile)
        folder.mkdir(parents=True)
        (folder / 'user.js').write_text(''.join(f'user_pref({json.dumps(name)}, {json.dumps(value)});\n' for name, value in PREFERENCES.items()))
        program = shutil.which('firefox') or shutil.which('firefox-esr')
        self._browser = subprocess.Popen([program, '--headless', '--no-remote', '--marionette', '--remote-allow-system-access', '--profile', str(folder), 'about:blank'],
                                         env={'HOME': str(folder), 'PATH': '/usr/bin:/bin', 'MOZ_CRASHREPORTER_DISABLE': '1'},
                                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._id, self._buffer = 0, b''
        self._socket = self._connected(folder / 'MarionetteActivePort')
        self._receive()  # which protocol it speaks
        self._command('WebDriver:NewSession', capabilities={'alwaysMatch': {'acceptInsecureCerts': False}})

    def _connected(self, port_file):
        for _ in range(600):
            if self._browser.poll() is not None:
                raise RuntimeError(f'Firefox has ended with {self._browser.returncode}')
            try:
                return socket.create_connection(('127.0.0.1', int(port_file.read_text())))
            except (OSError, ValueError):  # it is not there yet
                time.sleep(0.1)
        raise RuntimeError('Firefox does not listen')

    def _receive(self):
        while b':' not in self._buffer:
            self._more()
        size, self._buffer = self._buffer.split(b':', 1)
        while len(self._buffer) < int(size):
            self._more()
        message, self._buffer = self._buffer[:int(size)], self._buffer[int(size):]
        return json.loads(message)

    def _more(self):
        piece = self._socket.recv(1 << 16)
        if not piece:
            raise RuntimeError('the browser has ended')
        self._buffer += piece

    def _command(self, name, **parameters):
        self._id += 1
        text = json.dumps([0, self._id, name, parameters]).encode()
        self._socket.sendall(str(len(text)).encode() + b':' + text)
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(f"{name}: {error['error']}: {error['message']}")
        return result

    def go(self, address):
        self._command('WebDriver:Navigate', url=address)

    def evaluate(self, expression):
        """The value of an expression of JavaScript; of a promise what it comes to."""
        result = self._command('WebDriver:ExecuteAsyncScript', sandbox=None, args=[], script=f"""
            const end = arguments[arguments.length - 1];
            (async () => ({expression}))().then(value => end({{value}}), problem => end({{problem: String(problem)}}));""")['value']
        if 'problem' in result:
            raise RuntimeError(result['problem'])
        return result.get('value')

    def _mouse(self, *steps):
        actions = []
        for step in steps:
            actions.append({'type': 'pointerMove', 'x': round(step[0]), 'y': round(step[1]), 'duration': 0} if isinstance(step, tuple) else {'type': step, 'button': 0})
        self._command('WebDriver:PerformActions', actions=[{'type': 'pointer', 'id': 'mouse', 'parameters': {'pointerType': 'mouse'}, 'actions': actions}])

    def click(self, x, y):
        self._mouse((x, y), 'pointerDown', 'pointerUp')

    def move(self, x, y):
        self._mouse((x - 1, y), (x, y))  # as one to where it is already tells nobody

    def drag(self, start, end):
        self._mouse(start, 'pointerDown', end, 'pointerUp')

    def scheme(self, name):
        self._command('Marionette:SetContext', value='chrome')
        self._command('WebDriver:ExecuteScript', args=[], script=f"Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', {0 if name == 'dark' else 1})")
        self._command('Marionette:SetContext', value='content')

    def resize(self, width, height):
        self._command('WebDriver:SetWindowRect', width=width, height=height)
        inner = self.evaluate('[innerWidth, innerHeight]')
        self._command('WebDriver:SetWindowRect', width=2 * width - inner[0], height=2 * height - inner[1])
        self.wait_for(f'innerWidth === {width} && innerHeight === {height}', 'the window has another size')

    def picture(self, path, _least):
        """Writes what the window shows as PNG."""
        pathlib.Path(path).write_bytes(base64.b64decode(self._command('WebDriver:TakeScreenshot', full=False)['value']))

    def close(self):
        try:
            self._command('Marionette:Quit', flags=['eForceQuit'])
        except (RuntimeError, OSError):
            pass
        self._browser.wait()
