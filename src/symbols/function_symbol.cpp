// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/function_symbol.hpp"

#include <cstring>
#include <gelf.h>

namespace vftr::symbols {

CodeSections::CodeSections(const ElfFile& file) : sections_(1) { // index 0 is not a section
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

bool is_function_name(std::string_view name) {
    const bool is_mark = name.size() >= 2 && name[0] == '$' && std::strchr("adtx", name[1]) != nullptr &&
                         (name.size() == 2 || name[2] == '.');
    return !name.empty() && !is_mark;
}

} // namespace vftr::symbols
