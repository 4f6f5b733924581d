// SPDX-License-Identifier: BSD-3-Clause
#include "output/output.hpp"

#include "base/modification_time.hpp"
#include "base/own_descriptors.hpp"
#include "base/process.hpp"
#include "config/check.hpp"
#include "output/header_of.hpp"
#include "output/job_decision.hpp"
#include "report/report.hpp"
#include "vfd/format.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::output {

namespace {

constexpr auto ResultsClaim = ".results"; // behind the basename

// When the run ended that left this merged profile; 0 if there is none.
std::uint64_t end_of_run(const std::string& path) {
    std::optional<vfd::FileHeader> header = header_of(path);
    return header ? header->end.realtime_ns : 0;
}

// When the process began that left this file; 0 if it is no recording.
std::uint64_t begin_of(const std::string& path) {
    std::optional<vfd::FileHeader> header = header_of(path);
    return header ? header->start.realtime_ns : 0;
}

// When this file was written; 0 if there is none.
std::uint64_t written_at(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? base::modification_time(status) : 0;
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// stem, stem.1, stem.2, … that is not taken.
template <class Taken>
std::string first_free(const std::string& stem, Taken taken) {
    std::string name = stem;
    for (int number = 1; taken(name) && number < 100000; ++number)
        name = stem + "." + std::to_string(number);
    return name;
}

// The basename, or one with the process id where that is taken.
template <class Taken>
std::string own_basename(const Destination& output, Taken taken) {
    return taken(output.basename) ? first_free(output.basename + "_" + std::to_string(getpid()), taken)
                                  : output.basename;
}

// Whether another process has this name now. The claim is ours then, where one can be made.
bool claimed_by_another(const Destination& output, const std::string& name, NameClaim& claim) {
    claim.emplace(output.directory, name + ResultsClaim);
    return claim->error() == EWOULDBLOCK;
}

} // namespace

std::string executable_path() {
    static constexpr std::string_view mark = " (deleted)"; // what the kernel adds to the path of a file that is gone
    char text[PATH_MAX];
    ssize_t n = ::readlink("/proc/self/exe", text, sizeof text);
    if (n <= 0)
        return ::realpath(base::executed_path(), text) ? text : "program";
    std::string path(text, static_cast<std::size_t>(n));
    if (path.ends_with(mark) && ::access(path.c_str(), F_OK) != 0)
        path.resize(path.size() - mark.size());
    return path;
}

std::string executable_name() {
    std::string path = executable_path();
    return path.substr(path.rfind('/') + 1, config::LongestBasename);
}

std::string claim_basename(const Destination& output, std::uint64_t start_realtime_ns, NameClaim& claim) {
    return own_basename(output, [&](const std::string& name) {
        return claimed_by_another(output, name, claim) ||
               end_of_run(output.path(name + "_all.vfd")) > start_realtime_ns || held_by_another_job(output, name);
    });
}

void claim_results(const Destination& output, const std::string& name, NameClaim& claim) {
    claimed_by_another(output, name, claim); // nobody else takes the name of a job
}

bool would_be_replaced(const Destination& output, std::uint64_t start_realtime_ns) {
    bool claimed = false;
    base::with_own_descriptors(
        [&] { claimed = symbols::is_claimed(output.directory, output.basename + ResultsClaim); });
    return !claimed && end_of_run(output.path(output.basename + "_all.vfd")) <= start_realtime_ns &&
           !held_by_another_job(output, output.basename);
}

std::string claim_log_basename(const Destination& output, std::uint64_t start_realtime_ns, NameClaim& claim) {
    return own_basename(output, [&](const std::string& name) {
        return claimed_by_another(output, name, claim) || written_at(output.path(name + ".log")) > start_realtime_ns;
    });
}

std::string claim_child_basename(const Destination& output, const std::string& working_file, NameClaim& claim) {
    static constexpr std::string_view ending = ".tmpvfd";
    std::string stem = output.basename + "_" + std::to_string(getpid());
    if (working_file.starts_with(output.path(stem)) && working_file.ends_with(ending))
        stem =
            working_file.substr(output.path("").size(), working_file.size() - output.path("").size() - ending.size());
    return first_free(stem, [&](const std::string& name) {
        return claimed_by_another(output, name, claim) || exists(output.path(name + ".vfd")) ||
               exists(output.path(name + "_all.log"));
    });
}

std::string rank_basename(const Destination& output, std::int32_t rank, std::int32_t size) {
    return own_basename(output, [&](const std::string& name) {
        return being_written(output.path(report::log_stem(name, rank, size) + ".vfd"));
    });
}

std::string job_basename(const Destination& output, const inherit::Provenance& provenance, std::int32_t rank,
                         std::int32_t size) {
    // With a token every such name is of this tree, or of one whose processes had the same ids.
    const bool has_token = provenance.has_token();
    auto taken = [&](const std::string& path) {
        return has_token ? exists(path) : begin_of(path) >= provenance.start_realtime_ns || being_written(path);
    };
    // When ranks come here none of the job has come to its end, so that a merged profile is another job's; and no two
    // ranks have a file of one name.
    return first_free(has_token ? output.basename + "_" + provenance.token : output.basename,
                      [&](const std::string& name) {
                          return taken(output.path(report::log_stem(name, -1, size) + ".vfd")) ||
                                 taken(output.path(report::log_stem(name, rank, size) + ".vfd"));
                      });
}

} // namespace vftr::output
