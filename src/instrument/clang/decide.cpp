// SPDX-License-Identifier: BSD-3-Clause
//
// The decisions: which functions have the attributes for which LLVM puts hooks in. Those without "-inlined" are obeyed
// when this plugin's first pass is done, before anything is inlined, the others when the optimiser has ended.
#include "instrument/clang/body.hpp"
#include "instrument/clang/passes.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>
#include <utility>

namespace vftr::instrument::clang {
namespace {

constexpr const char* Attributes[] = {"instrument-function-entry", "instrument-function-exit",
                                      "instrument-function-entry-inlined", "instrument-function-exit-inlined"};

// Whether clang would give it hooks. False for what has the attribute no_instrument_function.
bool has_hooks(const llvm::Function& function) {
    return function.hasFnAttribute(Attributes[0]) || function.hasFnAttribute(Attributes[2]);
}

void take_out(llvm::Function& function) {
    for (const char* attribute : Attributes)
        function.removeFnAttr(attribute);
}

void put_in(llvm::Function& function, Hooks hooks) {
    const bool late = hooks == Hooks::After;
    function.addFnAttr(Attributes[late ? 2 : 0], "__cyg_profile_func_enter");
    function.addFnAttr(Attributes[late ? 3 : 1], "__cyg_profile_func_exit");
}

// A name that begins with \1 is one of the program's assembler labels.
std::string linker_name(llvm::StringRef name) {
    name.consume_front("\1");
    return name.str();
}

std::string shown_name(llvm::StringRef name) { return name_in_tables(linker_name(name), false); }

std::string place_of(const llvm::DISubprogram* written) {
    return written ? (written->getFilename() + ":" + llvm::Twine(written->getLine())).str() : "";
}

void report_decision(const llvm::Function& function, const Decision& decision, const Body& body) {
    if (report.wanted())
        report.add(decision, shown_name(function.getName()), place_of(function.getSubprogram()), body);
}

// Which functions were inlined into this one: only the lines of debug information tell.
void report_inlined(const llvm::Function& function) {
    std::set<const llvm::DISubprogram*> inlined;
    for (const llvm::Instruction& instruction : llvm::instructions(function))
        for (const llvm::DILocation* at = instruction.getDebugLoc(); at && at->getInlinedAt(); at = at->getInlinedAt())
            inlined.insert(at->getScope()->getSubprogram());
    std::set<std::pair<std::string, std::string>> lines; // in an order that does not depend on addresses
    for (const llvm::DISubprogram* written : inlined) {
        const llvm::StringRef name = written->getLinkageName().empty() ? written->getName() : written->getLinkageName();
        lines.emplace(shown_name(name), place_of(written));
    }
    for (const auto& [name, place] : lines)
        report.add_inlined(name, place, shown_name(function.getName()));
}

Wish wish_of(const llvm::Function& function) {
    return settings.include.empty() && settings.exclude.empty() ? Wish::Nothing
                                                                : settings.wish(linker_name(function.getName()), false);
}

// Which functions decide, while the program is relocated, where others are.
std::set<const llvm::Function*> resolvers_of(const llvm::Module& module) {
    std::set<const llvm::Function*> resolvers;
    for (const llvm::GlobalIFunc& indirect : module.ifuncs())
        if (const llvm::Function* resolver = indirect.getResolverFunction())
            resolvers.insert(resolver);
    return resolvers;
}

// Objects say in .comment who has put the hooks in, for vftr doctor; where the compiler's own note is not wanted,
// neither is this one.
void note_in(llvm::Module& module) {
    llvm::NamedMDNode* notes = module.getNamedMetadata("llvm.ident");
    if (!notes || !std::any_of(module.begin(), module.end(), has_hooks))
        return;
    llvm::LLVMContext& context = module.getContext();
    notes->addOperand(
        llvm::MDNode::get(context, llvm::MDString::get(context, "vftrace " VFTR_VERSION ": hooks after inlining")));
}

void decide_late(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (report.wanted())
        report_inlined(function);
    if (!function.hasFnAttribute(Mark))
        return;
    function.removeFnAttr(Mark);
    const Body body = body_of(function, analyses);
    const Decision decision = instrument::decide_late(settings.rules, body);
    report_decision(function, decision, body);
    if (decision.hooks == Hooks::After)
        put_in(function, Hooks::After);
}

} // namespace

llvm::PreservedAnalyses DecideEarly::run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
    const std::set<const llvm::Function*> resolvers = resolvers_of(module);
    note_in(module);
    for (llvm::Function& function : module) {
        if (function.isDeclaration() || !has_hooks(function))
            continue;
        take_out(function);
        // The text of a naked function is the program's alone, and expects its arguments in registers.
        if (function.hasFnAttribute(llvm::Attribute::Naked))
            continue;
        const bool has_late = optimised && !function.hasFnAttribute(llvm::Attribute::OptimizeNone);
        const Body body = has_late && !report.wanted() ? Body() : body_as_written(function);
        const Decision decision =
            resolvers.count(&function) != 0
                ? OfResolver
                : decide_early(settings.rules, body, wish_of(function), function.getName() == "main", has_late);
        if (decision.hooks == Hooks::After) {
            function.addFnAttr(Mark);
            continue;
        }
        report_decision(function, decision, body);
        if (decision.hooks == Hooks::Before)
            put_in(function, Hooks::Before);
    }
    return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses DecideLate::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    decide_late(function, analyses);
    return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses Finish::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    auto& of_functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    for (llvm::Function& function : module)
        // Those whose text another file has as well (extern templates) have lost it after inlining.
        if (function.hasFnAttribute(Mark) && !function.isDeclaration())
            decide_late(function, of_functions);
    if (const std::string problem = report.write(); !problem.empty())
        warn(module, problem);
    return llvm::PreservedAnalyses::all();
}

} // namespace vftr::instrument::clang
