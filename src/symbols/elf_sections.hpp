// SPDX-License-Identifier: BSD-3-Clause
//
// A walk over the sections of an ELF file.
#pragma once

#include "symbols/elf_file.hpp"

#include <gelf.h>

namespace vftr::symbols {

// Calls visit(Elf_Scn*, const GElf_Shdr&) for each section whose header can be read.
template <class Visit>
void for_each_section(const ElfFile& file, Visit visit) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(file.handle(), section)) != nullptr)
        if (GElf_Shdr header; gelf_getshdr(section, &header) != nullptr)
            visit(section, header);
}

} // namespace vftr::symbols
