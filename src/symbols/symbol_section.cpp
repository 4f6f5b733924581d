// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_section.hpp"

#include <algorithm>
#include <gelf.h>

namespace vftr::symbols {

namespace {

constexpr std::uint64_t max_symbol_bytes = 1ull << 32; // offsets of names have 32 bits
constexpr std::uint64_t block_symbols = 2048;          // 48 KiB of 64-bit symbols

// Returns the range of a section in the file; its size is 0 if it cannot be read.
FilePart part_of(const ElfFile& file, Elf_Scn* section) {
    GElf_Shdr header;
    const std::uint64_t file_size = file.identity().size;
    if (section == nullptr || gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS ||
        (header.sh_flags & SHF_COMPRESSED) != 0 || header.sh_size > max_symbol_bytes || header.sh_offset > file_size ||
        header.sh_size > file_size - header.sh_offset)
        return {};
    return {header.sh_offset, header.sh_size};
}

} // namespace

std::optional<SymbolSection> SymbolSection::of(const ElfFile& file, std::uint32_t section_type) {
    Elf* elf = file.handle();
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != section_type)
            continue;
        SymbolSection table(file);
        const char* ident = elf_getident(elf, nullptr);
        if (ident == nullptr)
            return std::nullopt;
        table.is_64_bit_ = gelf_getclass(elf) == ELFCLASS64;
        table.encoding_ = static_cast<unsigned char>(ident[EI_DATA]);
        table.symbol_bytes_ = static_cast<std::uint32_t>(gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT));
        table.symbols_ = part_of(file, section);
        if (table.symbols_.size == 0 || table.symbol_bytes_ == 0 || table.symbols_.size % table.symbol_bytes_ != 0)
            continue;
        table.count_ = table.symbols_.size / table.symbol_bytes_;
        table.names_ = part_of(file, elf_getscn(elf, header.sh_link));
        if (const int extended = elf_scnshndx(section); extended > 0)
            table.sections_ = part_of(file, elf_getscn(elf, static_cast<std::size_t>(extended)));
        return table; // an object has one section of each type
    }
    return std::nullopt;
}

// Does not use libelf's handle, which is memory of the C library: Helgrind would report a race between the thread that
// opens an object and another thread that reads its symbols later.
bool SymbolSection::read_converted(void* to, FilePart part, Elf_Type type) const {
    if (file_->read_at(part.offset, to, part.size) != static_cast<ssize_t>(part.size))
        return false;
    Elf_Data data{};
    data.d_buf = to;
    data.d_size = part.size;
    data.d_type = type;
    data.d_version = EV_CURRENT;
    return (is_64_bit_ ? elf64_xlatetom(&data, &data, encoding_) : elf32_xlatetom(&data, &data, encoding_)) != nullptr;
}

bool SymbolSection::read(Block& block, std::uint64_t first) const {
    block.count = static_cast<std::uint32_t>(std::min(block_symbols, count_ - first));
    block.symbols.resize(std::size_t{block.count} * symbol_bytes_);
    if (!read_converted(block.symbols.data(), {symbols_.offset + first * symbol_bytes_, block.symbols.size()},
                        ELF_T_SYM))
        return false;
    block.sections.clear();
    if (sections_.size / sizeof(std::uint32_t) < first + block.count)
        return true;
    block.sections.resize(block.count);
    return read_converted(block.sections.data(),
                          {sections_.offset + first * sizeof(std::uint32_t), block.count * sizeof(std::uint32_t)},
                          ELF_T_WORD);
}

} // namespace vftr::symbols
