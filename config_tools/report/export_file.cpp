// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/export_file.hpp"

#include "config_tools/report/interruption.hpp"

#include "base/file_size.hpp"
#include "base/foreign_text.hpp"
#include "base/replaced_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace vftr::cli {
namespace {

using exports::Format;
using exports::Sink;
using exports::Subject;

using FileOf = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// What an attempt to write came to.
struct Attempt {
    int error = 0;           // errno
    std::uint64_t bytes = 0; // of the whole
    bool too_large = false;
};

// A smaller part of a timeline, until it fits.
class Export {
public:
    Export(const Format& format, Subject& subject, analysis::RunTimeline* timeline, const exports::Options& options,
           std::uint64_t most_bytes)
        : format_(format), subject_(subject), timeline_(timeline), options_(options),
          most_bytes_(timeline ? most_bytes : ~std::uint64_t{0}),
          knows_cut_stream_(timeline && timeline->has_cut_stream()), remarks_(subject_.remarks.size()) {}

    int to_standard_output() {
        find_size();
        return to_open_file(stdout);
    }

    int to(const std::string& path) {
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        if (std::filesystem::is_directory(status))
            return EISDIR;
        if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
            const FileOf file(std::fopen(path.c_str(), "we"), std::fclose);
            if (!file)
                return errno;
            find_size();
            return to_open_file(file.get());
        }
        // Where it is a link, what it leads to is replaced.
        const std::filesystem::path place =
            std::filesystem::exists(status) ? std::filesystem::canonical(path, error) : std::filesystem::path(path);
        return fitted([&] { return to_regular_file(place.empty() ? path : place.string()); }).error;
    }

    std::string to_memory() {
        std::string bytes;
        fitted([&] {
            bytes.clear();
            Sink sink(
                [&](std::span<const std::byte> piece) {
                    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                    return !Interruption::has_come();
                },
                most_bytes_);
            format_.write(subject_, options_, sink);
            sink.flush();
            return Attempt{0, sink.bytes(), sink.is_too_large()};
        });
        return bytes;
    }

    void to_folder(const std::string& path) {
        std::error_code error;
        if (std::filesystem::exists(path, error))
            throw std::runtime_error(base::foreign_text(path) + ": " + std::strerror(EEXIST));
        std::filesystem::path name(path); // without a / at its end, which is where mkdtemp would make the folder
        if (!name.has_filename())
            name = name.parent_path();
        std::string beside = name.string() + ".XXXXXX";
        const base::NoFileSizeSignal size;
        if (!::mkdtemp(beside.data()))
            throw std::runtime_error(base::foreign_text(path) + ": " + std::strerror(errno));
        try {
            fitted([&] { return to_empty_folder(beside); });
            std::filesystem::permissions(beside,
                                         std::filesystem::perms::owner_all | std::filesystem::perms::group_read |
                                             std::filesystem::perms::group_exec | std::filesystem::perms::others_read |
                                             std::filesystem::perms::others_exec);
            std::filesystem::rename(beside, name);
        } catch (const std::exception& problem) {
            std::filesystem::remove_all(beside, error);
            throw std::runtime_error(base::foreign_text(path) + ": " + problem.what());
        }
    }

private:
    // As by a shell's >: standard output, FIFOs, /dev/stdout. 0 or errno.
    int to_open_file(std::FILE* file) {
        const base::NoPipeSignal pipe;
        const base::NoFileSizeSignal size;
        errno = 0;
        Sink sink([&](std::span<const std::byte> bytes) {
            return !Interruption::has_come() && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
        });
        format_.write(subject_, options_, sink);
        return sink.flush() && std::fflush(file) == 0 ? 0 : errno != 0 ? errno : EIO;
    }

    Attempt to_regular_file(const std::string& path) {
        Attempt attempt;
        attempt.error = base::replace_file(path, [&](const base::FileSink& file) {
            Sink sink([&](std::span<const std::byte> bytes) { return !Interruption::has_come() && file(bytes); },
                      most_bytes_);
            format_.write(subject_, options_, sink);
            const bool good = sink.flush();
            attempt.bytes = sink.bytes();
            attempt.too_large = sink.is_too_large();
            return good && !attempt.too_large;
        });
        return attempt;
    }

