// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/waits_of.hpp"

#include "analysis/recording/breakdown_of.hpp"

#include "analysis/recording/path_indices.hpp"
#include "analysis/timeline/rank_clock.hpp"
#include "vfd/event_reader.hpp"
#include "vfd/packed.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace vftr::analysis {
namespace {

using vfd::Event;

// "MPI_Bcast" and "MPI_Bcast_c" of different ranks belong to one call.
std::string common_name(std::string name) {
    for (char& c : name)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name.ends_with("_c"))
        name.resize(name.size() - 2);
    return name;
}

// The event stream of one thread, on the clock of rank 0.
class Stream {
public:
    Stream(const vfd::Image& image, const vfd::ThreadView& thread, const RankClock& clock)
        : image_(image), clock_(clock), reader_(thread, image.header().flags) {}

    bool next() {
        if (!reader_.next(event_))
            return false;
        now_ = time_of(event_.ticks);
        return true;
    }
    const Event& event() const { return event_; }
    Moment now() const { return now_; }
    bool is_transfer() const {
        return event_.kind == Event::Kind::Message || event_.kind == Event::Kind::Collective ||
               event_.kind == Event::Kind::Probe;
    }
    // The end of a transfer. It may be before now() where the program never saw the transfer complete.
    Moment begin() const { return std::min(now_, time_of(before(before(event_.ticks, event_.late), event_.duration))); }
    Moment end() const { return event_.late ? std::min(now_, time_of(before(event_.ticks, event_.late))) : now_; }
    bool complete() const { return reader_.complete(); }

private:
    static std::uint64_t before(std::uint64_t ticks, std::uint64_t by) { return ticks - std::min(ticks, by); }
    Moment time_of(std::uint64_t ticks) const { return clock_.convert(image_.clock().to_ns(ticks)); }

    const vfd::Image& image_;
    const RankClock& clock_;
    vfd::EventReader reader_;
    Event event_{};
    Moment now_ = 0;
};

struct Process {
    const vfd::Image* image;
    std::uint32_t rank;
    RankClock clock;
    std::unordered_map<std::uint32_t, std::uint32_t> groups; // the group's number in WaitStates, by its id in the file
};

// A thread and the MPI call that it is executing.
struct Cursor {
    Process* process;
    std::uint32_t thread;
    std::vector<std::uint32_t> places; // by node of the thread: index into Profile::nodes
    Stream stream;
    std::uint32_t call = vfd::NoNode;
    Moment entered = 0;
    // The senders of the messages to this rank that collective calls have ended with since the last such call.
    std::vector<std::uint32_t> sources{};
};

class Analysis {
public:
    Analysis(std::span<const vfd::Image> images, Profile& all, WaitStates::Tell tell) : all_(all) {
        find_processes(images);
        std::vector<WaitRank> ranks;
        for (const Process& process : processes_)
            ranks.push_back({process.rank, process.clock.error_ns(), longest_transfer(process)});
        states_ = std::make_unique<WaitStates>(ranks, std::move(tell));
        for (Process& process : processes_)
            open_streams(process);
    }

    Waits run() {
        auto later = [this](std::size_t a, std::size_t b) {
            return cursors_[a].stream.now() > cursors_[b].stream.now();
        };
        std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> earliest(later);
        for (std::size_t i = 0; i < cursors_.size(); ++i)
            if (cursors_[i].stream.next())
                earliest.push(i);
        while (!earliest.empty()) {
            const std::size_t i = earliest.top();
            earliest.pop();
            take(cursors_[i]);
            if (cursors_[i].stream.next())
                earliest.push(i);
        }
        states_->finish();
        return result();
    }

private:
    // Forked children take no part in the job's messages, so their recordings are left out.
    void find_processes(std::span<const vfd::Image> images) {
        const vfd::FileHeader* first = nullptr;
        for (const vfd::Image& image : images)
            if (image.header().flags & vfd::FlagMpi && (!first || image.header().rank < first->rank))
                first = &image.header();
        if (!first)
            throw std::runtime_error(images.empty() ? "no file" : images.front().label() + " is not of an MPI program");
        for (const vfd::Image& image : images) {
            const vfd::FileHeader& header = image.header();
            if (!(header.flags & vfd::FlagMpi) || header.flags & vfd::FlagForked)
                continue;
            if (!(header.flags & vfd::FlagSampling))
                throw std::runtime_error(image.label() + " has no timeline: record with sampling.active");
            vfd::require_unpacking(image.threads(), image.label());
            processes_.push_back(
                {&image, static_cast<std::uint32_t>(std::max(header.rank, 0)), RankClock(header, *first), {}});
        }
    }

    std::int64_t longest_transfer(const Process& process) {
        std::int64_t longest = 0;
        for (const vfd::ThreadView& thread : process.image->threads()) {
            Stream stream(*process.image, thread, process.clock);
            while (stream.next())
                if (stream.is_transfer())
                    longest = std::max(longest, stream.now() - stream.begin());
            waits_.cut_streams += !stream.complete();
        }
        return longest;
    }

    void open_streams(Process& process) {
        PathIndices places(*process.image, all_);
        for (const vfd::ThreadView& thread : process.image->threads())
            cursors_.push_back(
                {&process, thread.record->index, places.place(thread), Stream(*process.image, thread, process.clock)});
    }

