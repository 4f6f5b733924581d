// SPDX-License-Identifier: BSD-3-Clause
#include "base/message.hpp"

#include "base/cancellation.hpp"
#include "base/errno_preserved.hpp"
#include "base/file_size.hpp"
#include "base/foreign_text.hpp"
#include "base/system_call.hpp"
#include "base/whole_io.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace vftr::base {

namespace {

enum class Start { Unknown, Closed, Open };

// The identity of stderr at the start. It is atomic because two threads may print the first message at the same time.
constinit std::atomic<Start> start{Start::Unknown};
constinit std::atomic<dev_t> start_device{0};
constinit std::atomic<ino_t> start_inode{0};

// On the machines that system_call.hpp supports, the kernel's structure is that of the C library.
bool look_at_stderr(struct stat& status) { return system_call(SYS_fstat, STDERR_FILENO, &status) == 0; }

bool is_terminal() {
    struct termios settings;
    return system_call(SYS_ioctl, STDERR_FILENO, TCGETS, &settings) == 0;
}

bool is_stderr_of_start() {
    if (start.load(std::memory_order_acquire) == Start::Unknown)
        remember_stderr();
    struct stat now;
    if (start.load(std::memory_order_acquire) == Start::Closed || !look_at_stderr(now))
        return false;
    return (now.st_dev == start_device.load(std::memory_order_relaxed) &&
            now.st_ino == start_inode.load(std::memory_order_relaxed)) ||
           is_terminal();
}

} // namespace

void remember_stderr() {
    struct stat now;
    const bool open = look_at_stderr(now);
    if (open) {
        start_device.store(now.st_dev, std::memory_order_relaxed);
        start_inode.store(now.st_ino, std::memory_order_relaxed);
    }
    start.store(open ? Start::Open : Start::Closed, std::memory_order_release);
}

void write_stderr(std::string_view text) {
    if (!is_stderr_of_start())
        return;
    CancellationDeferred deferred;
    const ErrnoPreserved preserved;
    NoFileSizeSignal file; // stderr may be a file
    NoPipeSignal pipe;     // or a pipe that nobody reads
    write_all(STDERR_FILENO, text.data(), text.size());
}

void warn_of_output(std::string_view a, std::string_view b, std::string_view c, std::string_view d,
                    std::string_view e) {
    static std::atomic_flag warned = ATOMIC_FLAG_INIT;
    if (!warned.test_and_set())
        warn(a, b, c, d, e);
}

void warn(std::string_view a, std::string_view b, std::string_view c, std::string_view d, std::string_view e) {
    char line[1024];
    std::size_t used = 0;
    for (std::string_view piece : {std::string_view("vftrace: warning: "), a, b, c, d, e}) {
        std::size_t n = std::min(piece.size(), sizeof line - 1 - used);
        if (n != 0) // an empty piece may have no address
            std::memcpy(line + used, piece.data(), n);
        used += n;
    }
    used = make_foreign_text_harmless(line, used, "\n");
    line[used++] = '\n';
    write_stderr({line, used});
}

Number::Number(unsigned long long value) : begin(digits + sizeof digits), end(digits + sizeof digits) {
    do {
        *--begin = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
}

std::string_view error_text(int error) {
    const char* text = strerrordesc_np(error);
    return text ? text : "unknown error";
}

} // namespace vftr::base
