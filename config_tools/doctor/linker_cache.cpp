// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/linker_cache.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace vftr::cli {
namespace {

constexpr std::string_view Mark = "glibc-ld.so.cache1.1";
constexpr std::size_t HeadBytes = 48, EntryBytes = 24;
constexpr std::size_t CountAt = 20, ExtensionAt = 32;                     // in the head
constexpr std::size_t NameAt = 4, FileAt = 8, ProcessorAt = 16;           // in an entry
constexpr std::uint64_t ExtensionMark = 0xeaa42174, VariantsTag = 1;      // of glibc 2.33
constexpr std::uint64_t HasVariant = 1ull << 62, Levels = 0x3ffull << 32; // in what an entry says of the processor

} // namespace

LinkerCache::LinkerCache(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    begin_ = std::min(bytes_.find(Mark), bytes_.size());
}

// 0 where the file ends before.
std::uint64_t LinkerCache::number_at(std::size_t offset, std::size_t bytes) const {
    std::uint32_t small = 0;
    std::uint64_t large = 0;
    if (offset > bytes_.size() || bytes_.size() - offset < bytes)
        return 0;
    std::memcpy(bytes == sizeof small ? static_cast<void*>(&small) : &large, &bytes_[offset], bytes);
    return bytes == sizeof small ? small : large;
}

std::string_view LinkerCache::text_at(std::size_t offset) const {
    if (offset >= bytes_.size())
        return {};
    return {&bytes_[offset], strnlen(&bytes_[offset], bytes_.size() - offset)};
}

// "x86-64-v3". An entry has the number of the name in a table of the extension.
std::string_view LinkerCache::variant_of(std::uint64_t processor) const {
    const std::size_t extension = begin_ + number_at(begin_ + ExtensionAt, 4);
    if (number_at(extension, 4) != ExtensionMark)
        return {};
    const std::uint64_t sections = std::min<std::uint64_t>(number_at(extension + 4, 4), bytes_.size() / 16);
    for (std::uint64_t i = 0; i < sections; ++i) {
        const std::size_t section = extension + 8 + i * 16;
        const std::uint64_t number = processor & 0xffffffff;
        if (number_at(section, 4) == VariantsTag && number < number_at(section + 12, 4) / 4)
            return text_at(begin_ + number_at(begin_ + number_at(section + 8, 4) + number * 4, 4));
    }
    return {};
}

std::vector<std::string> LinkerCache::files_of(std::string_view library,
                                               const std::vector<std::string>& variants) const {
    std::vector<std::pair<std::size_t, std::string>> found; // the place of its variant in the order, and the file
    const std::uint64_t entries = std::min<std::uint64_t>(number_at(begin_ + CountAt, 4), bytes_.size() / EntryBytes);
    for (std::uint64_t i = 0; i < entries; ++i) {
        const std::size_t entry = begin_ + HeadBytes + i * EntryBytes;
        if (text_at(begin_ + number_at(entry + NameAt, 4)) != library)
            continue;
        const std::uint64_t processor = number_at(entry + ProcessorAt, 8);
        std::size_t place = variants.size();
        if ((processor & ~Levels) >> 32 == HasVariant >> 32)
            place = static_cast<std::size_t>(std::find(variants.begin(), variants.end(),
                                                       "glibc-hwcaps/" + std::string(variant_of(processor)) + "/") -
                                             variants.begin());
        if (place < variants.size() || processor == 0)
            found.emplace_back(place, text_at(begin_ + number_at(entry + FileAt, 4)));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> files;
    for (auto& [place, file] : found)
        files.push_back(std::move(file));
    return files;
}

} // namespace vftr::cli
