// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/run/capture.hpp"

#include "config_tools/exit_code.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

constexpr std::size_t Longest = 16 << 20; // of what is kept; more is read and thrown away

struct Pipe {
    int ends[2];
    Pipe() {
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    ~Pipe() {
        close(0);
        close(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close(int end) {
        if (ends[end] >= 0)
            ::close(ends[end]);
        ends[end] = -1;
    }
};

long long now_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

[[noreturn]] void become(const std::vector<std::string>& command, Pipe& out, Pipe& err) {
    ::setpgid(0, 0);
    int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(in, 0);
    ::dup2(out.ends[1], 1);
    ::dup2(err.ends[1], 2);
    std::vector<char*> arguments;
    for (const std::string& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(exit_code_of_exec(errno != ENOENT));
}

// False at its end.
bool read_some(int file, std::string& text) {
    std::array<char, 65536> block;
    ssize_t count = ::read(file, block.data(), block.size());
    if (count > 0 && text.size() < Longest)
        text.append(block.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

// False where the time is over.
bool read_both(Pipe& out, Pipe& err, Captured& captured, long long deadline) {
    while (out.ends[0] >= 0 || err.ends[0] >= 0) {
        pollfd ready[] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
        long long left = deadline - now_ms();
        if (left <= 0)
            return false;
        if (::poll(ready, 2, static_cast<int>(left)) < 0 && errno != EINTR)
            return false;
        if (ready[0].revents && !read_some(out.ends[0], captured.out))
            out.close(0);
        if (ready[1].revents && !read_some(err.ends[0], captured.err))
            err.close(0);
    }
    return true;
}

// Of a process that may have closed what it writes to long before it ends. False where the time is over.
bool wait_for(pid_t pid, int& status, long long deadline) {
    for (;;) {
        const pid_t ended = ::waitpid(pid, &status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return true;
        if (now_ms() >= deadline)
            return false;
        ::poll(nullptr, 0, 2);
    }
}

} // namespace

Captured capture(const std::vector<std::string>& command, int seconds) {
    Pipe out, err;
    pid_t pid = ::fork();
    if (pid < 0)
        throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (pid == 0)
        become(command, out, err);
    ::setpgid(pid, pid);
    out.close(1);
    err.close(1);
    Captured captured;
    const long long deadline = now_ms() + seconds * 1000ll;
    int status = 0;
    captured.in_time = read_both(out, err, captured, deadline) && wait_for(pid, status, deadline);
    if (!captured.in_time) {
        ::kill(-pid, SIGKILL);
        while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
    }
    captured.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    captured.started = captured.code != ExitNotExecutable && captured.code != ExitNotFound;
    return captured;
}

} // namespace vftr::cli
