// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/wait_states.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace vftr::analysis {
namespace {

std::size_t mix(std::size_t seed, std::uint64_t value) {
    seed = (seed ^ value) * 0x9e3779b97f4a7c15;
    return seed ^ seed >> 29;
}

// The earliest moment when the message's own wait can begin.
template <typename Waiting>
Moment start_of(const Waiting& waiting) {
    return std::max(waiting.begin, waiting.entered);
}

// Of two that begin at once the first stays the latest.
bool begins_before(const WaitCollective* a, const WaitCollective* b) { return a->begin < b->begin; }

} // namespace

Flow flow_of(std::string_view function, bool has_root) {
    std::string name;
    for (char c : function)
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    auto has = [&](const char* part) { return name.find(part) != name.npos; };
    if (has("start")) // the call that began a persistent one
        return has_root ? Flow::Unknown : Flow::AllToAll;
    if (has("neighbor"))
        return Flow::Neighbours;
    if (has("scan"))
        return Flow::Prefix;
    if (has("all") || has("barrier") || has("reduce_scatter"))
        return Flow::AllToAll;
    return has("bcast") || has("scatter") ? Flow::RootToAll : Flow::AllToRoot;
}

std::size_t WaitStates::Hash::operator()(const ChannelKey& key) const {
    std::size_t hash = mix(key.communicator, std::uint64_t{key.from} << 32 | key.to);
    return mix(mix(hash, static_cast<std::uint32_t>(key.tag)), key.bytes);
}

std::size_t WaitStates::Hash::operator()(const CallKey& key) const {
    return mix(mix(0, std::uint64_t{key.rank} << 32 | key.path), static_cast<std::uint64_t>(key.entered));
}

WaitStates::WaitStates(const std::vector<WaitRank>& ranks, Tell tell) : tell_(std::move(tell)) {
    for (const WaitRank& rank : ranks) {
        Known& known = ranks_.try_emplace(rank.rank, Known{0, 0}).first->second;
        known.clock_error = std::max(known.clock_error, rank.clock_error);
        known.longest = std::max(known.longest, rank.longest);
    }
}

std::int64_t WaitStates::clock_error() const {
    std::array<std::int64_t, 2> largest{};
    for (const auto& [rank, known] : ranks_) {
        largest[1] = std::max(largest[1], std::min(largest[0], known.clock_error));
        largest[0] = std::max(largest[0], known.clock_error);
    }
    return largest[0] + largest[1];
}

std::uint32_t WaitStates::group(const std::vector<std::uint32_t>& members) {
    auto [number, is_new] = group_numbers_.try_emplace(members, 0);
    if (is_new)
        number->second = new_group(members);
    return number->second;
}

std::uint32_t WaitStates::new_group(const std::vector<std::uint32_t>& members) {
    Group group{members, {}, true};
    for (std::uint32_t place = 0; place < members.size(); ++place) {
        group.place.try_emplace(members[place], place);
        group.known = group.known && ranks_.contains(members[place]);
    }
    groups_.push_back(std::move(group));
    return static_cast<std::uint32_t>(groups_.size() - 1);
}

// A message that ends now may have begun `longest` ago, and others that end now may still be added.
bool WaitStates::settled(std::uint32_t rank, Moment begin) const {
    return finished_ || begin < now_ - ranks_.at(rank).longest;
}

std::int64_t WaitStates::error(std::uint32_t a, std::uint32_t b) const {
    return a == b ? 0 : ranks_.at(a).clock_error + ranks_.at(b).clock_error;
}

// ---- messages ----

void WaitStates::add(const WaitMessage& message) {
    now_ = std::max(now_, message.end);
    ++messages_;
    if (!ranks_.contains(message.rank) || !ranks_.contains(message.peer))
        return;
    ++held_;
    ++open_call({message.rank, message.path, message.entered}, message.thread).open;
    const std::uint32_t from = message.send ? message.rank : message.peer;
    const std::uint32_t to = message.send ? message.peer : message.rank;
    auto channel = channels_.try_emplace({message.communicator, from, to, message.tag, message.bytes}).first;
    (message.send ? channel->second.sends : channel->second.receives).push(message);
    match(channel);
}

// It is compared when its message is received.
void WaitStates::add(const WaitProbe& probe) {
    now_ = std::max(now_, probe.end);
    if (!ranks_.contains(probe.rank) || !ranks_.contains(probe.sender))
        return;
    ++held_;
    ++open_call({probe.rank, probe.path, probe.begin}, probe.thread).open;
    channels_[{probe.communicator, probe.sender, probe.rank, probe.tag, probe.bytes}].probes.push(probe);
}

