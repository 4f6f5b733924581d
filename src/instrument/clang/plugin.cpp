// SPDX-License-Identifier: BSD-3-Clause
//
// The pass plugin of clang: vftrace_clang.so, for -fpass-plugin together with -finstrument-functions-after-inlining (or
// -finstrument-functions, which is then the same).
//
// With these options clang marks each function by attributes, for which LLVM puts hooks in, before functions are
// inlined or when the optimiser is done. The plugin takes the attributes from all functions and gives them back by the
// rules that gcc's plugin has (rules.hpp).
//
// Its options are -mllvm -vftrace=NAME=VALUE, with the names that gcc's has. clang reads them before it loads a plugin
// for passes, so that one who uses them also gives it as -fplugin=FILE, which is loaded first.
#include "instrument/clang/passes.hpp"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>

namespace vftr::instrument::clang {

Settings settings;
DecisionReport report;

namespace {

llvm::cl::list<std::string> options("vftrace", llvm::cl::desc("options of vftrace's plugin"),
                                    llvm::cl::value_desc("name=value"));

class Message : public llvm::DiagnosticInfo {
public:
    Message(llvm::DiagnosticSeverity severity, const std::string& text)
        : llvm::DiagnosticInfo(llvm::getNextAvailablePluginDiagnosticKind(), severity), text_(text) {}
    void print(llvm::DiagnosticPrinter& printer) const override { printer << "vftrace: " << text_; }

private:
    const std::string& text_;
};

// Once for each compiler: the first pass can complain, the loader of plugins cannot.
struct ReadOptions : llvm::PassInfoMixin<ReadOptions> {
    static bool isRequired() { return true; }
    static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
        for (const std::string& option : options) {
            const std::size_t end = option.find('=');
            const std::string problem = set_option(settings, option.substr(0, end),
                                                   end == option.npos ? "" : std::string_view(option).substr(end + 1));
            if (!problem.empty())
                refuse(module, problem);
        }
        options.clear();
        report.open(settings.report);
        return llvm::PreservedAnalyses::all();
    }
};

void register_passes(llvm::PassBuilder& builder) {
    builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
        passes.addPass(ReadOptions());
        passes.addPass(DecideEarly(level != llvm::OptimizationLevel::O0));
    });
    builder.registerPipelineEarlySimplificationEPCallback(
        [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
            if (level != llvm::OptimizationLevel::O0)
                passes.addPass(KeepFunctions());
        });
    builder.registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(DecideLate()); });
    builder.registerOptimizerLastEPCallback(
        [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(Finish()); });
}

} // namespace

void warn(llvm::Module& module, const std::string& problem) {
    module.getContext().diagnose(Message(llvm::DS_Warning, problem));
}
void refuse(llvm::Module& module, const std::string& problem) {
    module.getContext().diagnose(Message(llvm::DS_Error, problem));
}

} // namespace vftr::instrument::clang

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "vftrace", VFTR_VERSION, vftr::instrument::clang::register_passes};
}
