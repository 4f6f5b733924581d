// SPDX-License-Identifier: BSD-3-Clause
//
// The same functions describe the layout for both directions: a Writer and a Reader visit the same fields in the same
// order, so they always agree.
#include "analysis/merge/serialize.hpp"

#include "analysis/merge/bytes.hpp"
#include "analysis/merge/path_bytes.hpp"

#include <limits>

namespace vftr::analysis {
namespace {

constexpr std::uint64_t ProfileMagic = 0x52505456; // "VTPR"
constexpr std::uint64_t ProfileVersion = 18;

class Writer {
public:
    void expect(std::size_t bytes) { out_.expect(bytes); }
    void field(std::uint64_t v) { out_.number(v); }
    void field(std::uint32_t v) { out_.number(v); }
    void field(std::int32_t v) { out_.signed_number(v); }
    void field(bool v) { out_.number(v); }
    void field(NodeKind v) { out_.number(static_cast<std::uint64_t>(v)); }
    void field(const std::string& v) { out_.string(v); }
    void field(const RankList& v) {
        out_.number(v.ranges().size());
        for (const RankList::Range& range : v.ranges()) {
            out_.signed_number(range.first);
            out_.number(static_cast<std::uint64_t>(std::int64_t{range.last} - range.first));
        }
    }
    // A number that is not below `base`, written as its difference to it.
    void above(std::uint64_t base, std::uint64_t v) { out_.number(v - base); }
    void path(const PathNode& path, const PathNode& before, std::uint32_t rank_count) {
        const PathBytes bytes(path, before, rank_count);
        out_.bytes(bytes.all());
    }
    template <typename Element>
    void size(const std::vector<Element>& v, std::size_t, const char*) {
        out_.number(v.size());
    }
    std::vector<std::byte> take() { return out_.take(); }

private:
    ByteWriter out_;
};

class Reader {
public:
    explicit Reader(ByteReader& in) : in_(in) {}
    void field(std::uint64_t& v) { v = in_.number(); }
    void field(std::uint32_t& v) { v = in_.number_up_to<std::uint32_t>(0xffffffff, "a number"); }
    void field(std::int32_t& v) {
        std::int64_t wide = in_.signed_number();
        v = static_cast<std::int32_t>(wide);
        if (v != wide)
            in_.fail("a rank is out of range");
    }
    void field(bool& v) { v = in_.number_up_to(1, "a flag") != 0; }
    void field(NodeKind& v) {
        v = in_.number_up_to<NodeKind>(static_cast<std::uint64_t>(NodeKind::Unhooked), "a kind");
    }
    void field(std::string& v) { v = in_.string(); }
    void field(RankList& v) {
        constexpr std::int64_t Highest = std::numeric_limits<std::int32_t>::max();
        std::int64_t last = -2;
        for (std::size_t left = in_.count(2, "the number of ranges of ranks"); left > 0; --left) {
            std::int64_t first = in_.signed_number();
            if (first <= last + 1 || first > Highest)
                in_.fail("ranks are not in order");
            last = first + in_.number_up_to<std::int64_t>(static_cast<std::uint64_t>(Highest - first), "a rank");
            v.add(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last));
        }
    }
    void above(std::uint64_t base, std::uint64_t& v) { v = base + in_.number(); }
    void path(PathNode& path, const PathNode& before, std::uint32_t rank_count) {
        parts_ = in_.number_up_to<std::uint8_t>(AllPathParts, "the parts of a call path");
        visit_path(*this, path, before, rank_count);
    }
    template <typename Number, typename Implied>
    void optional(PathPart part, Number& v, const Implied& implied) {
        if (parts_ & static_cast<std::uint8_t>(part))
            field(v);
        else
            v = implied;
    }
    template <typename Element>
    void size(std::vector<Element>& v, std::size_t smallest, const char* what) {
        v.resize(in_.count(smallest, what));
    }

private:
    ByteReader& in_;
    std::uint8_t parts_ = 0; // parts of the path that is being read
};

template <typename Visitor, typename Stat>
void visit_stat(Visitor& visitor, Stat& s) {
    visitor.field(s.min);
    visitor.above(s.min, s.max);
    visitor.above(s.max, s.sum);
    visitor.field(s.min_rank);
    visitor.field(s.max_rank);
}

template <typename Visitor, typename Paths>
void visit_paths(Visitor& visitor, Paths& paths, std::uint32_t rank_count) {
    visitor.size(paths, SmallestPath, "the number of call paths");
    const PathNode* before = paths.data();
    for (auto& path : paths) {
        visitor.path(path, *before, rank_count);
        before = &path;
    }
}

constexpr std::size_t SmallestExtremes = 8; // one byte per field

template <typename Visitor, typename All>
void visit_extremes(Visitor& visitor, All& all) {
    visitor.size(all, SmallestExtremes, "the number of call paths with extremes");
    for (auto& path : all)
        for (auto* extremes : {&path.exclusive, &path.inclusive}) {
            visitor.field(extremes->min);
            visitor.above(extremes->min, extremes->max);
            visitor.field(extremes->min_rank);
            visitor.field(extremes->max_rank);
        }
}

template <typename Visitor, typename Sum>
void visit_sum(Visitor& visitor, Sum& sum) {
    visitor.field(sum.messages);
    visitor.field(sum.bytes);
    visitor.field(sum.ns);
}

// One byte per field.
constexpr std::size_t SmallestPathMessages = 7, SmallestCell = 7;

template <typename Visitor, typename Whole>
void visit_messages(Visitor& visitor, Whole& profile) {
    visitor.field(profile.world_size);
    for (auto* stat :
         {&profile.sent_bytes, &profile.received_bytes, &profile.sent_messages, &profile.received_messages})
        visit_stat(visitor, *stat);
    visitor.size(profile.messages, SmallestPathMessages, "the number of call paths with messages");
    for (auto& entry : profile.messages) {
        visitor.field(entry.node);
        visit_sum(visitor, entry.sent);
        visit_sum(visitor, entry.received);
    }
    visitor.size(profile.matrix, SmallestCell, "the number of pairs of ranks");
    for (auto& cell : profile.matrix) {
        visitor.field(cell.pair.from);
        visitor.field(cell.pair.to);
        visitor.field(cell.pair.node);
        visitor.field(cell.pair.got);
        visit_sum(visitor, cell.sum);
    }
    visitor.field(profile.lighter_pairs.pairs);
    visit_sum(visitor, profile.lighter_pairs.sum);
}

template <typename Visitor, typename Id>
void visit_thread_id(Visitor& visitor, Id& id) {
    visitor.field(id.rank);
    visitor.field(id.process);
    visitor.field(id.index);
}

constexpr std::size_t SmallestThread = 16; // one byte per field

template <typename Visitor, typename Whole>
void visit_threads(Visitor& visitor, Whole& profile) {
    visitor.size(profile.threads, SmallestThread, "the number of threads");
    for (auto& row : profile.threads) {
        visit_thread_id(visitor, row.id);
        visitor.field(row.tid);
        visitor.field(row.threads);
        visitor.field(row.parent);
        visitor.field(row.node);
        visitor.field(row.function);
        visitor.field(row.worker);
        for (auto* number : {&row.begin, &row.end, &row.life, &row.cpu, &row.waiting, &row.in_functions, &row.calls})
            visitor.field(*number);
    }
    for (auto* sums : {&profile.thread_totals.first, &profile.thread_totals.started}) {
        for (auto* number : {&sums->records, &sums->threads, &sums->life, &sums->cpu, &sums->waiting,
                             &sums->in_functions, &sums->calls, &sums->longest})
            visitor.field(*number);
        visit_thread_id(visitor, sums->longest_id);
    }
}

constexpr std::size_t SmallestRegion = 7; // one byte per field

template <typename Visitor, typename Whole>
void visit_regions(Visitor& visitor, Whole& profile) {
    visitor.size(profile.regions, SmallestRegion, "the number of parallel regions");
    for (auto& region : profile.regions) {
        visitor.field(region.node);
        visitor.field(region.threads);
        for (auto* ns : {&region.time, &region.team, &region.wait, &region.busiest, &region.average})
            visitor.field(*ns);
    }
}

constexpr std::size_t SmallestDurations = 1 + DurationHistogram::SmallestVisit;

template <typename Visitor, typename Whole>
void visit_durations(Visitor& visitor, Whole& profile) {
    visitor.size(profile.durations, SmallestDurations, "the number of call paths with durations");
    for (auto& path : profile.durations) {
        visitor.field(path.node);
        DurationHistogram::visit(visitor, path.histogram);
    }
}

template <typename Visitor, typename Whole>
void visit_breakdown(Visitor& visitor, Whole& breakdown) {
    for (auto& time : breakdown.times)
        visit_stat(visitor, time);
    visit_stat(visitor, breakdown.outside_mpi);
    for (auto* ns : {&breakdown.longest, &breakdown.team, &breakdown.worked})
        visitor.field(*ns);
}

template <typename Visitor, typename Facts>
void visit_summary(Visitor& visitor, Facts& s) {
    visitor.field(s.start_realtime_ns);
    visitor.field(s.end_realtime_ns);
    for (auto* of : {&s.times.sum, &s.times.slowest})
        for (const auto time : RankTimes::All)
            visitor.field(of->*time);
    visitor.field(s.times.slowest_rank);
    visitor.field(s.times.longest);
    visitor.field(s.runtime_sum);
    visitor.field(s.cpu);
    visitor.field(s.cpu_without_samples);
    visitor.field(s.memory_bytes);
    visitor.field(s.processes);
    visitor.field(s.threads);
    visitor.field(s.dropped);
    visitor.field(s.shared_calls);
    visitor.field(s.vanished);
    visitor.field(s.unmatched);
    visitor.field(s.overflow_calls);
    visitor.field(s.recovered);
    visitor.field(s.unfinished);
    visitor.field(s.max_call_paths);
    visitor.field(s.short_of_space);
    visitor.field(s.hook_calls_out);
    visitor.field(s.hook_calls_uncertain);
    visitor.field(s.excluded_call_ps);
    visitor.field(s.refused_threads);
    visitor.field(s.threads_without_ring);
    visitor.field(s.mpi);
    visitor.field(s.file_lost);
    visitor.field(s.messages_lost);
    visitor.field(s.ahead);
}

constexpr std::size_t SmallestUse = 4; // one byte per field

template <typename Visitor, typename Whole>
void visit_expressions(Visitor& visitor, Whole& profile) {
    visitor.size(profile.expressions, SmallestUse, "the number of expressions");
    for (auto& use : profile.expressions) {
        visitor.field(use.rule);
        visitor.field(use.expression);
        visitor.field(use.uses);
        visitor.field(use.needed);
    }
}

constexpr std::size_t SmallestApplication = 2; // one byte per field

template <typename Visitor, typename All>
void visit_applications(Visitor& visitor, All& applications) {
    visitor.size(applications, SmallestApplication, "the number of programs");
    for (auto& application : applications) {
        visitor.field(application.name);
        visitor.field(application.ranks);
    }
}

template <typename Visitor, typename Whole>
void visit_profile(Visitor& visitor, Whole& profile) {
    visitor.field(profile.first_rank);
    visitor.field(profile.rank_count);
    for (const auto list : ListsOfRanks)
        visitor.field(profile.*list);
    visitor.field(profile.application);
    visit_applications(visitor, profile.applications);
    visitor.field(profile.config_text);
    visitor.field(profile.hook_calls_stay);
    visit_summary(visitor, profile.summary);
    visitor.size(profile.names, 1, "the number of names");
    for (auto& name : profile.names)
        visitor.field(name);
    visit_paths(visitor, profile.nodes, profile.rank_count);
    visit_extremes(visitor, profile.extremes);
    visit_messages(visitor, profile);
    visit_threads(visitor, profile);
    visit_regions(visitor, profile);
    visit_durations(visitor, profile);
    visit_breakdown(visitor, profile.breakdown);
}

void check_tree(const Profile& profile, const ByteReader& in) {
    if (profile.nodes.empty() && profile.rank_count != 0)
        in.fail("it has no root");
    for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
        const PathNode& node = profile.nodes[i];
        if (node.name >= profile.names.size())
            in.fail("a call path has no name");
        if (i == 0 ? node.parent != 0 : node.parent >= i)
            in.fail("a call path precedes its caller");
    }
}

