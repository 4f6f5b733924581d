// SPDX-License-Identifier: BSD-3-Clause
//
// Wait states: time in MPI calls that a rank spent because another one was not there yet.
//
// The states are those of the Scalasca tool set (F. Wolf, B. Mohr et al.; "Performance properties"
// of its manual):
//   Late Sender       a receive waits for its send to begin: from its own begin, or from entering
//   the call that completes it,
//                     to the begin of the send
//   Late Receiver     a send that needs its receiver waits for the receive to be posted. One that
//   ended before (the message was
//                     buffered) did not wait.
//   Wait at Collective  a collective call waits for those whose data it needs: all members ("Wait
//   at Barrier", "Wait at N x N"),
//                     the root ("Late Broadcast"), the lower ranks ("Early Scan"). The root of a
//                     reduction or gather waits until the last member has come, as it needs the
//                     data of each; Scalasca's "Early Reduce" ends with the first.
//   Early Exit        from the first member's leaving a barrier or N x N call to one's own leaving
//   ("… Completion")
//
// Who belongs together: the n-th send and the n-th receive of one sender, receiver, tag and size,
// in order of their begins, and the n-th calls of one collective function by the members of one
// group. MPI keeps messages of a communicator in order; two communicators between which sender,
// receiver, tag and size do not tell may be confused.
//
// Messages come in order of their ends. A rank's message is settled, and can be matched, when no
// later one can have begun before it; so memory holds those in flight and those whose other half
// has not come, not all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vftr::analysis {

enum class WaitState : std::uint8_t { LateSender, LateReceiver, Collective, EarlyExit };
inline constexpr std::size_t WaitStateCount = 4;

// Times are nanoseconds on one clock for all ranks.
using Moment = std::int64_t;

struct WaitRank {
    std::uint32_t rank;
    std::int64_t clock_error; // how far its clock may be off
    std::int64_t longest;     // none of its messages and collective calls lasts longer
};

// One message between two ranks, as one of them saw it.
struct WaitMessage {
    std::uint32_t rank, peer;
    bool send;
    std::int32_t tag;
    std::uint64_t bytes;
    Moment begin, end;
    Moment entered;     // when the call that completed it was entered; of a blocking one its begin
    std::uint32_t path; // of that call
};

enum class Flow : std::uint8_t { AllToAll, RootToAll, AllToRoot, Prefix, Unknown };
// Of the function "MPI_Bcast"; Unknown where a rank does not wait for all of its group
// (neighbourhood collectives).
Flow flow_of(std::string_view function, bool has_root);

struct WaitCollective {
    std::uint32_t rank;
    std::uint32_t group;    // from WaitStates::group
    std::uint32_t function; // a number for its name
    Flow flow;
    std::uint32_t root; // place in the group, where the flow has one
    Moment begin, end, entered;
    std::uint32_t path;
};

// What a state cost on a call path, over all ranks.
struct WaitSum {
    std::uint32_t path;
    WaitState state;
    std::uint64_t waits, ns;
    std::uint64_t worst_ns; // of the rank that waited longest, the lowest one where equal
    std::uint32_t worst_rank;
    std::uint64_t
        cause_ns; // of the rank that was waited for most, the lowest one where equal; 0: an early exit has no cause
    std::uint32_t cause_rank;
};

// What one rank's coming late to collective calls cost the others. Over all ranks and paths the time is that of all
// waits at collectives.
struct LateSum {
    std::uint32_t path; // on which it came
    std::uint32_t rank;
    std::uint64_t calls; // that it made there, and whose partners are known
    std::uint64_t late;  // of them, that somebody waited for
    std::uint64_t ns;    // how long all others waited for it
};

class WaitStates {
public:
    // The ranks whose messages will come; what others did is not known.
    explicit WaitStates(const std::vector<WaitRank>& ranks);

    // A number for the group of these members, the same for the same ones.
    std::uint32_t group(const std::vector<std::uint32_t>& members);
    // Both in order of `end`, over all ranks together.
    void add(const WaitMessage& message);
    void add(const WaitCollective& call);
    // After the last.
    void finish();

