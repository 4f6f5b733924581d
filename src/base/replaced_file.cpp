// SPDX-License-Identifier: BSD-3-Clause
#include "base/replaced_file.hpp"

#include "base/descriptor.hpp"
#include "base/file_size.hpp"
#include "base/system_call.hpp"
#include "base/whole_io.hpp"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vftr::base {

namespace {

// Beside the file, and no longer than a name may be. Of this thread, as several may take a snapshot; a number more
// where the name is taken: by a process of another container, by one that was killed, or by somebody who means harm.
std::string temporary_name(const std::string& path, int number) {
    const std::string more = number == 0 ? "" : "." + std::to_string(number);
    const std::string end = "." + std::to_string(system_call(SYS_gettid)) + more + ".tmp";
    const std::size_t folder = path.rfind('/') + 1; // npos + 1 is 0
    return path.substr(0, folder) + path.substr(folder, NAME_MAX - end.size()) + end;
}

// A file that was not there before, so that nothing is ever written through a link, a FIFO or another name of
// somebody's file. A descriptor or −errno.
int create_temporary(const std::string& path, std::string& temporary) {
    constexpr int Most = 1000;
    for (int number = 0;; ++number) {
        temporary = temporary_name(path, number);
        const int fd = open_file(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0644);
        if (fd != -EEXIST || number == Most)
            return fd;
    }
}

} // namespace

int replace_file(const std::string& path, const std::function<bool(const FileSink&)>& write) {
    NoFileSizeSignal guard;
    std::string temporary;
    int fd = create_temporary(path, temporary);
    if (fd < 0)
        return -fd;
    int error = 0;
    const FileSink sink = [&](std::span<const std::byte> bytes) {
        error = write_all(fd, bytes.data(), bytes.size());
        return error == 0;
    };
    bool whole = false;
    try {
        whole = write(sink);
    } catch (...) {
        close_file(fd);
        ::unlink(temporary.c_str());
        throw;
    }
    if (!whole && error == 0)
        error = ECANCELED;
    if (const int late = close_file(fd); late != 0 && error == 0)
        error = -late; // quota and network file systems
    if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0)
        error = errno;
    if (error != 0)
        ::unlink(temporary.c_str());
    return error;
}

int replace_file(const std::string& path, const void* data, std::size_t size) {
    return replace_file(path, [&](const FileSink& sink) { return sink({static_cast<const std::byte*>(data), size}); });
}

} // namespace vftr::base
