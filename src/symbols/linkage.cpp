// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/linkage.hpp"

#include <cstring>
#include <gelf.h>

namespace vftr::symbols {
namespace {

constexpr std::uint64_t max_section_bytes = 1ull << 32;

template <class Visit>
void for_each_section(const ElfFile& file, Visit visit) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(file.handle(), section)) != nullptr)
        if (GElf_Shdr header; gelf_getshdr(section, &header) != nullptr)
            visit(section, header);
}

std::string_view bytes_of(const ElfFile& file, Elf_Scn* section) {
    const Elf_Data* data = file.data(section, max_section_bytes);
    return data && data->d_buf ? std::string_view(static_cast<const char*>(data->d_buf), data->d_size)
                               : std::string_view();
}

std::string_view string_at(std::string_view strings, std::uint64_t offset) {
    if (offset >= strings.size())
        return {};
    strings.remove_prefix(offset);
    return strings.substr(0, strnlen(strings.data(), strings.size()));
}

std::string_view strings_of(const ElfFile& file, const GElf_Shdr& header) {
    Elf_Scn* section = elf_getscn(file.handle(), header.sh_link);
    return section ? bytes_of(file, section) : std::string_view();
}

void read_dynamic(const ElfFile& file, Elf_Scn* section, const GElf_Shdr& header, Linkage& linkage) {
    Elf_Data* data = file.data(section, max_section_bytes);
    std::string_view strings = strings_of(file, header);
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; ++i) {
        if (entry.d_tag == DT_NEEDED)
            linkage.needed.emplace_back(string_at(strings, entry.d_un.d_val));
        if (entry.d_tag == DT_SONAME)
            linkage.soname = string_at(strings, entry.d_un.d_val);
    }
}

std::string interpreter_of(const ElfFile& file) {
    std::size_t count = 0;
    if (elf_getphdrnum(file.handle(), &count) != 0)
        return {};
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (!gelf_getphdr(file.handle(), static_cast<int>(i), &header) || header.p_type != PT_INTERP ||
            header.p_filesz > 4096)
            continue;
        const Elf_Data* data = elf_getdata_rawchunk(file.handle(), static_cast<std::int64_t>(header.p_offset),
                                                    header.p_filesz, ELF_T_BYTE);
        if (data && data->d_buf)
            return std::string(string_at({static_cast<const char*>(data->d_buf), data->d_size}, 0));
    }
    return {};
}

std::int32_t little_endian_at(const char* bytes) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return static_cast<std::int32_t>(value);
}

// Finds call and jmp with a 32-bit distance at any offset. Other bytes look like one only once in 2^40.
std::uint64_t count_x86_calls(std::string_view code, std::uint64_t begin, std::uint64_t address, std::uint64_t enough) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i + 5 <= code.size() && count < enough; ++i)
        if ((static_cast<unsigned char>(code[i]) & 0xfe) == 0xe8)
            count +=
                begin + i + 5 + static_cast<std::uint64_t>(std::int64_t{little_endian_at(&code[i + 1])}) == address;
    return count;
}

// Finds bl and b, which have a distance of 26 bits in instructions.
std::uint64_t count_aarch64_calls(std::string_view code, std::uint64_t begin, std::uint64_t address,
                                  std::uint64_t enough) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i + 4 <= code.size() && count < enough; i += 4) {
        std::int32_t instruction = little_endian_at(&code[i]);
        if ((instruction & 0x7c000000) == 0x14000000) {
            std::int64_t distance = static_cast<std::int32_t>(static_cast<std::uint32_t>(instruction) << 6) >> 4;
            count += begin + i + static_cast<std::uint64_t>(distance) == address;
        }
    }
    return count;
}

FoundSymbol find_in(Elf_Data* data, std::string_view strings, std::string_view name) {
    FoundSymbol found;
    GElf_Sym symbol;
    for (int i = 1; data && found.presence != Presence::Given && gelf_getsym(data, i, &symbol); ++i)
        if (string_at(strings, symbol.st_name) == name)
            found = {symbol.st_shndx == SHN_UNDEF ? Presence::Wanted : Presence::Given, symbol.st_value,
                     symbol.st_size};
    return found;
}

std::uint32_t type_of(Table table) { return table == Table::Dynamic ? SHT_DYNSYM : SHT_SYMTAB; }

} // namespace