    void take(Cursor& cursor) {
        const Event& event = cursor.stream.event();
        switch (event.kind) {
        case Event::Kind::Enter:
            if (all_.nodes[cursor.places.at(event.node)].kind == NodeKind::Mpi) {
                cursor.call = event.node;
                cursor.entered = cursor.stream.now();
            }
            break;
        case Event::Kind::Leave:
            if (event.node == cursor.call)
                cursor.call = vfd::NoNode;
            break;
        case Event::Kind::Thread:
            cursor.call = vfd::NoNode;
            break;
        case Event::Kind::Message:
            take_message(cursor, event);
            break;
        case Event::Kind::Collective:
            take_collective(cursor, event);
            cursor.sources.clear();
            break;
        case Event::Kind::Probe:
            states_->add(WaitProbe{cursor.process->rank, event.target, event.communicator, event.tag, event.bytes,
                                   cursor.stream.begin(), cursor.stream.end(), path_of(cursor, event), event.takes,
                                   cursor.thread});
            break;
        }
    }

    // The call in which a transfer that ends now waited: the call that the thread is executing; for a send whose end
    // was not seen, the call that began it.
    std::uint32_t path_of(const Cursor& cursor, const Event& event) const {
        const std::uint32_t node = cursor.call != vfd::NoNode && !event.late ? cursor.call : event.node;
        return node < cursor.places.size() ? cursor.places[node] : 0;
    }
    Moment entered(const Cursor& cursor, const Event& event) const {
        return cursor.call != vfd::NoNode && !event.late ? std::max(cursor.entered, cursor.stream.begin())
                                                         : cursor.stream.begin();
    }

    void take_message(Cursor& cursor, const Event& event) {
        if (event.tag < 0 && event.span == vfd::Span::Rank && event.direction == vfd::Direction::Receive)
            cursor.sources.push_back(event.target);
        if (event.tag < 0 || event.span != vfd::Span::Rank || event.direction == vfd::Direction::Get)
            return; // transfers of collective or one-sided calls do not count here
        states_->add(WaitMessage{cursor.process->rank, event.target, event.direction == vfd::Direction::Send, event.tag,
                                 event.bytes, cursor.stream.begin(), cursor.stream.end(), entered(cursor, event),
                                 path_of(cursor, event), event.communicator, cursor.thread});
    }

    void take_collective(const Cursor& cursor, const Event& event) {
        const std::uint32_t started = cursor.places.at(event.node);
        const std::string& name = all_.names[all_.nodes[started].name];
        auto function = functions_.try_emplace(common_name(name), functions_.size()).first->second;
        auto group = group_of(*cursor.process, event.target);
        if (!group)
            return;
        states_->add(WaitCollective{cursor.process->rank, *group, static_cast<std::uint32_t>(function),
                                    flow_of(name, event.root >= 0),
                                    static_cast<std::int32_t>(std::min<std::int64_t>(event.root, 0x7fffffff)),
                                    cursor.stream.begin(), cursor.stream.now(), entered(cursor, event),
                                    path_of(cursor, event), event.communicator, cursor.sources, cursor.thread});
    }

    std::optional<std::uint32_t> group_of(Process& process, std::uint32_t id) {
        auto known = process.groups.find(id);
        if (known != process.groups.end())
            return known->second;
        const vfd::GroupView* group = process.image->group(id);
        if (!group)
            return std::nullopt;
        std::vector<std::uint32_t> members;
        if (group->size <= processes_.size())
            group->for_each_rank([&](std::uint32_t rank) { members.push_back(rank); });
        else
            members = {vfd::ForeignRank}; // a rank that has no file, which marks the group as unknown
        return process.groups[id] = states_->group(members);
    }

    // Divides the time in MPI into waits and the rest.
    void divide_mpi() {
        const std::map<std::uint32_t, std::uint64_t> waits = states_->by_rank();
        for (const Process& process : processes_) {
            const Breakdown breakdown = breakdown_of(*process.image);
            const std::uint64_t outside = breakdown.outside_mpi.sum, mpi = breakdown.longest - outside;
            const auto found = waits.find(process.rank);
            const std::uint64_t waiting = found == waits.end() ? 0 : std::min(found->second, mpi);
            waits_.in_mpi += mpi;
            waits_.waiting += waiting;
            waits_.ideal = std::max(waits_.ideal, outside + waiting);
        }
    }

    Waits result() {
        waits_.sums = states_->sums();
        waits_.late = states_->late();
        waits_.messages = states_->messages();
        waits_.unmatched_messages = states_->unmatched_messages();
        waits_.calls = states_->collective_calls();
        waits_.unmatched_calls = states_->unmatched_calls();
        waits_.clock_error = states_->clock_error();
        for (const Process& process : processes_)
            waits_.clocks_known &= process.clock.known();
        divide_mpi();
        return std::move(waits_);
    }

    Profile& all_;
    std::vector<Process> processes_; // filled completely before pointers to elements are taken
    std::unique_ptr<WaitStates> states_;
    std::vector<Cursor> cursors_;
    std::map<std::string, std::size_t> functions_;
    Waits waits_;
};

} // namespace

Waits waits_of(std::span<const vfd::Image> images, Profile& all, WaitStates::Tell tell) {
    return Analysis(images, all, std::move(tell)).run();
}

} // namespace vftr::analysis
