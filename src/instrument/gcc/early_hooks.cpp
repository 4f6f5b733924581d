// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gcc/passes.hpp"

namespace vftr::instrument::gcc {
namespace {

bool is_hook(const gimple* statement, built_in_function which) {
    return statement && gimple_call_builtin_p(statement, which);
}

bool has_hook(gimple_seq statements, built_in_function which) {
    for (gimple_stmt_iterator at = gsi_start(statements); !gsi_end_p(at); gsi_next(&at))
        if (is_hook(gsi_stmt(at), which))
            return true;
    return false;
}

// The hooks that the gimplifier has put around a body: in the outermost bind the enter hook, and a try … finally with
// the exit hook as its cleanup. What nested functions need (their frame, copies of arguments) may stand in the same
// bind.
struct EarlyPair {
    gbind* bind = nullptr;
    gtry* body = nullptr; // null: the function has no hooks
};
EarlyPair early_hooks_of(gimple_seq body) {
    EarlyPair pair;
    pair.bind = body && gimple_seq_singleton_p(body) ? dyn_cast<gbind*>(gimple_seq_first_stmt(body)) : nullptr;
    if (!pair.bind || !has_hook(gimple_bind_body(pair.bind), BUILT_IN_PROFILE_FUNC_ENTER))
        return {};
    gtry* last = dyn_cast<gtry*>(gimple_seq_last_stmt(gimple_bind_body(pair.bind)));
    if (last && gimple_try_kind(last) == GIMPLE_TRY_FINALLY &&
        has_hook(gimple_try_cleanup(last), BUILT_IN_PROFILE_FUNC_EXIT))
        pair.body = last;
    return pair;
}

// By the declaration alone: gcc calls the function with an argument of another type than it has, which
// gimple_call_builtin_p does not take for it.
bool asks_for_return_address(const gimple* statement) {
    const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    return callee && fndecl_built_in_p(callee, BUILT_IN_RETURN_ADDRESS);
}

// Nothing stays of them: a function that asks for its return address is optimised as one that cannot be moved.
void take_out(const EarlyPair& hooks) {
    gimple_seq kept = nullptr, body = gimple_bind_body(hooks.bind);
    tree address = NULL_TREE; // the latest variable that has the return address
    for (gimple_stmt_iterator at = gsi_start(body); !gsi_end_p(at);) {
        gimple* statement = gsi_stmt(at);
        gsi_remove(&at, false);
        if (statement == hooks.body)
            gimple_seq_add_seq(&kept, gimple_try_eval(hooks.body));
        else if (asks_for_return_address(statement))
            address = gimple_call_lhs(statement);
        else if (address && gimple_assign_single_p(statement) && gimple_assign_rhs1(statement) == address)
            address = gimple_assign_lhs(statement);
        else if (!is_hook(statement, BUILT_IN_PROFILE_FUNC_ENTER))
            gimple_seq_add_stmt(&kept, statement);
    }
    gimple_bind_set_body(hooks.bind, kept);
}

// The body as it was written: a loop is a jump back to a label.
struct WrittenBody {
    Body body;
    hash_set<tree> labels;
};
tree look_at_written(gimple_stmt_iterator* at, bool* handled, walk_stmt_info* info) {
    auto* written = static_cast<WrittenBody*>(info->info);
    const gimple* statement = gsi_stmt(*at);
    *handled = false;
    auto jump = [&](tree label) { written->body.loops += label && written->labels.contains(label); };
    switch (gimple_code(statement)) {
    case GIMPLE_BIND:
    case GIMPLE_TRY:
    case GIMPLE_NOP:
        return NULL_TREE;
    case GIMPLE_LABEL:
        written->labels.add(gimple_label_label(as_a<const glabel*>(statement)));
        return NULL_TREE;
    case GIMPLE_GOTO:
        jump(gimple_goto_dest(statement));
        break;
    case GIMPLE_COND:
        jump(gimple_cond_true_label(as_a<const gcond*>(statement)));
        jump(gimple_cond_false_label(as_a<const gcond*>(statement)));
        break;
    default:
        break;
    }
    if (is_code(statement)) {
        ++written->body.statements;
        written->body.calls += is_gimple_call(statement);
    }
    return NULL_TREE;
}

Body body_as_written(gimple_seq statements) {
    WrittenBody written;
    walk_stmt_info info{};
    info.info = &written;
    walk_gimple_seq(statements, look_at_written, nullptr, &info);
    return written.body;
}

// Whether there is a time after inlining in which late hooks can come. A function that longjmp returns to, or a nested
// one that jumps out, is not inlined, and each call in it may be the end of a basic block.
bool is_optimised(const function* function) {
    return optimize >= 1 && !optimize_debug && !function->calls_setjmp && !function->has_nonlocal_label;
}

const pass_data EarlyPass = {GIMPLE_PASS, "vftrace_early", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class EarlyHooks : public gimple_opt_pass {
public:
    explicit EarlyHooks(::gcc::context* context) : gimple_opt_pass(EarlyPass, context) {}
    unsigned execute(function* function) override {
        const tree declaration = function->decl;
        const EarlyPair hooks = early_hooks_of(gimple_body(declaration));
        if (!hooks.body)
            return 0;
        if (lookup_attribute("naked", DECL_ATTRIBUTES(declaration))) {
            take_out(hooks);
            return 0;
        }
        const Body body = body_as_written(gimple_try_eval(hooks.body));
        const Decision decision = decide_early(settings.rules, body, wish_of(declaration),
                                               MAIN_NAME_P(DECL_NAME(declaration)), is_optimised(function));
        if (decision.hooks != Hooks::After)
            report_decision(declaration, decision, body);
        if (decision.hooks == Hooks::Before)
            return 0;
        take_out(hooks);
        if (decision.hooks == Hooks::After)
            DECL_ATTRIBUTES(declaration) =
                tree_cons(get_identifier(Mark), NULL_TREE, copy_list(DECL_ATTRIBUTES(declaration)));
        return 0;
    }
};

} // namespace

opt_pass* early_hooks(::gcc::context* context) { return new EarlyHooks(context); }

} // namespace vftr::instrument::gcc
