// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/linkage_stubs.hpp"

#include "symbols/elf_sections.hpp"
#include "symbols/elf_symbols.hpp"

#include <algorithm>
#include <cstring>
#include <gelf.h>

namespace vftr::symbols {

namespace {

constexpr std::uint64_t MostBytes = 64 << 20; // of one section
constexpr std::uint64_t UsualStub = 16;       // bytes, where the section does not say how large its stubs are

template <class Number>
Number number_at(const std::vector<unsigned char>& code, std::size_t at) {
    Number number;
    std::memcpy(&number, &code[at], sizeof number);
    return number;
}

// jmp *distance(%rip), of which the distance is counted from the next instruction.
std::optional<std::uint64_t> slot_of_x86_64(const std::vector<unsigned char>& code, std::size_t first, std::size_t last,
                                            std::uint64_t start) {
    constexpr std::size_t Jump = 6;
    for (std::size_t at = first; at + Jump <= last; ++at)
        if (code[at] == 0xff && code[at + 1] == 0x25)
            return start + at + Jump + static_cast<std::uint64_t>(std::int64_t{number_at<std::int32_t>(code, at + 2)});
    return std::nullopt;
}

// adrp x16, page; ldr x17, [x16, offset]
std::optional<std::uint64_t> slot_of_aarch64(const std::vector<unsigned char>& code, std::size_t first,
                                             std::size_t last, std::uint64_t start) {
    constexpr std::uint64_t PageMask = 0xfff;
    for (std::size_t at = first; at + 8 <= last; at += 4) {
        const auto adrp = number_at<std::uint32_t>(code, at), ldr = number_at<std::uint32_t>(code, at + 4);
        if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
            continue;
        const std::uint32_t pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
        const auto distance = static_cast<std::int32_t>(pages << 11) >> 11; // 21 bits with a sign
        return ((start + at) & ~PageMask) + static_cast<std::uint64_t>(std::int64_t{distance} * 4096) +
               (ldr >> 10 & 0xfff) * 8;
    }
    return std::nullopt;
}

} // namespace

LinkageStubs::LinkageStubs(const Module& module, std::int32_t process) {
    std::string ignored;
    const auto file = ElfSymbols::open(module, process, ignored);
    GElf_Ehdr head;
    std::size_t names = 0;
    if (!file || gelf_getehdr(file->handle(), &head) == nullptr || elf_getshdrstrndx(file->handle(), &names) != 0)
        return;
    machine_ = head.e_machine;
    for_each_section(*file, [&](Elf_Scn* section, const GElf_Shdr& header) {
        const char* const name = elf_strptr(file->handle(), names, header.sh_name);
        if (header.sh_type == SHT_RELA)
            read_slots(*file, section, header.sh_link);
        else if (header.sh_type == SHT_PROGBITS && name && std::string_view(name).starts_with(".plt"))
            read_table(*file, section, header.sh_addr, header.sh_entsize);
    });
}

void LinkageStubs::read_table(const ElfFile& file, void* section, std::uint64_t start, std::uint64_t stub_bytes) {
    const Elf_Data* const data = file.data(static_cast<Elf_Scn*>(section), MostBytes);
    if (data == nullptr || data->d_buf == nullptr)
        return;
    const auto* const code = static_cast<const unsigned char*>(data->d_buf);
    tables_.push_back({start, stub_bytes != 0 ? stub_bytes : UsualStub, {code, code + data->d_size}});
}

void LinkageStubs::read_slots(const ElfFile& file, void* section, std::size_t symbols) {
    Elf* const elf = file.handle();
    Elf_Scn* const table = elf_getscn(elf, symbols);
    GElf_Shdr header;
    if (table == nullptr || gelf_getshdr(table, &header) == nullptr || header.sh_type != SHT_DYNSYM)
        return;
    Elf_Data* const relocations = file.data(static_cast<Elf_Scn*>(section), MostBytes);
    Elf_Data* const entries = file.data(table, MostBytes);
    GElf_Rela relocation;
    GElf_Sym symbol;
    for (int i = 0; relocations && entries && gelf_getrela(relocations, i, &relocation) != nullptr; ++i)
        if (GELF_R_SYM(relocation.r_info) != 0 &&
            gelf_getsym(entries, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol) != nullptr)
            if (const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name))
                slots_[relocation.r_offset] = name;
}

std::optional<std::uint64_t> LinkageStubs::slot_of(const Table& table, std::size_t stub) const {
    const std::size_t first = stub * table.stub_bytes, last = std::min(first + table.stub_bytes, table.code.size());
    switch (machine_) {
    case EM_X86_64:
        return slot_of_x86_64(table.code, first, last, table.start);
    case EM_AARCH64:
        return slot_of_aarch64(table.code, first, last, table.start);
    default:
        return std::nullopt;
    }
}

std::optional<std::string_view> LinkageStubs::callee(std::uint64_t file_address) const {
    for (const Table& table : tables_) {
        if (file_address < table.start || file_address - table.start >= table.code.size())
            continue;
        const auto slot = slot_of(table, (file_address - table.start) / table.stub_bytes);
        const auto name = slot ? slots_.find(*slot) : slots_.end();
        return name == slots_.end() ? std::string_view() : std::string_view(name->second);
    }
    return std::nullopt;
}

} // namespace vftr::symbols
