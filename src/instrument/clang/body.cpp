// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/clang/body.hpp"

#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace vftr::instrument::clang {
namespace {

unsigned number_of_loops(const llvm::LoopInfo& loops) {
    return static_cast<unsigned>(loops.getLoopsInPreorder().size());
}

// A variable of a function that is not optimised: GIMPLE's statements have it as an operand.
bool is_of_variable(const llvm::Instruction& instruction) {
    const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
    return address && llvm::isa<llvm::AllocaInst>(address);
}

// Whether a profile of an earlier run tells of the function.
bool is_measured(const llvm::Function& function) {
    const auto calls = function.getEntryCount();
    return calls && calls->getCount() != 0;
}

double frequency(const llvm::BlockFrequencyInfo& frequencies, const llvm::BasicBlock* block) {
    return static_cast<double>(frequencies.getBlockFreq(block).getFrequency());
}

// How often LLVM expects a loop to go round each time that it is reached.
double expected_rounds(const llvm::Loop& loop, const llvm::BlockFrequencyInfo& frequencies,
                       const llvm::BranchProbabilityInfo& branches) {
    double reached = 0;
    for (const llvm::BasicBlock* before : llvm::predecessors(loop.getHeader()))
        if (!loop.contains(before)) {
            const llvm::BranchProbability taken = branches.getEdgeProbability(before, loop.getHeader());
            reached += frequency(frequencies, before) * taken.getNumerator() / taken.getDenominator();
        }
    return reached > 0 ? frequency(frequencies, loop.getHeader()) / reached : 1;
}

} // namespace

bool is_code(const llvm::Instruction& instruction) {
    if (const auto* jump = llvm::dyn_cast<llvm::BranchInst>(&instruction))
        return jump->isConditional() && !llvm::isa<llvm::CmpInst>(jump->getCondition());
    return !llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::AllocaInst, llvm::DbgInfoIntrinsic>(
               instruction) &&
           !instruction.isLifetimeStartOrEnd();
}

Body body_as_written(llvm::Function& function) {
    Body body;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        body.statements += is_code(instruction) && !is_of_variable(instruction);
        body.calls += llvm::isa<llvm::CallBase>(instruction) && is_code(instruction);
    }
    body.loops = number_of_loops(llvm::LoopInfo(llvm::DominatorTree(function)));
    return body;
}

Body body_of(llvm::Function& function, Analyses& analyses) {
    Body body;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        body.statements += is_code(instruction);
        body.calls += llvm::isa<llvm::CallBase>(instruction) && is_code(instruction);
    }
    body.loops = number_of_loops(analyses.getResult<llvm::LoopAnalysis>(function));
    body.measured = is_measured(function);
    body.executed =
        expected_statements(function, analyses, [](const auto& instruction) { return is_code(instruction); });
    return body;
}

double expected_statements(llvm::Function& function, Analyses& analyses,
                           const std::function<double(const llvm::Instruction&)>& statements_of) {
    constexpr double UnknownRounds = 10;
    const llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    const llvm::BlockFrequencyInfo& frequencies = analyses.getResult<llvm::BlockFrequencyAnalysis>(function);
    const llvm::BranchProbabilityInfo& branches = analyses.getResult<llvm::BranchProbabilityAnalysis>(function);
    llvm::ScalarEvolution& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    const bool measured = is_measured(function);
    const double entry = frequency(frequencies, &function.getEntryBlock());
    double expected = 0;
    for (const llvm::BasicBlock& block : function) {
        double times = entry > 0 ? frequency(frequencies, &block) / entry : 1;
        if (!measured)
            for (const llvm::Loop* loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
                const unsigned known = evolution.getSmallConstantTripCount(loop);
                times *= (known ? known : UnknownRounds) / expected_rounds(*loop, frequencies, branches);
            }
        for (const llvm::Instruction& instruction : block)
            expected += times * statements_of(instruction);
    }
    return expected;
}

} // namespace vftr::instrument::clang
