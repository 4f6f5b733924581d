// SPDX-License-Identifier: BSD-3-Clause
//
// Wait states: time that a rank spends in MPI calls because another rank has not arrived yet.
//
// The states are those of the Scalasca tool set (F. Wolf, B. Mohr et al.; "Performance properties" of its manual):
//   Late Sender         A receive waits for its send to begin. The wait lasts from the begin of the receive, or from
//                       the entry of the call that completes it, to the begin of the send. A blocking probe waits in
//                       the same way for the message that it finds.
//   Late Receiver       A send that needs its receiver waits for the receive to be posted. A send that ended before
//   that
//                       (the message was buffered) did not wait.
//   Wait at Collective  A collective call waits for the members whose data it needs: all members ("Wait at Barrier",
//                       "Wait at N x N"), the root ("Late Broadcast"), or the lower ranks ("Early Scan"). The root of a
//                       reduction or gather waits until the last member has come, as it needs the data of each;
//                       Scalasca's "Early Reduce" ends with the first. On an intercommunicator a member needs the data
//                       of the other side, in a neighbourhood that of its sources.
//   Early Exit          The time from the moment when the first member leaves a barrier or N x N call to the moment
//   when
//                       the member itself leaves it ("… Completion").
//
// How calls are matched: the n-th send belongs to the n-th receive of the same communicator, sender, receiver, tag and
// size, in order of their begins, because MPI keeps the messages of a communicator in order. A probe has found the
// message that the first receive gets which begins after it, unless an earlier probe has taken that message
// (MPI_Mprobe). The n-th calls of one collective function by the members of one communicator belong together.
// Recordings from before communicators were recorded have the number 0 for all of them. Their messages may be confused
// if they agree in all else, and their collective calls are matched by group.
//
// Messages are added in order of their ends. A message of a rank is settled, and can be matched, when no later message
// can have begun before it. So only the messages that are not settled, and those whose partner has not come yet, are
// held in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vftr::analysis {

enum class WaitState : std::uint8_t { LateSender, LateReceiver, Collective, EarlyExit };
inline constexpr std::size_t WaitStateCount = 4;
using TimeByState = std::array<std::uint64_t, WaitStateCount>; // ns
// In place, as findings name states: a library that has these needs nothing else of this.
inline const char* name_of(WaitState state) {
    switch (state) {
    case WaitState::LateSender:
        return "late sender";
    case WaitState::LateReceiver:
        return "late receiver";
    case WaitState::Collective:
        return "wait at collective";
    case WaitState::EarlyExit:
        return "early exit";
    }
    return "";
}

// Times are nanoseconds on one clock for all ranks.
using Moment = std::int64_t;

struct WaitRank {
    std::uint32_t rank;
    std::int64_t clock_error; // by how much its clock may be wrong
    std::int64_t longest;     // upper bound for the duration of its messages and collective calls
};

// One message between two ranks, as one of them saw it.
struct WaitMessage {
    std::uint32_t rank, peer;
    bool send;
    std::int32_t tag;
    std::uint64_t bytes;
    Moment begin, end;
    Moment entered;                 // when the call that completed it was entered; for a blocking call its begin
    std::uint32_t path;             // of the call that completed it
    std::uint32_t communicator = 0; // its number, see vfd/format_events.hpp
    std::uint32_t thread = 0;       // the one that completed it
};

// A message that a blocking probe has found.
struct WaitProbe {
    std::uint32_t rank, sender;
    std::uint32_t communicator;
    std::int32_t tag;
    std::uint64_t bytes;
    Moment begin, end;
    std::uint32_t path;
    bool takes; // the probe has taken the message (MPI_Mprobe)
    std::uint32_t thread = 0;
};

enum class Flow : std::uint8_t { AllToAll, RootToAll, AllToRoot, Prefix, Neighbours, Unknown };
// The flow of the data in a function such as "MPI_Bcast"; Unknown where MPI_Start has begun a call with a root.
// has_root is not asked for a function whose name tells the flow.
Flow flow_of(std::string_view function, bool has_root);

