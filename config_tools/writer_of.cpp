// SPDX-License-Identifier: BSD-3-Clause
#include "writer_of.hpp"

#include "mapped_recordings.hpp"

#include "base/process.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace vftr::cli {
namespace {

// By name and inode: the device may be that of the file system beneath where there are layers, and the folder another one as seen from there.
bool maps(std::uint32_t pid, const std::string& path, std::uint64_t inode) {
    const auto mapped = mapped_recordings(pid);
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    return !mapped || std::any_of(mapped->begin(), mapped->end(), [&](const MappedRecording& recording) {
        return recording.inode == inode && std::string_view(recording.path).ends_with(name);
    });
}

} // namespace

// The kernel grants a read lease only where no process of any pid namespace has the file open, or mapped, for writing (fcntl(2)).
bool is_held_for_writing(const std::string& path) {
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return false;
    bool held = ::fcntl(fd, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
    ::close(fd); // and the lease is gone
    return held;
}

WriterOf writer_of(const vfd::FileHeader& header, const std::string& path, std::uint64_t inode) {
    if (!vfd::is_of_this_host(header))
        return WriterOf::OnAnotherHost;
    bool runs = base::process_lives(static_cast<pid_t>(header.pid), header.process_start) && maps(header.pid, path, inode);
    return runs || is_held_for_writing(path) ? WriterOf::Runs : WriterOf::Gone;
}

} // namespace vftr::cli
