// SPDX-License-Identifier: BSD-3-Clause
//
// One ELF file, opened to be read. Everything in it is untrusted.
//
// The file is read, not mapped: where somebody truncates or rewrites a mapped file in place, the
// next access to it is a SIGBUS, and the names of a run are looked up inside the user's process.
// libelf reads only the headers and the sections that are asked for, so the size of the file does
// not matter.
#pragma once

#include <cstdint>
#include <libelf.h>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vftr::symbols {

struct DebugLink {
    std::string name; // a file name without a folder
    std::uint32_t crc;
};

// Owns the descriptor and the libelf handle. One thread at a time.
class ElfFile {
public:
    // libelf keeps in memory that Helgrind watches that it was told its version. Told before there is a second thread,
    // that is no race. False: it is too old. Any thread.
    static bool prepare();
    // A regular file with a readable ELF header of an executable or a shared object; anything else
    // (a fifo is not waited for) is nullopt, and `reason` says why in one line with the path.
    static std::optional<ElfFile> open(const std::string& path, std::string& reason);

    ElfFile(ElfFile&& other) noexcept;
    ElfFile& operator=(ElfFile&& other) noexcept;
    ~ElfFile();

    Elf* handle() const { return elf_; }
    // The content of a section, null if it is larger than `max_bytes`, compressed or damaged. It
    // lives as long as the ElfFile.
    Elf_Data* data(Elf_Scn* section, std::uint64_t max_bytes) const;
    std::vector<std::uint8_t> build_id() const; // empty: none
    // Of the file that is open, whatever its path leads to now.
    struct Identity {
        std::uint64_t device = 0, inode = 0, size = 0, mtime_ns = 0;
    };
    Identity identity() const;
    // As base::read_at, of the open file.
    ssize_t read_at(std::uint64_t offset, void* to, std::size_t bytes) const;
    std::optional<DebugLink> debug_link() const;
    // The checksum that a debug link names: of all bytes of the file. nullopt: unreadable.
    std::optional<std::uint32_t> checksum() const;

private:
    ElfFile(int fd, Elf* elf) : fd_(fd), elf_(elf) {}
    std::vector<std::uint8_t> build_id_from_sections() const;
    std::vector<std::uint8_t> build_id_from_segments() const;

    int fd_ = -1;
    Elf* elf_ = nullptr;
};

} // namespace vftr::symbols
