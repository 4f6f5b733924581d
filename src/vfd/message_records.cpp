// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/message_records.hpp"

#include "vfd/records.hpp"

namespace vftr::vfd {

namespace {

// True if the run stays among the ranks of one job.
bool is_sound(const GroupRun& run) {
    std::int64_t first = run.first & ~ForeignRank;
    std::int64_t last = first + (std::int64_t{run.count} - 1) * run.stride;
    return run.count != 0 && run.count <= MostRanks && last >= 0 && last < std::int64_t{ForeignRank};
}

} // namespace

void read_groups(const Segment& segment, const Source& source, std::vector<GroupView>& out) {
    auto size = [](const GroupRecord& r) { return std::size_t{r.run_count} * sizeof(GroupRun); };
    auto add = [&](const GroupRecord& r, std::span<const std::byte> bytes) {
        std::span runs(reinterpret_cast<const GroupRun*>(bytes.data()), r.run_count);
        std::uint64_t ranks = 0;
        for (const GroupRun& run : runs) {
            source.require(is_sound(run), &r, "damaged group: bad run of ranks");
            ranks += run.count;
        }
        source.require(r.id != 0 && ranks == r.size && ranks <= MostRanks, &r, "damaged group: wrong number of ranks");
        out.push_back({r.id, r.size, runs});
    };
    for_each_record<GroupRecord>(segment, source, size, add);
}

void read_types(const Segment& segment, const Source& source, std::vector<TypeView>& out) {
    auto size = [](const TypeRecord& r) -> std::size_t { return r.name_size; };
    auto add = [&](const TypeRecord& r, std::span<const std::byte> bytes) {
        source.require(r.id != 0, &r, "damaged type: no id");
        out.push_back({r.id, r.size, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
    };
    for_each_record<TypeRecord>(segment, source, size, add);
}

std::span<const Traffic> read_traffic(const Segment& segment, const Source& source) {
    std::span records(reinterpret_cast<const Traffic*>(segment.payload.data()),
                      segment.payload.size() / sizeof(Traffic));
    for (const Traffic& record : records)
        source.require(record.direction <= Direction::Get && record.span <= Span::Others, &record,
                       "damaged messages: unknown kind");
    return records;
}

bool GroupView::has(std::uint32_t rank) const {
    for (const GroupRun& run : runs) {
        std::int64_t apart = std::int64_t{rank} - run.first;
        if (run.stride == 0 ? apart == 0
                            : apart % run.stride == 0 && apart / run.stride >= 0 && apart / run.stride < run.count)
            return true;
    }
    return false;
}

} // namespace vftr::vfd
