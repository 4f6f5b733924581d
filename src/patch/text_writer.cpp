// SPDX-License-Identifier: BSD-3-Clause
#include "patch/text_writer.hpp"

#include "base/descriptor.hpp"
#include "base/system_call.hpp"
#include "base/whole_io.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace vftr::patch {

namespace {

// As in linux/membarrier.h, which older headers lack or have without these.
constexpr int PrivateExpeditedSyncCore = 1 << 5, RegisterPrivateExpeditedSyncCore = 1 << 6;

int membarrier(int command) { return static_cast<int>(base::system_call(SYS_membarrier, command)); }

} // namespace

Text::Text() : fd_(base::open_file("/proc/self/mem", O_RDWR)) {}

Text::~Text() {
    if (fd_ >= 0)
        base::close_file(fd_);
}

bool Text::read(std::uint64_t address, void* out, std::size_t bytes) const {
    return base::read_at(fd_, out, bytes, address) == static_cast<ssize_t>(bytes);
}

bool Text::write(std::uint64_t address, std::uint8_t byte) const {
    ssize_t n;
    do
        n = ::pwrite(fd_, &byte, 1, static_cast<off_t>(address));
    while (n < 0 && errno == EINTR);
    return n == 1;
}

bool prepare_synchronise() { return membarrier(RegisterPrivateExpeditedSyncCore) == 0; }

void synchronise() {
    // Whether a forked child has its parent's registration is not written down anywhere.
    if (membarrier(PrivateExpeditedSyncCore) == -EPERM && prepare_synchronise())
        membarrier(PrivateExpeditedSyncCore);
}

} // namespace vftr::patch
