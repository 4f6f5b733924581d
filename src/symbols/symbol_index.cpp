// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_index.hpp"

#include "symbols/fortran_traces.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace vftr::symbols {

namespace {

constexpr std::uint32_t no_entry = SymbolIndex::None;
constexpr std::uint8_t label_rank = 4; // added for labels; below it the binding
enum EntryFlags : std::uint8_t {
    Foreign = 1, // a local symbol of a source file that is not Fortran
    Unsized = 2, // reaches to the next symbol
};
constexpr std::uint64_t max_section_bytes = 1ull << 32; // offsets of names have 32 bits
constexpr int max_nesting = 16; // of functions inside each other that a search follows

std::optional<std::uint8_t> rank_of(const GElf_Sym& symbol) {
    std::uint8_t rank = 0;
    switch (GELF_ST_TYPE(symbol.st_info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        break;
    case STT_NOTYPE:
        rank = label_rank;
        break;
    default:
        return std::nullopt;
    }
    switch (GELF_ST_BIND(symbol.st_info)) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE:
        return rank;
    case STB_WEAK:
        return rank + 1;
    default:
        return rank + 2;
    }
}

// $a, $d, $t, $x, also with a suffix ($d.realdata): they mark code and data for a disassembler.
bool is_mapping_symbol(std::string_view name) {
    return name.size() >= 2 && name[0] == '$' && std::strchr("adtx", name[1]) != nullptr &&
           (name.size() == 2 || name[2] == '.');
}

std::size_t leading_underscores(std::string_view name) {
    return std::min(name.find_first_not_of('_'), name.size());
}

std::string_view string_at(std::string_view table, std::size_t offset) {
    if (offset >= table.size())
        return {};
    table.remove_prefix(offset);
    return table.substr(0, strnlen(table.data(), table.size()));
}

std::string_view bytes_of(const Elf_Data* data) {
    if (data == nullptr || data->d_buf == nullptr)
        return {};
    return {static_cast<const char*>(data->d_buf), data->d_size};
}

} // namespace

struct SymbolIndex::Source {
    Elf_Data* symbols;
    Elf_Data* extended_sections; // section numbers beyond 16 bits; usually null
    std::size_t count;
    std::vector<Section> sections;
    std::uint16_t table;
    bool thumb; // 32-bit ARM keeps the instruction set in the lowest address bit
};

std::vector<SymbolIndex::Section> SymbolIndex::executable_sections(Elf* elf) {
    std::vector<Section> sections(1); // number 0 is no section
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        const bool executable = gelf_getshdr(section, &header) != nullptr &&
                                (header.sh_flags & SHF_EXECINSTR) != 0 &&
                                header.sh_addr + header.sh_size >= header.sh_addr;
        sections.push_back(executable ? Section{header.sh_addr, header.sh_addr + header.sh_size}
                                      : Section{0, 0});
    }
    return sections;
}

std::size_t SymbolIndex::add(const ElfFile& file, std::uint32_t section_type) {
    Elf* elf = file.handle();
    const std::size_t before = entries_.size();
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
        GElf_Shdr header;
        GElf_Ehdr elf_header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != section_type)
            continue;
        const int extended = elf_scnshndx(section);
        Elf_Data* symbols = file.data(section, max_section_bytes);
        if (symbols == nullptr || gelf_getehdr(elf, &elf_header) == nullptr)
            continue;
        string_tables_.push_back(
            bytes_of(file.data(elf_getscn(elf, header.sh_link), max_section_bytes)));
        read({.symbols = symbols,
              .extended_sections =
                  extended > 0 ? file.data(elf_getscn(elf, extended), max_section_bytes) : nullptr,
              .count = symbols->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT),
              .sections = executable_sections(elf),
              .table = static_cast<std::uint16_t>(string_tables_.size() - 1),
              .thumb = elf_header.e_machine == EM_ARM});
        break; // an object has one of each type
    }
    return entries_.size() - before;
}

void SymbolIndex::read(const Source& source) {
    const std::string_view strings = string_tables_[source.table];
    bool in_foreign_file = false;
    const std::size_t limit = std::min<std::size_t>(source.count, std::numeric_limits<int>::max());
    entries_.reserve(entries_.size() + limit);
    for (std::size_t i = 0; i < limit; ++i) {
        GElf_Sym symbol;
        Elf32_Word section = 0;
        if (gelf_getsymshndx(source.symbols, source.extended_sections, static_cast<int>(i), &symbol,
                             &section) == nullptr)
            return;
        if (symbol.st_shndx != SHN_XINDEX)
            section = symbol.st_shndx < SHN_LORESERVE ? symbol.st_shndx : 0;
        if (GELF_ST_TYPE(symbol.st_info) == STT_FILE) {
            const auto name = string_at(strings, symbol.st_name);
            in_foreign_file = !name.empty() && !is_fortran_source(name);
            fortran_ = fortran_ || is_fortran_source(name);
        } else if (symbol.st_shndx == SHN_UNDEF) {
            fortran_ = fortran_ || is_fortran_runtime(string_at(strings, symbol.st_name));
        } else {
            add_function(source, symbol, section, in_foreign_file);
        }
    }
}