void check_extremes(const Profile& profile, const ByteReader& in) {
    if (profile.extremes.size() != (profile.rank_count > 1 ? profile.nodes.size() : 0))
        in.fail("not each call path of several ranks has extremes");
}

void check_messages(const Profile& profile, const ByteReader& in) {
    for (std::size_t i = 0; i < profile.messages.size(); ++i) {
        const PathMessages& entry = profile.messages[i];
        if (entry.node >= profile.nodes.size() || (i > 0 && entry.node <= profile.messages[i - 1].node))
            in.fail("messages name a call path that is not there, or one twice");
    }
    for (std::size_t i = 0; i < profile.matrix.size(); ++i) {
        const RankPair& pair = profile.matrix[i].pair;
        if (pair.node >= profile.nodes.size() || (i > 0 && pair <= profile.matrix[i - 1].pair))
            in.fail("a pair of ranks names a call path that is not there, or is there twice");
    }
}

void check_threads(const Profile& profile, const ByteReader& in) {
    for (const ThreadRow& row : profile.threads)
        if (row.node != vfd::NoNode && row.node >= profile.nodes.size())
            in.fail("a thread was created on a call path that is not there");
}

void check_regions(const Profile& profile, const ByteReader& in) {
    for (std::size_t i = 0; i < profile.regions.size(); ++i)
        if (profile.regions[i].node >= profile.nodes.size() ||
            (i > 0 && profile.regions[i].node <= profile.regions[i - 1].node))
            in.fail("a parallel region is not in the call tree, or there twice");
}

