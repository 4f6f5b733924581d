// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/loaded_modules.hpp"

#include "record/recorder.hpp"

namespace vftr::record {

symbols::Module module_of(const vfd::ModuleRecord& record) {
    const auto* text = reinterpret_cast<const std::uint8_t*>(&record + 1);
    symbols::Module module;
    module.id = record.id;
    module.start = record.start;
    module.end = record.end;
    module.bias = record.bias;
    module.build_id.assign(text, text + record.build_id_size);
    module.path.assign(reinterpret_cast<const char*>(text) + record.build_id_size, record.path_size);
    module.device = record.device;
    module.inode = record.inode;
    module.file_size = record.file_size;
    module.mtime_ns = record.mtime_ns;
    return module;
}

std::vector<symbols::Module> recorded_modules() {
    std::vector<symbols::Module> modules;
    for (std::uint16_t id = 1; const ModuleEntry* entry = recorder.modules.entry(id); ++id)
        modules.push_back(module_of(*entry->record));
    return modules;
}

} // namespace vftr::record
