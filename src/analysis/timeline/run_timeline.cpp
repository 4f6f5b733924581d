// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/run_timeline.hpp"

#include "analysis/recording/path_indices.hpp"
#include "analysis/recording/process_title.hpp"
#include "analysis/timeline/event_order.hpp"
#include "analysis/timeline/open_calls.hpp"
#include "analysis/timeline/outlined_functions.hpp"
#include "analysis/timeline/selected_calls.hpp"
#include "base/foreign_text.hpp"
#include "vfd/header_fields.hpp"
#include "vfd/packed.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vftr::analysis {
namespace {

using vfd::Event;

constexpr std::size_t MostMessagesAhead = 1 << 18; // messages of a thread, of 96 bytes each

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15; // the golden ratio, as in Fibonacci hashing
    return hash ^ hash >> 29;
}

// The channel of a message between two ranks, as both of them know it.
std::uint64_t channel(std::uint32_t sender, std::uint32_t receiver, const Event& event) {
    std::uint64_t hash = mixed(event.communicator, std::uint64_t{sender} << 32 | receiver);
    return mixed(mixed(hash, static_cast<std::uint32_t>(event.tag)), event.bytes);
}

std::uint64_t bytes_of(const vfd::ThreadView& view) {
    std::uint64_t bytes = 0;
    for (const vfd::Segment& part : view.events)
        bytes += part.payload.size();
    return bytes;
}

// In ticks from its begin to its place in the stream, at least 1; 0: there is none.
std::uint64_t longest_message(const vfd::ThreadView& view, std::uint32_t flags) {
    std::uint64_t longest = 0;
    vfd::EventReader reader(view, flags);
    Event event;
    while (reader.next(event))
        if (event.kind == Event::Kind::Message)
            longest = std::max({longest, event.ticks - EventOrder::begin_of(event), std::uint64_t{1}});
    return longest;
}

// The messages of a thread, and how long its calls take.
class Counted final : public TimelineVisitor {
public:
    // `ranks`: of the processes that have timelines.
    Counted(CallDurations& durations, const std::unordered_set<std::uint32_t>& ranks, RunThread& thread)
        : durations_(durations), ranks_(ranks), thread_(thread) {}

    void enter(std::uint64_t ns, std::uint32_t) override { begins_.push_back(ns); }
    void leave(std::uint64_t ns, std::uint32_t) override {
        durations_.add(ns - std::min(ns, begins_.back()));
        begins_.pop_back();
    }
    void message(const TimelineMessage& message) override {
        ++thread_.messages;
        if (message.pair == 0)
            return;
        ++thread_.paired;
        thread_.one_ended += !ranks_.contains(message.peer);
    }
    void collective(const TimelineCollective&) override { ++thread_.collectives; }

private:
    CallDurations& durations_;
    const std::unordered_set<std::uint32_t>& ranks_;
    RunThread& thread_;
    std::vector<std::uint64_t> begins_;
};

} // namespace

// The events of one thread as calls that nest.
class RunTimeline::ThreadEvents {
public:
    ThreadEvents(const RunTimeline& run, const RunThread& thread, TimelineVisitor& visitor)
        : run_(run), thread_(thread), process_(run.processes_[thread.process]), image_(*process_.image),
          tick_clock_(image_.clock()), view_(*image_.thread(thread.index)), visitor_(visitor),
          places_(run.places_of(thread.process).place(view_)), outlined_(outlined_functions(view_, places_, run.all_)),
          parents_(parents()), calls_(parents_, process_.exact) {
        if (!places_.empty())
            places_[0] = 0; // also of a thread whose work is attributed to another one's path
    }

    // False: the stream could not be decoded to the end.
    bool visit() {
        EventOrder events(view_, image_.header().flags, EventOrder::Others::All, outlined_, thread_.longest_message,
                          thread_.longest_message != 0 ? MostMessagesAhead : 0);
        now_ = run_.begin_of(process_, view_);
        if (view_.node_count != 0)
            calls_.enter(0, *this);
        constexpr std::uint32_t Between = 1 << 16;
        for (std::uint32_t count = 0; events.next(); ++count) {
            if (count % Between == 0)
                run_.tell(thread_, now_);
            if (events.is_message())
                take_message(events.event());
            else
                take(events.event());
        }
        now_ = std::max(now_, run_.end_of(process_, view_));
        finish();
        return events.complete();
    }

    // What changes in calls_.
    void enter(std::uint32_t node) { visitor_.enter(now_, places_[node]); }
    void leave(std::uint32_t node) { visitor_.leave(now_, places_[node]); }

private:
    // The callers, without outlined functions.
    std::vector<std::uint32_t> parents() const {
        std::vector<std::uint32_t> parents(places_.size());
        for (std::uint32_t id = 1; id < parents.size(); ++id) {
            const std::uint32_t parent = std::min(view_.node(id).parent, id - 1);
            parents[id] = outlined_[parent] ? parents[parent] : parent;
        }
        return parents;
    }