Linkage linkage_of(const ElfFile& file) {
    Linkage linkage;
    GElf_Ehdr header;
    if (!gelf_getehdr(file.handle(), &header))
        return linkage;
    linkage.machine = header.e_machine;
    linkage.bits = header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
    linkage.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
    linkage.interpreter = interpreter_of(file);
    for_each_section(file, [&](Elf_Scn* section, const GElf_Shdr& each) {
        linkage.has_sections = true;
        if (each.sh_type == SHT_DYNAMIC)
            read_dynamic(file, section, each, linkage);
    });
    return linkage;
}

bool runs_here(const Linkage& linkage) {
    std::string reason;
    auto self = ElfFile::open("/proc/self/exe", reason);
    if (!self)
        return true;
    Linkage own = linkage_of(*self);
    return linkage.machine == own.machine && linkage.bits == own.bits && linkage.big_endian == own.big_endian;
}

std::string machine_name(const Linkage& linkage) {
    static constexpr struct {
        unsigned machine;
        const char* name;
    } Names[] = {{EM_X86_64, "x86-64"}, {EM_386, "x86"},     {EM_AARCH64, "aarch64"}, {EM_ARM, "arm"},
                 {EM_PPC64, "ppc64"},   {EM_RISCV, "riscv"}, {EM_S390, "s390"}};
    std::string name = "machine " + std::to_string(linkage.machine);
    for (const auto& row : Names)
        if (row.machine == linkage.machine)
            name = row.name;
    return name + ", " + std::to_string(linkage.bits) + " bits" + (linkage.big_endian ? ", big-endian" : "");
}

FoundSymbol find_symbol(const ElfFile& file, Table table, std::string_view name) {
    FoundSymbol found;
    for_each_section(file, [&](Elf_Scn* section, const GElf_Shdr& header) {
        if (header.sh_type == type_of(table) && found.presence == Presence::None)
            found = find_in(file.data(section, max_section_bytes), strings_of(file, header), name);
    });
    return found;
}

bool has_table(const ElfFile& file, Table table) {
    bool found = false;
    for_each_section(file, [&](Elf_Scn*, const GElf_Shdr& header) {
        found |= header.sh_type == type_of(table) && header.sh_size > 0;
    });
    return found;
}

bool knows_calls_of(const Linkage& linkage) {
    return linkage.machine == EM_X86_64 || (linkage.machine == EM_AARCH64 && !linkage.big_endian);
}

std::uint64_t count_calls(const ElfFile& file, std::uint64_t address, std::uint64_t enough) {
    Linkage linkage = linkage_of(file);
    std::uint64_t count = 0;
    if (!knows_calls_of(linkage))
        return 0;
    auto count_in = linkage.machine == EM_AARCH64 ? count_aarch64_calls : count_x86_calls;
    for_each_section(file, [&](Elf_Scn* section, const GElf_Shdr& header) {
        if (header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) && count < enough)
            count += count_in(bytes_of(file, section), header.sh_addr, address, enough - count);
    });
    return count;
}

FunctionCount count_functions(const ElfFile& file, std::uint64_t bytes) {
    FunctionCount count;
    for_each_section(file, [&](Elf_Scn* section, const GElf_Shdr& header) {
        Elf_Data* data = header.sh_type == SHT_SYMTAB ? file.data(section, max_section_bytes) : nullptr;
        GElf_Sym symbol;
        for (int i = 0; data && gelf_getsym(data, i, &symbol); ++i)
            if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_size != 0) {
                ++count.all;
                count.shorter += symbol.st_size < bytes;
            }
    });
    return count;
}

bool has_compiler_note(const ElfFile& file, std::string_view text) {
    std::size_t names = 0;
    bool found = false;
    if (elf_getshdrstrndx(file.handle(), &names) != 0)
        return false;
    for_each_section(file, [&](Elf_Scn* section, const GElf_Shdr& header) {
        const char* name = elf_strptr(file.handle(), names, header.sh_name);
        if (!name || std::strcmp(name, ".comment") != 0)
            return;
        const std::string_view notes = bytes_of(file, section);
        for (std::size_t at = 0; at < notes.size(); at = notes.find('\0', at) + 1) { // npos + 1 is 0
            const std::size_t end = notes.find('\0', at);
            found |= notes.substr(at, end - at).find(text) != notes.npos;
            if (end == notes.npos)
                break;
        }
    });
    return found;
}

std::vector<std::string_view> read_only_data(const ElfFile& file) {
    std::vector<std::string_view> pieces;
    for_each_section(file, [&](Elf_Scn* section, const GElf_Shdr& header) {
        if (header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_ALLOC) &&
            !(header.sh_flags & (SHF_EXECINSTR | SHF_WRITE)))
            pieces.push_back(bytes_of(file, section));
    });
    return pieces;
}

} // namespace vftr::symbols
