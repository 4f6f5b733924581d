// SPDX-License-Identifier: BSD-3-Clause
//
// The name under which this vftr is installed. configure's --program-prefix and --program-suffix put something around
// it, as in "new-vftr" with the links "new-vftr-cc" and the like, so that several can stand in one folder. It is read
// from the file itself, so that it is right as well where a packager or user has given it another name.
#pragma once

#include <string>
#include <string_view>

namespace vftr::cli {

struct OwnName {
    std::string prefix, suffix; // around "vftr"; empty, too, if the file has a name that has no "vftr" in it

    // The name that a command of ours has in this installation.
    std::string of(std::string_view command) const { return prefix + std::string(command) + suffix; }
    // Which command of ours `installed` is the name of; "": it is none in this installation.
    std::string command(std::string_view installed) const;
    static OwnName of_file(std::string_view path);
};

// That of the running vftr.
const OwnName& own_name();

// What a user types to call it: "vftr", "vftr report".
std::string own_command(std::string_view verb = {});

// A text of ours with its commands as a user types them: "vftr run" with the prefix and suffix of `name`. Not for texts
// in which something foreign stands, such as a path.
std::string with_name(std::string_view text, const OwnName& name = own_name());

} // namespace vftr::cli
