// SPDX-License-Identifier: BSD-3-Clause
#include "writer_of.hpp"

#include "base/process.hpp"

#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace vftr::cli {
namespace {

bool on_this_host(const vfd::FileHeader& header) {
    char host[sizeof header.hostname] = {};
    ::gethostname(host, sizeof host - 1);
    return std::strncmp(host, header.hostname, sizeof host) == 0;
}

// Lines of /proc/<pid>/maps: range, permissions, offset, device, inode, path. Devices are those of the file system beneath where there are layers.
bool maps(pid_t pid, std::string_view name, std::uint64_t inode) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/maps");
    std::string line, range, permissions, offset, device;
    if (!file)
        return true; // another user's
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::uint64_t mapped = 0;
        if (fields >> range >> permissions >> offset >> device >> mapped && mapped == inode && line.ends_with(name))
            return true;
    }
    return false;
}

} // namespace

WriterOf writer_of(const vfd::FileHeader& header, const std::string& path, std::uint64_t inode) {
    if (!on_this_host(header))
        return WriterOf::OnAnotherHost;
    pid_t pid = static_cast<pid_t>(header.pid);
    bool runs = base::process_lives(pid, header.process_start) && maps(pid, std::string_view(path).substr(path.rfind('/') + 1), inode);
    return runs ? WriterOf::Runs : WriterOf::Gone;
}

} // namespace vftr::cli
