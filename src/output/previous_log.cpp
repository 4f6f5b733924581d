// SPDX-License-Identifier: BSD-3-Clause
#include "output/previous_log.hpp"

#include "base/descriptor.hpp"
#include "base/modification_time.hpp"
#include "base/own_descriptors.hpp"
#include "report/report.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::output {
namespace {

std::string aside(const std::string& path) { return path + ".previous"; }

constexpr std::uint64_t AnyTime = ~std::uint64_t{0};

enum class What { Nothing, Log, Other };

What what_is_here(const std::string& path, const BeginsAsOurs& begins_as_ours, std::uint64_t before) {
    const int fd = base::open_file(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return fd == -ENOENT ? What::Nothing : What::Other;
    struct stat status {};
    char text[512];
    ssize_t n = -1;
    if (::fstat(fd, &status) == 0 && base::modification_time(status) <= before && S_ISREG(status.st_mode) &&
        status.st_nlink == 1 && status.st_uid == ::geteuid())
        n = ::read(fd, text, sizeof text);
    base::close_file(fd);
    return n > 0 && begins_as_ours({text, static_cast<std::size_t>(n)}) ? What::Log : What::Other;
}

What what_is(const std::string& path, const BeginsAsOurs& begins_as_ours, std::uint64_t before = AnyTime) {
    What what = What::Other;
    base::with_own_descriptors([&] { what = what_is_here(path, begins_as_ours, before); });
    return what;
}

// Of the log `stem`, and where that was there of the tables beside it.
template <class Act>
void for_each_file(const std::string& stem, Act act) {
    for (const std::string_view suffix : report::log_suffixes())
        if (!act(stem + std::string(suffix) + ".log",
                 [&](std::string_view text) { return report::begins_as_log(text, suffix); }) &&
            suffix.empty())
            return;
}

} // namespace

bool set_previous_file_aside(const std::string& path, std::uint64_t since, const BeginsAsOurs& begins_as_ours) {
    return what_is(path, begins_as_ours, since) == What::Log && what_is(aside(path), begins_as_ours) != What::Other &&
           ::rename(path.c_str(), aside(path).c_str()) == 0;
}

bool remove_previous_file(const std::string& path, const BeginsAsOurs& begins_as_ours) {
    return what_is(aside(path), begins_as_ours) == What::Log && ::unlink(aside(path).c_str()) == 0;
}

bool is_there_a_previous_log(const std::string& stem, std::uint64_t since) {
    bool is_there = false;
    for_each_file(stem, [&](const std::string& path, const BeginsAsOurs& begins_as_ours) {
        is_there = is_there || what_is(path, begins_as_ours, since) == What::Log;
        return false; // without the log its tables stay where they are
    });
    return is_there;
}

void set_previous_log_aside(const std::string& stem, std::uint64_t since) {
    for_each_file(stem, [since](const std::string& path, const BeginsAsOurs& begins_as_ours) {
        return set_previous_file_aside(path, since, begins_as_ours);
    });
}

void remove_previous_log(const std::string& stem) { for_each_file(stem, remove_previous_file); }

} // namespace vftr::output
