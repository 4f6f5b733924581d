// SPDX-License-Identifier: BSD-3-Clause
//
// The format is a promise to files that exist and to readers that others wrote from its man page.
#include "image_builder.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace vftr;
using namespace vftr::test;

namespace {

struct Field {
    std::size_t offset, size;
    std::string name;
    bool operator==(const Field&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Field& field) {
    return out << field.name << " at " << field.offset << ", size " << field.size;
}

// The tables of the man page: offset, size, name.
std::vector<Field> described_fields(const std::string& path) {
    std::ifstream in(path);
    REQUIRE(in);
    std::vector<Field> fields;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        Field field;
        if (line.size() > 4 && line.find_first_of("0123456789") < 4 &&
            words >> field.offset >> field.size >> field.name)
            fields.push_back(field);
    }
    return fields;
}

#define FIELD(type, name)                                                                                              \
    Field { offsetof(vfd::type, name), sizeof(vfd::type::name), #name }

const std::vector<Field> Fields = {
    FIELD(FileHeader, magic),
    FIELD(FileHeader, version),
    FIELD(FileHeader, header_size),
    FIELD(FileHeader, kind),
    FIELD(FileHeader, state),
    FIELD(FileHeader, flags),
    FIELD(FileHeader, page_size),
    FIELD(FileHeader, rank),
    FIELD(FileHeader, size),
    FIELD(FileHeader, pid),
    FIELD(FileHeader, parent_pid),
    FIELD(FileHeader, clock),
    FIELD(FileHeader, pointer_bits),
    FIELD(FileHeader, start),
    FIELD(FileHeader, last),
    FIELD(FileHeader, last_index),
    FIELD(FileHeader, threads),
    FIELD(FileHeader, end),
    FIELD(FileHeader, sample_interval),
    FIELD(FileHeader, costs),
    FIELD(FileHeader, memory_bytes),
    FIELD(FileHeader, file_end),
    FIELD(FileHeader, mpi_calls),
    FIELD(FileHeader, max_call_paths),
    FIELD(FileHeader, clock_offset),
    FIELD(FileHeader, process_start),
    FIELD(FileHeader, parent),
    FIELD(FileHeader, exit_status),
    FIELD(FileHeader, generation),
    FIELD(FileHeader, version_string),
    FIELD(FileHeader, basename),
    FIELD(FileHeader, executable),
    FIELD(FileHeader, hostname),
    FIELD(FileHeader, config_file),
    FIELD(FileHeader, arguments),
    FIELD(FileHeader, pid_namespace),
    FIELD(FileHeader, ending_ns),
    FIELD(FileHeader, ending_wait_ns),
    FIELD(FileHeader, until_collation),
    FIELD(FileHeader, control),
    FIELD(FileHeader, sample_ns),
    FIELD(SegmentHeader, magic),
    FIELD(SegmentHeader, kind),
    FIELD(SegmentHeader, flags),
    FIELD(SegmentHeader, thread),
    FIELD(SegmentHeader, sequence),
    FIELD(SegmentHeader, capacity),
    FIELD(SegmentHeader, used),
    FIELD(SegmentHeader, arg0),
    FIELD(SegmentHeader, payload_offset),
    FIELD(ThreadRecord, index),
    FIELD(ThreadRecord, tid),
    FIELD(ThreadRecord, begin),
    FIELD(ThreadRecord, end),
    FIELD(ThreadRecord, last),
    FIELD(ThreadRecord, depth),
    FIELD(ThreadRecord, node_count),
    FIELD(ThreadRecord, stack_sequence),
    FIELD(ThreadRecord, reused),
    FIELD(ThreadRecord, dropped),
    FIELD(ThreadRecord, vanished),
    FIELD(ThreadRecord, unmatched),
    FIELD(ThreadRecord, origin),
    FIELD(ThreadRecord, flags),
    FIELD(ThreadRecord, count_only_node),
    FIELD(ThreadRecord, sampling),
    FIELD(ThreadRecord, cpu_ns),
    FIELD(ThreadRecord, preempted),
    FIELD(ThreadRecord, cpu_until),
    FIELD(ThreadRecord, one_time_work),
    FIELD(ThreadRecord, dropped_calls),
    FIELD(ThreadRecord, shared_calls),
    FIELD(ThreadRecord, unsampled_cpu_ns),
    FIELD(ThreadLife, tid),
    FIELD(ThreadLife, flags),
    FIELD(ThreadLife, begin),
    FIELD(ThreadLife, end),
    FIELD(ThreadLife, origin),
    FIELD(ThreadOrigin, thread),
    FIELD(ThreadOrigin, node),
    FIELD(ThreadOrigin, function),
    FIELD(ThreadOrigin, created),
    FIELD(Node, key),
    FIELD(Node, inclusive),
    FIELD(Node, exclusive),
    FIELD(Node, folded),
    FIELD(Node, calls),
    FIELD(Node, countdown),
    FIELD(Node, module),
    FIELD(Node, kind),
    FIELD(Node, flags),
    FIELD(Node, parent),
    FIELD(Node, open),
    FIELD(Node, ordinal),
    FIELD(Node, children),
    FIELD(Estimate, node),
    FIELD(Estimate, stride),
    FIELD(Estimate, count_only_calls),
    FIELD(Estimate, weight),
    FIELD(Estimate, timed),
    FIELD(Estimate, own),
    FIELD(Estimate, variance),
    FIELD(UnseenCalls, node),
    FIELD(UnseenCalls, reserved),
    FIELD(UnseenCalls, calls),
    FIELD(UnseenCalls, error),
    FIELD(CpuSample, address),
    FIELD(CpuSample, node),
    FIELD(CpuSample, module),
    FIELD(CpuSample, reserved),
    FIELD(CpuSample, count),
    FIELD(CallDurations, node),
    FIELD(CallDurations, octave),
    FIELD(CallDurations, shortest),
    FIELD(CallDurations, longest),
    FIELD(CallDurations, calls),
    FIELD(Frame, stack_pointer),
    FIELD(Frame, enter),
    FIELD(Frame, child),
    FIELD(Frame, node),
    FIELD(Frame, flags),
    FIELD(Frame, call_site),
    FIELD(Frame, hook_site),
    FIELD(Team, thread),
    FIELD(Team, node),
    FIELD(Team, largest),
    FIELD(Team, reserved),
    FIELD(Team, regions),
    FIELD(Team, threads),
    FIELD(Team, ticks),
    FIELD(Traffic, thread),
    FIELD(Traffic, node),
    FIELD(Traffic, target),
    FIELD(Traffic, direction),
    FIELD(Traffic, span),
    FIELD(Traffic, reserved),
    FIELD(Traffic, transfers),
    FIELD(Traffic, bytes),
    FIELD(Traffic, ticks),
    FIELD(GroupRecord, id),
    FIELD(GroupRecord, run_count),
    FIELD(GroupRecord, size),
    FIELD(GroupRun, first),
    FIELD(GroupRun, stride),
    FIELD(GroupRun, count),
    FIELD(TypeRecord, id),
    FIELD(TypeRecord, name_size),
    FIELD(TypeRecord, size),
    FIELD(ModuleRecord, id),
    FIELD(ModuleRecord, build_id_size),
    FIELD(ModuleRecord, path_size),
    FIELD(ModuleRecord, start),
    FIELD(ModuleRecord, end),
    FIELD(ModuleRecord, bias),
    FIELD(ModuleRecord, unloaded),
    FIELD(ModuleRecord, device),
    FIELD(ModuleRecord, inode),
    FIELD(ModuleRecord, file_size),
    FIELD(ModuleRecord, mtime_ns),
    FIELD(NameRecord, key),
    FIELD(NameRecord, size),
    FIELD(NameRecord, module),
    FIELD(NameRecord, kind),
    FIELD(NameRecord, flags),
};

// A field that is new shifts the others, or the end.
static_assert(sizeof(vfd::FileHeader) == offsetof(vfd::FileHeader, sample_ns) + 8);
static_assert(sizeof(vfd::ThreadRecord) == offsetof(vfd::ThreadRecord, unsampled_cpu_ns) + 8);

} // namespace

TEST_CASE("the man page gives every field of the format its place") {
    std::vector<Field> described = described_fields(TEST_DATA_DIR "/../share_src/man/vfd.5");
    for (std::size_t i = 0; i < std::min(Fields.size(), described.size()); ++i)
        REQUIRE(described[i] == Fields[i]);
    CHECK(described.size() == Fields.size());
}

TEST_CASE("the man page's example of an event stream is what a reader sees") {
    EventEncoder e(16000, 4);
    e.enter(19200, 5).callee(19880, 1).leave(20200).leave(20210);
    EventEncoder page(16000, 4);
    page.raw({0x8f, 0x19, 0x05, 0x0a, 0xa2, 0x05, 0x50, 0x04});
    CHECK(e.bytes() == page.bytes());
}
