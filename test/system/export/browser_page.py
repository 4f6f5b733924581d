# SPDX-License-Identifier: BSD-3-Clause
"""What pages have in common, whichever browser shows them."""
import time


class BrowserPage:
    """A page whose class has evaluate()."""

    def wait_for(self, expression, what):
        """The first value of the expression that counts as true."""
        for _ in range(600):
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.1)
        raise RuntimeError(f'{what}; the page shows: ' + str(self.evaluate('(document.body?.innerText ?? document.documentElement.textContent)'))[:500])
