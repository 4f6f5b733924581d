// SPDX-License-Identifier: BSD-3-Clause
//
// The files and folders that a verb is given where they may be those of two runs: FILE…, or BASE… --versus NEW…. The
// letters of read_options begin with "-:", so that files are told in their order among the options, as the option 1.
#pragma once

#include "config_tools/verb.hpp"

#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

struct NamedSides {
    static constexpr int File = 1; // what read_options calls them

    bool versus = false;
    std::vector<std::string> base, files; // without --versus all are files

    // Both return 0, or the exit code of a wrong usage, which they have told.
    int take_versus(const char* verb) {
        if (std::exchange(versus, true))
            return usage_error(verb, "--versus stands once, between two sets of files");
        base.swap(files);
        return 0;
    }
    // Once all options are known, with those files that stand behind "--".
    int complete(const char* verb, char** begin, char** end) {
        files.insert(files.end(), begin, end);
        if (files.empty() || (versus && base.empty()))
            return usage_error(verb, versus ? "give the files of both sides: BASE… --versus NEW…"
                                            : "a FILE or DIR is missing");
        return 0;
    }
};

} // namespace vftr::cli
