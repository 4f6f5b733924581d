// SPDX-License-Identifier: BSD-3-Clause
//
// A compiler of this machine: which one it is, and which flags it accepts. Each flag is tried by a compilation, since a
// version number tells little about what a distribution has built.
#pragma once

#include "advice/compiler.hpp"
#include "base/temporary_folder.hpp"
#include "config_tools/run/capture.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

constexpr int CompilerPatience = 10; // s

// "ccache gcc" is two words, but a path may have a blank in it.
std::vector<std::string> words_of_command(const std::string& command);

class CompilerAtHand {
public:
    // Finds a compiler by its name or path, perhaps with more words ("ccache gcc"); nullptr means that of the variable
    // CC, else `otherwise`. The compiler is run once, with --version. Returns nullopt if there is none, and `trouble`
    // says why in one line. `patience` is how many seconds each run may take; after that the compiler is killed, and
    // the functions below throw std::runtime_error.
    static std::optional<CompilerAtHand> find(const char* named, std::string& trouble, int patience = CompilerPatience,
                                              const char* otherwise = "gcc");

    const advice::Compiler& kind() const { return kind_; }
    // The command without a prefix such as ccache, and without flags.
    const std::string& name() const;
    // The include folders of the system, for the language that has most of them.
    std::vector<std::string> header_folders() const;

private:
    friend class CompilerTrial;
    CompilerAtHand(std::vector<std::string> command, int patience)
        : command_(std::move(command)), patience_(patience) {}
    Captured run(const std::vector<std::string>& arguments) const;

    std::vector<std::string> command_;
    int patience_;
    advice::Compiler kind_{};
};

// Compiles a function with a loop, which is never too short for hooks. The compiler must outlive it.
class CompilerTrial {
public:
    explicit CompilerTrial(const CompilerAtHand& compiler);

    // Whether the compiler accepts the flags without a warning.
    bool understands(const std::vector<std::string>& flags) const;
    // Whether the object of the last trial calls hooks.
    bool has_hooks() const;

private:
    const CompilerAtHand& compiler_;
    const base::TemporaryFolder folder_;
    const std::string source_, text_;
};

} // namespace vftr::cli
