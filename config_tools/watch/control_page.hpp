// SPDX-License-Identifier: BSD-3-Clause
//
// The side of `vftr ctl` of the protocol in vfd/control.hpp: gives commands to a process that is being recorded, and
// waits for answers.
#pragma once

#include "vfd/control.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace vftr::cli {

class ControlPage {
public:
    // Maps the header of the recording and locks it. Throws std::runtime_error: there is no such file, it is no
    // recording that a process writes, may not be written, or is of a version that knows no commands.
    explicit ControlPage(const std::string& file);
    ~ControlPage();
    ControlPage(const ControlPage&) = delete;
    ControlPage& operator=(const ControlPage&) = delete;

    // How long the text of a command may be, in bytes.
    static constexpr std::size_t MostText = sizeof vfd::Control::text - 1;
    // Gives the command, in place of one that nobody has taken.
    void ask(vfd::ControlCommand command, const std::string& text);

    struct Answer {
        bool done;
        std::string text;
    };
    std::optional<Answer> answer() const; // to the latest command; nullopt: not yet

private:
    int descriptor_ = -1;
    void* page_ = nullptr;
    vfd::Control* control_ = nullptr;
    std::uint32_t number_ = 0;
};

} // namespace vftr::cli
