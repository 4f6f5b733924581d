// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/identity.hpp"

#include "base/fnv.hpp"
#include "symbols/hex.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace vftr::symbols {

namespace {

constexpr std::size_t longest_readable_name = 48;

// The digits of two such hashes with different begins distinguish all files of all machines that ever meet in one
// folder. An attacker would gain nothing from a collision but wrong names in his own results.
std::string hash_of(const Module& module, base::Fnv1a64 hash) {
    hash.add(module.path);
    for (std::uint64_t number :
         {std::uint64_t{module.path.size()}, module.device, module.inode, module.file_size, module.mtime_ns})
        for (int i = 0; i < 8; ++i, number >>= 8)
            hash.add(number & 0xff);
    std::array<std::uint8_t, 8> bytes;
    for (int i = 0; i < 8; ++i)
        bytes[i] = static_cast<std::uint8_t>(hash.value() >> (56 - 8 * i));
    return hex_of(bytes);
}

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '+' || c == '-';
}

std::string describe(std::span<const std::uint8_t> build_id) {
    return build_id.empty() ? "no build-id" : "build-id " + hex_of(build_id);
}

} // namespace

std::string module_key(const Module& module) {
    if (!module.build_id.empty())
        return hex_of(module.build_id);
    if (module.inode == 0 || !is_file_path(module.path))
        return {};
    return "n" + hash_of(module, {}) + hash_of(module, base::Fnv1a64(0x6c62272e07bb0142));
}

std::string readable_name(std::string_view path) {
    path = path.substr(path.rfind('/') + 1).substr(0, longest_readable_name);
    std::string name(path);
    std::ranges::replace_if(
        name, [](char c) { return !is_plain(c); }, '_');
    return name;
}

bool is_file_path(std::string_view path) {
    return path.starts_with('/') && !path.starts_with("/memfd:") && path != "/dev/zero";
}

bool is_loaded_file(const ElfFile& file, const Module& module, std::string& reason) {
    if (!module.build_id.empty()) {
        const auto id = file.build_id();
        if (std::ranges::equal(id, module.build_id))
            return true;
        reason = "is not the file that was loaded (it has " + describe(id) + ", recorded was " +
                 describe(module.build_id) + ")";
        return false;
    }
    // Without size and time the identity proves nothing, because the inode of a deleted file is soon reused.
    if (module.inode == 0 || module.file_size == 0) {
        reason = "has no build-id, and it is not known which file was loaded";
        return false;
    }
    const auto is = file.identity();
    if (is.device == module.device && is.inode == module.inode && is.size == module.file_size &&
        is.mtime_ns == module.mtime_ns)
        return true;
    reason = "is not the file that was loaded (it was replaced or changed since)";
    return false;
}

} // namespace vftr::symbols
