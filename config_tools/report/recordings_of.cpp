// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/recordings_of.hpp"

#include "config_tools/files/writer_of.hpp"
#include "config_tools/tell/message.hpp"

#include "base/clock.hpp"
#include "base/foreign_text.hpp"
#include "vfd/file_copy.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace vftr::cli {
namespace {

namespace fs = std::filesystem;
using analysis::Ending;
using analysis::Recording;

std::vector<std::string> files_in(const std::string& directory) {
    std::vector<std::string> files;
    std::error_code error;
    fs::directory_iterator at(directory, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error))
        if (std::error_code none; is_named_as_recording(at->path()) && !at->is_directory(none))
            files.push_back(directory == "." ? at->path().filename().string() : at->path().string());
    if (error)
        throw std::runtime_error(directory + ": " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

// A process that lives may have become another program without a word (an exec that could not be seen).
bool is_written(const Recording& recording, const vfd::FileHeader& header) {
    struct stat status {};
    return ::stat(recording.file.c_str(), &status) != 0 ||
           writer_of(header, recording.file, status.st_ino) == WriterOf::Runs;
}

// What the header does not know of a recording that nobody closed.
void find_end(Recording& recording, const vfd::FileHeader& header) {
    if (recording.closed)
        return;
    if (recording.ending == Ending::Runs && !is_written(recording, header))
        recording.ending = Ending::Executed;
    else
        settle_killed(recording);
    if (recording.ending == Ending::Runs) {
        recording.end_realtime_ns = std::max(recording.start_realtime_ns, base::read_moment().realtime_ns);
        return;
    }
    try {
        const vfd::FileCopy copy(recording.file);
        const vfd::Image image = copy.image();
        recording.end_realtime_ns =
            std::max(recording.end_realtime_ns, image.clock().to_realtime_ns(image.end_ticks()));
    } catch (const vfd::Error&) {
        // Who wants more than the header will be told.
    }
}

class Finder {
public:
    explicit Finder(Complaints complaints) : complaints_(complaints) {}

    void add(const std::string& path, bool may_vanish) {
        try {
            const vfd::FileHeader header = vfd::read_header(path);
            found_.recordings.push_back(analysis::recording_of(header, path, machine_));
            find_end(found_.recordings.back(), header);
        } catch (const vfd::Error& error) {
            if (may_vanish && ::access(path.c_str(), F_OK) != 0)
                return;
            if (complaints_ != Complaints::None)
                tell_error(error.what());
            ++found_.unreadable;
        }
    }
    RecordingsFound found() && { return std::move(found_); }

private:
    const Complaints complaints_;
    const analysis::Machine machine_ = analysis::Machine::here();
    RecordingsFound found_;
};

} // namespace

bool is_named_as_recording(const fs::path& path) { return path.extension() == ".vfd" || path.extension() == ".tmpvfd"; }

bool is_directory(const std::string& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

RecordingsFound recordings_of(const std::vector<std::string>& paths, Complaints complaints) {
    Finder finder(complaints);
    for (const std::string& path : paths) {
        if (!is_directory(path)) {
            finder.add(path, false);
            continue;
        }
        for (const std::string& file : files_in(path))
            finder.add(file, true);
    }
    return std::move(finder).found();
}

std::optional<std::string> closed_file_of(const std::string& path) {
    constexpr std::string_view Working = "tmpvfd", Closed = "vfd";
    if (!path.ends_with(Working) || ::access(path.c_str(), F_OK) == 0)
        return std::nullopt;
    std::string closed = path.substr(0, path.size() - Working.size()) + std::string(Closed);
    return ::access(closed.c_str(), F_OK) == 0 ? std::optional(std::move(closed)) : std::nullopt;
}

std::optional<std::string> closed_file_of(const Recording& recording) {
    std::optional<std::string> closed = closed_file_of(recording.file);
    if (!closed)
        return std::nullopt;
    try {
        const vfd::FileHeader header = vfd::read_header(*closed);
        const bool same = header.pid == recording.pid && header.start.realtime_ns == recording.start_realtime_ns;
        return same ? std::move(closed) : std::nullopt;
    } catch (const vfd::Error&) {
        return std::nullopt;
    }
}

} // namespace vftr::cli