WaitStates::Call& WaitStates::open_call(const CallKey& key, std::uint32_t thread) {
    Call& call = open_calls_[key];
    call.thread = thread;
    return call;
}

void WaitStates::match(std::unordered_map<ChannelKey, Channel, Hash>::iterator channel) {
    auto& [key, queues] = *channel;
    while (!queues.sends.empty() && !queues.receives.empty()) {
        const WaitMessage send = queues.sends.top(), receive = queues.receives.top();
        if (!settled(send.rank, send.begin) || !settled(receive.rank, receive.begin))
            return;
        queues.sends.pop();
        queues.receives.pop();
        held_ -= 2;
        matched_messages_ += 2;
        compare(send, receive);
        compare_probes(queues.probes, send, receive);
        release({send.rank, send.path, send.entered});
        release({receive.rank, receive.path, receive.entered});
    }
    if (queues.sends.empty() && queues.receives.empty() && queues.probes.empty())
        channels_.erase(channel);
}

void WaitStates::compare(const WaitMessage& send, const WaitMessage& receive) {
    wait_for_message({receive.rank, receive.path, receive.entered}, WaitState::LateSender, start_of(receive),
                     std::min(send.begin, receive.end), send.rank);
    if (send.end >= receive.begin)
        wait_for_message({send.rank, send.path, send.entered}, WaitState::LateReceiver, start_of(send), receive.begin,
                         receive.rank);
}

// The probes that have found the message of this send and receive, in order of their begins.
void WaitStates::compare_probes(ByBegin<WaitProbe>& probes, const WaitMessage& send, const WaitMessage& receive) {
    for (bool taken = false; !taken && !probes.empty() && probes.top().end <= receive.begin; probes.pop(), --held_) {
        const WaitProbe& probe = probes.top();
        const CallKey call{probe.rank, probe.path, probe.begin};
        wait_for_message(call, WaitState::LateSender, probe.begin, std::min(send.begin, probe.end), send.rank);
        release(call);
        taken = probe.takes;
    }
}

void WaitStates::wait_for_message(const CallKey& waiting, WaitState state, Moment from, Moment until,
                                  std::uint32_t other) {
    if (until - from <= error(waiting.rank, other))
        return;
    const auto time = static_cast<std::uint64_t>(until - from);
    const auto which = static_cast<std::size_t>(state);
    Call& call = open_calls_.at(waiting);
    if (time > call.longest[which]) {
        call.longest[which] = time;
        call.cause[which] = other;
        call.begin[which] = from;
    }
}

void WaitStates::release(const CallKey& key) {
    auto call = open_calls_.find(key);
    if (--call->second.open != 0)
        return;
    count_waits(*call);
    open_calls_.erase(call);
}

void WaitStates::count_waits(const std::pair<const CallKey, Call>& call) {
    const auto& [key, waits] = call;
    const auto [sender, receiver] = waits.longest;
    if (sender != 0)
        count({key.rank, waits.thread, key.path, WaitState::LateSender, waits.begin[0], sender, waits.cause[0]});
    if (receiver > sender + static_cast<std::uint64_t>(clock_error()))
        count({key.rank, waits.thread, key.path, WaitState::LateReceiver, waits.begin[1] + static_cast<Moment>(sender),
               receiver - sender, waits.cause[1]});
}

// ---- collective calls ----

void WaitStates::add(const WaitCollective& call) {
    now_ = std::max(now_, call.end);
    if (call.flow == Flow::Unknown)
        return;
    ++calls_;
    const Group& group = groups_.at(call.group);
    if (!group.known)
        return;
    if (group.place.contains(call.rank))
        add_to_series(call);
    else if (call.communicator != 0)
        add_of_sides(call);
}

void WaitStates::add_to_series(const WaitCollective& call) {
    const Group& group = groups_[call.group];
    const auto place = group.place.find(call.rank);
    if (place == group.place.end())
        return;
    Series& series = series_[{call.communicator, call.group, call.function}];
    series.pending.resize(group.members.size());
    series.settled.resize(group.members.size());
    series.pending[place->second].push(call);
    ++held_;
    settle_calls(group, series, place->second);
}

