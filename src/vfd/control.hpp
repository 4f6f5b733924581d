// SPDX-License-Identifier: BSD-3-Clause
//
// Commands to a process that is being recorded, in the header of its file (FileHeader::control), which the process has
// mapped. There is no signal, no thread and no socket: `vftr ctl` writes a command, and a thread of the process sees it
// when it reads its clocks, a tenth of a second after the latest time at most, as long as it calls hooks. Who may write
// the file may give commands.
//
// The protocol. `asked` is the number of the command. vftr ctl sets it to 0, writes the command, and sets it to one
// more than any number so far. A thread that sees another number than `answered` takes the command by setting `taken`
// from another number to this one; it reads the command and reads `asked` again, as the command may have been replaced
// meanwhile. It writes its answer and sets `answered`. Writers exclude each other by a lock of the open file
// description (fcntl F_OFD_SETLK) on the bytes of this structure.
#pragma once

#include <cstdint>

namespace vftr::vfd {

enum class ControlCommand : std::uint32_t {
    None = 0,
    Start = 1,    // ends a pause
    Stop = 2,     // begins a pause
    Snapshot = 3, // text: the file to write; "": a name in the folder of the results
    Exclude = 4,  // text: an expression for functions that are not recorded any more
    Include = 5,  // text: an expression for functions that are recorded again
    Status = 6,
    Timing = 7, // text: exact, adaptive, budget or budget=X (config/timing_wish.hpp)
};

struct Control {
    std::uint32_t asked, taken, answered;
    ControlCommand command;
    std::int32_t refused; // of the answer: 0 or 1
    std::uint32_t reserved;
    char text[232];   // of the command, 0-terminated
    char answer[232]; // 0-terminated
};

} // namespace vftr::vfd
