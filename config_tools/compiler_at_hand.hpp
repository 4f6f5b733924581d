// SPDX-License-Identifier: BSD-3-Clause
//
// A compiler of this machine: what it is, and which flags it takes. Each flag is tried by a compilation, as a version
// number tells little about what a distribution has built.
#pragma once

#include "advice/compiler.hpp"
#include "base/temporary_folder.hpp"
#include "capture.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

constexpr int CompilerPatience = 10; // s

class CompilerAtHand {
public:
    // By name or path, perhaps with more words ("ccache gcc"); nullptr: the one of the variable CC, else `otherwise`.
    // It is run once, with
    // --version. nullopt: there is no such one, and `trouble` says why in one line. patience: seconds that each run of
    // it may take; then it is killed, and all below throw std::runtime_error.
    static std::optional<CompilerAtHand> find(const char* named, std::string& trouble, int patience = CompilerPatience,
                                              const char* otherwise = "gcc");

    const advice::Compiler& kind() const { return kind_; }
    // Without what is before it, as ccache, and its flags.
    const std::string& name() const;
    // Of the system, of the language that has most of them.
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

// Compiles a function of three lines. The compiler must outlive it.
class CompilerTrial {
public:
    explicit CompilerTrial(const CompilerAtHand& compiler);

    // The compiler takes the flags, without a warning.
    bool understands(const std::vector<std::string>& flags) const;
    // What it made in the last trial has hooks.
    bool has_hooks() const;

private:
    const CompilerAtHand& compiler_;
    const base::TemporaryFolder folder_;
    const std::string source_, text_;
};

} // namespace vftr::cli
