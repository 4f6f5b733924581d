// SPDX-License-Identifier: BSD-3-Clause
#include "output/header_of.hpp"

#include "base/descriptor.hpp"
#include "base/own_descriptors.hpp"
#include "base/whole_io.hpp"
#include "vfd/writer_of.hpp"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace vftr::output {

std::optional<vfd::FileHeader> header_of(const std::string& path) {
    vfd::FileHeader header{};
    ssize_t n = 0;
    base::with_own_descriptors([&] {
        const int fd = base::open_file(path.c_str(), O_RDONLY | O_NONBLOCK);
        n = fd < 0 ? 0 : base::read_at(fd, &header, sizeof header, 0);
        if (fd >= 0)
            base::close_file(fd);
    });
    if (n != static_cast<ssize_t>(sizeof header) || std::memcmp(header.magic, vfd::Magic, sizeof vfd::Magic) != 0)
        return std::nullopt;
    return header;
}

bool being_written(const std::string& path) {
    std::optional<vfd::FileHeader> header = header_of(path);
    if (!header || header->state != vfd::FileState::Open)
        return false;
    const vfd::WriterOf writer = vfd::writer_of(*header);
    const bool is_own = writer == vfd::WriterOf::Runs && static_cast<pid_t>(header->pid) == ::getpid();
    return writer != vfd::WriterOf::Gone && !is_own;
}

} // namespace vftr::output
