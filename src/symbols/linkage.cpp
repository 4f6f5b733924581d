// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/linkage.hpp"

#include "symbols/elf_sections.hpp"

#include <algorithm>
#include <cstring>
#include <gelf.h>
#include <utility>

namespace vftr::symbols {
namespace {

constexpr std::uint64_t max_section_bytes = 1ull << 32;
constexpr std::uint64_t max_chunk_bytes = 1ull << 26; // what a dynamic linker reads of a file is far smaller
constexpr std::size_t most_versions = 1 << 16;

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

void read_dynamic(Elf_Data* data, std::string_view strings, Linkage& linkage) {
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; ++i)
        switch (entry.d_tag) {
        case DT_NEEDED:
            linkage.needed.emplace_back(string_at(strings, entry.d_un.d_val));
            break;
        case DT_SONAME:
            linkage.soname = string_at(strings, entry.d_un.d_val);
            break;
        case DT_RUNPATH:
            linkage.run_path = string_at(strings, entry.d_un.d_val);
            break;
        case DT_RPATH:
            linkage.older_run_path = string_at(strings, entry.d_un.d_val);
            break;
        case DT_FLAGS_1:
            linkage.no_default_folders = (entry.d_un.d_val & DF_1_NODEFLIB) != 0;
            break;
        default:
            break;
        }
}

template <class Visit>
void for_each_segment(const ElfFile& file, Visit visit) {
    std::size_t count = 0;
    if (elf_getphdrnum(file.handle(), &count) != 0)
        return;
    for (std::size_t i = 0; i < count; ++i)
        if (GElf_Phdr header; gelf_getphdr(file.handle(), static_cast<int>(i), &header) != nullptr)
            visit(header);
}

Elf_Data* chunk_of(const ElfFile& file, std::uint64_t offset, std::uint64_t size, Elf_Type type) {
    return size > max_chunk_bytes ? nullptr
                                  : elf_getdata_rawchunk(file.handle(), static_cast<std::int64_t>(offset), size, type);
}

// The strings at an address of the loaded object, as far as they are in the file.
std::string_view loaded_strings(const ElfFile& file, std::uint64_t address, std::uint64_t size) {
    std::string_view strings;
    for_each_segment(file, [&](const GElf_Phdr& header) {
        if (header.p_type != PT_LOAD || address < header.p_vaddr || address - header.p_vaddr >= header.p_filesz)
            return;
        const std::uint64_t within = address - header.p_vaddr;
        const Elf_Data* data =
            chunk_of(file, header.p_offset + within, std::min(size, header.p_filesz - within), ELF_T_BYTE);
        if (data && data->d_buf)
            strings = {static_cast<const char*>(data->d_buf), data->d_size};
    });
    return strings;
}

// As the dynamic linker, which knows no sections. Returns whether the file has such a segment that can be read.
bool read_dynamic_segment(const ElfFile& file, Linkage& linkage) {
    Elf_Data* data = nullptr;
    for_each_segment(file, [&](const GElf_Phdr& header) {
        if (header.p_type == PT_DYNAMIC)
            data = chunk_of(file, header.p_offset, header.p_filesz, ELF_T_DYN);
    });
    std::uint64_t address = 0, size = 0;
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; ++i) {
        address = entry.d_tag == DT_STRTAB ? entry.d_un.d_ptr : address;
        size = entry.d_tag == DT_STRSZ ? entry.d_un.d_val : size;
    }
    const std::string_view strings = loaded_strings(file, address, size);
    if (strings.empty())
        return false;
    read_dynamic(data, strings, linkage);
    return true;
}

// Where the next entry of a table of versions is. It stands behind this one, so that every walk ends; 0: there is none.
int next_entry(const Elf_Data* data, int at, std::uint32_t distance) {
    return distance == 0 || distance >= data->d_size - static_cast<std::size_t>(at) ? 0
                                                                                    : at + static_cast<int>(distance);
}

void read_wanted_versions(Elf_Data* data, std::string_view strings, Linkage& linkage) {
    GElf_Verneed need;
    std::size_t left = most_versions;
    for (int at = 0; data && left > 0 && gelf_getverneed(data, at, &need);) {
        WantedVersions wanted{std::string(string_at(strings, need.vn_file)), {}};
        GElf_Vernaux version;
        for (int aux = next_entry(data, at, need.vn_aux); aux && left > 0 && gelf_getvernaux(data, aux, &version);
             aux = next_entry(data, aux, version.vna_next), --left)
            if (!(version.vna_flags & VER_FLG_WEAK))
                wanted.versions.emplace_back(string_at(strings, version.vna_name));
        linkage.wanted_versions.push_back(std::move(wanted));
        if ((at = next_entry(data, at, need.vn_next)) == 0)
            break;
    }
}

void read_given_versions(Elf_Data* data, std::string_view strings, Linkage& linkage) {
    GElf_Verdef definition;
    for (int at = 0; data && linkage.given_versions.size() < most_versions && gelf_getverdef(data, at, &definition);) {
        GElf_Verdaux name;
        if (const int aux = next_entry(data, at, definition.vd_aux); aux && gelf_getverdaux(data, aux, &name))
            linkage.given_versions.emplace_back(string_at(strings, name.vda_name));
        if ((at = next_entry(data, at, definition.vd_next)) == 0)
            break;
    }
}

std::string interpreter_of(const ElfFile& file) {
    std::string interpreter;
    for_each_segment(file, [&](const GElf_Phdr& header) {
        if (header.p_type != PT_INTERP || header.p_filesz > 4096 || !interpreter.empty())
            return;
        const Elf_Data* data = chunk_of(file, header.p_offset, header.p_filesz, ELF_T_BYTE);
        if (data && data->d_buf)
            interpreter = string_at({static_cast<const char*>(data->d_buf), data->d_size}, 0);
    });
    return interpreter;
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
    const bool dynamic_segment = read_dynamic_segment(file, linkage);
    for_each_section(file, [&](Elf_Scn* section, const GElf_Shdr& each) {
        linkage.has_sections = true;
        if (each.sh_type == SHT_DYNAMIC && !dynamic_segment)
            read_dynamic(file.data(section, max_section_bytes), strings_of(file, each), linkage);
        if (each.sh_type == SHT_GNU_verneed)
            read_wanted_versions(file.data(section, max_chunk_bytes), strings_of(file, each), linkage);
        if (each.sh_type == SHT_GNU_verdef)
            read_given_versions(file.data(section, max_chunk_bytes), strings_of(file, each), linkage);
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
