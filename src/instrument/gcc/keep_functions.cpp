// SPDX-License-Identifier: BSD-3-Clause
#include <unordered_map>

#include "instrument/gcc/passes.hpp"

namespace vftr::instrument::gcc {
namespace {

// How many statements a call of a function executes, those of the functions that it calls included, by what gcc expects
// of branches and loops. Functions come here after those that they call.
std::unordered_map<unsigned, double> expected_of; // by the number of the declaration

double expected_statements(function* function) {
    double expected = 0;
    const profile_count entry = ENTRY_BLOCK_PTR_FOR_FN(function)->count;
    basic_block block;
    FOR_EACH_BB_FN(block, function) {
        double statements = 0;
        for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            const gimple* statement = gsi_stmt(at);
            statements += is_code(statement);
            if (!is_gimple_call(statement) || gimple_call_internal_p(statement))
                continue;
            const tree callee = gimple_call_fndecl(statement);
            const auto known = callee ? expected_of.find(DECL_UID(callee)) : expected_of.end();
            statements += known != expected_of.end()            ? known->second
                          : callee && fndecl_built_in_p(callee) ? 0
                                                                : StatementsElsewhere;
        }
        const bool guessed = block->count.initialized_p() && entry.initialized_p() && entry.nonzero_p();
        expected += statements * (guessed ? block->count.to_sreal_scale(entry).to_double() : 1);
    }
    return expected;
}

// What is written in headers: templates, member functions within their class, and what is declared inline.
bool is_meant_inline(tree function) { return DECL_DECLARED_INLINE_P(function) || DECL_COMDAT(function); }

const pass_data KeepPass = {GIMPLE_PASS, "vftrace_keep", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class KeepFunctions : public gimple_opt_pass {
public:
    explicit KeepFunctions(::gcc::context* context) : gimple_opt_pass(KeepPass, context) {}
    bool gate(function*) override { return optimize >= 1; }
    unsigned execute(function* function) override {
        const double expected = expected_statements(function);
        expected_of[DECL_UID(function->decl)] = expected;
        if (is_marked(function->decl) && !is_meant_inline(function->decl) && keeps_function(settings.rules, expected))
            DECL_UNINLINABLE(function->decl) = 1;
        return 0;
    }
};

} // namespace

opt_pass* keep_functions(::gcc::context* context) { return new KeepFunctions(context); }

} // namespace vftr::instrument::gcc
