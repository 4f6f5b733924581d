// SPDX-License-Identifier: BSD-3-Clause
//
// Walks the segments of a recording and sorts them by owner. See image.hpp for what is trusted: nothing.
#include "vfd/image.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::vfd {

Error::Error(std::string file, std::uint64_t offset, const std::string& reason)
    : std::runtime_error(file + ": at byte " + std::to_string(offset) + ": " + reason),
      file_(std::move(file)), offset_(offset) {}

struct Image::Impl {
    std::string label;
    const FileHeader* header = nullptr;
    const std::byte* base = nullptr; // start of a mapped file, nullptr for live memory
    std::size_t size = 0;
    std::vector<Segment> segments;
    std::vector<ThreadView> threads;
    std::vector<ModuleView> modules;
    std::vector<NameView> names;
    std::string_view config;
    std::span<const std::byte> profile;

    ~Impl() {
        if (base)
            munmap(const_cast<std::byte*>(base), size);
    }
    [[noreturn]] void fail(const void* place, const std::string& reason) const {
        std::uint64_t offset = base ? static_cast<std::uint64_t>(static_cast<const std::byte*>(place) - base) : 0;
        throw Error(label, offset, reason);
    }
    void check_header() const;
    void walk_file();
    void sort_segments();
    void add_thread(const Segment& segment);
    void add_modules(const Segment& segment);
    void add_names(const Segment& segment);
    void complete(ThreadView& thread, const std::vector<const Segment*>& owned);
};

namespace {

constexpr std::size_t LargestThreadIndex = 1 << 20;

template <class T>
std::span<const T> array_of(const Segment& segment) {
    return {reinterpret_cast<const T*>(segment.payload.data()), segment.payload.size() / sizeof(T)};
}

std::size_t round_up_8(std::size_t n) { return (n + 7) / 8 * 8; }

} // namespace

void Image::Impl::check_header() const {
    if (std::memcmp(header->magic, Magic, sizeof Magic) != 0)
        fail(header, "this is no vfd file");
    if (header->version != FormatVersion)
        fail(header, "format version " + std::to_string(header->version) + "; this program reads version " +
                         std::to_string(FormatVersion));
    bool power_of_two = header->page_size >= 512 && (header->page_size & (header->page_size - 1)) == 0;
    if (!power_of_two || header->page_size > (1u << 24) || header->header_size < sizeof(FileHeader) ||
        header->header_size % header->page_size != 0)
        fail(header, "damaged header");
    if (header->kind != FileKind::Process && header->kind != FileKind::Merged)
        fail(header, "unknown kind of file");
}

// Segments follow each other; a page without one (its allocation failed, or has just begun) is stepped over.
void Image::Impl::walk_file() {
    std::size_t at = header->header_size;
    while (at + sizeof(SegmentHeader) <= size) {
        const auto* segment = reinterpret_cast<const SegmentHeader*>(base + at);
        if (segment->magic != SegmentMagic) {
            at += header->page_size;
            continue;
        }
        std::uint64_t capacity = segment->capacity;
        if (capacity < sizeof(SegmentHeader) || capacity > size - at || capacity % header->page_size != 0)
            fail(segment, "segment of impossible size " + std::to_string(capacity));
        std::uint64_t start = segment->payload_offset ? segment->payload_offset : sizeof(SegmentHeader);
        std::uint64_t used = __atomic_load_n(&segment->used, __ATOMIC_ACQUIRE);
        if (start < sizeof(SegmentHeader) || start > capacity || used > capacity - start || start % 8 != 0)
            fail(segment, "segment holds more than its size");
        segments.push_back({segment, {base + at + start, used}});
        at += capacity;
    }
}

void Image::Impl::add_thread(const Segment& segment) {
    if (segment.payload.size() < sizeof(ThreadRecord))
        return; // its thread had just begun
    if (segment.header->thread > LargestThreadIndex)
        fail(segment.header, "impossible thread index");
    threads.push_back({});
    threads.back().record = reinterpret_cast<const ThreadRecord*>(segment.payload.data());
}

