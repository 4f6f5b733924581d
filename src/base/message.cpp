// SPDX-License-Identifier: BSD-3-Clause
#include "base/message.hpp"

#include "base/cancellation.hpp"
#include "base/file_size.hpp"
#include "base/whole_io.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace vftr::base {

void write_stderr(std::string_view text) {
    CancellationLater whole;
    int saved = errno;
    NoFileSizeSignal file; // stderr may be a file
    NoPipeSignal pipe;     // or a pipe that nobody reads
    write_all(STDERR_FILENO, text.data(), text.size());
    errno = saved;
}

void warn_of_output(std::string_view a, std::string_view b, std::string_view c, std::string_view d, std::string_view e) {
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
