// SPDX-License-Identifier: BSD-3-Clause
#include "tui/given_back.hpp"

#include "tui/capability.hpp"

#include <csignal>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <termios.h>
#include <unistd.h>

namespace vftr::tui {
namespace {

constexpr int DeadlySignals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What the handler needs.
struct GiveBack {
    termios attributes;
    char text[256];
    std::size_t size;
};
GiveBack give_back;

extern "C" void vftr_tui_give_back(int signal) {
    // In the background, as after ^Z, the terminal is somebody else's, and who changes it is stopped.
    if (::tcgetpgrp(STDIN_FILENO) == ::getpgrp()) {
        static_cast<void>(::tcsetattr(STDIN_FILENO, TCSANOW, &give_back.attributes));
        static_cast<void>(!::write(STDOUT_FILENO, give_back.text, give_back.size));
    }
    std::signal(signal, SIG_DFL);
    static_cast<void>(::raise(signal));
}

void note_text(std::string_view text) {
    if (give_back.size + text.size() > sizeof give_back.text)
        return;
    std::memcpy(give_back.text + give_back.size, text.data(), text.size());
    give_back.size += text.size();
}

void note_capability(const char* name) {
    if (const char* text = capability(name))
        note_text(text);
}

} // namespace

void note_settings() { static_cast<void>(::tcgetattr(STDIN_FILENO, &give_back.attributes)); }

void give_back_on_signals() {
    give_back.size = 0;
    for (const char* name : {"sgr0", "op", "rmkx", "cnorm", "rmcup"})
        note_capability(name);
    if (capability("kmous"))
        note_text("\033[?1006;1000l"); // reports of the mouse, which no capability ends
    for (const int signal : DeadlySignals) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_IGN) // as of nohup
            continue;
        struct sigaction action {};
        action.sa_handler = vftr_tui_give_back;
        ::sigaction(signal, &action, nullptr);
    }
}

void leave_signals_alone() {
    for (const int signal : DeadlySignals) {
        struct sigaction now {};
        ::sigaction(signal, nullptr, &now);
        if (now.sa_handler == vftr_tui_give_back)
            std::signal(signal, SIG_DFL);
    }
}

} // namespace vftr::tui
