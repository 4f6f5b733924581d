// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/decision_report.hpp"

#include "base/descriptor.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace vftr::instrument {
namespace {

const char* text_of(Hooks hooks) {
    switch (hooks) {
    case Hooks::Before:
        return "before";
    case Hooks::After:
        return "after";
    case Hooks::None:
        return "none";
    }
    return "";
}

} // namespace

void DecisionReport::add(const Decision& decision, const std::string& function, const std::string& place,
                         const Body& body) {
    if (wanted())
        lines_ += std::string(text_of(decision.hooks)) + "\t" + function + "\t" + place + "\t" +
                  std::to_string(body.statements) + "\t" + std::to_string(body.loops) + "\t" +
                  std::to_string(std::lround(body.executed)) + "\t" + decision.reason + "\n";
}

void DecisionReport::add_inlined(const std::string& function, const std::string& place, const std::string& into) {
    if (wanted())
        lines_ += "inlined\t" + function + "\t" + place + "\t\t\t\tinto " + into + "\n";
}

std::string DecisionReport::write() {
    if (lines_.empty())
        return "";
    const int file = base::open_file_or_errno(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0)
        return "cannot write " + file_ + ": " + std::strerror(errno);
    const ssize_t written = ::write(file, lines_.data(), lines_.size());
    const std::string problem = written == static_cast<ssize_t>(lines_.size()) ? ""
                                : written < 0 ? std::string("cannot write ") + file_ + ": " + std::strerror(errno)
                                              : "cannot write all of " + file_;
    base::close_file(file);
    return problem;
}

} // namespace vftr::instrument
