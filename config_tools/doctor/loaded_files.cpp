// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/loaded_files.hpp"

#include <cstddef>

namespace vftr::cli {

std::string LoadedFile::text(const Program& program) const {
    if (!object)
        return program.path;
    return object->path.ends_with('/' + object->name) ? object->path : object->name + " (" + object->path + ")";
}

LoadedFiles::LoadedFiles(const Program& program, const std::vector<LoadedObject>& objects) {
    files_.resize(objects.size());
    all_.push_back({nullptr, &program.file, false});
    for (std::size_t i = 0; i < objects.size(); ++i) {
        std::string reason;
        files_[i] = symbols::ElfFile::open(objects[i].path, reason);
        if (files_[i])
            all_.push_back(
                {&objects[i], &*files_[i], symbols::linkage_of(*files_[i]).soname.starts_with("libvftrace.so")});
    }
}

const LoadedFile* LoadedFiles::giver(const char* symbol) const {
    for (const LoadedFile& file : all_)
        if (file.gives(symbol))
            return &file;
    return nullptr;
}

const LoadedFile* LoadedFiles::vftrace() const {
    for (const LoadedFile& file : all_)
        if (file.vftrace)
            return &file;
    return nullptr;
}

bool has_vftrace_inside(const Program& program) {
    if (symbols::has_table(program.file, symbols::Table::Full))
        return symbols::find_symbol(program.file, symbols::Table::Full, "vftrace_region_begin").presence ==
               symbols::Presence::Given;
    return symbols::for_each_string(program.file, 4, [](std::string_view text) { return text == "VFTR_CONFIG"; });
}

} // namespace vftr::cli
