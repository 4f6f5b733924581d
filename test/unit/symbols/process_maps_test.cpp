// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/process_maps.hpp"

#include "base/temporary_folder.hpp"
#include "fixture.hpp"
#include "symbols/hex.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sys/sysmacros.h>
#include <sys/wait.h>

using namespace vftr::symbols;
using test::Fixture;

namespace {

std::vector<Mapping> maps_with(const std::string& text) {
    const vftr::base::TemporaryFolder folder;
    std::ofstream(folder.file("maps")) << text;
    return maps_in(folder.file("maps"));
}

Mapping one(const std::string& line) {
    const auto mappings = maps_with(line + "\n");
    REQUIRE(mappings.size() == 1);
    return mappings.front();
}

// A program that says where its function `work` is, in hex, and waits until its standard input ends. With an argument
// it changes the protection of a page in the middle of its code, which splits the mapping.
constexpr const char* waiting_program = R"(
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((section(".text.filler"), used)) static void filler(void) { __asm__(".fill 16384, 1, 0x90"); }
int work(int x) { return x + 1; }
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        char *page = (char *)(((uintptr_t)filler + 8191) / 4096 * 4096);
        if (mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
            return 1;
    }
    printf("%lx\n", (unsigned long)(uintptr_t)work);
    fflush(stdout);
    char c;
    while (read(0, &c, 1) > 0)
        ;
    return 0;
}
)";

// Such a program while it runs.
class Waiting {
public:
    Waiting(const std::string& path, bool split) {
        int in[2], out[2];
        REQUIRE((pipe(in) == 0 && pipe(out) == 0));
        if ((pid = fork()) == 0) {
            dup2(in[0], 0);
            dup2(out[1], 1);
            for (const int fd : {in[0], in[1], out[0], out[1]})
                close(fd);
            execl(path.c_str(), path.c_str(), split ? "split" : nullptr, nullptr);
            _exit(127);
        }
        close(in[0]);
        close(out[1]);
        stdin_ = in[1];
        std::string line;
        for (char c = 0; read(out[0], &c, 1) == 1 && c != '\n';)
            line += c;
        close(out[0]);
        REQUIRE_FALSE(line.empty());
        work = std::stoull(line, nullptr, 16);
    }
    ~Waiting() {
        close(stdin_);
        waitpid(pid, nullptr, 0);
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    pid_t pid = 0;
    std::uint64_t work = 0;

private:
    int stdin_ = -1;
};

std::vector<Module> modules_at(pid_t pid, const std::string& path) {
    auto modules = modules_in_process(pid);
    std::erase_if(modules, [&](const Module& module) { return module.path != path; });
    return modules;
}

std::vector<std::string> rejected(const std::vector<std::string>& lines) {
    std::vector<std::string> taken;
    for (const auto& line : lines)
        if (!maps_with(line).empty())
            taken.push_back(line);
    return taken;
}

} // namespace

TEST_CASE("a line of /proc/<pid>/maps", "[symbols][maps]") {
    const Mapping m = one("7f3c5e028000-7f3c5e17d000 r-xp 00026000 fd:11 2639 /usr/lib/libc.so.6");
    CHECK(m.start == 0x7f3c5e028000);
    CHECK(m.end == 0x7f3c5e17d000);
    CHECK(m.offset == 0x26000);
    CHECK(m.executable);
    CHECK(m.device == makedev(0xfd, 0x11));
    CHECK(m.inode == 2639);
    CHECK(m.path == "/usr/lib/libc.so.6");
    CHECK_FALSE(one("1000-2000 rw-s 00000000 00:01 5    /dev/shm/x").executable);
    CHECK(one("1000-2000 r-xp 00000000 00:00 0").path == "");
    CHECK(one("1000-2000 r-xp 00000000 00:00 0                          [vdso]").path == "[vdso]");
    CHECK(one("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]").start == 0xffffffffff600000);
}

TEST_CASE("the path runs to the end of the line", "[symbols][maps]") {
    CHECK(one("1000-2000 r-xp 0 08:01 7     /a b/  c.so x").path == "/a b/  c.so x");
    CHECK(one("1000-2000 r-xp 0 08:01 7     /x (deleted)").path == "/x (deleted)");
    CHECK(one("1000-2000 r-xp 0 00:01 9     /memfd:code (deleted)").path == "/memfd:code (deleted)");
    const std::string path = "/a\\012b\\012";
    std::string plain(path.size(), '\0');
    plain.resize(unescape_path(path, plain.data()));
    CHECK(plain == "/a\nb\n");
}

