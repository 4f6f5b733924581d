// SPDX-License-Identifier: BSD-3-Clause
#include "export/perfetto/ids.hpp"

#include "base/fnv.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <string_view>

namespace vftr::exports::perfetto {

namespace {

using analysis::RunProcess;
using analysis::RunThread;
using analysis::RunTimeline;

constexpr std::uint32_t FirstHashed = 1u << 30; // below are those of ranks, above 2^31 is not an int32

// FNV-1a by bytes, and the finish of MurmurHash3.
class Hash {
public:
    Hash& add(std::string_view text) {
        fnv_.add(text);
        return *this;
    }
    Hash& add(std::uint64_t number) {
        for (int shift = 0; shift < 64; shift += 8)
            fnv_.add(number >> shift & 0xff);
        return *this;
    }
    std::uint64_t value() const {
        std::uint64_t hash = (fnv_.value() ^ fnv_.value() >> 33) * 0xff51afd7ed558ccd;
        hash ^= hash >> 33;
        return hash != 0 ? hash : 1;
    }

private:
    base::Fnv1a64 fnv_;
};

Hash identity(const RunProcess& process) {
    const vfd::FileHeader header = process.image->header();
    return Hash()
        .add(process.host)
        .add(header.pid)
        .add(static_cast<std::uint64_t>(header.start.monotonic_ns))
        .add(header.generation);
}

} // namespace

Ids::Ids(const RunTimeline& run) : of_kernel_(kernel_ids_do(run)) {
    constexpr std::uint32_t Notes = ~std::uint32_t{0}, Itself = Notes - 1, Waits = 1u << 31; // no indices of threads
    for (std::uint32_t i = 0; i < run.processes().size(); ++i) {
        const RunProcess& process = run.processes()[i];
        first_of_rank_.push_back((i == 0 || run.processes()[i - 1].rank != process.rank) &&
                                 !(process.image->header().flags & vfd::FlagForked));
        processes_.push_back(
            {identity(process).add(Itself).value(), of_kernel_ ? process.image->header().pid : number(run, i, 0)});
    }
    for (const RunThread& thread : run.threads()) {
        const std::uint32_t sequence = thread.index == 0 && !of_kernel_ ? processes_[thread.process].pid
                                                                        : number(run, thread.process, thread.index);
        threads_.push_back({identity(run.processes()[thread.process]).add(thread.index).value(),
                            of_kernel_ ? thread.tid : sequence, sequence});
        const std::uint32_t waits = Waits | thread.index;
        waits_.push_back(
            {identity(run.processes()[thread.process]).add(waits).value(), 0, number(run, thread.process, waits)});
    }
    for (std::uint32_t i = 0; i < run.processes().size(); ++i)
        notes_.push_back({identity(run.processes()[i]).add(Notes).value(), 0, number(run, i, Notes)});
}

// Whether pids and tids tell all apart, also from those of ranks whose files are not here.
bool Ids::kernel_ids_do(const RunTimeline& run) const {
    std::unordered_set<std::uint32_t> ranks, used{0};
    std::int32_t size = 0;
    for (const RunProcess& process : run.processes()) {
        const vfd::FileHeader header = process.image->header();
        if (!used.insert(header.pid).second || header.pid > 0x7fffffff)
            return false;
        if (header.flags & vfd::FlagMpi) {
            size = std::max(size, header.size);
            ranks.insert(process.rank);
        }
    }
    for (const RunThread& thread : run.threads())
        if (thread.tid > 0x7fffffff ||
            (thread.tid != run.processes()[thread.process].image->header().pid && !used.insert(thread.tid).second))
            return false;
    for (std::size_t i = 1; i < run.threads().size(); ++i) // two records that the first thread used in turn
        if (run.threads()[i].tid == run.threads()[i - 1].tid)
            return false;
    return ranks.size() >= static_cast<std::size_t>(std::max(size, 0));
}

// A number that no other thread of the job has.
std::uint32_t Ids::number(const RunTimeline& run, std::uint32_t process, std::uint32_t thread) {
    const RunProcess& its = run.processes()[process];
    const auto size = static_cast<std::uint64_t>(std::max(its.image->header().size, 1));
    const std::uint64_t number = std::uint64_t{thread} * size + its.rank + 1;
    if (first_of_rank_[process] && its.rank < size && number < FirstHashed)
        return static_cast<std::uint32_t>(number);
    std::uint64_t hash = identity(its).add(thread).value();
    while (!hashed_.insert(static_cast<std::uint32_t>(hash % FirstHashed)).second)
        ++hash;
    return FirstHashed + static_cast<std::uint32_t>(hash % FirstHashed);
}

} // namespace vftr::exports::perfetto
