// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/process_maps.hpp"

#include "base/descriptor.hpp"
#include "base/folder.hpp"
#include "symbols/elf_file.hpp"
#include "symbols/identity.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace vftr::symbols {

namespace {

constexpr std::string_view newline_code = "\\012";

// Removes a number and the character behind it from the front. Returns false if they are not there.
bool take(std::string_view& text, int base, char behind, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    const auto used = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || used == 0 || used >= text.size() || *end != behind)
        return false;
    text.remove_prefix(used + 1);
    return true;
}

bool take_permissions(std::string_view& text, bool& executable) {
    if (text.size() < 5 || text[4] != ' ' || (text[0] != 'r' && text[0] != '-') || (text[1] != 'w' && text[1] != '-') ||
        (text[2] != 'x' && text[2] != '-') || (text[3] != 'p' && text[3] != 's'))
        return false;
    executable = text[2] == 'x';
    text.remove_prefix(5);
    return true;
}

std::string folder_of(std::int32_t process) {
    return "/proc/" + (process == 0 ? std::string("self") : std::to_string(process)) + "/";
}

// Reads all of a file whose size is not known beforehand.
std::string read_all(const std::string& path) {
    std::string text;
    const int fd = base::open_file(path.c_str(), O_RDONLY);
    if (fd < 0)
        return text;
    for (;;) {
        char buffer[1 << 16];
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        text.append(buffer, static_cast<std::size_t>(n));
    }
    base::close_file(fd);
    return text;
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

bool parse_maps_line(std::string_view line, MapsLine& result) {
    std::uint64_t major = 0, minor = 0;
    if (!take(line, 16, '-', result.start) || !take(line, 16, ' ', result.end) || result.end <= result.start ||
        !take_permissions(line, result.executable) || !take(line, 16, ' ', result.offset) ||
        !take(line, 16, ':', major) || !take(line, 16, ' ', minor))
        return false;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), result.inode);
    if (error != std::errc())
        return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (!line.empty() && line[0] != ' ')
        return false;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    result.path = line;
    result.device = makedev(static_cast<unsigned>(major), static_cast<unsigned>(minor));
    return true;
}

std::size_t unescape_path(std::string_view path, char* out) {
    std::size_t used = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool newline = path.substr(i).starts_with(newline_code);
        out[used++] = newline ? '\n' : path[i];
        i += newline ? newline_code.size() - 1 : 0;
    }
    return used;
}

std::vector<Mapping> parse_maps(std::string_view text) {
    std::vector<Mapping> mappings;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        MapsLine parsed;
        if (parse_maps_line(line, parsed))
            mappings.push_back({.start = parsed.start,
                                .end = parsed.end,
                                .offset = parsed.offset,
                                .executable = parsed.executable,
                                .device = parsed.device,
                                .inode = parsed.inode,
                                .path = std::string(parsed.path)});
    }
    return mappings;
}

std::vector<Mapping> maps_of(std::int32_t process) { return parse_maps(read_all(folder_of(process) + "maps")); }

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
        std::uint64_t start = 0;
        std::string_view name(entry->d_name);
        if (take(name, 16, '-', start) && start >= module.start && start < module.end)
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