TEST_CASE("garbage between the lines of maps is skipped", "[symbols][maps]") {
    CHECK(rejected({"", "\n\n", "garbage", "1000-2000", "1000-2000 r-xp", "2000-1000 r-xp 0 08:01 7 /x",
                    "1000-1000 r-xp 0 08:01 7 /x", "-2000 r-xp 0 08:01 7 /x", "1000-2000 rwzp 0 08:01 7 /x",
                    "1000-2000 r-xp  08:01 7 /x", "1000-2000 r-xp 0 0801 7 /x", "1000-2000 r-xp 0 08:01 x /x",
                    "1000-2000 r-xp 0 08:01 7/x", "11112222333344445-2 r-xp 0 08:01 7 /x", std::string(5, '\0'),
                    "1000-2000 r-xp fffffffffffffffff 08:01 7 /x"}) == std::vector<std::string>{});
    const auto mappings = maps_with("junk\n1000-2000 r-xp 0 08:01 7 /x\n\xff\xfe\n3000-4000 r--p 0 08:01 7 /x");
    REQUIRE(mappings.size() == 2);
    CHECK(mappings[1].start == 0x3000);
}

// lld puts the end of one segment and the begin of the next on one page of the file: p_offset 0x12e0 and p_vaddr
// 0x22e0. The mapping of the data before it ends on that page too.
TEST_CASE("the load bias comes from the executable segment, in whole pages", "[symbols][maps]") {
    const std::vector<CodeSegment> lld{{0x12e0, 0x22e0, 0x900}};
    CHECK(load_bias({.start = 0x555500002000, .end = 0x555500003000, .offset = 0x1000}, lld) == 0x555500000000);
    const std::vector<CodeSegment> plain{{0x1000, 0x1000, 0x3000}};
    const Mapping begin{.start = 0x7f0000001000, .end = 0x7f0000002000, .offset = 0x1000};
    const Mapping middle{.start = 0x7f0000002000, .end = 0x7f0000003000, .offset = 0x2000};
    CHECK(load_bias(begin, plain) == 0x7f0000000000); // text that was split by mprotect
    CHECK(load_bias(middle, plain) == 0x7f0000000000);
    const std::vector<CodeSegment> fixed{{0x1000, 0x401000, 0x800}};
    CHECK(load_bias({.start = 0x401000, .end = 0x402000, .offset = 0x1000}, fixed) == 0);
    CHECK_FALSE(load_bias({.start = 0x401000, .end = 0x402000, .offset = 0x3000}, fixed));
    CHECK_FALSE(load_bias({.start = 0x401000, .end = 0x402000, .offset = 0}, fixed));
    CHECK_FALSE(load_bias(begin, {}));
}

// Acceptance: PIE, non-PIE, static, static-PIE, lld-linked; a text segment split by mprotect is one module.
TEST_CASE("functions of a running process are named from its maps", "[symbols][maps]") {
    const Fixture fixture;
    fixture.write("p.c", waiting_program);
    const std::string flags =
        GENERATE("-pie -fPIE", "-no-pie -fno-pie", "-static", "-static-pie", "-fuse-ld=lld -pie -fPIE",
                 "-fuse-ld=lld -no-pie -fno-pie", "-fuse-ld=lld -static", "-fuse-ld=lld -Wl,-z,separate-code");
    const bool split = GENERATE(false, true);
    CAPTURE(flags, split);
    if (!fixture.run("gcc -O0 " + flags + " p.c -o p")) {
        WARN("no program can be linked here with " << flags);
        return;
    }
    const Waiting process(fixture.path("p"), split);
    const auto modules = modules_at(process.pid, fixture.path("p"));
    REQUIRE(modules.size() == 1);
    const Module& module = modules[0];
    CHECK(module.start <= process.work);
    CHECK(process.work < module.end);
    CHECK(process.work - module.bias == fixture.functions("p").at("work"));
    if (flags.find("-no-pie") != std::string::npos || flags == "-static")
        CHECK(module.bias == 0);
    CHECK(Resolver({module}, {}, {"", process.pid}).name(process.work) == "work");
}

// Acceptance: a deleted or replaced file is never read; /proc/<pid>/exe reopens the main image; a name that really ends
// so.
TEST_CASE("a program that was deleted or replaced is named from its own image as long as it runs", "[symbols][maps]") {
    const Fixture fixture;
    fixture.write("p.c", waiting_program);
    const std::string id = GENERATE("sha1", "none");
    const std::string name = GENERATE("p", "p (deleted)", "a b\nc");
    REQUIRE(fixture.run("gcc -O0 -Wl,--build-id=" + id + " p.c -o p.exe && gcc -O0 -Wl,--build-id=" + id +
                        " -Dwork=wrong p.c -o wrong && cp p.exe '" + name + "'"));
    const std::string path = fixture.path(name);
    Module module;
    std::uint64_t work = 0;
    {
        const Waiting process(path, false);
        work = process.work;
        auto modules = modules_at(process.pid, path);
        REQUIRE(modules.size() == 1);
        CHECK(Resolver({modules[0]}, {}, {"", process.pid}).name(work) == "work");
        REQUIRE(fixture.run(GENERATE("rm '", "mv wrong '") + name + "'"));
        modules = modules_at(process.pid, path);
        REQUIRE(modules.size() == 1);
        module = modules[0];
        CHECK(module.bias == work - fixture.functions("p.exe").at("work"));
        CHECK(Resolver({module}, {}, {"", process.pid}).name(work) == "work");
    }
    // Gone for good: no name, and not the new file's
    CHECK(Resolver({module}, {}).name(work).find("+0x") != std::string::npos);
}
