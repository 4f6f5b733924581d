// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.hpp"
#include "config/environment.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace vftr::config {
namespace {

constexpr std::size_t MaxSize = 1 << 20; // bytes; no config is that long, but /dev/zero is

constexpr int LongestWait = 2000; // ms, for the writer of a pipe: a program must not hang for its configuration

// False if nothing comes. What is no pipe or terminal is always ready.
bool wait_for_data(int file) {
    pollfd ready{file, POLLIN, 0};
    int count;
    do
        count = ::poll(&ready, 1, LongestWait);
    while (count < 0 && errno == EINTR);
    return count != 0;
}

// The reason why the file cannot be read, or "".
std::string read_file(const std::string& path, std::string& text) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return std::strerror(errno);
    std::string reason;
    char block[4096];
    while (reason.empty()) {
        if (!wait_for_data(file)) {
            reason = "nothing comes out of it";
            break;
        }
        ssize_t count = ::read(file, block, sizeof block);
        if (count == 0)
            break;
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            reason = std::strerror(errno);
        if (count > 0)
            text.append(block, static_cast<std::size_t>(count));
        if (text.size() > MaxSize)
            reason = "it is larger than 1 MiB";
    }
    ::close(file);
    return reason;
}

} // namespace

Loaded load_file(const std::string& path) {
    std::string text;
    std::string reason = read_file(path, text);
    if (reason.empty())
        return parse(text, path);
    Loaded loaded;
    loaded.problems.push_back({.severity = Problem::Severity::Error,
                               .file = path,
                               .option = {},
                               .message = "the configuration cannot be read: " + reason,
                               .excerpt = {}});
    return loaded;
}

Loaded load_environment() {
    const char* path = std::getenv("VFTR_CONFIG");
    Loaded loaded = path && *path ? load_file(path) : Loaded();
    read_environment(loaded);
    return loaded;
}

} // namespace vftr::config
