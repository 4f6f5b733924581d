// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/writer.hpp"

#include "base/cancellation.hpp"
#include "base/file_size.hpp"
#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/signal_mask.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::vfd {

namespace {

// SegmentHeader::writer_private[0] holds the index of the segment's entry and, above it, its offset in the file in units of the smallest
// page; 0: it is in memory. In the entries, 8 bytes each would be half a megabyte of every process.
constexpr std::uint64_t SmallestUnit = 4096;
std::uint32_t index_of(const SegmentHeader& segment) { return static_cast<std::uint32_t>(segment.writer_private[0]); }
std::uint64_t offset_of(const SegmentHeader& segment) { return (segment.writer_private[0] >> 32) * SmallestUnit; }

int write_zeros(int fd, std::uint64_t offset, std::size_t bytes) {
    static const char zeros[65536] = {};
    while (bytes != 0) {
        ssize_t n = pwrite(fd, zeros, std::min(bytes, sizeof zeros), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : ENOSPC;
        offset += static_cast<std::uint64_t>(n);
        bytes -= static_cast<std::size_t>(n);
    }
    return 0;
}

// Blocks on disk for a range, so that storing into its mapping can never raise SIGBUS.
int allocate_blocks(int fd, std::uint64_t offset, std::size_t bytes) {
    base::NoFileSizeSignal guard;
    for (;;) {
        if (fallocate(fd, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0)
            return 0;
        if (errno == EOPNOTSUPP || errno == ENOSYS)
            return write_zeros(fd, offset, bytes);
        if (errno != EINTR)
            return errno;
    }
}

void* map_file(int fd, std::uint64_t offset, std::size_t bytes, void* place) {
    void* mapped = mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (place ? MAP_FIXED : 0), fd,
                        static_cast<off_t>(offset));
    if (mapped == MAP_FAILED)
        return nullptr;
    madvise(mapped, bytes, MADV_DONTFORK);
    return mapped;
}

// Of a file.
struct Part {
    std::uint64_t begin, end;
    bool empty() const { return begin >= end; }
};

// The pages that are more than `room` bytes behind what is used; none where it is in memory.
Part tail_of(const SegmentHeader& segment, std::uint64_t room) {
    const std::uint64_t offset = offset_of(segment);
    const std::uint64_t used = std::atomic_ref(const_cast<std::uint64_t&>(segment.used)).load(std::memory_order_acquire);
    return offset == 0 ? Part{} : Part{offset + base::round_to_pages(segment.payload_offset + used + room), offset + segment.capacity};
}

void punch_hole(int fd, const Part& part) {
    if (!part.empty())
        fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(part.begin), static_cast<off_t>(part.end - part.begin));
}

int open_unnamed(const char* path) {
    char folder[4096];
    const char* slash = std::strrchr(path, '/');
    int size = slash ? static_cast<int>(slash - path) + 1 : 0;
    if (size == 0 || static_cast<std::size_t>(std::snprintf(folder, sizeof folder, "%.*s", size, path)) >= sizeof folder)
        return -1;
    return ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);
}

// 0, or errno.
int give_name(int fd, const char* path) {
    char name[32];
    std::snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return ::linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

} // namespace

// Calls use(descriptor) where the file can be opened. errno is kept.
template <class Use>
void Writer::with_file(Use use) {
    base::CancellationLater whole;
    int saved = errno;
    if (int fd = open_same_file(); fd >= 0) {
        use(fd);
        ::close(fd);
    }
    errno = saved;
}

void Writer::begin_header(std::size_t bytes, Filling filling) {
    std::memcpy(header_->magic, Magic, sizeof Magic);
    header_->version = FormatVersion;
    header_->header_size = static_cast<std::uint32_t>(bytes);
    header_->kind = FileKind::Process;
    header_->state = FileState::Open;
    header_->page_size = static_cast<std::uint32_t>(base::page_size());
    header_->pointer_bits = 8 * sizeof(void*);
    header_->rank = -1;
    header_->file_end = bytes;
    if (filling.fill)
        filling.fill(*header_, filling.data);
}

