// SPDX-License-Identifier: BSD-3-Clause
//
// A symbol table of an ELF file (.symtab or .dynsym), read from beginning to end in blocks. The symbols are not kept: a
// table of a million symbols has 24 MB, and few of them are needed. The contents are untrusted.
#pragma once

#include "symbols/elf_file.hpp"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <vector>

namespace vftr::symbols {

struct Symbol {
    std::uint64_t value, size;
    std::uint32_t name;    // offset in the table of names
    std::uint32_t section; // index of its section; 0: none
    std::uint8_t type;     // STT_FUNC, …
    std::uint8_t binding;  // STB_LOCAL, …
    bool defined;          // whether this object defines it
};

// A range of a file.
struct FilePart {
    std::uint64_t offset = 0, size = 0;
};

// The ElfFile must outlive it. Only one thread at a time may use it.
class SymbolSection {
public:
    // Returns the first readable section of this type (SHT_SYMTAB or SHT_DYNSYM), or nullopt if the file has none.
    static std::optional<SymbolSection> of(const ElfFile& file, std::uint32_t section_type);

    // Calls visit(symbol) for each symbol in the order of the file, until it returns false or the file cannot be read.
    template <class Visit>
    void for_each(Visit visit) const {
        Block block;
        for (std::uint64_t next = 0; next < count_ && read(block, next); next += block.count)
            for (std::uint32_t i = 0; i < block.count; ++i)
                if (!visit(symbol(block, i)))
                    return;
    }

    std::uint64_t bytes() const { return symbols_.size + names_.size; } // size in the file
    FilePart names() const { return names_; }

private:
    struct Block {
        std::vector<char> symbols;
        std::vector<std::uint32_t> sections; // empty if no section index exceeds 16 bits
        std::uint32_t count = 0;
    };
    explicit SymbolSection(const ElfFile& file) : file_(&file) {}
    // Returns false if nothing more can be read.
    bool read(Block& block, std::uint64_t first) const;
    bool read_converted(void* to, FilePart part, Elf_Type type) const;
    template <class Raw>
    static Symbol converted(const Block& block, std::uint32_t index) {
        Raw raw;
        std::memcpy(&raw, block.symbols.data() + index * sizeof raw, sizeof raw);
        std::uint32_t section = raw.st_shndx < SHN_LORESERVE ? raw.st_shndx : std::uint32_t{0};
        if (raw.st_shndx == SHN_XINDEX && !block.sections.empty())
            section = block.sections[index];
        return {.value = raw.st_value,
                .size = raw.st_size,
                .name = raw.st_name,
                .section = section,
                .type = static_cast<std::uint8_t>(ELF64_ST_TYPE(raw.st_info)), // the same for 32 bits
                .binding = static_cast<std::uint8_t>(ELF64_ST_BIND(raw.st_info)),
                .defined = raw.st_shndx != SHN_UNDEF};
    }
    Symbol symbol(const Block& block, std::uint32_t index) const {
        return is_64_bit_ ? converted<Elf64_Sym>(block, index) : converted<Elf32_Sym>(block, index);
    }

    const ElfFile* file_;
    FilePart symbols_, names_, sections_;
    std::uint64_t count_ = 0;
    std::uint32_t symbol_bytes_ = 0;
    bool is_64_bit_ = true;
    unsigned encoding_ = 0; // ELFDATA2LSB, …
};

} // namespace vftr::symbols
