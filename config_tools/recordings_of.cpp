// SPDX-License-Identifier: BSD-3-Clause
#include "recordings_of.hpp"

#include "base/clock.hpp"
#include "vfd/file_copy.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace vftr::cli {
namespace {

namespace fs = std::filesystem;
using analysis::Ending;
using analysis::Recording;

bool is_named_so(const fs::path& path) {
    return path.extension() == ".vfd" || path.extension() == ".tmpvfd";
}

std::vector<std::string> files_in(const std::string& directory) {
    std::vector<std::string> files;
    std::error_code error;
    fs::directory_iterator at(directory, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error))
        if (std::error_code none; is_named_so(at->path()) && !at->is_directory(none))
            files.push_back(directory == "." ? at->path().filename().string() : at->path().string());
    if (error)
        throw std::runtime_error(directory + ": " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

// What the header does not know of a recording that nobody closed.
void find_end(Recording& recording) {
    if (recording.closed)
        return;
    if (recording.ending == Ending::Runs) {
        recording.end_realtime_ns = std::max(recording.start_realtime_ns, base::read_moment().realtime_ns);
        return;
    }
    try {
        const vfd::FileCopy copy(recording.file);
        const vfd::Image image = copy.image();
        recording.end_realtime_ns = std::max(recording.end_realtime_ns, image.to_realtime_ns(image.end_ticks()));
    } catch (const vfd::Error&) {
        // Who wants more than the header will be told.
    }
}

class Finder {
public:
    explicit Finder(Complaints complaints) : complaints_(complaints) {}

    void add(const std::string& path, bool may_vanish) {
        try {
            found_.recordings.push_back(analysis::recording_of(vfd::read_header(path), path, machine_));
            find_end(found_.recordings.back());
        } catch (const vfd::Error& error) {
            if (may_vanish && ::access(path.c_str(), F_OK) != 0)
                return;
            if (complaints_ != Complaints::None)
                std::fprintf(stderr, "vftr: %s\n", error.what());
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

} // namespace vftr::cli