// The file with its first page. Without a name at first, a process that is killed just now leaves nothing; with one, an empty file.
int Writer::create_file(const char* path, std::size_t bytes, bool named, Filling filling) {
    int fd = named ? ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644) : open_unnamed(path);
    if (fd < 0)
        return errno;
    struct stat status {};
    fstat(fd, &status);
    int error = allocate_blocks(fd, 0, bytes);
    void* page = error == 0 ? map_file(fd, 0, bytes, nullptr) : nullptr;
    if (page) {
        header_ = static_cast<FileHeader*>(page);
        begin_header(bytes, filling);
        error = named ? 0 : give_name(fd, path);
    } else if (error == 0)
        error = errno;
    ::close(fd);
    if (error == 0) {
        device_ = status.st_dev;
        inode_ = status.st_ino;
    } else {
        if (page)
            munmap(page, bytes);
        if (named)
            ::unlink(path);
    }
    return error;
}

void Writer::begin(const char* path) {
    std::snprintf(paths_[0], sizeof paths_[0], "%s", path);
    path_ = paths_[0];
    count_ = 0;
    readers_ = growing_ = 0;
    mapped_ = base::round_to_pages(sizeof(FileHeader));
    inode_ = device_ = 0;
}

int Writer::create(const char* path, Fill fill, const void* data) {
    base::CancellationLater whole;
    begin(path);
    int error = create_file(path, mapped_, false, {fill, data});
    if (error != 0 && error != EEXIST)
        error = create_file(path, mapped_, true, {fill, data});
    if (error != 0)
        hold_header({fill, data});
    lost_ = error != 0;
    return error;
}

int Writer::create_in_memory(Fill fill, const void* data) {
    begin("");
    lost_ = true;
    return hold_header({fill, data});
}

int Writer::hold_header(Filling filling) {
    header_ = static_cast<FileHeader*>(base::map_anonymous(mapped_));
    if (!header_) {
        mapped_ = 0;
        return ENOMEM;
    }
    begin_header(mapped_, filling);
    header_->flags |= FlagFileLost;
    return 0;
}