    // Of a folder, what it takes is known when it is complete.
    Attempt to_empty_folder(const std::string& folder) {
        for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder))
            std::filesystem::remove_all(entry.path());
        format_.write_folder(subject_, options_, folder);
        Attempt attempt;
        for (const std::filesystem::directory_entry& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.is_regular_file())
                attempt.bytes += entry.file_size();
        attempt.too_large = attempt.bytes > most_bytes_;
        return attempt;
    }

    // What is written to cannot be taken back, so it is counted first.
    void find_size() {
        if (timeline_)
            fitted([&] {
                Sink sink([](std::span<const std::byte>) { return true; }, most_bytes_);
                format_.write(subject_, options_, sink);
                sink.flush();
                return Attempt{0, sink.bytes(), sink.is_too_large()};
            });
    }

    template <class Try>
    Attempt fitted(Try attempt) {
        for (;;) {
            const Attempt result = attempt();
            Interruption::check();
            if (has_found_cut_stream())
                continue;
            if (!result.too_large)
                return result;
            if (!leave_out_more(result.bytes)) {
                subject_.remarks.push_back("the file is larger than " + std::to_string(most_bytes_) +
                                           " bytes (--max-size), as nothing more can be left out");
                most_bytes_ = ~std::uint64_t{0};
            }
        }
    }

    // The first time that the remarks are to say so and do not yet.
    bool has_found_cut_stream() {
        if (!timeline_ || !timeline_->has_cut_stream() || knows_cut_stream_)
            return false;
        knows_cut_stream_ = true;
        subject_.remarks.resize(remarks_);
        subject_.remarks.emplace_back(CutStreamRemark);
        ++remarks_;
        return true;
    }

    // How many calls a file of the wanted size has room for, if one with so many calls has so many bytes. From the
    // second attempt on it is known what a call takes, and what the rest does: a profile that is too large by itself
    // leaves no room, which is found at once and not by halves.
    std::uint64_t calls_that_fit(std::uint64_t bytes, std::uint64_t calls) {
        constexpr double Reserve = 0.9; // shorter calls compress better than longer ones
        const auto size = static_cast<double>(bytes), count = static_cast<double>(calls);
        double each = size / std::max(count, 1.0);
        if (bytes < bytes_before_ && calls < calls_before_)
            each = (static_cast<double>(bytes_before_) - size) / (static_cast<double>(calls_before_) - count);
        bytes_before_ = bytes;
        calls_before_ = calls;
        const double room = static_cast<double>(most_bytes_) - std::max(size - each * count, 0.0);
        return room <= 0 ? 0 : static_cast<std::uint64_t>(std::min(Reserve * room / each, 0.95 * count));
    }

    // False: nothing can be left out any more.
    bool leave_out_more(std::uint64_t bytes) {
        const std::uint64_t calls = timeline_->durations().at_least(timeline_->selection().shortest);
        const std::uint64_t most = calls_that_fit(bytes, calls);
        const std::uint64_t threshold = timeline_->durations().threshold(most);
        if (calls == 0 || threshold <= timeline_->selection().shortest)
            return false;
        timeline_->leave_out_shorter(threshold);
        const std::uint64_t all = timeline_->durations().count();
        subject_.remarks.resize(remarks_);
        subject_.remarks.push_back(std::to_string(all - timeline_->durations().at_least(threshold)) + " of " +
                                   std::to_string(all) + " calls are left out, those shorter than " +
                                   std::to_string(threshold) + " ns, as the file would be larger than " +
                                   std::to_string(most_bytes_) + " bytes (--max-size)");
        return true;
    }

    const Format& format_;
    Subject& subject_;
    analysis::RunTimeline* timeline_;
    const exports::Options& options_;
    std::uint64_t most_bytes_;
    bool knows_cut_stream_;
    std::size_t remarks_;                               // of the subject
    std::uint64_t bytes_before_ = 0, calls_before_ = 0; // of the attempt before; 0: there was none
};

} // namespace

void write_export(const Format& format, Subject& subject, analysis::RunTimeline* timeline,
                  const exports::Options& options, const std::string& path, std::uint64_t most_bytes) {
    const std::uint64_t shortest = timeline ? timeline->selection().shortest : 0;
    Export made(format, subject, timeline, options, most_bytes);
    const bool to_stdout = path == "-";
    int error = 0;
    const bool folder = format.is_folder(options);
    if (folder && to_stdout)
        throw std::runtime_error("standard output: " + std::string(format.name) + " is a folder, give its name");
    if (folder)
        made.to_folder(path);
    else
        error = to_stdout ? made.to_standard_output() : made.to(path);
    if (timeline)
        timeline->leave_out_shorter(shortest); // for the next format
    if (error != 0)
        throw std::runtime_error((to_stdout ? "standard output" : base::foreign_text(path)) + ": " +
                                 std::strerror(error));
}

std::string exported_bytes(const Format& format, Subject& subject, analysis::RunTimeline* timeline,
                           const exports::Options& options, std::uint64_t most_bytes) {
    return Export(format, subject, timeline, options, most_bytes).to_memory();
}

} // namespace vftr::cli
