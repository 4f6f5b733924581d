// SPDX-License-Identifier: BSD-3-Clause
#include "base/descriptor.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vftr;

namespace {

// What `check` returns in a child, whose descriptors are its own: 0 is good.
int in_child(const std::function<int()>& check) {
    const pid_t child = fork();
    if (child == 0)
        _exit(check());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

} // namespace

TEST_CASE("descriptor: a file is opened out of the way, and not inherited by other programs") {
    const int descriptor = base::open_file("/proc/self/stat", O_RDONLY);
    REQUIRE(descriptor >= base::LowestDescriptor);
    CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
    base::close_file(descriptor);
    CHECK(fcntl(descriptor, F_GETFD) == -1);
}

TEST_CASE("descriptor: an error is the kernel's, and errno stays") {
    errno = ERANGE;
    CHECK(base::open_file("/nowhere/at/all", O_RDONLY) == -ENOENT);
    CHECK(errno == ERANGE);
}

TEST_CASE("descriptor: closed standard streams stay closed") {
    CHECK(in_child([] {
              close(0);
              close(1);
              close(2);
              const int descriptor = base::open_file("/dev/null", O_RDWR);
              if (descriptor < base::LowestDescriptor)
                  return 1;
              for (int stream = 0; stream < 3; ++stream)
                  if (fcntl(stream, F_GETFD) != -1)
                      return 2 + stream;
              return 0;
          }) == 0);
}

TEST_CASE("descriptor: below a small limit of open files it stays where it is, but never at a standard stream") {
    CHECK(in_child([] {
              const rlimit few{8, 8};
              setrlimit(RLIMIT_NOFILE, &few);
              const int descriptor = base::open_file("/dev/null", O_RDWR);
              return descriptor >= 3 && descriptor < 8 ? 0 : 1;
          }) == 0);
    CHECK(in_child([] {
              const rlimit streams_only{3, 3};
              close(1);
              setrlimit(RLIMIT_NOFILE, &streams_only);
              return base::open_file("/dev/null", O_RDWR) == -EMFILE && fcntl(1, F_GETFD) == -1 ? 0 : 1;
          }) == 0);
}
