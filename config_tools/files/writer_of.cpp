// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/files/writer_of.hpp"

#include "config_tools/files/mapped_recordings.hpp"

#include "base/process.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace vftr::cli {
namespace {

// By name and inode: the device may be that of the file system beneath where there are layers, and the folder another
// one as seen from there.
bool maps(std::uint32_t pid, const std::string& path, std::uint64_t inode) {
    const auto mapped = mapped_recordings(pid);
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    return !mapped || std::any_of(mapped->begin(), mapped->end(), [&](const MappedRecording& recording) {
        return recording.inode == inode && std::string_view(recording.path).ends_with(name);
    });
}

// The kernel grants a read lease only where no process of any pid namespace has the file open, or mapped, for writing
// (fcntl(2)). nullopt where it does not tell: files of other users, file systems without leases.
std::optional<bool> is_held_for_writing(const std::string& path) {
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return std::nullopt;
    const int error = ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0 ? 0 : errno;
    ::close(fd); // and the lease is gone
    if (error != 0 && error != EAGAIN)
        return std::nullopt;
    return error == EAGAIN;
}

} // namespace

WriterOf holder_of(std::uint64_t pid_namespace, const std::string& path) {
    const std::optional<bool> held = is_held_for_writing(path);
    if (held)
        return *held ? WriterOf::Runs : WriterOf::Gone;
    return base::is_own_pid_namespace(pid_namespace) ? WriterOf::Gone : WriterOf::InAnotherNamespace;
}

WriterOf writer_of(const vfd::FileHeader& header, const std::string& path, std::uint64_t inode) {
    const WriterOf writer = vfd::writer_of(header);
    const bool is_settled =
        writer == WriterOf::OnAnotherHost || (writer == WriterOf::Runs && maps(header.pid, path, inode));
    return is_settled ? writer : holder_of(header.pid_namespace, path);
}

void settle_killed(analysis::Recording& recording) {
    if (recording.closed || recording.ending != analysis::Ending::Killed)
        return;
    const WriterOf holder = holder_of(recording.pid_namespace, recording.file);
    if (holder == WriterOf::Runs)
        recording.ending = analysis::Ending::Runs;
    else if (holder == WriterOf::InAnotherNamespace)
        recording.ending = analysis::Ending::Unknown;
}

} // namespace vftr::cli
