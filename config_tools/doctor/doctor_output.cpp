// SPDX-License-Identifier: BSD-3-Clause
//
// The folder that results go to: a recording is begun in it as a program would, and removed again.
#include "config_tools/doctor/doctor.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/report/recordings_of.hpp"

#include "base/absolute_directory.hpp"
#include "base/file_size.hpp"
#include "config/config.hpp"
#include "vfd/writer.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace vftr::cli {
namespace {

constexpr std::size_t EnoughForAStart = 1 << 20; // bytes: the first segments of a program

std::string remedy_of(int error) {
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return "create it";
    case EACCES:
    case EPERM:
    case EROFS:
        return "take another one (VFTR_OUTPUT_DIRECTORY), or change its rights";
    case ENOSPC:
    case EDQUOT:
        return "make room there, or take another one (VFTR_OUTPUT_DIRECTORY)";
    case EFBIG:
        return "raise ulimit -f";
    case EMFILE:
    case ENFILE:
        return "raise ulimit -n";
    case ENOMEM:
        return "raise ulimit -v";
    default:
        return "take another one (VFTR_OUTPUT_DIRECTORY); files there must be mappable (MAP_SHARED)";
    }
}

// Whether a file there can have the size of a recording: 0 or errno. The file is a new one, since somebody who can
// write to the folder may have put a link in the place of one that was made before.
int grow(const char* path) {
    base::NoFileSizeSignal guard;
    int file = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    ::unlink(path);
    int error = ::posix_fallocate(file, 0, EnoughForAStart);
    ::close(file);
    return error;
}

int try_recording(const std::string& folder) {
    auto writer = std::make_unique<vfd::Writer>();
    const std::string stem = folder + "/vftr-doctor." + std::to_string(::getpid());
    if (int error = writer->create((stem + ".tmpvfd").c_str()))
        return error;
    int error = grow((stem + ".size").c_str());
    writer->remove();
    return error;
}

void count_recordings(const std::string& folder, Findings& findings) {
    std::size_t killed = 0;
    const std::vector<analysis::Recording> found = recordings_of({folder}, Complaints::None).recordings;
    for (const analysis::Recording& recording : found)
        killed += recording.ending == analysis::Ending::Killed;
    if (found.empty())
        return;
    std::string text =
        std::to_string(found.size()) + (found.size() == 1 ? " recording is" : " recordings are") + " there already";
    if (killed)
        text += ", " + std::to_string(killed) + " of processes that were killed";
    findings.ok(text + "; " + own_command("report") + " " + folder + " shows them");
}

} // namespace

void check_output(Findings& findings) {
    config::Config config = config::load_environment().config;
    std::string folder = base::absolute_directory(config.output_directory);
    if (int error = try_recording(folder)) {
        findings.problem("no recording can be written to " + folder + ": " + std::strerror(error), remedy_of(error));
        return;
    }
    findings.ok("recordings can be written to " + folder);
    count_recordings(folder, findings);
}

} // namespace vftr::cli
