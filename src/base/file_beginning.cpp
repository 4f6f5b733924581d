// SPDX-License-Identifier: BSD-3-Clause
#include "base/file_beginning.hpp"

#include "base/descriptor.hpp"
#include "base/own_descriptors.hpp"
#include "base/whole_io.hpp"

#include <fcntl.h>
#include <sys/types.h>

namespace vftr::base {

namespace {

struct Reading {
    const char* path;
    char* out;
    std::size_t room, used;
};

void read_here(void* data) {
    Reading& reading = *static_cast<Reading*>(data);
    const int fd = open_file(reading.path, O_RDONLY);
    if (fd < 0)
        return;
    const ssize_t used = read_at(fd, reading.out, reading.room, 0);
    close_file(fd);
    reading.used = used < 0 ? 0 : static_cast<std::size_t>(used);
}

} // namespace

std::size_t read_beginning(const char* path, char* out, std::size_t room) {
    Reading reading{path, out, room, 0};
    with_own_descriptors(read_here, &reading);
    return reading.used;
}

} // namespace vftr::base