    std::uint64_t ns(std::uint64_t ticks) const {
        return run_.since_start(process_.clock.convert(tick_clock_.to_ns(ticks)));
    }

    void take(const Event& event) {
        now_ = std::max(now_, ns(event.ticks));
        std::uint32_t node = event.node;
        switch (event.kind) {
        case Event::Kind::Enter:
        case Event::Kind::Leave:
            if (node == vfd::NoNode || node >= parents_.size())
                return;
            if (outlined_[node]) {
                if (process_.exact)
                    return;
                node = parents_[node];
            }
            if (event.kind == Event::Kind::Enter)
                calls_.enter(node, *this);
            else if (node != 0)
                calls_.leave(node, *this);
            return;
        case Event::Kind::Thread:
            calls_.leave_all(*this);
            calls_.enter(0, *this);
            return;
        case Event::Kind::Collective:
            visitor_.collective({std::min(now_, ns(EventOrder::begin_of(event))), now_, path_of(event),
                                 image_.group(event.target), event.communicator, event.root, meeting_of(event)});
            return;
        case Event::Kind::Message:
        case Event::Kind::Probe:
            return;
        }
    }

    std::uint32_t path_of(const Event& event) const {
        return event.thread == thread_.index && event.node < places_.size() ? places_[event.node] : 0;
    }

    void take_message(const Event& event) {
        const std::uint64_t begin = std::max(now_, ns(EventOrder::begin_of(event)));
        now_ = begin;
        TimelineMessage message{begin,
                                std::max(begin, ns(EventOrder::end_of(event))),
                                path_of(event),
                                event.direction,
                                0,
                                nullptr,
                                event.span == vfd::Span::Group,
                                event.bytes,
                                event.type,
                                event.tag,
                                event.communicator,
                                0};
        if (event.span == vfd::Span::Rank)
            message.peer = event.target;
        else if (!(message.group = image_.group(event.target)))
            return;
        if (event.span == vfd::Span::Rank && event.tag >= 0 && event.direction != vfd::Direction::Get)
            message.pair = pair_of(event);
        visitor_.message(message);
    }

    // A number that the n-th send and the n-th receive of a channel have in common.
    std::uint64_t pair_of(const Event& event) const {
        const bool send = event.direction == vfd::Direction::Send;
        const std::uint64_t between =
            send ? channel(process_.rank, event.target, event) : channel(event.target, process_.rank, event);
        const std::uint64_t own = mixed(mixed(between, thread_.process), send);
        const std::uint64_t pair = mixed(between, run_.begun_[own]++);
        return pair != 0 ? pair : 1;
    }

    // A number that the n-th calls of a function on a communicator have in common.
    std::uint64_t meeting_of(const Event& event) const {
        const std::uint32_t path = path_of(event);
        if (path == 0)
            return 0;
        const std::uint64_t series = mixed(mixed(event.communicator, run_.all_.nodes[path].name), 1);
        const std::uint64_t meeting = mixed(series, run_.begun_[series]++);
        return meeting != 0 ? meeting : 1;
    }

    void finish() {
        if (process_.ended || view_.record->end != 0)
            calls_.leave_all(*this);
        std::vector<std::uint32_t> open;
        for (const std::uint32_t node : calls_.open())
            open.push_back(places_[node]);
        visitor_.still_open(now_, open);
    }

    const RunTimeline& run_;
    const RunThread& thread_;
    const RunProcess& process_;
    const vfd::Image& image_;
    const vfd::TickClock& tick_clock_;
    const vfd::ThreadView& view_;
    TimelineVisitor& visitor_;
    std::vector<std::uint32_t> places_; // by node: index into Profile::nodes
    std::vector<bool> outlined_;
    std::vector<std::uint32_t> parents_;
    OpenCalls calls_;
    std::uint64_t now_ = 0;
};

RunTimeline::RunTimeline(std::span<const vfd::Image> images, Profile& all, Selection selection, Progress progress)
    : all_(all), first_selection_(std::move(selection)), selection_(first_selection_), progress_(std::move(progress)) {
    const vfd::FileHeader* rank0 = nullptr;
    std::vector<vfd::FileHeader> headers;
    headers.reserve(images.size());
    for (const vfd::Image& image : images)
        headers.push_back(image.header());
    for (const vfd::FileHeader& header : headers)
        if (!rank0 || header.rank < rank0->rank)
            rank0 = &header;
    // That of the whole run, whatever part of it is selected.
    bool first = true;
    for (const vfd::FileHeader& header : headers) {
        const std::int64_t start = RankClock(header, *rank0).convert(header.start.monotonic_ns);
        if (first || start < start_) {
            start_ = start;
            start_realtime_ = header.start.realtime_ns;
        }
        first = false;
    }
    for (const vfd::Image& image : images)
        add_process(image, *rank0);
    for (const RunProcess& process : processes_)
        ranks_.insert(process.rank);
    for (std::uint32_t i = 0; i < processes_.size(); ++i)
        add_threads(i);
    for (RunThread& thread : threads_)
        if (is_counted_first(thread))
            count(thread);
}

