// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/files/record_text.hpp"

#include "analysis/profile/whole_ns.hpp"
#include "analysis/recording/naming.hpp"
#include "analysis/recording/thread_times.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "symbols/qualified_name.hpp"

#include <algorithm>
#include <cinttypes>
#include <iterator>
#include <string>
#include <vector>

namespace vftr::cli {
namespace {

// By number; a damaged file may have others.
template <std::size_t N>
const char* word(const char* const (&words)[N], std::size_t number) {
    return number < N ? words[number] : "?";
}

const char* segment_kind(vfd::SegmentKind kind) {
    static const char* const Words[] = {"?",         "thread", "nodes",    "stack",     "events",  "modules",
                                        "names",     "config", "profile",  "free",      "traffic", "groups",
                                        "types",     "lives",  "teams",    "estimates", "packed",  "nodecols",
                                        "estimcols", "unseen", "cpusample"};
    return word(Words, static_cast<std::size_t>(kind));
}

const char* node_kind(vfd::NodeKind kind) {
    static const char* const Words[] = {"root", "function", "region", "mpi", "pause", "overflow", "openmp", "attached"};
    return word(Words, static_cast<std::size_t>(kind));
}

struct Flag {
    std::uint32_t bit;
    const char* name;
};
constexpr Flag NodeFlagNames[] = {{vfd::NodePrecise, "precise"},
                                  {vfd::NodeTimingSampled, "timing-sampled"},
                                  {vfd::NodeTrigger, "trigger"},
                                  {vfd::NodeEstimated, "estimated"},
                                  {vfd::NodeUnrecorded, "unrecorded"}};
constexpr Flag FrameFlagNames[] = {{vfd::FrameFolded, "folded"},
                                   {vfd::FrameLogged, "logged"},
                                   {vfd::FrameInherited, "inherited"},
                                   {vfd::FrameReported, "reported"},
                                   {vfd::FrameCountOnly, "count-only"}};

// "precise+estimated"; "-" for none.
template <std::size_t N>
std::string names_of(std::uint32_t flags, const Flag (&all)[N]) {
    std::string text;
    for (const Flag& flag : all)
        if (flags & flag.bit)
            text += (text.empty() ? "" : "+") + std::string(flag.name);
    return text.empty() ? "-" : text;
}

std::string shown(const std::string& qualified) {
    const auto [name, qualifier] = symbols::parse_qualified(qualified);
    return qualifier.empty() ? std::string(name)
                             : symbols::with_qualifier(name, symbols::shown_qualifier(qualifier, 0));
}

class Records {
public:
    Records(const vfd::Image& image, const analysis::Timeline& timeline, std::FILE* out)
        : image_(image), timeline_(timeline), names_(image), out_(out) {}

    void print() {
        costs();
        segments();
        for (const vfd::ThreadView& thread : image_.threads()) {
            record(thread);
            nodes(thread);
            if (!thread.estimates.empty())
                estimates(thread);
            if (!thread.unseen.empty())
                unseen_calls(thread);
            if (!thread.samples.empty())
                samples(thread);
            if (!thread.stack.empty())
                frames(thread);
        }
    }

private:
    void costs() {
        const vfd::HookCosts& costs = image_.header().costs;
        const struct {
            const char* name;
            double ticks;
            const char* meaning;
        } all[] = {{"timed", costs.timed, "a call that is timed and takes next to no time"},
                   {"  inside", costs.inside, "of that, between the two readings of the clock"},
                   {"long", costs.timed_long, "a timed call that takes longer than reading the clock"},
                   {"  inside", costs.inside_long, "of that, between the two readings of the clock"},
                   {"rare", costs.timed_rare, "a timed call among count-only ones"},
                   {"  inside", costs.inside_rare, "of that, between the two readings of the clock"},
                   {"folded", costs.folded, "direct recursion that is not timed"},
                   {"count-only", costs.count_only, "a call that is only counted, one after the other"},
                   {"  apart", costs.count_only_apart, "the same where more lies between the calls"},
                   {"nesting", costs.nesting, "what that costs more if it calls something"},
                   {"excluded", costs.excluded, "a call of a function that is not recorded"}};
        std::fprintf(out_, "\nHook costs:\n%12s %10s  %s\n", "ticks", "ns", "an enter and its leave");
        for (const auto& cost : all)
            std::fprintf(out_, "%12.2f %10.2f  %-8s %s\n", cost.ticks, cost.ticks * image_.clock().ns_per_tick(),
                         cost.name, cost.meaning);
    }

