// SPDX-License-Identifier: BSD-3-Clause
//
// What the user is asked for, and the file that is written then.
#include "tui/browser.hpp"

#include "base/foreign_text.hpp"
#include "base/replaced_file.hpp"

#include <cstring>
#include <sys/stat.h>

namespace vftr::tui {

void Browser::ask_for_search() {
    prompt_.emplace("Search: ", "", [this](const std::string& text) {
        const std::string wanted = text.empty() ? view().searched() : text;
        if (!view().search(wanted, false, !text.empty()) && !wanted.empty())
            warn("\"" + wanted + "\" is in no row");
    });
}

void Browser::ask_for_rows() {
    prompt_.emplace("Only rows with: ", view().shown_only(),
                    [this](const std::string& text) { view().show_only(text); });
}

void Browser::ask_for_file() {
    prompt_.emplace("Write to the file: ", std::string(spec().name) + ".csv", [this](const std::string& path) {
        if (!path.empty())
            write(path);
    });
}

void Browser::write(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) // which a file must not take the place of
        return warn(base::foreign_text(path) + " is there and is no regular file");
    const std::string text = path.ends_with(".csv") ? view().csv() : view().text(times_);
    if (const int error = base::replace_file(path, text.data(), text.size()); error != 0)
        return warn("Cannot write " + base::foreign_text(path) + ": " + std::strerror(error));
    message_ = "What is shown was written to " + base::foreign_text(path);
}

} // namespace vftr::tui
