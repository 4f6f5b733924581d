// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/packed.hpp"

#include "vfd/zstd.hpp"

#include <algorithm>
#include <stdexcept>

namespace vftr::vfd {

#ifdef HAVE_ZSTD

namespace {
constexpr int Level = 1; // higher levels take several times as long to save another tenth
}

Packer::Packer() {
    const Zstd* zstd = Zstd::load();
    context_ = zstd ? zstd->ZSTD_createCCtx() : nullptr;
}

Packer::~Packer() {
    if (context_)
        Zstd::load()->ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(context_));
}

std::size_t Packer::room_for(std::size_t bytes) { return ZSTD_COMPRESSBOUND(bytes); }

std::size_t Packer::pack(std::span<const std::byte> from, std::span<std::byte> to) {
    if (!context_ || from.empty() || from.size() > MostUnpackedBytes)
        return 0;
    const Zstd& zstd = *Zstd::load();
    std::size_t size = zstd.ZSTD_compressCCtx(static_cast<ZSTD_CCtx*>(context_), to.data(), to.size(), from.data(),
                                              from.size(), Level);
    return zstd.ZSTD_isError(size) ? 0 : size;
}

const char* why_not_unpacked() {
    return Zstd::load() ? nullptr : "libzstd.so.1, which is needed to read them, cannot be loaded";
}

bool unpack(std::span<const std::byte> packed, std::vector<std::byte>& out, std::size_t most) {
    out.clear();
    const Zstd* zstd = Zstd::load();
    if (!zstd)
        return false;
    unsigned long long size = zstd->ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == 0 || size > std::min(most, MostUnpackedBytes)) // true for the two values that report errors, too
        return false;
    out.resize(size);
    if (zstd->ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size()) == size)
        return true;
    out.clear();
    return false;
}

#else

Packer::Packer() = default;
Packer::~Packer() = default;
std::size_t Packer::room_for(std::size_t bytes) { return bytes; }
std::size_t Packer::pack(std::span<const std::byte>, std::span<std::byte>) { return 0; }

const char* why_not_unpacked() { return "this vftrace was built without libzstd, which is needed to read them"; }

bool unpack(std::span<const std::byte>, std::vector<std::byte>& out, std::size_t) {
    out.clear();
    return false;
}

#endif

void require_unpacking(std::span<const ThreadView> threads, const std::string& label) {
    const auto is_packed = [](const Segment& segment) { return segment.header->kind == SegmentKind::Packed; };
    for (const ThreadView& thread : threads)
        if (std::ranges::any_of(thread.events, is_packed))
            if (const char* why = why_not_unpacked())
                throw std::runtime_error(label + ": its events are compressed, and " + why);
}

} // namespace vftr::vfd