void SymbolIndex::add_function(const Source& source, const GElf_Sym& symbol, std::uint32_t section,
                               bool in_foreign_file) {
    const auto rank = rank_of(symbol);
    if (!rank || section >= source.sections.size())
        return;
    const Section& code = source.sections[section];
    const std::uint64_t start = source.thumb ? symbol.st_value & ~1ull : symbol.st_value;
    if (start < code.start || start >= code.end)
        return;
    const auto name = string_at(string_tables_[source.table], symbol.st_name);
    if (name.empty() || is_mapping_symbol(name))
        return;
    fortran_ = fortran_ || is_fortran_runtime(name);
    const bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
    const bool unsized = symbol.st_size == 0;
    const std::uint64_t room = code.end - start;
    entries_.push_back({.start = start,
                        .end = start + (unsized ? room : std::min(symbol.st_size, room)),
                        .name = symbol.st_name,
                        .table = source.table,
                        .rank = *rank,
                        .flags = static_cast<std::uint8_t>(
                            (local && in_foreign_file ? Foreign : 0) | (unsized ? Unsized : 0)),
                        .enclosing = no_entry});
}

void SymbolIndex::finish() {
    std::sort(entries_.begin(), entries_.end(),
              [this](const Entry& a, const Entry& b) { return before(a, b); });
    drop_aliases();
    drop_covered_labels();
    end_at_next();
    link_enclosing();
    entries_.shrink_to_fit();
}

std::string_view SymbolIndex::name_of(const Entry& entry) const {
    return string_at(string_tables_[entry.table], entry.name);
}

bool SymbolIndex::before(const Entry& a, const Entry& b) const {
    if (a.start != b.start)
        return a.start < b.start;
    if (a.rank != b.rank)
        return a.rank < b.rank;
    const auto name_a = name_of(a), name_b = name_of(b);
    const auto dashes_a = leading_underscores(name_a), dashes_b = leading_underscores(name_b);
    if (dashes_a != dashes_b)
        return dashes_a < dashes_b;
    if (name_a.size() != name_b.size())
        return name_a.size() < name_b.size();
    return name_a < name_b;
}

// Keeps the first of each address; it learns its size from the others if it has none.
void SymbolIndex::drop_aliases() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (kept == 0 || entries_[kept - 1].start != entries_[i].start) {
            entries_[kept++] = entries_[i];
        } else if (Entry& best = entries_[kept - 1];
                   (best.flags & Unsized) != 0 && (entries_[i].flags & Unsized) == 0) {
            best.end = entries_[i].end;
            best.flags &= ~Unsized;
        }
    }
    entries_.resize(kept);
}

void SymbolIndex::drop_covered_labels() {
    std::uint64_t covered = 0;
    std::erase_if(entries_, [&covered](const Entry& entry) {
        if (entry.rank >= label_rank)
            return entry.start < covered;
        if ((entry.flags & Unsized) == 0)
            covered = std::max(covered, entry.end);
        return false;
    });
}

void SymbolIndex::end_at_next() {
    for (std::size_t i = 0; i + 1 < entries_.size(); ++i)
        if ((entries_[i].flags & Unsized) != 0)
            entries_[i].end = std::min(entries_[i].end, entries_[i + 1].start);
}

void SymbolIndex::link_enclosing() {
    for (std::uint32_t i = 1; i < entries_.size(); ++i) {
        std::uint32_t outer = i - 1;
        while (outer != no_entry && entries_[outer].end <= entries_[i].start)
            outer = entries_[outer].enclosing;
        entries_[i].enclosing = outer;
    }
}

SymbolIndex::Function SymbolIndex::at(std::size_t index) const {
    const Entry& entry = entries_[index];
    return {.start = entry.start,
            .end = entry.end,
            .enclosing = entry.enclosing,
            .name = name_of(entry),
            .fortran = fortran_ && (entry.flags & Foreign) == 0};
}

std::optional<SymbolIndex::Found> SymbolIndex::find(std::uint64_t address) const {
    const auto next = std::upper_bound(
        entries_.begin(), entries_.end(), address,
        [](std::uint64_t value, const Entry& entry) { return value < entry.start; });
    if (next == entries_.begin())
        return std::nullopt;
    auto candidate = static_cast<std::uint32_t>(next - entries_.begin() - 1);
    for (int depth = 0; depth < max_nesting && candidate != no_entry; ++depth) {
        const Entry& entry = entries_[candidate];
        if (address < entry.end)
            return Found{name_of(entry), entry.start, fortran_ && (entry.flags & Foreign) == 0};
        candidate = entry.enclosing;
    }
    return std::nullopt;
}

} // namespace vftr::symbols
