// SPDX-License-Identifier: BSD-3-Clause
//
// An archive of the Open Trace Format 2 that is being written by one thread, with libotf2 (https://www.vi-hps.org).
//
// Most functions of libotf2 return an error code and say more on stderr. Here each error is an exception with what
// libotf2 calls it, and stderr stays empty. libotf2 calls a function for each error, also for those of which the code
// is lost on the way; one that was seen is thrown at the latest by close(). After an error the archive is left as it
// is: closing one that could not write frees memory twice (libotf2 3.0.2 on a full disk).
//
// libotf2 writes what it has in memory when it gets no more: each writer has MostChunks pieces, instead of 128.
#pragma once

#include <otf2/otf2.h>

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::exports {

class Otf2Archive {
public:
    // Below `folder`, which exists: the anchor file traces.otf2 and what belongs to it. `locations`: how many there
    // will be at most.
    Otf2Archive(const std::string& folder, std::uint64_t locations);
    ~Otf2Archive();
    Otf2Archive(const Otf2Archive&) = delete;

    OTF2_Archive* get() const { return archive_; }
    void check(OTF2_ErrorCode code) const; // throws std::runtime_error if it is none of success
    // `made` is what a function of libotf2 has returned; throws std::runtime_error if it is nullptr.
    template <class Made>
    Made* check(Made* made) const {
        if (!made)
            fail(OTF2_ERROR_MEM_FAULT);
        return made;
    }
    // Whether all is in the files is known after this only.
    void close();

private:
    static constexpr std::size_t MostChunks = 2;
    using Chunks = std::vector<std::unique_ptr<std::byte[]>>; // of a writer

    static void* allocate(void* self, OTF2_FileType, OTF2_LocationRef, void** chunks, std::uint64_t size);
    static void free_all(void* self, OTF2_FileType, OTF2_LocationRef, void** chunks, bool final);
    static OTF2_ErrorCode seen(void* self, const char* file, std::uint64_t line, const char* function,
                               OTF2_ErrorCode code, const char* format, std::va_list arguments);
    void leave_open();
    [[noreturn]] void fail(OTF2_ErrorCode code) const;

    OTF2_ErrorCallback former_;
    OTF2_ErrorCode first_ = OTF2_SUCCESS; // error that was seen
    OTF2_Archive* archive_ = nullptr;
    std::list<Chunks> chunks_;
};

// The global definitions, and the strings that they refer to.
class Otf2Definitions {
public:
    explicit Otf2Definitions(const Otf2Archive& archive)
        : archive_(archive), writer_(archive.check(OTF2_Archive_GetGlobalDefWriter(archive.get()))) {
        string("");
    }

    OTF2_GlobalDefWriter* writer() const { return writer_; }
    void check(OTF2_ErrorCode code) const { archive_.check(code); }
    // The number of a string, which is defined when it is first asked for. 0 is the empty one.
    OTF2_StringRef string(const std::string& text);

private:
    const Otf2Archive& archive_;
    OTF2_GlobalDefWriter* writer_;
    std::unordered_map<std::string, OTF2_StringRef> strings_;
};

} // namespace vftr::exports