struct WaitCollective {
    std::uint32_t rank;
    // From WaitStates::group: the members of the communicator; of an intercommunicator those of the other side.
    std::uint32_t group;
    std::uint32_t function; // a number that stands for its name
    Flow flow;
    std::int32_t root; // index into the group's members; -1: it has none, or it is on this side of an intercommunicator
    Moment begin, end, entered;
    std::uint32_t path;
    std::uint32_t communicator = 0;       // its number
    std::vector<std::uint32_t> sources{}; // of Flow::Neighbours: the ranks from which it gets data
    std::uint32_t thread = 0;
};

// A single wait.
struct Wait {
    std::uint32_t rank, thread; // that waited
    std::uint32_t path;         // of its call
    WaitState state;
    Moment begin;
    std::uint64_t ns;
    std::uint32_t cause; // the rank that came late; of an early exit the one that left first
};

// The waits in one state on one call path, over all ranks.
struct WaitSum {
    std::uint32_t path;
    WaitState state;
    std::uint64_t waits, ns;
    std::uint64_t worst_ns; // time of the rank that waited longest (the lowest one of several)
    std::uint32_t worst_rank;
    std::uint64_t cause_ns; // time that others waited for the rank that they waited for most (the lowest of several); 0
                            // for an early exit, which has no cause
    std::uint32_t cause_rank;
};

// The time that others lost because one rank came late to collective calls. The sum over all ranks and paths equals
// that of all waits at collectives.
struct LateSum {
    std::uint32_t path; // call path of the late rank
    std::uint32_t rank;
    std::uint64_t calls; // its calls on the path whose partners are known
    std::uint64_t late;  // those of them for which another rank waited
    std::uint64_t ns;    // how long all others waited for the rank
};

class WaitStates {
public:
    using Tell = std::function<void(const Wait&)>;

    // The ranks whose messages will be added; nothing is known of other ranks. `tell` gets each wait that is counted,
    // in no certain order.
    explicit WaitStates(const std::vector<WaitRank>& ranks, Tell tell = {});

    // The number of the group with these members; equal lists get the same number.
    std::uint32_t group(const std::vector<std::uint32_t>& members);
    // Messages, probes and calls must be added in order of `end`, over all ranks together.
    void add(const WaitMessage& message);
    void add(const WaitProbe& probe);
    void add(const WaitCollective& call);
    // To be called after the last add().
    void finish();

    // Sorted by path and state.
    std::vector<WaitSum> sums() const;
    // Sorted by path and rank; only ranks that were late.
    std::vector<LateSum> late() const;
    // For each rank that waited, the ns for which it waited for others to begin. Early exits are not included, as they
    // are part of the communication.
    std::map<std::uint32_t, std::uint64_t> by_rank() const;
    std::uint64_t messages() const { return messages_; } // sends and receives
    std::uint64_t unmatched_messages() const { return messages_ - matched_messages_; }
    std::uint64_t collective_calls() const { return calls_; }
    std::uint64_t unmatched_calls() const { return calls_ - matched_calls_; }
    // The largest clock error between any two ranks. Waits that are shorter than the error between their two ranks are
    // not counted.
    std::int64_t clock_error() const;
    // The number of messages, probes and calls that are held at present.
    std::size_t held() const { return held_; }

private:
    struct LaterBegin {
        template <typename T>
        bool operator()(const T& a, const T& b) const {
            return a.begin > b.begin;
        }
    };
    template <typename T>
    using ByBegin = std::priority_queue<T, std::vector<T>, LaterBegin>;

