// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/timed_command.hpp"

#include "config_tools/exit_code.hpp"

#include "base/foreign_text.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace vftr::cli {
namespace {

using Clock = std::chrono::steady_clock;

class OutputFile {
public:
    explicit OutputFile(const std::string& path)
        : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
        if (file_ < 0)
            throw std::runtime_error(base::foreign_text(path) + ": " + std::strerror(errno));
    }
    ~OutputFile() { ::close(file_); }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    int descriptor() const { return file_; }

private:
    int file_;
};

[[noreturn]] void become_command(const TimedCommand& command, const OutputFile& out, const OutputFile& err) {
    const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(in, STDIN_FILENO);
    ::dup2(out.descriptor(), STDOUT_FILENO);
    ::dup2(err.descriptor(), STDERR_FILENO);
    for (const auto& [name, value] : command.environment)
        value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
    if (!command.directory.empty() && ::chdir(command.directory.c_str()) != 0)
        ::_exit(ExitNotExecutable);
    std::vector<char*> words;
    for (const std::string& word : command.words)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    ::_exit(exit_code_of_exec(errno != ENOENT));
}

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

} // namespace

RunningCommand::RunningCommand(const TimedCommand& command) : begin_(Clock::now()) {
    const OutputFile out(command.output + "/stdout"), err(command.output + "/stderr");
    pid_ = ::fork();
    if (pid_ < 0)
        throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (pid_ == 0)
        become_command(command, out, err);
}

RunningCommand::~RunningCommand() {
    if (pid_ != 0)
        while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
        }
}

Timed RunningCommand::wait() {
    int status = 0;
    rusage usage{};
    const pid_t pid = std::exchange(pid_, 0);
    while (::wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            throw std::runtime_error(std::string("cannot wait for a process: ") + std::strerror(errno));
    Timed timed;
    timed.wall = std::chrono::duration<double>(Clock::now() - begin_).count();
    timed.cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    timed.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return timed;
}

} // namespace vftr::cli
