// SPDX-License-Identifier: BSD-3-Clause
#include "tui/show_on_terminal.hpp"

#include "tui/browser.hpp"
#include "tui/curses_terminal.hpp"
#include "tui/kept_stderr.hpp"

#include <algorithm>
#include <chrono>
#include <clocale>
#include <string>
#include <variant>

namespace vftr::tui {

void show_on_terminal(Source& source, const std::string& view, double interval) {
    using Clock = std::chrono::steady_clock;
    constexpr int Busy = 4; // of so many parts of the time one is for reading
    const auto wished = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval));
    std::setlocale(LC_CTYPE, ""); // of characters only: numbers look the same everywhere
    Browser browser(source, view);
    KeptStderr messages;
    Terminal terminal;
    Clock::time_point next = Clock::now() + wished;
    while (!browser.wants_to_quit()) {
        terminal.show(browser.lines(terminal.size()));
        int patience = -1;
        if (browser.follows() || source.has_folder()) {
            const auto rest = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
            patience = static_cast<int>(std::max<long long>(0, rest));
        }
        const auto event = terminal.wait(patience);
        if (const Key* key = std::get_if<Key>(&event))
            browser.take(*key);
        else if (const auto* clicked = std::get_if<Terminal::Clicked>(&event))
            browser.take(clicked->click, clicked->row, clicked->column);
        if (browser.take_redraw())
            terminal.redraw();
        if (const Clock::time_point begin = Clock::now(); begin >= next) {
            if (browser.follows()) {
                messages.forget();
                browser.refresh();
            }
            const Clock::time_point end = Clock::now();
            next = end + std::max(wished, (Busy - 1) * (end - begin));
        }
    }
}

} // namespace vftr::tui
