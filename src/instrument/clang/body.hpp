// SPDX-License-Identifier: BSD-3-Clause
//
// What the rules want to know of a function in LLVM's language. It has more instructions than GIMPLE has statements:
// addresses and conversions are instructions of their own, as are the jump of a condition and, where nothing is
// optimised, the reading and writing of each variable. These are not counted, so that the same sizes are long in both.
#pragma once

#include "instrument/rules.hpp"

#include <llvm/IR/PassManager.h>

#include <functional>

namespace vftr::instrument::clang {

using Analyses = llvm::FunctionAnalysisManager;

// What says something about how long a function takes.
bool is_code(const llvm::Instruction& instruction);

// The body as it was written, for functions that are not optimised.
Body body_as_written(llvm::Function& function);
// The body after inlining.
Body body_of(llvm::Function& function, Analyses& analyses);

// How many statements a call executes, by what LLVM expects of branches, and of loops as gcc expects it: 10 times, or
// the right number where it is known. `statements_of` is what an instruction counts for.
double expected_statements(llvm::Function& function, Analyses& analyses,
                           const std::function<double(const llvm::Instruction&)>& statements_of);

} // namespace vftr::instrument::clang
