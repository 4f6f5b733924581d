// SPDX-License-Identifier: BSD-3-Clause
//
// The pass plugin of clang: vftrace_clang.so, for -fpass-plugin together with -finstrument-functions-after-inlining.
//
// With that option clang marks each function by attributes, for which hooks are put in when the optimiser is done. The
// pass comes when functions have been inlined and simplified, before loops are vectorised, and takes the attributes
// from functions that are too short (rules.hpp). A function that is written in the language of LLVM has more
// instructions than one of GIMPLE has statements, as addresses are computed by instructions of their own; these are not
// counted.
#include "instrument/rules.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

namespace vftr::instrument {
namespace {

constexpr const char* Enter = "instrument-function-entry-inlined";
constexpr const char* Exit = "instrument-function-exit-inlined";

bool is_code(const llvm::Instruction& instruction) {
    return !llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::DbgInfoIntrinsic>(instruction) &&
           !instruction.isLifetimeStartOrEnd();
}

Body body_of(llvm::Function& function, const llvm::LoopInfo& loops) {
    Body body;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        body.statements += is_code(instruction);
        body.calls += llvm::isa<llvm::CallBase>(instruction);
    }
    body.executed = body.statements;
    body.loops = static_cast<unsigned>(loops.getTopLevelLoops().size());
    return body;
}

struct ShortFunctions : llvm::PassInfoMixin<ShortFunctions> {
    static bool isRequired() { return true; } // also for functions that are not optimised
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
        const Body body = body_of(function, analyses.getResult<llvm::LoopAnalysis>(function));
        if (function.hasFnAttribute(Enter) && function.getName() != "main" &&
            decide_late(Rules(), body).hooks == Hooks::None) {
            function.removeFnAttr(Enter);
            function.removeFnAttr(Exit);
        }
        return llvm::PreservedAnalyses::all();
    }
};

void register_pass(llvm::PassBuilder& builder) {
    builder.registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(ShortFunctions()); });
}

} // namespace
} // namespace vftr::instrument

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "vftrace", VFTR_VERSION, vftr::instrument::register_pass};
}
