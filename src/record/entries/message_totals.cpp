// SPDX-License-Identifier: BSD-3-Clause
#include "record/entries/message_totals.hpp"

#include "base/clock.hpp"
#include "base/errno_preserved.hpp"
#include "base/message.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/observers.hpp"
#include "record/recorder.hpp"
#include "record/stream/events.hpp"

namespace vftr::record {

using vfd::ExtendedKind;
using vfd::GroupRun;

namespace {

constexpr std::size_t MaxTypeName = 4096; // longer names are cut

VFTR_COLD void lose_messages() {
    std::atomic_ref(recorder.writer.header().flags).fetch_or(vfd::FlagMessagesLost);
    static std::atomic_flag warned = ATOMIC_FLAG_INIT;
    if (!warned.test_and_set())
        base::warn("no memory for messages: not all of them are recorded");
}

std::uint64_t ticks_from(const CallInstance& place, std::uint64_t end) {
    return end > place.enter ? end - place.enter : 0;
}

// Makes room for the longest record of a message; without room the stream has ended.
bool message_room(ThreadState& state, std::uint64_t now) {
    auto enough = [&state] {
        return state.event_end - state.event_next >= std::ptrdiff_t{vfd::MaxMessageBytes - vfd::MaxEventBytes};
    };
    return enough() || (next_event_segment(state, now, state.top) && enough());
}

void add(vfd::Traffic& sum, std::uint64_t transfers, std::uint64_t bytes, std::uint64_t ticks) {
    sum.transfers += transfers;
    sum.bytes += bytes;
    sum.ticks += ticks;
}

// Adds one stage of a transfer to the sums. One thread may withdraw what another one has counted, so only the sums over
// all threads are meaningful, modulo 2^64.
void count_transfer(vfd::Traffic& sum, const Transfer& t) {
    switch (t.stage) {
    case Stage::Whole:
    case Stage::Begun:
        add(sum, 1, t.bytes, ticks_from(t.place, t.end));
        break;
    case Stage::Ended:
        add(sum, 0, 0, t.end > t.counted_to ? t.end - t.counted_to : 0);
        break;
    case Stage::Withdrawn:
        --sum.transfers;
        sum.bytes -= t.bytes;
        sum.ticks -= ticks_from(t.place, t.counted_to);
        break;
    case Stage::Unseen:
        break;
    }
}

// Duration of the call that ends, in the stream's times: since its enter in the stream.
std::uint64_t ticks_in_stream(const ThreadState& state, const CallInstance& place, std::uint64_t end) {
    return (in_units(state, end) - in_units(state, std::min(place.enter, end))) << state.event_unit_bits;
}

std::uint8_t* put_tag(std::uint8_t* out, std::int32_t tag) {
    return put_leb128(out, base::zigzag(static_cast<std::uint64_t>(std::int64_t{tag})));
}

void log_transfer(ThreadState& state, const Transfer& t) {
    const bool unseen = t.stage == Stage::Unseen;
    const std::uint64_t now = unseen ? base::read_ticks() : t.end;
    if (!message_room(state, now))
        return;
    bool elsewhere = t.place.thread != state.record->index;
    std::uint8_t* out = begin_extended(state, ExtendedKind::Message, now);
    *out++ = static_cast<std::uint8_t>(static_cast<unsigned>(t.direction) | static_cast<unsigned>(t.span) << 2 |
                                       (elsewhere ? vfd::MessageElsewhere : 0u) | (unseen ? vfd::MessageUnseen : 0u) |
                                       (t.communicator != 0 ? vfd::MessageCommunicator : 0u));
    if (unseen)
        out = put_leb128(out, (in_units(state, now) - in_units(state, std::min(t.end, now))) << state.event_unit_bits);
    out = put_leb128(out, ticks_in_stream(state, t.place, t.end));
    if (elsewhere)
        out = put_leb128(out, t.place.thread);
    out = put_leb128(out, t.place.node);
    out = put_leb128(out, t.target);
    out = put_leb128(out, t.bytes);
    out = put_leb128(out, t.type);
    out = put_tag(out, t.tag);
    if (t.communicator != 0)
        out = put_leb128(out, t.communicator);
    end_event(state, out);
}

// Writes one record of the event stream that is no transfer, where there is a stream and room in it.
template <class Write>
void stream_guarded(std::uint64_t end, Write write) {
    ThreadState& state = *materialized_thread();
    if (!is_ready(state) || !(state.stream & StreamFile))
        return;
    hold_guard(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    if (message_room(state, end))
        write(state);
    release_guard(state);
}

// Whether b follows a with this step, and both are ranks of the same job.
bool follows(std::uint32_t a, std::uint32_t b, std::uint32_t step) {
    return b - a == step && ((a ^ b) & vfd::ForeignRank) == 0;
}

// Calls `visit` with each run of equal strides. The search is greedy: a run takes as many ranks as possible.
template <class Visit>
void for_each_run(std::span<const std::uint32_t> ranks, Visit visit) {
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t next = i + 1;
        std::uint32_t step = next < ranks.size() ? ranks[next] - ranks[i] : 0;
        while (next < ranks.size() && follows(ranks[next - 1], ranks[next], step))
            ++next;
        // A single rank before a longer run does not take that run's first member.
        if (next - i == 2 && next + 1 < ranks.size() &&
            follows(ranks[next], ranks[next + 1], ranks[next] - ranks[next - 1]))
            next = i + 1;
        GroupRun run{ranks[i], next - i == 1 ? 0 : static_cast<std::int32_t>(step),
                     static_cast<std::uint32_t>(next - i)};
        visit(run);
        i = next;
    }
}

// The runs of a group, in memory of their own.
class Runs {
public:
    explicit Runs(std::span<const std::uint32_t> ranks) {
        for_each_run(ranks, [this](const GroupRun&) { ++count_; });
        if (count_ > sizeof few_ / sizeof few_[0])
            runs_ = static_cast<GroupRun*>(base::map_anonymous(count_ * sizeof(GroupRun)));
        if (runs_) {
            std::size_t n = 0;
            for_each_run(ranks, [&](const GroupRun& run) { runs_[n++] = run; });
        }
    }
    ~Runs() {
        if (runs_ && runs_ != few_)
            base::unmap(runs_, count_ * sizeof(GroupRun));
    }
    Runs(const Runs&) = delete;
    Runs& operator=(const Runs&) = delete;
    explicit operator bool() const { return runs_; }
    std::span<const GroupRun> all() const { return {runs_, count_}; }

private:
    std::size_t count_ = 0;
    GroupRun few_[32];
    GroupRun* runs_ = few_;
};

// Interns a record of the process, for a thread whose guard can be held meanwhile.
template <class Intern>
std::uint32_t intern_guarded(Intern intern) {
    const ThreadState& state = *materialized_thread();
    if (!is_ready(state) && state.guard != GuardPaused)
        return 0;
    return base::preserving_errno([&] {
        HeldGuard held;
        const std::uint32_t id = intern();
        if (id == 0)
            lose_messages();
        return id;
    });
}

} // namespace

void record_transfer(const Transfer& transfer) {
    ThreadState& state = *materialized_thread();
    if (VFTR_UNLIKELY(!is_ready(state)))
        return;
    hold_guard(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    const CallInstance& place = transfer.place;
    vfd::Traffic* sum = state.traffic.at(
        traffic_key(place.thread, place.node, transfer.target, transfer.direction, transfer.span), state.record->index);
    if (VFTR_LIKELY(sum != nullptr))
        count_transfer(*sum, transfer);
    else
        lose_messages();
    const bool over = transfer.stage != Stage::Begun && transfer.stage != Stage::Withdrawn;
    if (VFTR_UNLIKELY(state.stream & StreamFile) && over)
        log_transfer(state, transfer);
    if (VFTR_UNLIKELY(state.subscription.wants & WantsMessages) && over)
        observers.dispatch_transfer(state, transfer);
    release_guard(state);
}

namespace {

TrafficKey key_of_rank(const CallInstance& place, std::uint32_t target, vfd::Direction direction) {
    return traffic_key(place.thread, place.node, target, direction, vfd::Span::Rank);
}

bool wants_sums_only(const ThreadState& state) {
    return state.guard == GuardReady && !(state.stream & StreamFile) && !(state.subscription.wants & WantsMessages);
}

__attribute__((noinline)) void add_to_another_sum(ThreadState& state, TrafficKey key, std::uint64_t transfers,
                                                  std::uint64_t bytes, std::uint64_t ticks) {
    if (vfd::Traffic* const sum = state.traffic.at(key, state.record->index))
        add(*sum, transfers, bytes, ticks);
    else
        lose_messages();
    release_guard(state);
}

// Needs no stack frame where it is the same sum as the time before. The guard is Ready.
VFTR_INLINE void add_to_sum(ThreadState& state, TrafficKey key, std::uint64_t stack_pointer, std::uint64_t transfers,
                            std::uint64_t bytes, std::uint64_t ticks) {
    hold_guard(state, stack_pointer);
    vfd::Traffic* const sum = state.traffic.same_as_before(key);
    if (!sum)
        return add_to_another_sum(state, key, transfers, bytes, ticks);
    add(*sum, transfers, bytes, ticks);
    release_guard(state);
}

VFTR_COLD CallInstance count_begun_otherwise(std::uint64_t end, std::uint32_t target, std::uint64_t bytes) {
    Transfer transfer{};
    transfer.place = innermost_call();
    transfer.end = end;
    transfer.target = target;
    transfer.direction = vfd::Direction::Send;
    transfer.span = vfd::Span::Rank;
    transfer.bytes = bytes;
    transfer.stage = Stage::Begun;
    record_transfer(transfer);
    return transfer.place;
}

} // namespace

CallInstance count_begun(std::uint64_t end, std::uint32_t target, std::uint64_t bytes) {
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa());
    ThreadState& state = *current;
    const vfd::Frame* const top = state.top;
    if (VFTR_UNLIKELY(state.guard != GuardReady || top->flags & vfd::FrameNotTimed))
        return count_begun_otherwise(end, target, bytes);
    const CallInstance place{state.record->index, top->node, top->enter};
    add_to_sum(state, key_of_rank(place, target, vfd::Direction::Send), here, 1, bytes, ticks_from(place, end));
    return place;
}

bool count_ended(CallInstance place, std::uint64_t counted_to, std::uint64_t end, std::uint32_t target) {
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa());
    ThreadState& state = *current;
    if (VFTR_UNLIKELY(!wants_sums_only(state)))
        return false;
    add_to_sum(state, key_of_rank(place, target, vfd::Direction::Send), here, 0, 0,
               end > counted_to ? end - counted_to : 0);
    return true;
}