void Image::Impl::add_modules(const Segment& segment) {
    std::span<const std::byte> rest = segment.payload;
    while (rest.size() >= sizeof(ModuleRecord)) {
        const auto* record = reinterpret_cast<const ModuleRecord*>(rest.data());
        std::size_t text = std::size_t{record->build_id_size} + record->path_size;
        if (sizeof(ModuleRecord) + text > rest.size())
            fail(record, "module record is cut off");
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(record + 1);
        modules.push_back({record,
                           {bytes, record->build_id_size},
                           {reinterpret_cast<const char*>(bytes) + record->build_id_size, record->path_size}});
        rest = rest.subspan(std::min(round_up_8(sizeof(ModuleRecord) + text), rest.size()));
    }
}

void Image::Impl::add_names(const Segment& segment) {
    std::span<const std::byte> rest = segment.payload;
    while (rest.size() >= sizeof(NameRecord)) {
        const auto* record = reinterpret_cast<const NameRecord*>(rest.data());
        if (record->size > rest.size() - sizeof(NameRecord))
            fail(record, "name is cut off");
        names.push_back({record->key, record->module, record->kind, record->flags,
                         {reinterpret_cast<const char*>(record + 1), record->size}});
        rest = rest.subspan(std::min(round_up_8(sizeof(NameRecord) + record->size), rest.size()));
    }
}

// Nodes must follow each other without a gap; the stack is the one that the record says is in force.
void Image::Impl::complete(ThreadView& thread, const std::vector<const Segment*>& owned) {
    const ThreadRecord& record = *thread.record;
    std::uint64_t nodes = 0;
    std::uint32_t depth = __atomic_load_n(&record.depth, __ATOMIC_ACQUIRE);
    for (const Segment* segment : owned) {
        switch (segment->header->kind) {
        case SegmentKind::Nodes: {
            auto chunk = array_of<Node>(*segment);
            if (segment->header->arg0 != nodes)
                fail(segment->header, "call tree with a gap");
            thread.node_chunks.push_back(chunk);
            nodes += chunk.size();
            break;
        }
        case SegmentKind::Stack:
            if (segment->header->sequence == record.stack_sequence)
                thread.stack = array_of<Frame>(*segment);
            break;
        case SegmentKind::Events:
            thread.events.push_back(*segment);
            break;
        default:
            break;
        }
    }
    std::uint32_t published = __atomic_load_n(&record.node_count, __ATOMIC_ACQUIRE);
    thread.node_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(published, nodes));
    thread.stack = thread.stack.first(std::min<std::size_t>(depth, thread.stack.size()));
    for (std::uint32_t id = 0; id < thread.node_count; ++id) {
        const Node& node = thread.node(id);
        if (id == 0 ? node.parent != NoNode : node.parent >= id)
            fail(&node, "call path " + std::to_string(id) + " has an impossible parent");
    }
    // A writer that lives may have gone on since its counts were read.
    for (std::size_t i = 0; i < thread.stack.size(); ++i)
        if (thread.stack[i].node >= thread.node_count)
            thread.stack = thread.stack.first(i);
}

void Image::Impl::sort_segments() {
    std::map<std::uint32_t, std::vector<const Segment*>> by_thread;
    std::vector<const Segment*> ordered;
    for (const Segment& segment : segments)
        ordered.push_back(&segment);
    std::stable_sort(ordered.begin(), ordered.end(), [](const Segment* a, const Segment* b) {
        return a->header->sequence < b->header->sequence;
    });
    for (const Segment* segment : ordered) {
        switch (segment->header->kind) {
        case SegmentKind::Thread:
            add_thread(*segment);
            break;
        case SegmentKind::Modules:
            add_modules(*segment);
            break;
        case SegmentKind::Names:
            add_names(*segment);
            break;
        case SegmentKind::Config:
            config = {reinterpret_cast<const char*>(segment->payload.data()), segment->payload.size()};
            break;
        case SegmentKind::Profile:
            profile = segment->payload;
            break;
        default:
            by_thread[segment->header->thread].push_back(segment);
        }
    }
    std::sort(threads.begin(), threads.end(), [](const ThreadView& a, const ThreadView& b) {
        return a.record->index < b.record->index;
    });
    for (ThreadView& thread : threads)
        complete(thread, by_thread[thread.record->index]);
}

