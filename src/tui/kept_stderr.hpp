// SPDX-License-Identifier: BSD-3-Clause
//
// Messages on standard error would be written over the screen: they are kept until the terminal is given back. Of files
// that are read again and again, only those of the last time are of use.
#pragma once

namespace vftr::tui {

class KeptStderr {
public:
    KeptStderr(); // keeps nothing where standard error is no terminal
    ~KeptStderr();
    KeptStderr(const KeptStderr&) = delete;
    KeptStderr& operator=(const KeptStderr&) = delete;

    void forget();

private:
    int kept_ = -1, real_ = -1; // descriptors
};

} // namespace vftr::tui
