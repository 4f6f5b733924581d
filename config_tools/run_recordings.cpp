// SPDX-License-Identifier: BSD-3-Clause
#include "run_recordings.hpp"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <unistd.h>

namespace vftr::cli {
namespace {

struct Found {
    std::string path;
    vfd::FileHeader header;
};

class Family {
public:
    explicit Family(const vfd::RecordingId& command) : command_(command) {}

    bool has(const vfd::FileHeader& header) const {
        // A pid may have been another process's before.
        if (header.start.realtime_ns < command_.start_realtime_ns)
            return false;
        if (header.flags & vfd::FlagFollowed)
            return is_command(header.parent) || recordings_.count({header.parent.pid, header.parent.start_realtime_ns});
        return header.pid == command_.pid || ((header.flags & vfd::FlagForked) && pids_.count(header.parent_pid));
    }
    void add(const vfd::FileHeader& header) {
        recordings_.insert({header.pid, header.start.realtime_ns});
        pids_.insert(header.pid);
    }

private:
    bool is_command(const vfd::RecordingId& id) const {
        return id.pid == command_.pid && id.start_realtime_ns == command_.start_realtime_ns;
    }

    vfd::RecordingId command_;
    std::set<std::pair<std::uint32_t, std::uint64_t>> recordings_;
    std::set<std::uint32_t> pids_;
};

} // namespace

bool read_header(const std::string& path, vfd::FileHeader& header) {
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return false;
    bool whole = ::pread(file, &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header);
    ::close(file);
    return whole && std::memcmp(header.magic, vfd::Magic, sizeof vfd::Magic) == 0 && header.version == vfd::FormatVersion;
}

std::vector<std::string> recordings_in(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error), end;
    for (; !error && entry != end; entry.increment(error)) {
        std::string extension = entry->path().extension();
        if (extension == ".vfd" || extension == ".tmpvfd")
            paths.push_back(entry->path());
    }
    if (error)
        throw std::runtime_error(folder + ": " + error.message());
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::vector<std::string> recordings_of_run(const std::string& folder, const vfd::RecordingId& command) {
    std::vector<Found> others;
    for (const std::string& path : recordings_in(folder))
        if (Found found{path, {}}; read_header(path, found.header))
            others.push_back(std::move(found));
    // A child begins after its parent.
    std::stable_sort(others.begin(), others.end(),
                     [](const Found& a, const Found& b) { return a.header.start.realtime_ns < b.header.start.realtime_ns; });
    Family family(command);
    std::vector<std::string> paths;
    for (const Found& found : others)
        if (family.has(found.header)) {
            family.add(found.header);
            paths.push_back(found.path);
        }
    std::sort(paths.begin(), paths.end());
    return paths;
}

} // namespace vftr::cli
