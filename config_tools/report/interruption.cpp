// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/interruption.hpp"

namespace vftr::cli {
namespace {

volatile std::sig_atomic_t the_signal = 0;

void note(int signal) { the_signal = signal; }

} // namespace

Interruption::Interruption() {
    the_signal = 0;
    struct sigaction noted {};
    noted.sa_handler = note;
    noted.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigemptyset(&noted.sa_mask);
    for (std::size_t i = 0; i < Signals.size(); ++i)
        if (::sigaction(Signals[i], nullptr, &before_[i]) == 0 && before_[i].sa_handler == SIG_DFL)
            ::sigaction(Signals[i], &noted, nullptr);
}

Interruption::~Interruption() {
    for (std::size_t i = 0; i < Signals.size(); ++i)
        ::sigaction(Signals[i], &before_[i], nullptr);
    if (has_come())
        ::raise(the_signal);
}

bool Interruption::has_come() { return the_signal != 0; }

void Interruption::check() {
    if (has_come())
        throw Interrupted();
}

} // namespace vftr::cli
