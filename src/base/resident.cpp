// SPDX-License-Identifier: BSD-3-Clause
#include "base/resident.hpp"

#include "base/descriptor.hpp"
#include "base/file_beginning.hpp"
#include "base/memory.hpp"
#include "base/whole_io.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <string_view>

namespace vftr::base {

namespace {

// Parses a line like "VmRSS:     1234 kB".
std::uint64_t bytes_in(std::string_view status, std::string_view name) {
    const std::size_t at = status.find(name);
    if (at == status.npos)
        return 0;
    status.remove_prefix(at + name.size());
    status.remove_prefix(std::min(status.find_first_not_of(" \t"), status.size()));
    std::uint64_t kib = 0;
    std::from_chars(status.data(), status.data() + status.size(), kib);
    return kib * 1024;
}

} // namespace

ProcessMemory process_memory() {
    char text[2048]; // the lines that are needed are in the first half of it
    const std::string_view status(text, read_beginning("/proc/self/status", text, sizeof text));
    return {bytes_in(status, "\nVmRSS:"), bytes_in(status, "\nVmHWM:")};
}

PageMap::PageMap() : fd_(open_file("/proc/self/pagemap", O_RDONLY)) {}

PageMap::~PageMap() {
    if (fd_ >= 0)
        close_file(fd_);
}

std::uint64_t PageMap::resident(std::uintptr_t address, std::size_t bytes) const {
    constexpr std::uint64_t Present = std::uint64_t{1} << 63;
    const std::uint64_t page = page_size();
    std::uint64_t at = address / page, resident = 0;
    const std::uint64_t end = (address + bytes + page - 1) / page;
    while (at < end) {
        std::uint64_t entries[256];
        const std::size_t wanted = std::min<std::uint64_t>(end - at, sizeof entries / sizeof *entries);
        const ssize_t length = fd_ < 0 ? 0 : read_at(fd_, entries, wanted * sizeof *entries, at * sizeof *entries);
        if (length <= 0)
            return (resident + end - at) * page;
        const std::size_t got = static_cast<std::size_t>(length) / sizeof *entries;
        resident += static_cast<std::uint64_t>(
            std::count_if(entries, entries + got, [](std::uint64_t entry) { return entry & Present; }));
        at += std::max<std::size_t>(got, 1);
    }
    return resident * page;
}

} // namespace vftr::base