    struct ChannelKey {
        std::uint32_t communicator, from, to;
        std::int32_t tag;
        std::uint64_t bytes;
        bool operator==(const ChannelKey&) const = default;
    };
    struct Channel {
        ByBegin<WaitMessage> sends, receives;
        ByBegin<WaitProbe> probes;
    };
    // Several messages that one call completes wait at the same time, so only the longest wait counts. Of the wait for
    // a late receiver, only what exceeds the wait for a late sender counts. (An eager send that ends in MPI_Waitall
    // seems to have waited as long as the receive that the same call completes.)
    struct CallKey {
        std::uint32_t rank, path;
        Moment entered;
        bool operator==(const CallKey&) const = default;
    };
    struct Call {
        std::uint64_t open = 0;                 // number of messages that have no partner yet
        std::uint32_t thread = 0;               // that executes it
        std::array<std::uint64_t, 2> longest{}; // late sender, late receiver
        std::array<std::uint32_t, 2> cause{};   // the rank that caused the longest wait
        std::array<Moment, 2> begin{};          // of the longest wait
    };
    struct Hash {
        std::size_t operator()(const ChannelKey& key) const;
        std::size_t operator()(const CallKey& key) const;
    };
    struct Group {
        std::vector<std::uint32_t> members;
        std::unordered_map<std::uint32_t, std::uint32_t> place; // by rank: index into `members`
        bool known;                                             // whether the calls of all members will be added
        // Of both sides of an intercommunicator: how many of the first members are one side. 0: it is none.
        std::uint32_t first_side = 0;
    };
    // Of an intercommunicator each call tells the members of the other side only.
    struct Sides {
        std::vector<std::uint32_t> groups; // those that calls have told, at most two
        std::uint32_t both = 0;            // the group of all members, once two are known
        std::vector<WaitCollective> early; // calls until then
    };
    // The calls of one function by the members of one communicator.
    struct Series {
        std::vector<ByBegin<WaitCollective>> pending; // by member's index
        std::vector<std::uint64_t> settled;           // number of settled calls, by member's index
        std::uint64_t first = 0;                      // number of the call that is meetings.front()
        std::deque<std::vector<WaitCollective>> meetings;
    };

    struct Known {
        std::int64_t clock_error, longest;
    };

    bool settled(std::uint32_t rank, Moment begin) const;
    std::int64_t error(std::uint32_t a, std::uint32_t b) const;
    void match(std::unordered_map<ChannelKey, Channel, Hash>::iterator channel);
    void compare(const WaitMessage& send, const WaitMessage& receive);
    void compare_probes(ByBegin<WaitProbe>& probes, const WaitMessage& send, const WaitMessage& receive);
    Call& open_call(const CallKey& key, std::uint32_t thread);
    void wait_for_message(const CallKey& waiting, WaitState state, Moment from, Moment until, std::uint32_t other);
    void release(const CallKey& key);
    void count_waits(const std::pair<const CallKey, Call>& call);
    std::uint32_t new_group(const std::vector<std::uint32_t>& members);
    void add_to_series(const WaitCollective& call);
    void add_of_sides(const WaitCollective& call);
    std::uint32_t both_sides(std::uint32_t first, std::uint32_t second);
    void settle_calls(const Group& group, Series& series, std::size_t place);
    void compare(const Group& group, const std::vector<WaitCollective>& meeting);
    void compare_members(const Group& group, const std::vector<const WaitCollective*>& calls);
    static const WaitCollective& latest_source(const Group& group, const std::vector<const WaitCollective*>& calls,
                                               const WaitCollective& call);
    void compare_sides(const Group& group, const std::vector<const WaitCollective*>& calls);
    void early_exits(const std::vector<WaitCollective>& meeting);
    void wait_for(const WaitCollective& waiting, const WaitCollective& other);
    void count(const Wait& wait);

    struct Sum {
        std::uint64_t waits = 0, ns = 0;
    };
    using SumKey = std::array<std::uint32_t, 3>; // path, state, rank
    struct Late {
        std::uint64_t calls = 0, late = 0, ns = 0;
        std::uint64_t meeting = 0; // number of the latest meeting for which it was late
    };

    Tell tell_;
    std::unordered_map<std::uint32_t, Known> ranks_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> group_numbers_;
    std::vector<Group> groups_;
    std::unordered_map<ChannelKey, Channel, Hash> channels_;
    std::unordered_map<CallKey, Call, Hash> open_calls_;
    std::map<std::array<std::uint32_t, 2>, std::uint32_t> unions_; // the groups of both sides, by those of each
    std::unordered_map<std::uint32_t, Sides> intercommunicators_;
    std::map<std::array<std::uint32_t, 3>, Series> series_; // by communicator, group and function
    std::map<SumKey, Sum> sums_;
    std::map<SumKey, std::uint64_t> causes_;            // ns, by path, state and the rank that was waited for
    std::map<std::array<std::uint32_t, 2>, Late> late_; // by path and rank
    std::uint64_t meetings_ = 0;
    Moment now_ = 0; // end of the latest message or call
    bool finished_ = false;
    std::uint64_t messages_ = 0, matched_messages_ = 0, calls_ = 0, matched_calls_ = 0;
    std::size_t held_ = 0;
};

} // namespace vftr::analysis