Image::Image(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Image::Image(Image&&) noexcept = default;
Image& Image::operator=(Image&&) noexcept = default;
Image::~Image() = default;

Image Image::open(const std::string& path) {
    auto impl = std::make_unique<Impl>();
    impl->label = path;
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        throw Error(path, 0, std::string("cannot open: ") + std::strerror(errno));
    struct stat status {};
    fstat(fd, &status);
    if (!S_ISREG(status.st_mode) || static_cast<std::size_t>(status.st_size) < sizeof(FileHeader)) {
        ::close(fd);
        throw Error(path, 0, S_ISREG(status.st_mode) ? "this is no vfd file: too short" : "not a regular file");
    }
    impl->size = static_cast<std::size_t>(status.st_size);
    void* mapped = mmap(nullptr, impl->size, PROT_READ, MAP_SHARED, fd, 0);
    int error = errno;
    ::close(fd);
    if (mapped == MAP_FAILED)
        throw Error(path, 0, std::string("cannot map: ") + std::strerror(error));
    impl->base = static_cast<const std::byte*>(mapped);
    impl->header = reinterpret_cast<const FileHeader*>(impl->base);
    impl->check_header();
    impl->walk_file();
    impl->sort_segments();
    return Image(std::move(impl));
}

Image Image::of_memory(const FileHeader& header, std::vector<Segment> segments, std::string label) {
    auto impl = std::make_unique<Impl>();
    impl->label = std::move(label);
    impl->header = &header;
    impl->segments = std::move(segments);
    impl->check_header();
    impl->sort_segments();
    return Image(std::move(impl));
}

const FileHeader& Image::header() const { return *impl_->header; }
const std::string& Image::label() const { return impl_->label; }
bool Image::sealed() const { return impl_->header->state == FileState::Sealed; }
const std::vector<Segment>& Image::segments() const { return impl_->segments; }
const std::vector<ThreadView>& Image::threads() const { return impl_->threads; }
const std::vector<ModuleView>& Image::modules() const { return impl_->modules; }
const std::vector<NameView>& Image::names() const { return impl_->names; }
std::string_view Image::config_text() const { return impl_->config; }
std::span<const std::byte> Image::profile_bytes() const { return impl_->profile; }

namespace {

// The latest moment at which all clocks were read.
const ClockPair& latest_pair(const FileHeader& header) {
    return header.end.ticks != 0 ? header.end : header.last[header.last_index & 1];
}

} // namespace

double Image::ns_per_tick() const {
    const FileHeader& h = header();
    const ClockPair& end = latest_pair(h);
    if (h.clock == ClockKind::Monotonic || end.ticks <= h.start.ticks || end.monotonic_ns <= h.start.monotonic_ns)
        return 1;
    return static_cast<double>(end.monotonic_ns - h.start.monotonic_ns) /
           static_cast<double>(end.ticks - h.start.ticks);
}

std::uint64_t Image::to_ns(std::uint64_t ticks) const {
    const FileHeader& h = header();
    double since = static_cast<double>(static_cast<std::int64_t>(ticks - h.start.ticks)) * ns_per_tick();
    return h.start.monotonic_ns + static_cast<std::uint64_t>(std::llround(std::clamp(since, -9e18, 9e18)));
}

std::uint64_t Image::to_realtime_ns(std::uint64_t ticks) const {
    return to_ns(ticks) - header().start.monotonic_ns + header().start.realtime_ns;
}

std::uint64_t Image::end_ticks() const {
    const FileHeader& h = header();
    if (h.end.ticks != 0)
        return h.end.ticks;
    std::uint64_t latest = std::max(h.start.ticks, h.last[h.last_index & 1].ticks);
    for (const ThreadView& thread : threads()) {
        latest = std::max(latest, thread.record->last);
        for (const Frame& frame : thread.stack)
            if (!(frame.flags & FrameFolded))
                latest = std::max(latest, frame.enter);
    }
    return latest;
}

} // namespace vftr::vfd