    void segments() {
        std::fprintf(out_, "\nSegments:\n%-9s %6s %8s %12s %12s %5s %20s\n", "kind", "thread", "sequence", "capacity",
                     "used", "flags", "arg0");
        for (const vfd::Segment& segment : image_.segments()) {
            const vfd::SegmentHeader& h = *segment.header;
            std::fprintf(out_, "%-9s %6" PRIu32 " %8" PRIu32 " %12" PRIu64 " %12zu %5u %20" PRIu64 "\n",
                         segment_kind(h.kind), h.thread, h.sequence, h.capacity, segment.payload.size(),
                         unsigned{h.flags}, h.arg0);
        }
    }

    void record(const vfd::ThreadView& thread) {
        const vfd::ThreadRecord& r = *thread.record;
        std::fprintf(out_,
                     "\nThread %" PRIu32 ": tid %" PRIu32 " begin %" PRIu64 " end %" PRIu64 " last %" PRIu64
                     " depth %" PRIu32 " node_count %" PRIu32 " stack_sequence %" PRIu32 " reused %" PRIu32
                     " dropped %" PRIu64 " vanished %" PRIu64 " unmatched %" PRIu64 " flags %" PRIu32
                     " sampling %" PRIu64 " count_only_node %" PRIu32,
                     r.index, r.tid, r.begin, r.end, r.last, r.depth, r.node_count, r.stack_sequence, r.reused,
                     r.dropped, r.vanished, r.unmatched, r.flags, r.sampling, r.count_only_node);
        if (r.count_only_node != 0)
            std::fprintf(out_, " (stackID %" PRIu32 ")", stack_of(thread, r.count_only_node));
        std::fputc('\n', out_);
    }

    void nodes(const vfd::ThreadView& thread) {
        std::fprintf(out_, "Call paths:\n%8s %8s %16s %12s %12s %20s %20s %6s %8s %8s %6s %-8s %s\n", "node", "parent",
                     "calls", "countdown", "folded", "inclusive", "exclusive", "open", "ordinal", "children", "module",
                     "kind", "stackID, key and flags");
        for (std::uint32_t id = 0; id < thread.node_count; ++id) {
            const vfd::Node& n = thread.node(id);
            std::fprintf(out_,
                         "%8" PRIu32 " %8" PRId64 " %16" PRIu64 " %12" PRId32 " %12" PRIu64 " %20" PRId64 " %20" PRId64
                         " %6" PRIu32 " %8" PRIu32 " %8" PRIu32 " %6u %-8s %" PRIu32 " 0x%" PRIx64 " %s\n",
                         id, id == 0 ? std::int64_t{-1} : std::int64_t{n.parent}, vfd::calls_of(n), n.countdown,
                         n.folded, static_cast<std::int64_t>(n.inclusive), static_cast<std::int64_t>(n.exclusive),
                         n.open, n.ordinal, n.children, unsigned{n.module}, node_kind(n.kind), stack_of(thread, id),
                         n.key, names_of(n.flags, NodeFlagNames).c_str());
        }
    }

