// SPDX-License-Identifier: BSD-3-Clause
//
// The passes of clang's plugin, in the order in which they come, and what they share. A function that waits for the
// late decision has a mark, an attribute of LLVM: the functions that are made of it (parts of coroutines, variants for
// constant arguments) have it too.
#pragma once

#include "instrument/decision_report.hpp"
#include "instrument/settings.hpp"

#include <llvm/IR/PassManager.h>

namespace vftr::instrument::clang {

constexpr const char* Mark = "vftrace-late";

// Of the compiler that has loaded the plugin.
extern Settings settings;
extern DecisionReport report;

// Before all other passes: takes clang's own hooks out, and decides about functions as they were written.
struct DecideEarly : llvm::PassInfoMixin<DecideEarly> {
    explicit DecideEarly(bool is_optimised) : optimised(is_optimised) {}
    static bool isRequired() { return true; } // also for functions that are not optimised
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) const;
    bool optimised;
};

// Before functions are inlined: those that take long are kept from it, so that they are seen by name.
struct KeepFunctions : llvm::PassInfoMixin<KeepFunctions> {
    static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// After functions have been inlined and simplified, before loops are vectorised: decides about those that are left.
struct DecideLate : llvm::PassInfoMixin<DecideLate> {
    static bool isRequired() { return true; }
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// At the end: decides where there was no such time (-flto=thin), and writes the report.
struct Finish : llvm::PassInfoMixin<Finish> {
    static bool isRequired() { return true; }
    static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// What the user is to know, as a warning or an error of the compiler.
void warn(llvm::Module& module, const std::string& problem);
void refuse(llvm::Module& module, const std::string& problem);

} // namespace vftr::instrument::clang
