// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/elf_symbols.hpp"

#include "symbols/debug_file.hpp"
#include "symbols/identity.hpp"
#include "symbols/process_maps.hpp"

namespace vftr::symbols {

namespace {

std::optional<ElfFile> open_if_loaded(const std::string& path, const Module& module, std::string& reason) {
    auto file = ElfFile::open(path, reason);
    std::string difference;
    if (!file || is_loaded_file(*file, module, difference))
        return file;
    reason = path + ": " + difference;
    return std::nullopt;
}

} // namespace

std::optional<ElfFile> ElfSymbols::open(const Module& module, std::int32_t process, std::string& reason) {
    if (!is_file_path(module.path)) { // [vdso], a memfd, anonymous memory
        reason = "\"" + module.path + "\" is not the path of a file";
        return std::nullopt;
    }
    auto file = open_if_loaded(module.path, module, reason);
    std::string ignored;
    for (const auto& path : paths_in_process(process, module)) {
        if (file)
            break;
        file = open_if_loaded(path, module, ignored);
    }
    return file;
}

ElfSymbols::ElfSymbols(const Module& module, std::int32_t process) : file_(open(module, process, reason_)) {
    std::size_t full = 0;
    if (file_) {
        reason_.clear();
        full += index_.add(*file_, SHT_SYMTAB);
        index_.add(*file_, SHT_DYNSYM);
    }
    debug_ = file_ ? debug_file_of(*file_, module.path) : debug_file_of(module.build_id);
    if (debug_)
        full += index_.add(*debug_, SHT_SYMTAB);
    complete_ = full != 0;
    index_.finish();
    if (index_.size() != 0)
        reason_.clear();
    else if (reason_.empty())
        reason_ = module.path + ": has no function symbols";
}

} // namespace vftr::symbols
