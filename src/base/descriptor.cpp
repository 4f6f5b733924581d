// SPDX-License-Identifier: BSD-3-Clause
#include "base/descriptor.hpp"

#include "base/signal_mask.hpp"
#include "base/system_call.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace vftr::base {

namespace {

bool is_open(int descriptor) { return system_call(SYS_fcntl, descriptor, F_GETFD) >= 0; }

int open_nothing() { return static_cast<int>(system_call(SYS_openat, AT_FDCWD, "/", O_PATH | O_CLOEXEC)); }

// While it exists, those of the descriptors 0, 1 and 2 that were closed are occupied.
class StandardStreamsOccupied {
public:
    StandardStreamsOccupied() {
        for (int stream = 0; stream < StandardStreams; ++stream)
            if (!is_open(stream))
                occupy();
    }
    ~StandardStreamsOccupied() {
        for (int stream = 0; stream < StandardStreams; ++stream)
            if (ours_[stream])
                close_file(stream);
    }
    StandardStreamsOccupied(const StandardStreamsOccupied&) = delete;
    StandardStreamsOccupied& operator=(const StandardStreamsOccupied&) = delete;

private:
    void occupy() {
        const int got = open_nothing();
        if (got >= StandardStreams)
            close_file(got); // another thread was faster
        else if (got >= 0)
            ours_[got] = true;
    }

    bool ours_[StandardStreams] = {};
};

int open_above_streams(int folder, const char* path, int flags, mode_t mode) {
    const int low = static_cast<int>(system_call(SYS_openat, folder, path, flags | O_CLOEXEC, mode));
    if (low < 0 || low >= LowestDescriptor)
        return low;
    const int high = static_cast<int>(system_call(SYS_fcntl, low, F_DUPFD_CLOEXEC, LowestDescriptor));
    if (high < 0 && low >= StandardStreams)
        return low;
    close_file(low);
    return high < 0 ? -EMFILE : high;
}

} // namespace

int open_file(const char* path, int flags, mode_t mode) { return open_file_at(AT_FDCWD, path, flags, mode); }

int open_file_at(int folder, const char* path, int flags, mode_t mode) {
    if (standard_streams_are_open())
        return open_above_streams(folder, path, flags, mode);
    const AllSignalsBlocked blocked;
    const StandardStreamsOccupied occupied;
    return open_above_streams(folder, path, flags, mode);
}

int open_file_or_errno(const char* path, int flags, mode_t mode) {
    const int descriptor = open_file(path, flags, mode);
    if (descriptor >= 0)
        return descriptor;
    errno = -descriptor;
    return -1;
}

int close_file(int descriptor) { return static_cast<int>(system_call(SYS_close, descriptor)); }

bool standard_streams_are_open() {
    for (int stream = 0; stream < StandardStreams; ++stream)
        if (!is_open(stream))
            return false;
    return true;
}

void occupy_standard_streams() {
    for (int stream = 0; stream < StandardStreams; ++stream)
        if (!is_open(stream))
            open_nothing();
}

} // namespace vftr::base
