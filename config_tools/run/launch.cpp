// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/run/launch.hpp"
#include "base/errno_preserved.hpp"
#include "config_tools/exit_code.hpp"
#include "config_tools/run/search_path.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

constexpr int PassedOn[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
constexpr int Ignored[] = {SIGINT, SIGQUIT};

volatile pid_t command_pid = 0;

extern "C" void pass_on(int signal) {
    const vftr::base::ErrnoPreserved preserved;
    if (command_pid > 0)
        ::kill(command_pid, signal);
}

// Our way with signals while it lives. What the starter of vftr has set to be ignored stays so.
class Signals {
public:
    Signals() {
        sigset_t held;
        sigemptyset(&held);
        for (int signal : PassedOn)
            sigaddset(&held, signal);
        ::sigprocmask(SIG_BLOCK, &held, &mask_);
        for (std::size_t i = 0; i < std::size(PassedOn); ++i)
            set(PassedOn[i], pass_on, passed_on_[i]);
        for (std::size_t i = 0; i < std::size(Ignored); ++i)
            set(Ignored[i], SIG_IGN, ignored_[i]);
        ::sigaction(SIGCHLD, nullptr, &children_);
        ::signal(SIGCHLD, SIG_DFL); // where it is ignored, nobody can wait for a child
    }
    ~Signals() {
        restore_actions();
        release();
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    // Of the signals that came in between, each arrives once this is called.
    void release() const { ::sigprocmask(SIG_SETMASK, &mask_, nullptr); }
    void restore_actions() const {
        for (std::size_t i = 0; i < std::size(PassedOn); ++i)
            ::sigaction(PassedOn[i], &passed_on_[i], nullptr);
        for (std::size_t i = 0; i < std::size(Ignored); ++i)
            ::sigaction(Ignored[i], &ignored_[i], nullptr);
        ::sigaction(SIGCHLD, &children_, nullptr);
    }

private:
    static void set(int signal, void (*handler)(int), struct sigaction& before) {
        struct sigaction action {};
        action.sa_handler = handler;
        action.sa_flags = SA_RESTART;
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN)
            ::sigaction(signal, &action, nullptr);
    }

    sigset_t mask_;
    struct sigaction passed_on_[std::size(PassedOn)], ignored_[std::size(Ignored)], children_;
};

[[noreturn]] void become(char** command, const std::function<char* const*()>& in_child, const Signals& signals,
                         int trouble) {
    char* const* environment = in_child();
    signals.restore_actions();
    signals.release();
    ::execvpe(command[0], command, environment);
    int error = errno;
    while (::write(trouble, &error, sizeof error) < 0 && errno == EINTR) {
    }
    ::_exit(ExitNotFound);
}

// The pipe closes when the exec succeeds.
int error_of_exec(int pipe) {
    int error = 0;
    ssize_t count;
    do
        count = ::read(pipe, &error, sizeof error);
    while (count < 0 && errno == EINTR);
    return count == sizeof error ? error : 0;
}

[[noreturn]] void fail_to_start(const char* what) {
    throw std::runtime_error(std::string("cannot start a process: ") + what + ": " + std::strerror(errno));
}

} // namespace

int Ended::code() const {
    if (error)
        return exit_code_of_exec(error != ENOENT);
    return signal ? ExitEndedBySignal + signal : status;
}

std::string Ended::text(const char* command) const {
    if (error)
        return std::string(command) + ": " + (error == ENOENT ? "command not found" : std::strerror(error));
    if (!signal)
        return "";
    return std::string(command) + " was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) +
           (core ? "), core dumped" : ")");
}

Ended launch(char** command, const std::function<char* const*()>& in_child) {
    int trouble[2];
    if (::pipe2(trouble, O_CLOEXEC) != 0)
        fail_to_start("pipe");
    Ended ended;
    Signals signals;
    ended.pid = ::fork();
    if (ended.pid < 0)
        fail_to_start("fork");
    if (ended.pid == 0)
        become(command, in_child, signals, trouble[1]);
    command_pid = ended.pid;
    signals.release();
    ::close(trouble[1]);
    ended.error = error_of_exec(trouble[0]);
    // A folder in PATH that may not be searched: the command is not there as far as anybody can tell.
    if (ended.error == EACCES && !std::strchr(command[0], '/') && !is_in_path(command[0]))
        ended.error = ENOENT;
    ::close(trouble[0]);
    // The pid stays ours until it is waited for: no signal goes to another process that gets it later.
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(ended.pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    command_pid = 0;
    int status = 0;
    if (::waitpid(ended.pid, &status, 0) != ended.pid)
        fail_to_start("waitpid");
    ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ended.core = ended.signal && WCOREDUMP(status);
    return ended;
}

} // namespace vftr::cli