    // With what the tables make of them.
    void estimates(const vfd::ThreadView& thread) {
        const std::uint64_t end =
            thread.record->end ? thread.record->end : std::max(image_.end_ticks(), thread.record->last);
        const analysis::ThreadTimes times = analysis::thread_times(thread, image_.header().costs, end);
        const double ns = image_.clock().ns_per_tick();
        std::fprintf(out_, "Estimates:\n%8s %8s %16s %16s %12s %16s %16s %10s %7s  %s\n", "node", "stride",
                     "count-only", "weight", "timed", "own", "variance", "t_excl[s]", report::UncertaintyTitle,
                     "stackID");
        for (const vfd::Estimate& e : thread.estimates) {
            const std::uint64_t exclusive = analysis::whole_ns(static_cast<double>(times.of[e.node].exclusive) * ns);
            const std::string error = report::uncertainty_text(
                analysis::Uncertainty{.exclusive = exclusive,
                                      .variance = analysis::whole_us2(times.variance[e.node] * ns * ns),
                                      .unknown = analysis::whole_ns(times.unknown[e.node] * ns)});
            std::fprintf(out_,
                         "%8" PRIu32 " %8" PRIu32 " %16" PRIu64 " %16" PRIu64 " %12" PRIu64
                         " %16.6g %16.6g %10s %6s  %" PRIu32 "\n",
                         e.node, e.stride, e.count_only_calls, e.weight, e.timed, e.own, e.variance,
                         report::seconds(static_cast<double>(exclusive), 6).c_str(), error.c_str(),
                         stack_of(thread, e.node));
        }
    }

    void unseen_calls(const vfd::ThreadView& thread) {
        std::fprintf(out_, "Unseen calls:\n%8s %16s %16s  %s\n", "node", "calls", "error", "stackID");
        for (const vfd::UnseenCalls& unseen : thread.unseen)
            std::fprintf(out_, "%8" PRIu32 " %16.0f %16.0f  %" PRIu32 "\n", unseen.node, unseen.calls, unseen.error,
                         stack_of(thread, unseen.node));
    }

    void samples(const vfd::ThreadView& thread) {
        std::fprintf(out_, "CPU samples, each of %" PRIu64 " ns:\n%10s %8s %8s %6s %18s  %s\n",
                     image_.header().sample_ns, "count", "node", "stackID", "module", "address", "function");
        std::vector<vfd::CpuSample> all = thread.samples;
        std::stable_sort(all.begin(), all.end(),
                         [](const vfd::CpuSample& a, const vfd::CpuSample& b) { return a.count > b.count; });
        for (const vfd::CpuSample& sample : all)
            std::fprintf(out_, "%10" PRIu64 " %8" PRIu32 " %8" PRIu32 " %6u 0x%016" PRIx64 "  %s\n", sample.count,
                         sample.node, stack_of(thread, sample.node), unsigned{sample.module}, sample.address,
                         shown(names_.at(sample)).c_str());
    }

    void frames(const vfd::ThreadView& thread) {
        std::fprintf(out_, "Frames:\n%18s %20s %20s %8s %10s %10s  %s\n", "stack_pointer", "enter", "child", "node",
                     "call_site", "hook_site", "flags");
        for (const vfd::Frame& f : thread.stack)
            std::fprintf(
                out_, "0x%016" PRIx64 " %20" PRIu64 " %20" PRIu64 " %8" PRIu32 " 0x%08" PRIx32 " 0x%08" PRIx32 "  %s\n",
                f.stack_pointer, f.enter, f.child, f.node, f.call_site, f.hook_site,
                names_of(f.flags, FrameFlagNames).c_str());
    }

    std::uint32_t stack_of(const vfd::ThreadView& thread, std::uint32_t node) const {
        return timeline_.stacks().stid(timeline_.stack_of(thread.record->index, node));
    }

    const vfd::Image& image_;
    const analysis::Timeline& timeline_;
    analysis::Names names_;
    std::FILE* out_;
};

} // namespace

void print_records(const vfd::Image& image, const analysis::Timeline& timeline, std::FILE* out) {
    Records(image, timeline, out).print();
}

} // namespace vftr::cli
