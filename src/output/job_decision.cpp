// SPDX-License-Identifier: BSD-3-Clause
#include "output/job_decision.hpp"

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/own_descriptors.hpp"
#include "base/process.hpp"
#include "base/whole_io.hpp"
#include "output/header_of.hpp"
#include "report/report.hpp"
#include "vfd/header_fields.hpp"
#include "vfd/writer_of.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace vftr::output {
namespace {

constexpr std::uint64_t Second = 1'000'000'000; // ns

// Whether the job that decided so still goes on, as far as can be told.
bool goes_on(const Destination& output, const std::string& basename, const JobDecision& decision) {
    const vfd::FileHeader& header = decision.header;
    const auto writes = [&](std::int32_t rank) {
        return being_written(output.path(report::log_stem(basename, rank, header.size) + ".vfd"));
    };
    if (writes(0))
        return true;
    const vfd::WriterOf writer = vfd::writer_of(header);
    if (writer == vfd::WriterOf::Runs || writer == vfd::WriterOf::Gone)
        return writer == vfd::WriterOf::Runs;
    // A rank that has just decided has not given its recording that name yet.
    constexpr std::uint64_t JustNow = 10 * Second;
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    return writes(header.rank) || header.last[0].realtime_ns + JustNow > static_cast<std::uint64_t>(now.count());
}

// The process of MPICH's launcher that started this one, by whatever scripts: it has made the pair of sockets of which
// this one has an end. 0: there is none.
pid_t launcher_process() {
    const char* number = base::environment_value("PMI_FD");
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (!number || ::getsockopt(std::atoi(number), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
        return 0;
    return credentials.pid;
}

} // namespace

std::optional<JobDecision> job_decision(const Destination& output, const std::string& basename) {
    const std::string path = output.path(basename + JobSuffix);
    constexpr std::size_t LongestKey = 512;
    JobDecision decision{};
    char text[sizeof decision.header + LongestKey];
    ssize_t size = 0;
    base::with_own_descriptors([&] {
        const int fd = base::open_file(path.c_str(), O_RDONLY | O_NONBLOCK);
        if (fd >= 0) {
            size = base::read_at(fd, text, sizeof text, 0);
            base::close_file(fd);
        }
    });
    if (size < static_cast<ssize_t>(sizeof decision.header))
        return std::nullopt;
    std::memcpy(&decision.header, text, sizeof decision.header);
    if (std::memcmp(decision.header.magic, vfd::Magic, sizeof vfd::Magic) != 0)
        return std::nullopt;
    decision.key.assign(text + sizeof decision.header, static_cast<std::size_t>(size) - sizeof decision.header);
    return decision;
}

std::string job_key() {
    if (!base::launched_as_rank())
        return "";
    if (const char* name = base::environment_value("PMIX_NAMESPACE"))
        return std::string("pmix ") + name;
    if (const char* port = base::environment_value("PMI_PORT"))
        return std::string("pmi ") + port;
    if (const pid_t launcher = launcher_process())
        return "pmi " + std::to_string(launcher) + " " + std::to_string(base::process_start(launcher)) + " " +
               vfd::own_hostname();
    const char *job = base::environment_value("SLURM_JOB_ID"), *step = base::environment_value("SLURM_STEP_ID");
    return job && step ? std::string("slurm ") + job + "." + step : "";
}

bool held_by_another_job(const Destination& output, const std::string& basename) {
    const std::optional<JobDecision> decision = job_decision(output, basename);
    return decision && decision->key != job_key() && goes_on(output, basename, *decision);
}

void release_job(const Destination& output, const std::string& basename, const vfd::FileHeader& own) {
    const std::optional<JobDecision> decision = job_decision(output, basename);
    if (decision && decision->header.pid == own.pid && decision->header.start.realtime_ns == own.start.realtime_ns)
        ::unlink(output.path(basename + JobSuffix).c_str());
}

} // namespace vftr::output