// A call of an intercommunicator: its group is the other side.
void WaitStates::add_of_sides(const WaitCollective& call) {
    Sides& sides = intercommunicators_[call.communicator];
    auto side = std::find(sides.groups.begin(), sides.groups.end(), call.group);
    if (side == sides.groups.end() && sides.groups.size() < 2) {
        sides.groups.push_back(call.group);
        side = sides.groups.end() - 1;
        if (sides.groups.size() == 2)
            sides.both = both_sides(sides.groups[0], sides.groups[1]);
    }
    if (side == sides.groups.end())
        return;
    WaitCollective placed = call;
    if (placed.root >= 0 && side != sides.groups.begin())
        placed.root += static_cast<std::int32_t>(groups_[sides.groups[0]].members.size());
    sides.early.push_back(std::move(placed));
    if (sides.groups.size() < 2)
        return;
    for (WaitCollective& early : sides.early) {
        early.group = sides.both;
        add_to_series(early);
    }
    sides.early.clear();
}

std::uint32_t WaitStates::both_sides(std::uint32_t first, std::uint32_t second) {
    const auto [number, is_new] = unions_.try_emplace({first, second}, 0);
    if (is_new) {
        std::vector<std::uint32_t> members = groups_[first].members;
        const auto size = static_cast<std::uint32_t>(members.size());
        members.insert(members.end(), groups_[second].members.begin(), groups_[second].members.end());
        number->second = new_group(members);
        groups_[number->second].first_side = size;
    }
    return number->second;
}

void WaitStates::settle_calls(const Group& group, Series& series, std::size_t place) {
    auto& pending = series.pending[place];
    while (!pending.empty() && settled(group.members[place], pending.top().begin)) {
        std::size_t meeting = series.settled[place]++ - series.first;
        if (meeting >= series.meetings.size())
            series.meetings.resize(meeting + 1);
        series.meetings[meeting].push_back(pending.top());
        pending.pop();
    }
    while (!series.meetings.empty() && series.meetings.front().size() == group.members.size()) {
        compare(group, series.meetings.front());
        held_ -= group.members.size();
        matched_calls_ += group.members.size();
        series.meetings.pop_front();
        ++series.first;
    }
}

void WaitStates::wait_for(const WaitCollective& waiting, const WaitCollective& other) {
    const std::int64_t ns = std::min(other.begin, waiting.end) - start_of(waiting);
    if (ns <= error(waiting.rank, other.rank))
        return;
    const auto time = static_cast<std::uint64_t>(ns);
    count({waiting.rank, waiting.thread, waiting.path, WaitState::Collective, start_of(waiting), time, other.rank});
    Late& late = late_[{other.path, other.rank}];
    late.ns += time;
    late.late += late.meeting != meetings_;
    late.meeting = meetings_;
}

void WaitStates::compare(const Group& group, const std::vector<WaitCollective>& meeting) {
    std::vector<const WaitCollective*> calls(meeting.size()); // by member's index
    ++meetings_;
    for (const WaitCollective& call : meeting) {
        ++late_[{call.path, call.rank}].calls;
        calls[group.place.at(call.rank)] = &call;
    }
    if (group.first_side != 0)
        return compare_sides(group, calls);
    compare_members(group, calls);
    if (meeting.front().flow == Flow::AllToAll)
        early_exits(meeting);
}

void WaitStates::compare_members(const Group& group, const std::vector<const WaitCollective*>& calls) {
    const Flow flow = calls.front()->flow;
    const auto root = std::min(static_cast<std::size_t>(std::max(calls.front()->root, 0)), calls.size() - 1);
    const WaitCollective& last = **std::max_element(calls.begin(), calls.end(), begins_before);
    if (flow == Flow::AllToRoot)
        wait_for(*calls[root], last);
    const WaitCollective* latest_before = calls.front();
    for (const WaitCollective* call : calls) {
        if (flow == Flow::AllToAll)
            wait_for(*call, last);
        else if (flow == Flow::RootToAll)
            wait_for(*call, *calls[root]);
        else if (flow == Flow::Prefix)
            wait_for(*call, *latest_before);
        else if (flow == Flow::Neighbours)
            wait_for(*call, latest_source(group, calls, *call));
        if (call->begin > latest_before->begin)
            latest_before = call;
    }
}

const WaitCollective& WaitStates::latest_source(const Group& group, const std::vector<const WaitCollective*>& calls,
                                                const WaitCollective& call) {
    const WaitCollective* latest = &call;
    for (const std::uint32_t source : call.sources)
        if (const auto place = group.place.find(source); place != group.place.end())
            latest = std::max(latest, calls[place->second], begins_before);
    return *latest;
}

