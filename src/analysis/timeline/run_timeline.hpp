// SPDX-License-Identifier: BSD-3-Clause
//
// The timelines of all processes of a run, on one clock, thread by thread.
//
// Viewers sort what they read by themselves, and want the events of one thread together. So threads are visited one
// after the other, and a timeline of any length needs the memory of one thread's paths and of the messages that are
// under way (event_order.hpp).
//
// Viewers also want calls that nest, from recordings that may have gaps: a ring buffer has lost the begins of calls, a
// signal handler's leave may be missing, and with a sampling interval only one call in many is recorded. So each event
// is brought into line with the call tree, which knows the callers of every path (open_calls.hpp).
//
// A part of a run is chosen by a Selection. Events are decoded for each visitor anew. Before the first one, those of
// processes with MPI are decoded to count their messages, and those of processes that have not ended to know whether
// they can be; how long calls take is counted when a limit of size asks.
#pragma once

#include "analysis/profile/profile.hpp"
#include "analysis/timeline/call_durations.hpp"
#include "analysis/timeline/rank_clock.hpp"
#include "analysis/timeline/selection.hpp"
#include "analysis/timeline/timeline_visitor.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace vftr::analysis {

class PathIndices;

// A process that has a timeline.
struct RunProcess {
    const vfd::Image* image;
    std::uint32_t rank; // 0 without MPI
    RankClock clock;
    std::string title; // process_title()
    std::string host;
    bool exact; // all calls of recorded functions are in its timeline; else one at each sampling interval
    bool ended; // false: it was killed, or still runs
};

struct RunThread {
    std::uint32_t process;               // index into RunTimeline::processes()
    std::uint32_t index;                 // ThreadRecord::index
    std::uint32_t tid;                   // the kernel's id of the latest thread that used the record
    std::uint64_t begin, end;            // ns since the start of the run, within the selection
    std::uint64_t messages, collectives; // selected ones
    // Of these messages those that have a partner (TimelineMessage::pair), and those of them whose partner is not to be
    // had: of a rank that has no timeline here, or of another job.
    std::uint64_t paired, one_ended;
    std::uint64_t longest_message; // ticks from its begin to its place in the stream, at least 1; 0: there is none
    std::uint64_t bytes;           // of its events
};

// Images and Profile must outlive it. Not thread-safe.
class RunTimeline {
public:
    // Called now and then while events are decoded, with what part of them the present pass has: from 0 to 1.
    using Progress = std::function<void(double part)>;

    // `all` is the canonical profile of these recordings; paths that it lacks are appended to it. Recordings without a
    // timeline are left out. Throws vfd::Error, and std::runtime_error where a packed stream cannot be unpacked here.
    RunTimeline(std::span<const vfd::Image> images, Profile& all, Selection selection = {}, Progress progress = {});
    ~RunTimeline();
    RunTimeline(const RunTimeline&) = delete;

    bool empty() const { return threads_.empty(); }
    const Profile& paths() const { return all_; }
    const std::vector<RunProcess>& processes() const { return processes_; } // by rank, then by start
    const std::vector<RunThread>& threads() const { return threads_; }      // by process, then by index
    const Selection& selection() const { return selection_; }
    // How many calls of the selection at first take how long. The first call decodes events.
    const CallDurations& durations();
    // From now on, calls shorter than that (in ns) are left out.
    void leave_out_shorter(std::uint64_t ns) { selection_.shortest = ns; }
    // From now on, visitors see this part of the time only, and calls of it that are at least so long. What is counted
    // stays that of the selection at first.
    void select(std::uint64_t from, std::uint64_t to, std::uint64_t shortest) {
        selection_.from = from;
        selection_.to = to;
        selection_.shortest = shortest;
    }

    // Whether the events of some thread cannot be decoded to their end. Of a damaged recording of a process that has
    // ended it is known once they have been visited.
    bool has_cut_stream() const { return has_cut_stream_; }

    // The moment 0, when the first process began: on CLOCK_REALTIME in ns since 1970, and on the CLOCK_MONOTONIC of
    // rank 0's machine.
    std::uint64_t start_realtime() const { return start_realtime_; }
    std::int64_t start_monotonic() const { return start_; }
    std::uint64_t end() const { return end_; } // ns since the start: when the last process ended

    // `thread` is an element of threads(). Pairs of messages are right where all threads are visited in their order.
    void visit(const RunThread& thread, TimelineVisitor& visitor) const;

private:
    class ThreadEvents;
    void add_process(const vfd::Image& image, const vfd::FileHeader& rank0);
    void add_threads(std::uint32_t process);
    bool is_counted_first(const RunThread& thread) const;
    void count(RunThread& thread);
    void visit_selected(const RunThread& thread, const Selection& selection, TimelineVisitor& visitor) const;
    std::uint64_t clipped(std::uint64_t ns) const;
    std::uint64_t since_start(std::int64_t moment) const {
        return moment > start_ ? static_cast<std::uint64_t>(moment - start_) : 0;
    }
    std::uint64_t since_start(const RunProcess& process, std::uint64_t ticks) const;
    std::uint64_t begin_of(const RunProcess& process, const vfd::ThreadView& view) const;
    std::uint64_t end_of(const RunProcess& process, const vfd::ThreadView& view) const;
    PathIndices& places_of(std::uint32_t process) const;
    void tell(const RunThread& thread, std::uint64_t now) const;

    Profile& all_;
    const Selection first_selection_;
    Selection selection_;
    Progress progress_;
    std::vector<RunProcess> processes_;
    std::vector<RunThread> threads_;
    std::unordered_set<std::uint32_t> ranks_; // of the processes
    CallDurations durations_;
    bool all_counted_ = false; // in durations_; else only those that are counted first
    mutable bool has_cut_stream_ = false;
    std::int64_t start_ = 0;
    std::uint64_t start_realtime_ = 0, end_ = 0;
    // Of the process that was visited last, as each takes memory for all paths of the run.
    mutable std::unique_ptr<PathIndices> places_;
    mutable std::uint32_t places_process_ = 0;
    // By channel, and by series of collective calls, of the process that is visited: how many have begun.
    mutable std::unordered_map<std::uint64_t, std::uint64_t> begun_;
    std::uint64_t all_bytes_ = 0;          // of the events of all threads
    mutable std::uint64_t done_bytes_ = 0; // of those threads that the present pass has visited
};

} // namespace vftr::analysis
