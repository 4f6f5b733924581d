// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/process_maps.hpp"

#include "base/folder.hpp"
#include "base/maps_reader.hpp"
#include "symbols/elf_file.hpp"
#include "symbols/identity.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <dirent.h>
#include <gelf.h>
#include <unistd.h>
#include <utility>

namespace vftr::symbols {

namespace {

constexpr std::string_view newline_code = "\\012";

std::string folder_of(std::int32_t process) {
    return "/proc/" + (process == 0 ? std::string("self") : std::to_string(process)) + "/";
}

std::string unescaped(const std::string& path) {
    std::string result(path.size(), '\0');
    result.resize(unescape_path(path, result.data()));
    return result;
}

bool maps_file(const Mapping& mapping) { return mapping.inode != 0 && is_file_path(mapping.path); }

bool is_mapped(const ElfFile& file, const Mapping& mapping, bool by_its_path) {
    const auto is = file.identity();
    return is.inode == mapping.inode && (is.device == mapping.device || by_its_path);
}

// Opens the file of the mapping by any path that still leads to it. Sets `path` to the path that it has or had.
std::optional<ElfFile> open_mapped(const Mapping& mapping, std::int32_t process, std::string& path) {
    std::string reason;
    const bool marked = mapping.path.ends_with(deleted_mark);
    for (const auto& candidate : {mapping.path, unescaped(mapping.path)}) {
        auto file = ElfFile::open(candidate, reason);
        // If the kernel writes the path without the mark, the file is at that path.
        if (file && is_mapped(*file, mapping, !marked)) {
            path = candidate;
            return file;
        }
    }
    path = unescaped(mapping.path);
    if (marked)
        path.resize(path.size() - deleted_mark.size());
    Module module;
    module.start = mapping.start;
    module.end = mapping.end;
    for (const auto& entry : paths_in_process(process, module)) {
        auto file = ElfFile::open(entry, reason);
        if (file && is_mapped(*file, mapping, false))
            return file;
    }
    return std::nullopt;
}

std::vector<CodeSegment> code_segments(const ElfFile& file) {
    std::vector<CodeSegment> segments;
    std::size_t count = 0;
    if (elf_getphdrnum(file.handle(), &count) != 0)
        return segments;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(file.handle(), static_cast<int>(i), &header) != nullptr && header.p_type == PT_LOAD &&
            (header.p_flags & PF_X) != 0)
            segments.push_back({header.p_offset, header.p_vaddr, header.p_filesz});
    }
    return segments;
}

Module module_of(const Mapping& mapping, std::int32_t process) {
    Module module;
    module.start = mapping.start;
    module.end = mapping.end;
    module.bias = mapping.start - mapping.offset;
    module.path = mapping.path;
    if (!maps_file(mapping))
        return module;
    module.device = mapping.device;
    module.inode = mapping.inode;
    const auto file = open_mapped(mapping, process, module.path);
    if (!file)
        return module;
    const auto is = file->identity();
    module.device = is.device;
    module.file_size = is.size;
    module.mtime_ns = is.mtime_ns;
    module.build_id = file->build_id();
    if (const auto bias = load_bias(mapping, code_segments(*file)))
        module.bias = *bias;
    return module;
}

bool same_object(const Module& a, const Module& b) {
    return a.inode != 0 && a.inode == b.inode && a.device == b.device && a.bias == b.bias && a.path == b.path;
}

} // namespace

std::size_t unescape_path(std::string_view path, char* out) {
    std::size_t used = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool newline = path.substr(i).starts_with(newline_code);
        out[used++] = newline ? '\n' : path[i];
        i += newline ? newline_code.size() - 1 : 0;
    }
    return used;
}

std::vector<Mapping> maps_in(const std::string& path) {
    std::vector<Mapping> mappings;
    std::vector<char> buffer(1 << 16);
    base::MapsReader reader(path.c_str(), buffer);
    for (base::MapsLine line; reader.next(line);)
        mappings.push_back({.start = line.start,
                            .end = line.end,
                            .offset = line.offset,
                            .executable = line.executable,
                            .device = line.device,
                            .inode = line.inode,
                            .path = std::string(line.path)});
    return mappings;
}

std::vector<Mapping> maps_of(std::int32_t process) { return maps_in(folder_of(process) + "maps"); }

std::optional<std::uint64_t> load_bias(const Mapping& mapping, std::span<const CodeSegment> segments) {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    for (const auto& segment : segments) {
        const std::uint64_t begin = segment.offset & ~(page - 1);
        if (mapping.offset >= begin && mapping.offset - begin < segment.offset - begin + segment.file_size)
            return (mapping.start - mapping.offset) - (segment.address - segment.offset);
    }
    return std::nullopt;
}

std::vector<std::string> paths_in_process(std::int32_t process, const Module& module) {
    const std::string folder = folder_of(process);
    std::vector<std::string> paths{folder + "exe"};
    if (module.end <= module.start)
        return paths;
    DIR* directory = base::open_folder(folder + "map_files");
    if (directory == nullptr)
        return paths;
    while (const dirent* entry = ::readdir(directory)) {
        const char* const name = entry->d_name;
        std::uint64_t start = 0;
        const auto [end, error] = std::from_chars(name, name + std::strlen(name), start, 16);
        if (error == std::errc() && *end == '-' && start >= module.start && start < module.end)
            paths.push_back(folder + "map_files/" + entry->d_name);
    }
    ::closedir(directory);
    return paths;
}

std::vector<Module> modules_in_process(std::int32_t process) {
    std::vector<Module> modules;
    for (const auto& mapping : maps_of(process)) {
        if (!mapping.executable)
            continue;
        Module module = module_of(mapping, process);
        const auto known =
            std::ranges::find_if(modules, [&](const Module& other) { return same_object(module, other); });
        if (known == modules.end()) {
            module.id = static_cast<std::uint32_t>(modules.size() + 1);
            modules.push_back(std::move(module));
        } else {
            known->start = std::min(known->start, module.start);
            known->end = std::max(known->end, module.end);
        }
    }
    return modules;
}

} // namespace vftr::symbols
