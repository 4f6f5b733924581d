// SPDX-License-Identifier: BSD-3-Clause
#include "output/job_claim.hpp"

#include "base/clock.hpp"
#include "base/fnv.hpp"
#include "base/own_descriptors.hpp"
#include "base/sleep.hpp"
#include "output/header_of.hpp"
#include "output/job_decision.hpp"
#include "report/report.hpp"
#include "symbols/claimed_file.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace vftr::output {
namespace {

constexpr std::uint64_t LongestWait = 5'000'000'000; // ns

// The number by which the names of a job differ from those of another one.
std::string number_of(const std::string& key) { return std::to_string(base::fnv1a<base::Fnv1a32>(key)); }

struct CannotDecide {}; // The folder has no locks, or must not be written to.

class JobNames {
public:
    JobNames(const Destination& output, const vfd::FileHeader& own, const std::string& key)
        : output_(output), own_(own), key_(key), names_{output.basename, output.basename + "_" + number_of(key)} {}

    // What a rank of this job has decided already.
    std::optional<std::string> decided() const {
        for (const std::string& name : names_)
            if (const auto decision = job_decision(output_, name); decision && decision->key == key_)
                return name;
        return std::nullopt;
    }

    // Nullopt: another rank or job is deciding. Throws CannotDecide.
    std::optional<std::string> decide() const {
        symbols::ClaimedFile job(output_.directory, names_[1] + JobSuffix); // for ranks of this job
        if (!is_mine(job))
            return std::nullopt;
        if (auto name = decided())
            return name;
        symbols::ClaimedFile first(output_.directory, names_[0] + JobSuffix); // for other jobs
        if (!is_mine(first))
            return std::nullopt;
        const bool free = is_free();
        write(free ? first : job, free ? names_[0] : names_[1]);
        return free ? names_[0] : names_[1];
    }

    // Another process may be writing a file of this rank's name nevertheless: of the job before, which is about to end,
    // or of another container's job with the same key.
    JobName for_rank(const std::string& name) const {
        return writes(name, own_.rank) ? JobName{rank_basename(output_, own_.rank, own_.size), false}
                                       : JobName{name, true};
    }

private:
    static bool is_mine(const symbols::ClaimedFile& file) {
        if (file.error() != 0 && file.error() != EWOULDBLOCK)
            throw CannotDecide();
        return file.error() == 0;
    }
    bool writes(const std::string& name, std::int32_t rank) const {
        return being_written(output_.path(report::log_stem(name, rank, own_.size) + ".vfd"));
    }
    bool is_free() const {
        return would_be_replaced(output_, own_.start.realtime_ns) && !writes(names_[0], 0) &&
               !writes(names_[0], own_.rank);
    }
    void write(symbols::ClaimedFile& file, const std::string& name) const {
        const vfd::FileHeader header = vfd::copy_of(own_);
        file.write(&header, sizeof header);
        file.write(key_.data(), key_.size());
        if (file.finish() != 0 || ::rename(file.path().c_str(), output_.path(name + JobSuffix).c_str()) != 0)
            throw CannotDecide();
        file.moved();
    }

    const Destination& output_;
    const vfd::FileHeader& own_;
    const std::string& key_;
    const std::string names_[2]; // whichever is free
};

// Rank 0 decides if it comes at about the same time, so that ten thousand others do not ask the file system for locks.
// Nullopt: it took too long.
std::optional<std::string> decided_name(const JobNames& names, std::int32_t rank) {
    constexpr long First = 1000, Longest = 50'000, PatienceWithRank0 = 16'000; // µs between two looks
    const std::uint64_t latest = base::monotonic_ns() + LongestWait;
    std::optional<std::string> name = names.decided();
    for (long pause = First; !name; pause = std::min(2 * pause, Longest)) {
        if (rank == 0 || pause > PatienceWithRank0)
            name = names.decide();
        if (name || base::monotonic_ns() > latest)
            break;
        base::sleep_microseconds(pause);
        name = names.decided();
    }
    return name;
}

} // namespace

JobName job_wide_basename(const Destination& output, const vfd::FileHeader& own) {
    const std::string key = job_key();
    JobName name;
    if (key.empty())
        return {rank_basename(output, own.rank, own.size), false};
    base::with_own_descriptors([&] {
        try {
            const JobNames names(output, own, key);
            if (const auto found = decided_name(names, own.rank))
                name = names.for_rank(*found);
        } catch (const CannotDecide&) {
        }
    });
    return name.name.empty() ? JobName{rank_basename(output, own.rank, own.size), false} : name;
}

} // namespace vftr::output
