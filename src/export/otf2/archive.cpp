// SPDX-License-Identifier: BSD-3-Clause
#include "export/otf2/archive.hpp"

#include "config.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace vftr::exports {

namespace {

constexpr std::uint64_t MostChunk = 16 * 1024 * 1024; // of libotf2

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

// libotf2 wants ten bytes for each location.
std::uint64_t definition_chunk(std::uint64_t locations) {
    const std::uint64_t size = std::max<std::uint64_t>(OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, 10 * locations);
    if (size > MostChunk)
        throw std::runtime_error("OTF2 takes no more than " + std::to_string(MostChunk / 10) +
                                 " ranks and threads, here are " + std::to_string(locations));
    return size;
}

} // namespace

Otf2Archive::Otf2Archive(const std::string& folder, std::uint64_t locations) {
    static constexpr OTF2_FlushCallbacks Flush = {flush_always, nullptr};
    static constexpr OTF2_MemoryCallbacks Memory = {allocate, free_all};
    const std::uint64_t chunk = definition_chunk(locations);
    former_ = OTF2_Error_RegisterCallback(seen, this);
    try {
        archive_ =
            check(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                                    chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
        check(OTF2_Archive_SetFlushCallbacks(archive_, &Flush, nullptr));
        check(OTF2_Archive_SetMemoryCallbacks(archive_, &Memory, this));
        check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
        check(OTF2_Archive_SetCreator(archive_, "vftrace " PACKAGE_VERSION));
    } catch (...) {
        leave_open();
        OTF2_Error_RegisterCallback(former_, nullptr);
        throw;
    }
}

// After an error it stays open, as libotf2 would free its memory twice; it is kept where tools that look for lost
// memory find it.
void Otf2Archive::leave_open() {
    static auto* const left_open = new std::vector<OTF2_Archive*>;
    if (archive_)
        left_open->push_back(archive_);
}

Otf2Archive::~Otf2Archive() {
    leave_open();
    OTF2_Error_RegisterCallback(former_, nullptr);
}

void* Otf2Archive::allocate(void* self, OTF2_FileType, OTF2_LocationRef, void** chunks, std::uint64_t size) {
    std::list<Chunks>& all = static_cast<Otf2Archive*>(self)->chunks_;
    if (!*chunks)
        *chunks = &all.emplace_back();
    auto& own = *static_cast<Chunks*>(*chunks);
    if (own.size() == MostChunks)
        return nullptr;
    own.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    return own.back().get();
}

void Otf2Archive::free_all(void* self, OTF2_FileType, OTF2_LocationRef, void** chunks, bool final) {
    if (!*chunks)
        return;
    auto* own = static_cast<Chunks*>(*chunks);
    own->clear();
    if (final) {
        static_cast<Otf2Archive*>(self)->chunks_.remove_if([own](const Chunks& some) { return &some == own; });
        *chunks = nullptr;
    }
}

void Otf2Archive::check(OTF2_ErrorCode code) const {
    if (code != OTF2_SUCCESS)
        fail(code);
}

void Otf2Archive::fail(OTF2_ErrorCode code) const {
    throw std::runtime_error(OTF2_Error_GetDescription(first_ != OTF2_SUCCESS ? first_ : code));
}

void Otf2Archive::close() {
    OTF2_Archive* archive = archive_;
    archive_ = nullptr;
    check(OTF2_Archive_Close(archive));
    check(first_);
}

OTF2_ErrorCode Otf2Archive::seen(void* self, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*,
                                 std::va_list) {
    OTF2_ErrorCode& first = static_cast<Otf2Archive*>(self)->first_;
    if (code > OTF2_SUCCESS && first == OTF2_SUCCESS)
        first = code;
    return code;
}

OTF2_StringRef Otf2Definitions::string(const std::string& text) {
    const auto [place, is_new] = strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (is_new)
        check(OTF2_GlobalDefWriter_WriteString(writer_, place->second, text.c_str()));
    return place->second;
}

} // namespace vftr::exports