    // By path and state.
    std::vector<WaitSum> sums() const;
    // By path and rank, of those that were late.
    std::vector<LateSum> late() const;
    // ns that each rank waited for others to begin; without early exits, which are part of the communication. Ranks
    // that did not wait are not there.
    std::map<std::uint32_t, std::uint64_t> by_rank() const;
    std::uint64_t messages() const { return messages_; } // sends and receives
    std::uint64_t unmatched_messages() const { return messages_ - matched_messages_; }
    std::uint64_t collective_calls() const { return calls_; }
    std::uint64_t unmatched_calls() const { return calls_ - matched_calls_; }
    // The largest between two ranks: shorter waits between those are not counted.
    std::int64_t clock_error() const;
    // Messages and calls that are kept now.
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
        std::uint32_t from, to;
        std::int32_t tag;
        std::uint64_t bytes;
        bool operator==(const ChannelKey&) const = default;
    };
    struct Channel {
        ByBegin<WaitMessage> sends, receives;
    };
    // Several messages that one call completed wait at the same time: only the longest wait counts, and of the wait for
    // a late receiver what goes beyond that for a late sender. (An eager send that ends in MPI_Waitall seems to have
    // waited as long as the receive beside it.)
    struct CallKey {
        std::uint32_t rank, path;
        Moment entered;
        bool operator==(const CallKey&) const = default;
    };
    struct Call {
        std::uint64_t open = 0;                 // messages that have no partner yet
        std::array<std::uint64_t, 2> longest{}; // late sender, late receiver
        std::array<std::uint32_t, 2> cause{};   // the rank that was late then
    };
    struct Hash {
        std::size_t operator()(const ChannelKey& key) const;
        std::size_t operator()(const CallKey& key) const;
    };
    struct Group {
        std::vector<std::uint32_t> members;
        std::unordered_map<std::uint32_t, std::uint32_t> place; // by rank
        bool known;                                             // all members' calls will come
    };
    // The calls of one function by one group.
    struct Series {
        std::vector<ByBegin<WaitCollective>> pending; // by place
        std::vector<std::uint64_t> settled;           // calls so far, by place
        std::uint64_t first = 0;                      // number of meetings.front()
        std::deque<std::vector<WaitCollective>> meetings;
    };

    struct Known {
        std::int64_t clock_error, longest;
    };

    bool settled(std::uint32_t rank, Moment begin) const;
    std::int64_t error(std::uint32_t a, std::uint32_t b) const;
    void match(std::unordered_map<ChannelKey, Channel, Hash>::iterator channel);
    void compare(const WaitMessage& send, const WaitMessage& receive);
    void wait_for_message(const WaitMessage& waiting, WaitState state, std::int64_t ns, std::uint32_t other);
    void release(const WaitMessage& message);
    void count_waits(const std::pair<const CallKey, Call>& call);
    void settle_calls(const Group& group, Series& series, std::size_t place);
    void compare(const Group& group, const std::vector<WaitCollective>& meeting);
    void early_exits(const std::vector<WaitCollective>& meeting);
    void wait_for(const WaitCollective& waiting, const WaitCollective& other);
    void count(std::uint32_t path, WaitState state, std::uint32_t rank, std::uint64_t ns);
    void count_cause(std::uint32_t path, WaitState state, std::uint32_t rank, std::uint64_t ns);

    struct Sum {
        std::uint64_t waits = 0, ns = 0;
    };
    using SumKey = std::array<std::uint32_t, 3>; // path, state, rank
    struct Late {
        std::uint64_t calls = 0, late = 0, ns = 0;
        std::uint64_t meeting = 0; // the latest that it was late for
    };

    std::unordered_map<std::uint32_t, Known> ranks_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> group_numbers_;
    std::vector<Group> groups_;
    std::unordered_map<ChannelKey, Channel, Hash> channels_;
    std::unordered_map<CallKey, Call, Hash> open_calls_;
    std::map<std::array<std::uint32_t, 2>, Series> series_; // by group and function
    std::map<SumKey, Sum> sums_;
    std::map<SumKey, std::uint64_t> causes_;            // ns, by the rank that was waited for
    std::map<std::array<std::uint32_t, 2>, Late> late_; // by path and rank
    std::uint64_t meetings_ = 0;
    Moment now_ = 0; // latest end
    bool finished_ = false;
    std::uint64_t messages_ = 0, matched_messages_ = 0, calls_ = 0, matched_calls_ = 0;
    std::size_t held_ = 0;
};

} // namespace vftr::analysis