bool count_received(CallInstance place, std::uint64_t end, std::uint32_t target, std::uint64_t bytes) {
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa());
    ThreadState& state = *current;
    if (VFTR_UNLIKELY(!wants_sums_only(state)))
        return false;
    add_to_sum(state, key_of_rank(place, target, vfd::Direction::Receive), here, 1, bytes, ticks_from(place, end));
    return true;
}

void record_collective(const CallInstance& place, std::uint64_t end, std::uint32_t group, std::int32_t root,
                       std::uint32_t communicator) {
    stream_guarded(end, [&](ThreadState& state) {
        const bool elsewhere = communicator != 0;
        std::uint8_t* out =
            begin_extended(state, elsewhere ? ExtendedKind::CollectiveElsewhere : ExtendedKind::Collective, end);
        if (elsewhere)
            out = put_leb128(out, communicator);
        out = put_leb128(out, ticks_in_stream(state, place, end));
        out = put_leb128(out, place.node);
        out = put_leb128(out, group);
        end_event(state, put_leb128(out, static_cast<std::uint32_t>(root + 1)));
    });
}

void record_probe(const Probe& probe) {
    stream_guarded(probe.end, [&](ThreadState& state) {
        std::uint8_t* out = begin_extended(state, ExtendedKind::Probe, probe.end);
        *out++ = probe.takes;
        out = put_leb128(out, ticks_in_stream(state, probe.place, probe.end));
        out = put_leb128(out, probe.place.node);
        out = put_leb128(out, probe.sender);
        out = put_leb128(out, probe.bytes);
        out = put_tag(out, probe.tag);
        end_event(state, put_leb128(out, probe.communicator));
    });
}

bool messages_are_streamed() {
    const ThreadState& state = *current;
    return state.guard != GuardOff && state.stream & StreamFile;
}

std::uint32_t intern_group(std::span<const std::uint32_t> ranks) {
    return intern_guarded([ranks]() -> std::uint32_t {
        Runs runs(ranks);
        return runs ? recorder.groups.intern(ranks.size(), std::as_bytes(runs.all())) : 0;
    });
}

std::uint32_t intern_type(std::string_view name, std::uint64_t size) {
    name = name.substr(0, MaxTypeName);
    return intern_guarded([name, size] { return recorder.types.intern(size, std::as_bytes(std::span(name))); });
}

} // namespace vftr::record
