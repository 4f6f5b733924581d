// SPDX-License-Identifier: BSD-3-Clause
#include "follow/trace.hpp"

#include "base/errno_preserved.hpp"
#include "base/file_size.hpp"
#include "base/message.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_link.hpp"
#include "base/system_call.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>

namespace vftr::follow {

namespace {

constexpr std::string_view Header =
    "time,event,path,pid,checkpoint_enabled,checkpoint_result,chain_enabled,ld_preload_action,exec_result,errno\n";

// Buffers a row and writes it to the file. The buffer is small, as the stack may be small.
class Line {
public:
    explicit Line(int fd) : fd_(fd) {}
    ~Line() { flush(); }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    void add(char c) {
        if (used_ == sizeof text_)
            flush();
        text_[used_++] = c;
    }
    void add(std::string_view text) {
        for (char c : text)
            add(c);
    }
    void add(const char* text) { add(std::string_view(text ? text : "")); }
    void add_number(long value) {
        if (value < 0)
            add('-');
        add(base::Number(value < 0 ? 0ull - static_cast<unsigned long long>(value)
                                   : static_cast<unsigned long long>(value)));
    }
    // Quotes the field if it contains a character that has a meaning in CSV (RFC 4180).
    void add_field(const char* field) {
        std::string_view value(field ? field : "");
        if (value.find_first_of(",\"\r\n") == std::string_view::npos)
            return add(value);
        add('"');
        for (char c : value) {
            if (c == '"')
                add('"');
            add(c);
        }
        add('"');
    }

private:
    void flush() {
        for (std::size_t at = 0; at < used_;) {
            long n = base::system_call(SYS_write, fd_, text_ + at, used_ - at);
            if (n == -EINTR)
                continue;
            if (n <= 0)
                break; // the row is lost
            at += static_cast<std::size_t>(n);
        }
        used_ = 0;
    }
    int fd_;
    std::size_t used_ = 0;
    char text_[512];
};

void add_time(Line& line) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now); // answered by the vdso, without a system call
    line.add_number(now.tv_sec);
    line.add('.');
    std::string_view digits = base::Number(static_cast<unsigned long long>(now.tv_nsec));
    line.add(std::string_view("000000000").substr(std::min<std::size_t>(digits.size(), 9)));
    line.add_number(now.tv_nsec);
}

void add_row(Line& line, const TraceRow& row) {
    add_time(line);
    line.add(',');
    line.add(row.event);
    line.add(',');
    line.add_field(row.path);
    line.add(',');
    line.add_number(base::system_call(SYS_getpid));
    line.add(row.checkpoint_enabled ? ",true," : ",false,");
    line.add(row.checkpoint_result);
    line.add(row.chain_enabled ? ",true," : ",false,");
    line.add(row.preload_action);
    line.add(',');
    line.add_number(row.result);
    line.add(',');
    line.add_number(row.error);
    line.add('\n');
}

// Opens and locks the trace. Returns its descriptor, or a negative value if it is no regular file, has another name
// (hard link) or is locked by another process.
int open_locked(const char* path, bool& empty) {
    int fd = base::open_through_own_links(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY, 0644);
    if (fd < 0)
        return fd;
    struct stat status;
    if (base::system_call(SYS_fstat, fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1 ||
        base::system_call(SYS_flock, fd, LOCK_EX | LOCK_NB) != 0 || base::system_call(SYS_fstat, fd, &status) != 0) {
        base::system_call(SYS_close, fd);
        return -1;
    }
    empty = status.st_size == 0;
    return fd;
}

struct Appending {
    const char* trace_path;
    const TraceRow& row;
};

void append_row(void* data) {
    const Appending& appending = *static_cast<const Appending*>(data);
    bool empty = false;
    int fd = open_locked(appending.trace_path, empty);
    if (fd >= 0) {
        {
            base::NoFileSizeSignal guard;
            Line line(fd);
            if (empty)
                line.add(Header);
            add_row(line, appending.row);
        }
        base::system_call(SYS_close, fd);
    }
}

} // namespace

void trace(const char* trace_path, const TraceRow& row) {
    if (!trace_path || !*trace_path)
        return;
    const base::ErrnoPreserved preserved;
    Appending appending{trace_path, row};
    base::with_own_descriptors(append_row, &appending);
}

} // namespace vftr::follow
