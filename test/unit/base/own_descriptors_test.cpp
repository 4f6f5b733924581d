// SPDX-License-Identifier: BSD-3-Clause
#include "base/own_descriptors.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace vftr::base;

namespace {

bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

// Calls check() in a child with closed standard streams and a second thread, which waits until that is done. Returns
// what it returns: 0 is good.
int in_child_without_streams(const std::function<int()>& check) {
    const pid_t child = fork();
    if (child == 0) {
        int ready[2];
        if (pipe(ready) != 0)
            _exit(254);
        std::thread waits([end = ready[0]] {
            char byte;
            while (read(end, &byte, 1) > 0)
                ;
        });
        for (int stream = 0; stream < StandardStreams; ++stream)
            close(stream);
        const int result = check();
        close(ready[1]);
        waits.join();
        _exit(result);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

// Under some emulators there is no helper.
bool there_is_a_helper() {
    return in_child_without_streams([] {
               std::uint64_t table = 0;
               with_own_descriptors([&] { table = descriptor_table(); });
               return table == 0 ? 1 : 0;
           }) == 0;
}

} // namespace

TEST_CASE("with open standard streams the caller opens its files itself", "[base][own_descriptors]") {
    std::uint64_t table = 1;
    with_own_descriptors([&] { table = descriptor_table(); });
    CHECK(table == 0);
}

TEST_CASE("what a helper opens is nowhere in the process, and what it maps is", "[base][own_descriptors]") {
    if (!there_is_a_helper())
        return;
    CHECK(in_child_without_streams([] {
              char* mapped = nullptr;
              int inside = -1;
              with_own_descriptors([&] {
                  inside = open_file("/proc/self/exe", O_RDONLY);
                  mapped = static_cast<char*>(mmap(nullptr, 4, PROT_READ, MAP_PRIVATE, inside, 0));
              });
              if (inside < LowestDescriptor || is_open(inside) || descriptor_table() != 0)
                  return 1;
              for (int stream = 0; stream < StandardStreams; ++stream)
                  if (is_open(stream))
                      return 2;
              return std::string(mapped + 1, 3) == "ELF" ? 0 : 3;
          }) == 0);
}

TEST_CASE("a helper is the caller, for locks, errno and exceptions", "[base][own_descriptors]") {
    CHECK(in_child_without_streams([] {
              const auto self = std::this_thread::get_id();
              const pid_t process = getpid();
              bool same = false, nested = false;
              std::string caught;
              try {
                  with_own_descriptors([&] {
                      same = self == std::this_thread::get_id() && process == getpid();
                      const auto table = descriptor_table();
                      with_own_descriptors([&] { nested = table == descriptor_table(); });
                      errno = ERANGE;
                      throw std::runtime_error(std::string(1000, 'x'));
                  });
              } catch (const std::exception& error) {
                  caught = error.what();
              }
              return same && nested && errno == ERANGE && caught.size() == 1000 ? 0 : 1;
          }) == 0);
}

TEST_CASE("a helper does not keep the program's descriptors open", "[base][own_descriptors]") {
    if (!there_is_a_helper())
        return;
    CHECK(in_child_without_streams([] {
              const int own = fcntl(open_file("/dev/null", O_RDONLY), F_DUPFD, 10);
              bool open = true;
              with_own_descriptors([&] { open = is_open(own); });
              return own < StandardStreams || own >= LowestDescriptor || open || !is_open(own) ? 2 : 0;
          }) == 0);
}

TEST_CASE("a file that a helper has opened is closed by nobody else", "[base][own_descriptors]") {
    if (!there_is_a_helper())
        return;
    CHECK(in_child_without_streams([] {
              OpenFile file;
              with_own_descriptors([&] {
                  file = OpenFile(open_file("/proc/self/exe", O_RDONLY));
                  if (!file.is_here())
                      file = OpenFile();
              });
              const int number = file.descriptor();
              if (number < LowestDescriptor || file.is_here() || dup2(open_file("/", O_PATH), number) != number)
                  return 1;
              bool elsewhere = true;
              with_own_descriptors([&] { elsewhere = !file.is_here(); });
              file = OpenFile();
              return elsewhere && is_open(number) ? 0 : 2;
          }) == 0);
}
