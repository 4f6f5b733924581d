// SPDX-License-Identifier: BSD-3-Clause
//
// /etc/ld.so.cache, in which ldconfig(8) notes where the libraries of the system are. The format is that of glibc since
// 2.2 (glibc-ld.so.cache1.1), also where it stands behind the older one. Damaged parts count as missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::cli {

class LinkerCache {
public:
    // A file that cannot be read is an empty cache.
    explicit LinkerCache(const std::string& path);
    // The files of a library, in the order in which the dynamic linker takes them: variants for the processor first
    // (`variants` as in LinkerRules). Libraries for other machines are among them.
    std::vector<std::string> files_of(std::string_view library, const std::vector<std::string>& variants) const;

private:
    std::uint64_t number_at(std::size_t offset, std::size_t bytes) const;
    std::string_view text_at(std::size_t offset) const;
    std::string_view variant_of(std::uint64_t processor) const;

    std::string bytes_;
    std::size_t begin_ = 0; // of the format that is read; offsets of texts count from here
};

} // namespace vftr::cli
