// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/function_symbol.hpp"

#include <algorithm>
#include <cstring>
#include <gelf.h>

namespace vftr::symbols {

namespace {

std::optional<std::uint8_t> rank_of(const Symbol& symbol) {
    std::uint8_t rank = 0;
    switch (symbol.type) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        break;
    case STT_NOTYPE:
        rank = FunctionSymbol::label_rank;
        break;
    default:
        return std::nullopt;
    }
    switch (symbol.binding) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE:
        return rank;
    case STB_WEAK:
        return rank + 1;
    default:
        return rank + 2;
    }
}

} // namespace

CodeSections::CodeSections(const ElfFile& file) : sections_(1) { // number 0 is no section
    GElf_Ehdr elf_header;
    thumb_ = gelf_getehdr(file.handle(), &elf_header) != nullptr && elf_header.e_machine == EM_ARM;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(file.handle(), section)) != nullptr) {
        GElf_Shdr header;
        const bool executable = gelf_getshdr(section, &header) != nullptr && (header.sh_flags & SHF_EXECINSTR) != 0 &&
                                header.sh_addr + header.sh_size >= header.sh_addr;
        sections_.push_back(executable ? Section{header.sh_addr, header.sh_addr + header.sh_size} : Section{0, 0});
    }
}

std::optional<FunctionSymbol> CodeSections::function(const Symbol& symbol) const {
    const auto rank = rank_of(symbol);
    if (!rank || !symbol.defined || symbol.section >= sections_.size())
        return std::nullopt;
    const Section& code = sections_[symbol.section];
    const std::uint64_t start = thumb_ ? symbol.value & ~1ull : symbol.value;
    if (start < code.start || start >= code.end)
        return std::nullopt;
    const std::uint64_t room = code.end - start;
    const bool sized = symbol.size != 0;
    return FunctionSymbol{.start = start, .end = start + (sized ? std::min(symbol.size, room) : room), .rank = *rank, .sized = sized};
}

bool is_function_name(std::string_view name) {
    const bool is_mark = name.size() >= 2 && name[0] == '$' && std::strchr("adtx", name[1]) != nullptr && (name.size() == 2 || name[2] == '.');
    return !name.empty() && !is_mark;
}

} // namespace vftr::symbols