RunTimeline::~RunTimeline() = default;

void RunTimeline::add_process(const vfd::Image& image, const vfd::FileHeader& rank0) {
    const vfd::FileHeader header = image.header();
    if (header.kind != vfd::FileKind::Process || !(header.flags & vfd::FlagSampling) ||
        !selection_.ranks.contains(std::max(header.rank, 0)))
        return;
    vfd::require_unpacking(image.threads(), image.label());
    processes_.push_back({&image, static_cast<std::uint32_t>(std::max(header.rank, 0)), RankClock(header, rank0),
                          process_title(image), base::foreign_text(vfd::string_of(header.hostname)),
                          (header.flags & vfd::FlagAllEvents) != 0,
                          image.closed() && !(header.flags & (vfd::FlagRecovered | vfd::FlagSnapshot))});
}

// Within a thread the events are taken as evenly spread over its time.
void RunTimeline::tell(const RunThread& thread, std::uint64_t now) const {
    if (!progress_ || all_bytes_ == 0)
        return;
    const double time =
        static_cast<double>(std::max<std::uint64_t>(thread.end - std::min(thread.begin, thread.end), 1));
    const double part = std::min(1.0, static_cast<double>(now - std::min(thread.begin, now)) / time);
    progress_((static_cast<double>(done_bytes_) + part * static_cast<double>(thread.bytes)) /
              static_cast<double>(all_bytes_));
}

void RunTimeline::add_threads(std::uint32_t process) {
    const vfd::Image& image = *processes_[process].image;
    end_ = std::max(end_, since_start(processes_[process], image.end_ticks()));
    for (const vfd::ThreadView& view : image.threads()) {
        if (!selection_.threads.contains(view.record->index))
            continue;
        RunThread thread{};
        thread.process = process;
        thread.index = view.record->index;
        thread.tid = view.record->tid;
        thread.begin = clipped(begin_of(processes_[process], view));
        thread.end = clipped(end_of(processes_[process], view));
        thread.bytes = bytes_of(view);
        if (image.header().flags & vfd::FlagMpi)
            thread.longest_message = longest_message(view, image.header().flags);
        threads_.push_back(thread);
        all_bytes_ += thread.bytes;
        if (!is_counted_first(thread))      // else counting does so
            places_of(process).place(view); // appends paths
    }
}

bool RunTimeline::is_counted_first(const RunThread& thread) const {
    const RunProcess& process = processes_[thread.process];
    return process.image->header().flags & vfd::FlagMpi || !process.ended;
}

void RunTimeline::count(RunThread& thread) {
    Counted counter(durations_, ranks_, thread);
    visit_selected(thread, first_selection_, counter);
    done_bytes_ += thread.bytes;
}

const CallDurations& RunTimeline::durations() {
    if (!std::exchange(all_counted_, true)) {
        done_bytes_ = 0;
        for (RunThread& thread : threads_)
            if (!is_counted_first(thread))
                count(thread);
    }
    return durations_;
}

std::uint64_t RunTimeline::clipped(std::uint64_t ns) const {
    return std::clamp(ns, selection_.from, std::max(selection_.from, selection_.to));
}

std::uint64_t RunTimeline::since_start(const RunProcess& process, std::uint64_t ticks) const {
    return since_start(process.clock.convert(process.image->clock().to_ns(ticks)));
}

std::uint64_t RunTimeline::begin_of(const RunProcess& process, const vfd::ThreadView& view) const {
    return since_start(process, view.first_begin());
}
std::uint64_t RunTimeline::end_of(const RunProcess& process, const vfd::ThreadView& view) const {
    return since_start(process, view.record->end ? view.record->end : process.image->end_ticks());
}

PathIndices& RunTimeline::places_of(std::uint32_t process) const {
    if (!places_ || places_process_ != process)
        places_ = std::make_unique<PathIndices>(*processes_[process].image, all_);
    places_process_ = process;
    return *places_;
}

void RunTimeline::visit(const RunThread& thread, TimelineVisitor& visitor) const {
    const std::size_t at = static_cast<std::size_t>(&thread - threads_.data());
    if (at == 0 || threads_[at - 1].process != thread.process)
        begun_.clear();
    if (at == 0)
        done_bytes_ = 0;
    visit_selected(thread, selection_, visitor);
    done_bytes_ += thread.bytes;
}

void RunTimeline::visit_selected(const RunThread& thread, const Selection& selection, TimelineVisitor& visitor) const {
    bool complete = false;
    if (selection.has_whole_threads()) {
        complete = ThreadEvents(*this, thread, visitor).visit();
    } else {
        SelectedCalls selected(selection, all_, visitor);
        complete = ThreadEvents(*this, thread, selected).visit();
    }
    has_cut_stream_ |= !complete;
}

} // namespace vftr::analysis
