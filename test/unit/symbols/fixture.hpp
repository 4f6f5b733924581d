// SPDX-License-Identifier: BSD-3-Clause
//
// A temporary folder with real programs in it, built by the compilers of this machine when the test
// runs.
#pragma once

#include "base/temporary_folder.hpp"
#include "symbols/elf_file.hpp"
#include "symbols/symbols.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace vftr::symbols::test {

inline std::string read_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Fixture {
public:
    std::string path(const std::string& name) const { return folder_.file(name); }

    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    // Runs a command in the folder. False if it failed: a tool is missing here.
    bool run(const std::string& command) const {
        return shell("cd '" + folder_.path() + "' && (" + command + ") >/dev/null 2>&1") == 0;
    }

    // What nm says: address of every function (t, T, W, i) by name.
    std::map<std::string, std::uint64_t> functions(const std::string& name) const {
        run("nm '" + name + "' > nm.txt");
        std::istringstream lines(read_bytes(path("nm.txt")));
        std::map<std::string, std::uint64_t> result;
        for (std::string line; std::getline(lines, line);) {
            std::istringstream fields(line);
            std::string address, type, symbol;
            if (fields >> address >> type >> symbol && std::string("tTWi").find(type) != std::string::npos)
                result[symbol] = std::stoull(address, nullptr, 16);
        }
        return result;
    }

    // A module as the recorder would describe it, loaded at `bias`.
    Module module(const std::string& name, std::uint64_t bias = 0, bool with_build_id = true) const {
        Module module;
        module.id = 1;
        module.path = path(name);
        module.bias = bias;
        module.start = bias;
        module.end = bias + (1ull << 32);
        std::string reason;
        const auto file = ElfFile::open(module.path, reason);
        if (file && with_build_id)
            module.build_id = file->build_id();
        if (file) {
            const auto is = file->identity();
            module.device = is.device;
            module.inode = is.inode;
            module.file_size = is.size;
            module.mtime_ns = is.mtime_ns;
        }
        return module;
    }

private:
    static int shell(const std::string& command) { return std::system(command.c_str()); }
    vftr::base::TemporaryFolder folder_;
};

inline constexpr const char* c_program = R"(
static int hidden_helper(int x) { return x + 1; }
int visible_(int x) { return hidden_helper(x) * 2; }
int twin(int x) { return x - 1; }
int __twin(int x) __attribute__((alias("twin")));
int weak_twin(int x) __attribute__((weak, alias("twin")));
int main(void) { return visible_(-1) + twin(1); }
)";

} // namespace vftr::symbols::test