// A descriptor, or −errno. Another thread may rename the file just now.
int Writer::open_same_file() {
    for (int tries = 1;; ++tries) {
        const char* path = path_.load(std::memory_order_acquire);
        int fd = ::open(path, O_RDWR | O_CLOEXEC);
        int error = fd < 0 ? errno : 0;
        struct stat status {};
        if (fd >= 0) {
            if (fstat(fd, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_)
                return fd;
            error = ESTALE;
            ::close(fd);
        }
        if (error == EINTR)
            continue;
        if ((error != ENOENT && error != ESTALE) || tries >= 1000)
            return -error;
        if (tries < 100)
            sched_yield();
        else
            usleep(100); // that thread may be waiting for a processor
    }
}

int Writer::grow_and_map(std::uint64_t offset, std::size_t header_bytes, std::size_t payload_bytes,
                         void* payload_at, SegmentHeader** result) {
    int fd = open_same_file();
    if (fd < 0)
        return -fd;
    int error = allocate_blocks(fd, offset, header_bytes + payload_bytes);
    if (error == 0) {
        std::size_t first = payload_at ? header_bytes : header_bytes + payload_bytes;
        void* header = map_file(fd, offset, first, nullptr);
        if (!header)
            error = errno;
        else if (payload_at && !map_file(fd, offset + header_bytes, payload_bytes, payload_at)) {
            error = errno;
            munmap(header, first);
        } else
            *result = static_cast<SegmentHeader*>(header);
    }
    ::close(fd);
    return error;
}

SegmentHeader* Writer::allocate_in_memory(std::size_t header_bytes, std::size_t payload_bytes,
                                          void* payload_at) {
    if (!payload_at)
        return static_cast<SegmentHeader*>(base::map_anonymous(header_bytes + payload_bytes));
    void* header = base::map_anonymous(header_bytes);
    if (header && !base::map_anonymous_at(payload_at, payload_bytes)) {
        base::unmap(header, header_bytes);
        header = nullptr;
    }
    return static_cast<SegmentHeader*>(header);
}

void Writer::lose(int error) {
    if (lost_.exchange(true))
        return;
    std::atomic_ref(header_->flags).fetch_or(FlagFileLost);
    base::warn_of_output("cannot extend ", path(), ": ", base::error_text(error),
               "; recording goes on in memory, without further events");
}

// An entry for a new segment: a fresh one, or, when there are no more, one that was retired.
bool Writer::claim(std::uint32_t& index) {
    auto take = [this, &index](std::uint32_t i) {
        SegmentHeader* expected = nullptr;
        index = i;
        return entries_[i].header.compare_exchange_strong(expected, claimed());
    };
    while (count_.load(std::memory_order_relaxed) < MaxSegments) {
        std::uint32_t fresh = count_.fetch_add(1);
        if (fresh < MaxSegments && take(fresh))
            return true;
    }
    for (std::uint32_t i = 0; i < MaxSegments; ++i)
        if (entries_[i].header.load(std::memory_order_relaxed) == nullptr && take(i))
            return true;
    return false;
}

SegmentHeader* Writer::allocate(SegmentKind kind, std::uint32_t thread, std::uint32_t sequence,
                                std::size_t payload_bytes, void* payload_at) {
    base::Undisturbed whole; // a handler that forks would leave the child with half a segment (record/interrupted_hook.hpp)
    std::uint32_t index;
    if (!claim(index))
        return nullptr;
    int saved = errno;
    // A header that shares its pages with the payload, or one with a page of its own.
    std::size_t header_bytes = payload_at ? base::page_size() : sizeof(SegmentHeader);
    std::size_t total = base::round_to_pages(header_bytes + payload_bytes);
    std::size_t room = total - header_bytes;
    SegmentHeader* segment = nullptr;
    std::uint64_t offset = 0;
    if (Growth growth(*this); growth.good) {
        offset = std::atomic_ref(header_->file_end).fetch_add(total);
        if (int error = grow_and_map(offset, header_bytes, room, payload_at, &segment))
            lose(error);
    }
    if (!segment) {
        offset = 0;
        if (kind != SegmentKind::Events && kind != SegmentKind::Packed)
            segment = allocate_in_memory(header_bytes, room, payload_at);
    }
    if (segment) {
        SegmentHeader as{0, kind, 0, thread, sequence, total, 0, 0, header_bytes, {}};
        publish(index, segment, as,
                payload_at ? static_cast<std::byte*>(payload_at) : reinterpret_cast<std::byte*>(segment) + header_bytes, offset);
    } else
        entries_[index].header.store(nullptr, std::memory_order_release);
    errno = saved;
    return segment;
}

void Writer::publish(std::uint32_t index, SegmentHeader* segment, const SegmentHeader& as, std::byte* payload, std::uint64_t offset) {
    mapped_ += as.capacity;
    segment->kind = as.kind;
    segment->thread = as.thread;
    segment->sequence = as.sequence;
    segment->capacity = as.capacity;
    segment->payload_offset = as.payload_offset;
    segment->writer_private[0] = index | offset / SmallestUnit << 32;
    entries_[index].payload = payload;
    std::atomic_ref(segment->magic).store(SegmentMagic, std::memory_order_release);
    entries_[index].header.store(segment, std::memory_order_release);
}

namespace {

std::size_t bytes_of(const Writer::Wanted& wanted) { return base::round_to_pages(sizeof(SegmentHeader) + wanted.payload_bytes); }

bool take_memory(Writer::Wanted& wanted) {
    void* memory = wanted.place ? (base::map_anonymous_at(wanted.place, bytes_of(wanted)) ? wanted.place : nullptr)
                                : base::map_anonymous(bytes_of(wanted));
    wanted.segment = static_cast<SegmentHeader*>(memory);
    return memory != nullptr;
}

} // namespace

// 0, or errno.
int Writer::grow_together(std::span<Wanted> wanted) {
    std::size_t total = 0, anywhere = 0;
    for (const Wanted& w : wanted) {
        total += bytes_of(w);
        anywhere += w.place ? 0 : bytes_of(w);
    }
    std::uint64_t offset = std::atomic_ref(header_->file_end).fetch_add(total);
    int fd = open_same_file();
    if (fd < 0)
        return -fd;
    int error = allocate_blocks(fd, offset, total);
    auto* next = error == 0 && anywhere != 0 ? static_cast<std::byte*>(map_file(fd, offset, anywhere, nullptr)) : nullptr;
    if (error == 0 && anywhere != 0 && !next)
        error = errno;
    if (next)
        base::touch(next, anywhere);
    offset += anywhere;
    for (Wanted& w : wanted) {
        if (error != 0)
            break;
        if (w.place) {
            w.segment = static_cast<SegmentHeader*>(map_file(fd, offset, bytes_of(w), w.place));
            error = w.segment ? 0 : errno;
            offset += bytes_of(w);
        } else {
            w.segment = reinterpret_cast<SegmentHeader*>(next);
            next += bytes_of(w);
        }
    }
    ::close(fd);
    return error;
}

bool Writer::allocate_together(std::span<Wanted> wanted) {
    base::Undisturbed whole;
    int saved = errno;
    std::uint32_t index[MostTogether];
    std::size_t claimed_count = 0;
    while (claimed_count < wanted.size() && claim(index[claimed_count]))
        ++claimed_count;
    bool have = claimed_count == wanted.size();
    if (have) {
        const Growth growth(*this);
        int error = growth.good ? grow_together(wanted) : ENOSPC;
        if (error != 0 && !lost())
            lose(error);
        have = error == 0 || std::ranges::all_of(wanted, take_memory);
    }
    for (std::size_t i = 0; i < claimed_count; ++i)
        if (have) {
            const Wanted& w = wanted[i];
            SegmentHeader as{0, w.kind, 0, w.thread, w.sequence, bytes_of(w), 0, 0, sizeof(SegmentHeader), {}};
            publish(index[i], w.segment, as, reinterpret_cast<std::byte*>(w.segment) + sizeof(SegmentHeader), 0);
        } else
            entries_[index[i]].header.store(nullptr, std::memory_order_release);
    errno = saved;
    return have;
}

void Writer::retire(SegmentHeader* segment) { retire(segment, segment->capacity); }

void Writer::retire(SegmentHeader* segment, std::size_t bytes) {
    // A reader says that it is there, then looks at the entries; we do it the other way round. So one sees the other.
    std::atomic<SegmentHeader*>& header = entries_[index_of(*segment)].header;
    header.store(claimed());
    if (readers_.load() != 0)
        return;
    mapped_ -= bytes;
    munmap(segment, bytes);
    header.store(nullptr, std::memory_order_release);
}

void Writer::release(SegmentHeader* segment) {
    discard(segment);
    if (const std::uint64_t offset = offset_of(*segment); offset != 0)
        with_file([&](int fd) { punch_hole(fd, {offset + base::page_size(), offset + segment->capacity}); });
    retire(segment);
}

bool Writer::end_growth() {
    constexpr int Most = 100;
    lost_ = true;
    for (int i = 0; growing_.load() != 0; ++i) {
        if (i == Most)
            return false;
        usleep(100);
    }
    return true;
}

void Writer::retire_cut(SegmentHeader* segment) {
    const std::size_t bytes = segment->capacity;
    if (const Part tail = tail_of(*segment, 0); !tail.empty())
        with_file([&](int fd) {
            if (std::atomic_ref(header_->file_end).load() != tail.end)
                return punch_hole(fd, tail);
            // A reader may look at any moment: the file is never shorter than it says.
            std::atomic_ref(header_->file_end).store(tail.begin);
            std::atomic_ref(segment->capacity).store(bytes - (tail.end - tail.begin));
            if (ftruncate(fd, static_cast<off_t>(tail.begin)) != 0)
                punch_hole(fd, tail);
        });
    retire(segment, bytes);
}

void Writer::give_back_tails(std::uint64_t room) {
    Reading reading(*this);
    with_file([&](int fd) {
        for_each([&](const SegmentHeader& segment, const std::byte*) {
            if (std::atomic_ref(const_cast<SegmentKind&>(segment.kind)).load() == SegmentKind::Events)
                punch_hole(fd, tail_of(segment, room));
        });
    });
}

int Writer::rename(const char* new_path) {
    base::CancellationLater whole;
    if (!created())
        return ENOENT;
    char* other = path_ == paths_[0] ? paths_[1] : paths_[0];
    std::snprintf(other, sizeof paths_[0], "%s", new_path);
    if (::rename(path_, new_path) != 0)
        return errno;
    path_.store(other, std::memory_order_release);
    return 0;
}

void Writer::remove() {
    lost_ = true; // without a warning
    if (created())
        ::unlink(path());
}

void Writer::abandon() {
    std::uint32_t count = std::min(count_.load(), MaxSegments);
    for (std::uint32_t i = 0; i < count; ++i)
        entries_[i].header = nullptr;
    count_ = 0;
    readers_ = 0;
    header_ = nullptr;
    inode_ = device_ = 0;
    lost_ = true;
}

} // namespace vftr::vfd
