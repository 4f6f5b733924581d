// SPDX-License-Identifier: BSD-3-Clause
//
// The files and folders that a verb is given where they may be those of two runs: FILE…, or BASE… --versus NEW….
#pragma once

#include "config_tools/syntax/syntax.hpp"
#include "config_tools/verb.hpp"

#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

struct NamedSides {
    bool versus = false;
    std::vector<std::string> base, files; // without --versus all are files

    Option versus_option() {
        return {
            "--versus",
            "what stands before it are the files or folders of the base, behind it those of the new run; both sides "
            "can be several runs, all of which are compared",
            [this](const Given& given) {
                if (std::exchange(versus, true))
                    return usage_error(given.verb, "--versus stands once, between two sets of files");
                base.swap(files);
                return 0;
            }};
    }
    Take take_file() {
        return [this](const Given& given) {
            files.emplace_back(given.value);
            return 0;
        };
    }

    // Once all options are known, with those files that stand behind "--". Returns 0, or the exit code of a wrong
    // usage, which it has told.
    int complete(const char* verb, char** begin, char** end) {
        files.insert(files.end(), begin, end);
        if (files.empty() || (versus && base.empty()))
            return usage_error(verb, versus ? "give the files of both sides: BASE… --versus NEW…"
                                            : "a FILE or DIR is missing");
        return 0;
    }
};

} // namespace vftr::cli
