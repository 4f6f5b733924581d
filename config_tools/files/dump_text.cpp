// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/files/dump_text.hpp"

#include "base/foreign_text.hpp"
#include "report/number_text.hpp"
#include "vfd/version3.hpp"

#include <algorithm>

namespace vftr::cli {

DumpText::DumpText(const vfd::Image& image, const analysis::Timeline& timeline, std::FILE* out)
    : image_(image), timeline_(timeline), names_(timeline.stacks()), out_(out),
      several_threads_(thread_count() > 1 && !vfd::is_converted_version3(image.header())) {}

std::uint64_t DumpText::thread_count() const {
    std::uint64_t threads = 0;
    for (const analysis::TimelineThread& thread : timeline_.threads())
        threads += 1 + std::uint64_t{thread.reused};
    return threads;
}

void DumpText::header() {
    const vfd::FileHeader& h = image_.header();
    std::uint64_t end = image_.end_ticks();
    auto samples = static_cast<unsigned long long>(timeline_.sample_count());
    auto messages = static_cast<unsigned long long>(timeline_.message_count());
    std::fprintf(out_, "Version ID:      Vftrace %s\n", base::foreign_text(h.version_string).c_str());
    std::fprintf(out_, "Start Date:      %s\n", report::date(h.start.realtime_ns).c_str());
    std::fprintf(out_, "End Date:        %s\n", report::date(image_.clock().to_realtime_ns(end)).c_str());
    // Of a process that never came to know its rank: 0 of 1.
    std::fprintf(out_, "Processes:       %d of %d\n", std::max(h.rank, 0), std::max(h.size, 1));
    std::fprintf(out_, "Threads:         %llu\n", static_cast<unsigned long long>(thread_count()));
    std::fprintf(out_, "Sample interval: %.6e seconds\n", h.sample_interval);
    std::fprintf(out_, "Job runtime:     %.3f seconds\n", timeline_.seconds_of(end));
    std::fprintf(out_, "Samples:         %llu\n", samples + messages);
    std::fprintf(out_, "   Function:     %llu\n", samples);
    std::fprintf(out_, "   Messages:     %llu\n", messages);
    std::fprintf(out_, "Unique stacks:   %zu\n", timeline_.stacks().nodes.size());
    std::fprintf(out_, "HW counters:     0\n");
    std::fprintf(out_, "HW observables:  0\n");
    offsets();
    clock_offsets();
    notes();
}

// Of the first segment of each kind in the file; 0: it has none.
void DumpText::offsets() {
    std::uint64_t samples = image_.first_offset(vfd::SegmentKind::Events);
    const std::uint64_t packed = image_.first_offset(vfd::SegmentKind::Packed);
    if (samples == 0 || (packed != 0 && packed < samples))
        samples = packed;
    const std::uint64_t nodes = image_.first_offset(vfd::SegmentKind::Nodes);
    const struct {
        const char* label;
        std::uint64_t offset;
    } lines[] = {{"Stacks", nodes != 0 ? nodes : image_.first_offset(vfd::SegmentKind::NodeColumns)},
                 {"Sample", samples},
                 {"Thread", image_.first_offset(vfd::SegmentKind::Thread)},
                 {"HWprof", 0}};
    for (const auto& line : lines)
        std::fprintf(out_, "%s offset:   0x%llx\n", line.label, static_cast<unsigned long long>(line.offset));
}

void DumpText::clock_offsets() {
    const char* when[] = {"start", "end"};
    line_.clear();
    for (int i = 0; i < 2; ++i)
        if (const vfd::ClockOffset& offset = image_.header().clock_offset[i]; offset.error_ns != 0) {
            char text[96];
            std::snprintf(text, sizeof text, "%s %+.3f us at %s (± %.3f us)", line_.empty() ? "Clock offset:   " : ",",
                          static_cast<double>(offset.offset_ns) * 1e-3, when[i],
                          static_cast<double>(offset.error_ns) * 1e-3);
            line_ += text;
        }
    if (!line_.empty())
        write_line();
}

void DumpText::notes() {
    const vfd::FileHeader& h = image_.header();
    if (!image_.closed() && timeline_.sample_count() != 0)
        std::fprintf(out_, "The file is not closed; last event at %.6f s\n", timeline_.last_sample());
    else if (!image_.closed())
        std::fprintf(out_, "The file is not closed; it has no events\n");
    if (vfd::is_converted_version3(h))
        std::fprintf(
            out_, "A file of Vftrace 2.0: samples do not tell their thread; tables are made from the samples alone\n");
    if (!(h.flags & vfd::FlagSampling))
        std::fprintf(out_, "Sampling was off: the file has no samples\n");
    if (h.flags & vfd::FlagMessagesLost)
        std::fprintf(out_, "There was no memory for some messages: they are in no sum\n");
    if (h.flags & vfd::FlagEventsLost)
        std::fprintf(out_, "The file could not grow: later samples are lost\n");
    if (h.flags & vfd::FlagRingBuffer)
        kept_parts();
    if (h.flags & vfd::FlagPacked)
        packed_parts();
    estimates();
    for (const analysis::TimelineThread& thread : timeline_.threads())
        if (!thread.complete)
            std::fprintf(out_, "The samples of thread %u end in a damaged record\n", thread.index);
}

void DumpText::packed_parts() {
    std::size_t segments = 0, packed = 0, bytes = 0;
    for (const vfd::ThreadView& thread : image_.threads())
        for (const vfd::Segment& segment : thread.events) {
            const bool is_packed = segment.header->kind == vfd::SegmentKind::Packed;
            ++segments;
            packed += is_packed;
            bytes += is_packed ? segment.payload.size() : 0;
        }
    std::fprintf(out_, "The samples are in %zu segments, of which %zu are packed into %zu bytes\n", segments, packed,
                 bytes);
}

// The tables say how far they may be off.
void DumpText::estimates() {
    std::size_t paths = 0;
    for (const vfd::ThreadView& thread : image_.threads())
        paths += thread.estimates.size();
    if (paths != 0)
        std::fprintf(out_, "Of %zu call paths only some calls are timed, their times are estimates (--show_records)\n",
                     paths);
}

void DumpText::kept_parts() {
    std::fprintf(out_, "Only the latest samples of each thread are kept\n");
    for (const vfd::ThreadView& thread : image_.threads())
        if (!thread.events.empty() && thread.events.front().header->sequence != 0)
            std::fprintf(out_, "The samples of thread %u begin at %.6f s: what came before was not kept\n",
                         thread.record->index, timeline_.seconds_of(thread.events.front().header->arg0));
}

void DumpText::threads() {
    std::fprintf(out_, "\nThreadtree:\n");
    analysis::Names names(image_);
    analysis::StartFunctions functions(image_, names);
    for (const analysis::ThreadInTree& in_tree : analysis::thread_tree(image_))
        thread(in_tree, functions);
}

// Samples are known by record: those of all that used it are told where its latest thread is.
void DumpText::thread(const analysis::ThreadInTree& in_tree, analysis::StartFunctions& functions) {
    constexpr unsigned Deepest = 40; // that is indented
    const analysis::TimelineThread& thread = timeline_.threads()[in_tree.place];
    const vfd::ThreadLife& life = in_tree.life;
    std::fprintf(out_, "%*s%4u: tid %u, %.6f to %.6f s", static_cast<int>(2 * std::min(in_tree.depth, Deepest)), "",
                 thread.index, life.tid, timeline_.seconds_of(life.begin), timeline_.seconds_of(life.end));
    if (in_tree.latest)
        std::fprintf(out_, ", %llu samples", static_cast<unsigned long long>(thread.samples));
    if (in_tree.latest && thread.transfers)
        std::fprintf(out_, ", %llu transfers", static_cast<unsigned long long>(thread.transfers));
    if (const std::uint32_t count_only = image_.threads()[in_tree.place].record->count_only_node;
        in_tree.latest && count_only != 0)
        std::fprintf(out_, ", in a count-only call of stackID %u", id_of(timeline_.stack_of(thread.index, count_only)));
    if (in_tree.latest && thread.reused)
        std::fprintf(out_, ", after %u other threads", thread.reused);
    if (life.flags & vfd::ThreadOpenMp)
        std::fprintf(out_, ", OpenMP worker");
    if (life.origin.thread != vfd::NoThread)
        std::fprintf(out_, ", started by thread %u in stackID %u", life.origin.thread,
                     id_of(timeline_.stack_of(life.origin.thread, life.origin.node)));
    if (life.origin.function != 0)
        if (std::string function = functions.of(image_.threads()[in_tree.place], life.origin); !function.empty())
            std::fprintf(out_, " with %s", base::foreign_text(names_.of_text(function)).c_str());
    std::fputc('\n', out_);
}

void DumpText::add_path(std::uint32_t stack) {
    const analysis::Profile& stacks = timeline_.stacks();
    for (;; stack = stacks.nodes[stack].parent) {
        const analysis::PathNode& node = stacks.nodes[stack];
        line_ += names_.of(stack);
        if (node.precise)
            line_ += '*';
        if (stack == 0)
            return;
        line_ += '<';
    }
}

void DumpText::write_line() {
    line_ += '\n';
    std::fwrite(line_.data(), 1, line_.size(), out_);
}

void DumpText::stacks() {
    std::fprintf(out_, "\nStacks list:\n");
    std::size_t count = timeline_.stacks().nodes.size();
    for (std::uint32_t stack = 0; stack < count; ++stack) {
        char id[16];
        std::snprintf(id, sizeof id, "%4u: ", id_of(stack));
        line_ = id;
        add_path(stack);
        write_line();
    }
}

void DumpText::samples() {
    std::fprintf(out_, "\nStack and message samples:\n");
    timeline_.for_each_sample(
        [&](const analysis::Sample& sample) {
            if (std::ferror(out_))
                return;
            char head[48];
            std::snprintf(head, sizeof head, "%16.6f %s ", sample.seconds, sample.enter ? "call" : "exit");
            line_ = head;
            add_path(sample.stack);
            if (several_threads_)
                line_ += " in threadID " + std::to_string(timeline_.threads()[sample.thread].index);
            write_line();
        },
        [&](const analysis::Message& message) {
            line_.clear();
            add_transferred(message);
            timeline_.for_each_peer(message, [&, what = line_](std::uint32_t rank) {
                if (!std::ferror(out_))
                    print_message(message, what, rank);
            });
        });
}

// "count=1000 type=MPI_DOUBLE(8Bytes) rate=  36.1919 MiB/s". The count is that of whole elements.
void DumpText::add_transferred(const analysis::Message& message) {
    const vfd::TypeView* type = image_.type(message.type);
    std::string name = !type                ? "MPI_BYTE"
                       : type->name.empty() ? "(derived)"
                                            : base::foreign_text(std::string(type->name));
    std::uint64_t size = type ? type->size : 1;
    double seconds = message.end - message.begin;
    double rate = seconds > 0 ? static_cast<double>(message.bytes) / seconds / (1 << 20) : 0;
    char text[96];
    std::snprintf(text, sizeof text,
                  "count=%llu type=", static_cast<unsigned long long>(size ? message.bytes / size : 0));
    line_ += text + name;
    std::snprintf(text, sizeof text, "(%lluBytes) rate= %8.4f MiB/s", static_cast<unsigned long long>(size), rate);
    line_ += text;
}

void DumpText::print_message(const analysis::Message& message, const std::string& transferred, std::uint32_t rank) {
    const char* direction = message.direction == vfd::Direction::Send ? "send" : "recv";
    const char* other_job = rank & vfd::ForeignRank ? " (other MPI_COMM_WORLD)" : "";
    char communicator[24] = "";
    if (message.communicator != 0)
        std::snprintf(communicator, sizeof communicator, " comm=%08x", message.communicator);
    std::fprintf(out_, "%16.6f %s in stackID %u from threadID %u\n%16s %s peer=%u tag=%d%s%s\n%16.6f %s end\n",
                 message.begin, direction, id_of(message.stack), message.thread, "", transferred.c_str(),
                 rank & ~vfd::ForeignRank, message.tag, communicator, other_job, message.end, direction);
}

} // namespace vftr::cli
