// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/writer.hpp"

#include "base/cancellation.hpp"
#include "base/errno_preserved.hpp"
#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/signal_mask.hpp"
#include "vfd/blocks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace vftr::vfd {

void Writer::begin_header(void* page, Filling filling) {
    header_ = static_cast<FileHeader*>(page);
    std::memcpy(header_->magic, Magic, sizeof Magic);
    header_->version = FormatVersion;
    header_->header_size = static_cast<std::uint32_t>(mapped_);
    header_->kind = FileKind::Process;
    header_->state = FileState::Open;
    header_->page_size = static_cast<std::uint32_t>(base::page_size());
    header_->pointer_bits = 8 * sizeof(void*);
    header_->rank = -1;
    header_->file_end = mapped_;
    if (filling.fill)
        filling.fill(*header_, filling.data);
}

void Writer::begin() {
    segments_.clear();
    growing_ = 0;
    mapped_ = base::round_to_pages(sizeof(FileHeader));
}

int Writer::create(const char* path, Fill fill, const void* data) {
    base::CancellationDeferred deferred;
    begin();
    const int error = file_.create(path, mapped_, [&](void* page) { begin_header(page, {fill, data}); });
    if (error != 0)
        hold_header({fill, data});
    grows_ = error == 0;
    return error;
}

int Writer::create_in_memory(Fill fill, const void* data) {
    begin();
    file_.forget();
    grows_ = false;
    return hold_header({fill, data});
}

int Writer::hold_header(Filling filling) {
    void* page = base::map_anonymous(mapped_);
    if (!page) {
        header_ = nullptr;
        mapped_ = 0;
        return ENOMEM;
    }
    begin_header(page, filling);
    header_->flags |= FlagFileLost;
    return 0;
}

int Writer::grow_and_map(std::uint64_t offset, std::size_t header_bytes, std::size_t payload_bytes, void* payload_at,
                         SegmentHeader** result) {
    int error = 0;
    const int closed = file_.with([&](int fd) {
        error = allocate_blocks(fd, offset, header_bytes + payload_bytes);
        if (error != 0)
            return;
        const std::size_t first = payload_at ? header_bytes : header_bytes + payload_bytes;
        void* header = map_blocks(fd, offset, first, nullptr);
        if (!header)
            error = errno;
        else if (payload_at && !map_blocks(fd, offset + header_bytes, payload_bytes, payload_at)) {
            error = errno;
            munmap(header, first);
        } else
            *result = static_cast<SegmentHeader*>(header);
    });
    return closed != 0 ? closed : error;
}

SegmentHeader* Writer::allocate_in_memory(std::size_t header_bytes, std::size_t payload_bytes, void* payload_at) {
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
    if (!grows_.exchange(false))
        return;
    std::atomic_ref(header_->flags).fetch_or(FlagFileLost);
    base::warn_of_output("cannot extend ", path(), ": ", base::error_text(error),
                         "; the profile goes on in memory, the timeline does not grow any more");
}

SegmentHeader* Writer::allocate(SegmentKind kind, std::uint32_t thread, std::uint32_t sequence,
                                std::size_t payload_bytes, void* payload_at) {
    // If a signal handler forked here, the child would have half a segment (record/stacks/interrupted_hook.hpp).
    base::InterruptionsDeferred blocked;
    std::uint32_t index;
    if (!segments_.claim(index))
        return nullptr;
    const base::ErrnoPreserved preserved;
    // The header shares its first page with the payload, or has a page of its own.
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
        publish(index, segment, as, offset, payload_at);
    } else
        segments_.free(index);
    return segment;
}

void Writer::publish(std::uint32_t index, SegmentHeader* segment, const SegmentHeader& as, std::uint64_t offset,
                     void* payload_at) {
    mapped_ += as.capacity;
    std::byte* behind = reinterpret_cast<std::byte*>(segment) + as.payload_offset;
    segments_.put(index, segment, as, payload_at ? static_cast<std::byte*>(payload_at) : behind, offset);
}

namespace {

std::size_t bytes_of(const Writer::Wanted& wanted) {
    return base::round_to_pages(sizeof(SegmentHeader) + wanted.payload_bytes);
}

bool take_memory(Writer::Wanted& wanted) {
    void* memory = wanted.address
                       ? (base::map_anonymous_at(wanted.address, bytes_of(wanted)) ? wanted.address : nullptr)
                       : base::map_anonymous(bytes_of(wanted));
    wanted.segment = static_cast<SegmentHeader*>(memory);
    return memory != nullptr;
}

// Maps the segments from `offset` on. The first `anywhere` bytes are for segments that may be mapped at any address.
// Returns 0 or errno.
int map_together(int fd, std::uint64_t offset, std::size_t anywhere, std::span<Writer::Wanted> wanted) {
    auto* next = anywhere != 0 ? static_cast<std::byte*>(map_blocks(fd, offset, anywhere, nullptr)) : nullptr;
    if (anywhere != 0 && !next)
        return errno;
    if (next)
        base::touch(next, anywhere);
    offset += anywhere;
    for (Writer::Wanted& w : wanted)
        if (w.address) {
            w.segment = static_cast<SegmentHeader*>(map_blocks(fd, offset, bytes_of(w), w.address));
            if (!w.segment)
                return errno;
            offset += bytes_of(w);
        } else {
            w.segment = reinterpret_cast<SegmentHeader*>(next);
            next += bytes_of(w);
        }
    return 0;
}

} // namespace

// Returns 0 or errno.
int Writer::grow_together(std::span<Wanted> wanted) {
    std::size_t total = 0, anywhere = 0;
    for (const Wanted& w : wanted) {
        total += bytes_of(w);
        anywhere += w.address ? 0 : bytes_of(w);
    }
    const std::uint64_t offset = std::atomic_ref(header_->file_end).fetch_add(total);
    int error = 0;
    const int closed = file_.with([&](int fd) {
        error = allocate_blocks(fd, offset, total);
        if (error == 0)
            error = map_together(fd, offset, anywhere, wanted);
    });
    return closed != 0 ? closed : error;
}

bool Writer::allocate_together(std::span<Wanted> wanted) {
    base::InterruptionsDeferred blocked;
    const base::ErrnoPreserved preserved;
    std::uint32_t index[MostTogether];
    std::size_t claimed_count = 0;
    while (claimed_count < wanted.size() && segments_.claim(index[claimed_count]))
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
            publish(index[i], w.segment, as, 0);
        } else
            segments_.free(index[i]);
    return have;
}

void Writer::remove() {
    grows_ = false; // not lose(), which warns
    file_.remove();
}

void Writer::abandon() {
    segments_.clear();
    file_.forget();
    header_ = nullptr;
    grows_ = false;
}

} // namespace vftr::vfd
