// SPDX-License-Identifier: BSD-3-Clause
//
// An ELF file, opened for reading. Its contents are untrusted.
//
// The file is read, not mapped: if somebody truncates or rewrites a mapped file in place, the next access is a SIGBUS,
// and names are looked up inside the user's process. libelf reads only the headers and the sections that are requested,
// so the size of the file does not matter.
#pragma once

#include "base/own_descriptors.hpp"

#include <cstddef>
#include <cstdint>
#include <libelf.h>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace vftr::symbols {

struct DebugLink {
    std::string name; // a file name without a folder
    std::uint32_t crc;
};

// Owns the descriptor and the libelf handle. Only one thread at a time may use it.
class ElfFile {
public:
    // Tells libelf the version of its interface. libelf stores this in memory that Helgrind checks, so it has to be
    // done before there is a second thread to avoid the report of a race. Returns false if libelf is too old. Any
    // thread may call it.
    static bool prepare();
    // Opens a regular file with a readable ELF header of an executable or a shared object. For anything else (a FIFO
    // does not block) it returns nullopt, and `reason` is one line with the path and the reason.
    static std::optional<ElfFile> open(const std::string& path, std::string& reason);

    // Whether it can be read here (base::OpenFile).
    bool is_here() const { return file_.is_here(); }

    ElfFile(ElfFile&& other) noexcept;
    ElfFile& operator=(ElfFile&& other) noexcept;
    ~ElfFile();

    Elf* handle() const { return elf_; }
    // Returns the content of a section, or null if it is larger than `max_bytes`, compressed or damaged. The content is
    // valid as long as the ElfFile exists.
    Elf_Data* data(Elf_Scn* section, std::uint64_t max_bytes) const;
    std::vector<std::uint8_t> build_id() const; // empty: none
    // The identity of the open file, whatever file its path leads to now.
    struct Identity {
        std::uint64_t device = 0, inode = 0, size = 0, mtime_ns = 0;
    };
    Identity identity() const;
    // As base::read_at for the open file.
    ssize_t read_at(std::uint64_t offset, void* to, std::size_t bytes) const;
    std::optional<DebugLink> debug_link() const;
    // Returns the checksum of all bytes of the file, which a debug link contains; nullopt if the file is not readable.
    std::optional<std::uint32_t> checksum() const;

private:
    ElfFile(base::OpenFile&& file, Elf* elf) : file_(std::move(file)), elf_(elf) {}
    std::vector<std::uint8_t> build_id_from_sections() const;
    std::vector<std::uint8_t> build_id_from_segments() const;

    base::OpenFile file_;
    Elf* elf_ = nullptr;
};

} // namespace vftr::symbols
