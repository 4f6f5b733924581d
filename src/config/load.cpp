// SPDX-License-Identifier: BSD-3-Clause
#include "base/descriptor.hpp"
#include "base/own_descriptors.hpp"
#include "base/secure.hpp"
#include "config/config.hpp"
#include "config/environment.hpp"
#include "config/roots_file.hpp"
#include "config/value.hpp"

#include "base/absolute_directory.hpp"
#include "base/environment.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::config {
namespace {

constexpr std::size_t MaxSize = 1 << 20; // in bytes; no config file is that long, but /dev/zero is

using Clock = std::chrono::steady_clock;

// The longest wait in all for the writer of a pipe: a program must not hang because of its configuration.
constexpr std::chrono::milliseconds LongestWait{2000};

// Returns false if no data comes until the deadline. A file that is no pipe or terminal is always ready.
bool wait_for_data(int file, Clock::time_point deadline) {
    pollfd ready{file, POLLIN, 0};
    int count;
    do {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        count = ::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    } while (count < 0 && errno == EINTR);
    return count != 0;
}

// Returns the reason why the file cannot be read, or "".
std::string read_here(const std::string& path, std::string& text) {
    int file = base::open_file(path.c_str(), O_RDONLY | O_NONBLOCK);
    if (file < 0)
        return std::strerror(-file);
    std::string reason;
    char block[4096];
    const Clock::time_point deadline = Clock::now() + LongestWait;
    while (reason.empty()) {
        if (!wait_for_data(file, deadline)) {
            reason = text.empty() ? "nothing comes out of it" : "its end does not come";
            break;
        }
        ssize_t count = ::read(file, block, sizeof block);
        if (count == 0)
            break;
        if (count < 0 && ((errno != EINTR && errno != EAGAIN) || Clock::now() > deadline))
            reason = std::strerror(errno);
        if (count > 0)
            text.append(block, static_cast<std::size_t>(count));
        if (text.size() > MaxSize)
            reason = "it is larger than 1 MiB";
    }
    base::close_file(file);
    return reason;
}

std::string read_file(const std::string& path, std::string& text) {
    std::string reason;
    base::with_own_descriptors([&] { reason = read_here(path, text); });
    return reason;
}

// Returns what the administrator allows for a program with foreign rights (such as set-user-ID); recording is off
// unless a file of the administrator enables it. What is wrong in that file concerns the administrator, whom vftr
// config check shows it, and not the caller. But that it is refused, nobody would learn.
Loaded load_secure() {
    static constexpr char Path[] = SYSCONFDIR "/vftrace/secure.json";
    Loaded loaded;
    std::string reason;
    const RootsFile found = check_roots_file(Path, reason);
    if (found == RootsFile::Good)
        loaded = load_file(Path);
    if (!loaded.problems.empty() || !loaded.config.output_directory.starts_with('/'))
        loaded.config.off = true;
    loaded.problems.clear();
    if (found == RootsFile::Refused)
        loaded.problems.push_back(
            {.severity = Problem::Severity::Error,
             .file = {},
             .option = {},
             .message = "vftrace does not believe " + std::string(Path) + ", so nothing is recorded: " + reason,
             .excerpt = {}});
    return loaded;
}

// Hides messages that would reveal the text of a file from a user who could not read it: access(2) checks the rights of
// the real user.
void hide_text_of_unreadable(const std::string& path, Loaded& loaded) {
    if (loaded.problems.empty() || ::access(path.c_str(), R_OK) == 0)
        return;
    loaded.problems = {
        {.severity = Problem::Severity::Error,
         .file = path,
         .option = {},
         .message = "there are problems with the configuration; they are not shown, since you may not read the file",
         .excerpt = {}}};
}

} // namespace

Loaded load_file(const std::string& path, const std::string& from) {
    const std::string place = base::path_from(from, path);
    const PathsFrom folder(from);
    std::string text;
    std::string reason = read_file(place, text);
    Loaded loaded;
    if (reason.empty()) {
        loaded = parse(text, path);
        hide_text_of_unreadable(place, loaded);
        loaded.folder = from;
        return loaded;
    }
    loaded.folder = from;
    loaded.problems.push_back({.severity = Problem::Severity::Error,
                               .file = path,
                               .option = {},
                               .message = "the configuration cannot be read: " + reason,
                               .excerpt = {}});
    return loaded;
}

Loaded load_environment(const std::string& from) {
    if (base::has_foreign_rights())
        return load_secure();
    const char* path = base::environment_value("VFTR_CONFIG");
    Loaded loaded = path && *path ? load_file(path, from) : Loaded();
    loaded.folder = from;
    const PathsFrom folder(from);
    read_environment(loaded);
    return loaded;
}

} // namespace vftr::config
