// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/clang/body.hpp"
#include "instrument/clang/passes.hpp"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <unordered_map>

namespace vftr::instrument::clang {
namespace {

using Expected = std::unordered_map<const llvm::Function*, double>;

// What a call executes beside itself; functions of the C library count as statements.
double statements_of_callee(const llvm::CallBase& call, const Expected& expected,
                            const llvm::TargetLibraryInfo& library) {
    const llvm::Function* callee = call.getCalledFunction();
    if (const auto known = expected.find(callee); known != expected.end())
        return known->second;
    llvm::LibFunc which{};
    return callee && (callee->isIntrinsic() || library.getLibFunc(*callee, which)) ? 0 : StatementsElsewhere;
}

// What is written in headers: templates, member functions within their class, and what is declared inline.
bool is_meant_inline(const llvm::Function& function) {
    return function.hasFnAttribute(llvm::Attribute::InlineHint) ||
           function.hasFnAttribute(llvm::Attribute::AlwaysInline) || function.hasLinkOnceLinkage() ||
           function.hasWeakODRLinkage() || function.hasAvailableExternallyLinkage();
}

} // namespace

llvm::PreservedAnalyses KeepFunctions::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    auto& of_functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    llvm::CallGraph calls(module);
    Expected expected;
    // Functions come after those that they call.
    for (auto group = llvm::scc_begin(&calls); !group.isAtEnd(); ++group)
        for (const llvm::CallGraphNode* node : *group) {
            llvm::Function* function = node->getFunction();
            if (!function || function->isDeclaration())
                continue;
            const auto& library = of_functions.getResult<llvm::TargetLibraryAnalysis>(*function);
            expected[function] =
                expected_statements(*function, of_functions, [&](const llvm::Instruction& instruction) {
                    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
                    return is_code(instruction) + (call ? statements_of_callee(*call, expected, library) : 0);
                });
            if (function->hasFnAttribute(Mark) && !is_meant_inline(*function) &&
                keeps_function(settings.rules, expected[function]))
                function->addFnAttr(llvm::Attribute::NoInline);
        }
    return llvm::PreservedAnalyses::all();
}

} // namespace vftr::instrument::clang