void complete_durations(Profile& profile, const ByteReader& in) {
    for (std::size_t i = 0; i < profile.durations.size(); ++i) {
        PathDurations& path = profile.durations[i];
        if (path.node >= profile.nodes.size() || (i > 0 && path.node <= profile.durations[i - 1].node))
            in.fail("durations name a call path that is not there, or one twice");
        if (!path.histogram.complete())
            in.fail("the durations of a call path are out of range, or there are none");
    }
}

} // namespace

std::vector<std::byte> serialize(const Profile& profile) {
    constexpr std::size_t UsualPath = 14, UsualExtremes = 20; // bytes
    Writer writer;
    writer.expect(profile.nodes.size() * UsualPath + profile.extremes.size() * UsualExtremes +
                  profile.config_text.size());
    writer.field(ProfileMagic);
    writer.field(ProfileVersion);
    visit_profile(writer, profile);
    if (!profile.expressions.empty()) // most profiles have none, and keep the format from before expressions were added
        visit_expressions(writer, profile);
    return writer.take();
}

Profile deserialize(std::span<const std::byte> bytes, const std::string& label) {
    ByteReader in(bytes, label);
    if (in.number() != ProfileMagic)
        in.fail("it does not begin as one");
    if (std::uint64_t version = in.number(); version != ProfileVersion)
        in.fail("it has version " + std::to_string(version) + ", known is " + std::to_string(ProfileVersion));
    Profile profile;
    Reader reader(in);
    visit_profile(reader, profile);
    if (!in.at_end()) {
        visit_expressions(reader, profile);
        if (!in.at_end() || profile.expressions.empty())
            in.fail("something follows its end");
    }
    check_tree(profile, in);
    check_extremes(profile, in);
    check_messages(profile, in);
    check_threads(profile, in);
    check_regions(profile, in);
    complete_durations(profile, in);
    return profile;
}

} // namespace vftr::analysis
