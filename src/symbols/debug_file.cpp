// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/debug_file.hpp"

#include "symbols/hex.hpp"

#include <algorithm>

namespace vftr::symbols {

namespace {

bool belongs_to(const ElfFile& candidate, std::span<const std::uint8_t> build_id, std::uint32_t crc) {
    const auto id = candidate.build_id();
    if (!id.empty() && !build_id.empty())
        return std::ranges::equal(id, build_id);
    return candidate.checksum() == crc;
}

} // namespace

std::optional<ElfFile> debug_file_of(std::span<const std::uint8_t> build_id, const std::string& folder) {
    if (build_id.size() < 2)
        return std::nullopt;
    const std::string hex = hex_of(build_id);
    std::string reason;
    auto file = ElfFile::open(folder + "/.build-id/" + hex.substr(0, 2) + "/" + hex.substr(2) + ".debug", reason);
    if (file && !std::ranges::equal(file->build_id(), build_id))
        file.reset();
    return file;
}

std::optional<ElfFile> debug_file_of(const ElfFile& object, const std::string& path, const std::string& folder) {
    const auto build_id = object.build_id();
    if (auto file = debug_file_of(build_id, folder))
        return file;
    const auto link = object.debug_link();
    if (!link)
        return std::nullopt;
    const std::string beside = path.substr(0, path.rfind('/') + 1);
    for (const auto& candidate : {beside + link->name, beside + ".debug/" + link->name, folder + beside + link->name}) {
        std::string reason;
        auto file = ElfFile::open(candidate, reason);
        if (file && candidate != path && belongs_to(*file, build_id, link->crc))
            return file;
    }
    return std::nullopt;
}

} // namespace vftr::symbols
