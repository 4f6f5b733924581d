// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/image.hpp"

#include "vfd/last_event.hpp"
#include "vfd/message_records.hpp"
#include "vfd/records.hpp"
#include "vfd/segments.hpp"
#include "vfd/source.hpp"
#include "vfd/thread_view.hpp"
#include "vfd/version3.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vftr::vfd {

struct Image::Impl {
    std::shared_ptr<const void> memory; // keeps a file that was converted to segments in memory
    Source source;
    FileHeader header;
    std::vector<Segment> segments;
    ThreadCopies copies;
    std::vector<ThreadView> threads;
    std::vector<ModuleView> modules;
    std::vector<NameView> names;
    std::vector<GroupView> groups;
    std::vector<TypeView> types;
    std::vector<std::span<const Traffic>> traffic;
    std::vector<std::span<const Team>> teams;
    std::string_view config;
    std::span<const std::byte> profile;
    std::uint64_t end_ticks = 0;
    TickClock clock;

    explicit Impl(const std::string& path) : source(path) {
        header = checked_header(*reinterpret_cast<const FileHeader*>(source.bytes().data()), source);
        source.require(header.header_size <= source.bytes().size(), source.bytes().data(),
                       "the file is cut off: it ends in its header");
        segments = find_segments(header, source);
        understand();
    }
    Impl(const FileHeader& live, std::vector<Segment> all, std::string label)
        : source(Source::of_memory(std::move(label))), header(checked_header(live, source)), segments(std::move(all)) {
        understand();
    }

    void understand() {
        for (const Segment& segment : segments)
            read(segment);
        order_by_id(groups, source);
        order_by_id(types, source);
        const bool used_again = header.state == FileState::Open && header.flags & (FlagRingBuffer | FlagPacked);
        const Events events = !used_again ? Events::Viewed : source.bytes().empty() ? Events::LeftOut : Events::Copied;
        threads = assemble_threads(segments, source, copies, events);
        end_ticks = find_end();
        clock = TickClock(header.start, find_rate());
    }

    void read(const Segment& segment) {
        switch (kind_of(*segment.header)) {
        case SegmentKind::Modules:
            return read_modules(segment, source, modules);
        case SegmentKind::Names:
            return read_names(segment, source, names);
        case SegmentKind::Groups:
            return read_groups(segment, source, groups);
        case SegmentKind::Types:
            return read_types(segment, source, types);
        case SegmentKind::Traffic:
            traffic.push_back(read_traffic(segment, source));
            return;
        case SegmentKind::Teams:
            teams.emplace_back(reinterpret_cast<const Team*>(segment.payload.data()),
                               segment.payload.size() / sizeof(Team));
            return;
        case SegmentKind::Config:
            config = {reinterpret_cast<const char*>(segment.payload.data()), segment.payload.size()};
            return;
        case SegmentKind::Profile:
            profile = segment.payload;
            return;
        default: // segments of threads are assembled later; unknown kinds come from a newer writer
            return;
        }
    }

    // The latest pair of clock readings that was measured. The end of a process that was killed is computed from it.
    const ClockPair& latest_pair() const {
        bool measured = header.end.ticks != 0 && !(header.flags & FlagRecovered);
        return measured ? header.end : header.last[header.last_index];
    }

    std::uint64_t find_end() const {
        if (header.end.ticks != 0)
            return header.end.ticks;
        std::uint64_t end = std::max(header.start.ticks, latest_pair().ticks);
        for (const ThreadView& thread : threads) {
            end = std::max({end, thread.record->begin, thread.record->last, thread.record->end});
            for (const Frame& frame : thread.stack)
                if (!(frame.flags & FrameNotTimed))
                    end = std::max(end, frame.enter);
            end = std::max(end, last_event_ticks(thread));
        }
        return end;
    }

    // If the process died before its clocks were read a second time, the rate is known only if ticks are ns.
    double find_rate() const {
        const ClockPair &first = header.start, &last = latest_pair();
        if (header.clock == ClockKind::Monotonic || last.ticks <= first.ticks ||
            last.monotonic_ns <= first.monotonic_ns)
            return 1;
        return static_cast<double>(last.monotonic_ns - first.monotonic_ns) /
               static_cast<double>(last.ticks - first.ticks);
    }
};

Image Image::open(const std::string& path) {
    if (is_version3(path)) {
        Version3File file = read_version3(path);
        auto impl = std::make_unique<Impl>(file.header, std::move(file.segments), path);
        impl->memory = std::move(file.memory);
        return Image(std::move(impl));
    }
    // Number of attempts to read a file whose process reuses segments while they are read.
    constexpr int MostTries = 5;
    auto impl = std::make_unique<Impl>(path);
    for (int i = 1; i < MostTries && impl->copies.events_changed; ++i)
        impl = std::make_unique<Impl>(path);
    return Image(std::move(impl));
}

Image Image::of_memory(const FileHeader& header, std::vector<Segment> segments, std::string label) {
    return Image(std::make_unique<Impl>(header, std::move(segments), std::move(label)));
}

Image::Image(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Image::Image(Image&&) noexcept = default;
Image& Image::operator=(Image&&) noexcept = default;
Image::~Image() = default;

const FileHeader& Image::header() const { return impl_->header; }
const std::string& Image::label() const { return impl_->source.label(); }
bool Image::closed() const { return impl_->header.state != FileState::Open; }
const std::vector<Segment>& Image::segments() const { return impl_->segments; }
std::uint64_t Image::segments_end() const {
    if (impl_->segments.empty() || impl_->source.bytes().empty())
        return impl_->header.header_size;
    const SegmentHeader* last = impl_->segments.back().header;
    return static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(last) - impl_->source.bytes().data()) +
           last->capacity;
}
std::uint64_t Image::first_offset(SegmentKind kind) const {
    if (impl_->source.bytes().empty())
        return 0;
    for (const Segment& segment : impl_->segments)
        if (kind_of(*segment.header) == kind)
            return static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(segment.header) -
                                              impl_->source.bytes().data());
    return 0;
}
const std::vector<ThreadView>& Image::threads() const { return impl_->threads; }
const ThreadView* Image::thread(std::uint32_t index) const {
    const std::vector<ThreadView>& all = impl_->threads;
    auto at = std::lower_bound(all.begin(), all.end(), index, [](const ThreadView& view, std::uint32_t wanted) {
        return view.record->index < wanted;
    });
    return at != all.end() && at->record->index == index ? &*at : nullptr;
}
const std::vector<ModuleView>& Image::modules() const { return impl_->modules; }
const std::vector<NameView>& Image::names() const { return impl_->names; }
const std::vector<GroupView>& Image::groups() const { return impl_->groups; }
const std::vector<TypeView>& Image::types() const { return impl_->types; }
const GroupView* Image::group(std::uint32_t id) const { return with_id(impl_->groups, id); }
const TypeView* Image::type(std::uint32_t id) const { return with_id(impl_->types, id); }
const std::vector<std::span<const Traffic>>& Image::traffic() const { return impl_->traffic; }
const std::vector<std::span<const Team>>& Image::teams() const { return impl_->teams; }
std::string_view Image::config_text() const { return impl_->config; }
std::span<const std::byte> Image::profile_bytes() const { return impl_->profile; }
const TickClock& Image::clock() const { return impl_->clock; }
std::uint64_t Image::end_ticks() const { return impl_->end_ticks; }

} // namespace vftr::vfd