// Of an intercommunicator: the data come from the other side. A root is told by the calls of the side that it is not
// on.
void WaitStates::compare_sides(const Group& group, const std::vector<const WaitCollective*>& calls) {
    const auto boundary = calls.begin() + group.first_side;
    const WaitCollective& last_of_first = **std::max_element(calls.begin(), boundary, begins_before);
    const WaitCollective& last_of_second = **std::max_element(boundary, calls.end(), begins_before);
    const auto told = std::find_if(calls.begin(), calls.end(), [](const auto* call) { return call->root >= 0; });
    const std::size_t root = told == calls.end() ? calls.size() : static_cast<std::size_t>((*told)->root);
    const Flow flow = calls.front()->flow;
    for (std::size_t place = 0; place < calls.size(); ++place) {
        const bool first = place < group.first_side;
        if (flow == Flow::AllToAll || (flow == Flow::AllToRoot && place == root))
            wait_for(*calls[place], first ? last_of_second : last_of_first);
        else if (flow == Flow::RootToAll && root < calls.size() && first != (root < group.first_side))
            wait_for(*calls[place], *calls[root]);
    }
}

// A non-blocking call completes whenever the program asks for it, so the end of such a call is not an exit.
void WaitStates::early_exits(const std::vector<WaitCollective>& meeting) {
    const WaitCollective& first =
        *std::min_element(meeting.begin(), meeting.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
    for (const WaitCollective& call : meeting) {
        if (call.entered > call.begin || first.entered > first.begin)
            continue;
        const std::int64_t ns = call.end - std::max(first.end, call.begin);
        if (ns > error(call.rank, first.rank))
            count({call.rank, call.thread, call.path, WaitState::EarlyExit, call.end - ns,
                   static_cast<std::uint64_t>(ns), first.rank});
    }
}

// ---- sums ----

void WaitStates::count(const Wait& wait) {
    const auto state = static_cast<std::uint32_t>(wait.state);
    Sum& sum = sums_[{wait.path, state, wait.rank}];
    ++sum.waits;
    sum.ns += wait.ns;
    if (wait.state != WaitState::EarlyExit) // which has no cause
        causes_[{wait.path, state, wait.cause}] += wait.ns;
    if (tell_)
        tell_(wait);
}

void WaitStates::finish() {
    finished_ = true;
    for (auto channel = channels_.begin(); channel != channels_.end();)
        match(channel++);
    for (const auto& call : open_calls_) // calls with messages that have no partner
        count_waits(call);
    open_calls_.clear();
    for (auto& [key, series] : series_)
        for (std::size_t place = 0; place < series.pending.size(); ++place)
            settle_calls(groups_[key[1]], series, place);
}

std::vector<WaitSum> WaitStates::sums() const {
    std::vector<WaitSum> sums;
    for (const auto& [key, sum] : sums_) {
        const auto [path, state, rank] = key;
        if (sums.empty() || sums.back().path != path ||
            sums.back().state != WaitState{static_cast<std::uint8_t>(state)})
            sums.push_back({path, WaitState{static_cast<std::uint8_t>(state)}, 0, 0, 0, rank, 0, 0});
        WaitSum& into = sums.back();
        into.waits += sum.waits;
        into.ns += sum.ns;
        if (sum.ns > into.worst_ns) {
            into.worst_ns = sum.ns;
            into.worst_rank = rank;
        }
    }
    auto cause = causes_.begin(); // sorted as sums_ is
    for (WaitSum& sum : sums)
        for (; cause != causes_.end() && cause->first[0] == sum.path &&
               cause->first[1] == static_cast<std::uint32_t>(sum.state);
             ++cause)
            if (cause->second > sum.cause_ns) {
                sum.cause_ns = cause->second;
                sum.cause_rank = cause->first[2];
            }
    return sums;
}

std::map<std::uint32_t, std::uint64_t> WaitStates::by_rank() const {
    std::map<std::uint32_t, std::uint64_t> ranks;
    for (const auto& [key, sum] : sums_)
        if (static_cast<WaitState>(key[1]) != WaitState::EarlyExit)
            ranks[key[2]] += sum.ns;
    return ranks;
}

std::vector<LateSum> WaitStates::late() const {
    std::vector<LateSum> sums;
    for (const auto& [key, late] : late_)
        if (late.late != 0)
            sums.push_back({key[0], key[1], late.calls, late.late, late.ns});
    return sums;
}

} // namespace vftr::analysis
