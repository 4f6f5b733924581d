// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gcc/passes.hpp"

namespace vftr::instrument::gcc {
namespace {

Body body_of(function* function) {
    Body body;
    basic_block block;
    const profile_count entry = ENTRY_BLOCK_PTR_FOR_FN(function)->count;
    const bool known = entry.initialized_p() && entry.nonzero_p();
    body.measured = known && profile_status_for_fn(function) == PROFILE_READ;
    FOR_EACH_BB_FN(block, function) {
        unsigned statements = 0;
        for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            const gimple* statement = gsi_stmt(at);
            if (!is_code(statement))
                continue;
            ++statements;
            body.calls += is_gimple_call(statement);
        }
        body.statements += statements;
        body.executed +=
            statements * (known && block->count.initialized_p() ? block->count.to_sreal_scale(entry).to_double() : 1);
    }
    // A function without loops has the whole of itself as its only one.
    body.loops = loops_for_fn(function) ? number_of_loops(function) - 1 : 0;
    return body;
}

gcall* hook_call(built_in_function which, tree callee, gimple_stmt_iterator* at, location_t place) {
    const tree caller = make_ssa_name(ptr_type_node);
    gcall* address = gimple_build_call(builtin_decl_implicit(BUILT_IN_RETURN_ADDRESS), 1, integer_zero_node);
    gimple_call_set_lhs(address, caller);
    gcall* hook = gimple_build_call(builtin_decl_implicit(which), 2, callee, caller);
    for (gcall* call : {address, hook}) {
        gimple_set_location(call, place);
        gsi_insert_before(at, call, GSI_SAME_STMT);
    }
    return hook;
}

bool is_must_tail(const gimple* statement) {
    const gcall* call = statement ? dyn_cast<const gcall*>(statement) : nullptr;
    return call && gimple_call_must_tail_p(call);
}

void put_in_hooks(function* function) {
    const tree callee = build_fold_addr_expr_loc(UNKNOWN_LOCATION, function->decl);
    // A block of its own, since the first one may be the begin of a loop.
    basic_block first = split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(function)));
    gimple_stmt_iterator at = gsi_start_bb(first);
    gimple* nop = gimple_build_nop();
    gsi_insert_before(&at, nop, GSI_SAME_STMT);
    at = gsi_for_stmt(nop);
    hook_call(BUILT_IN_PROFILE_FUNC_ENTER, callee, &at, function->function_start_locus);
    at = gsi_for_stmt(nop);
    gsi_remove(&at, true);
    edge edge;
    edge_iterator edges;
    FOR_EACH_EDGE(edge, edges, EXIT_BLOCK_PTR_FOR_FN(function)->preds) {
        at = gsi_last_nondebug_bb(edge->src);
        if (gsi_end_p(at) || gimple_code(gsi_stmt(at)) != GIMPLE_RETURN)
            continue;
        gimple_stmt_iterator before = at;
        gsi_prev_nondebug(&before);
        if (!gsi_end_p(before) && is_must_tail(gsi_stmt(before)))
            at = before;
        hook_call(BUILT_IN_PROFILE_FUNC_EXIT, callee, &at, function->function_end_locus);
    }
}

bool is_ifunc_resolver(function* function) {
    cgraph_node* node = cgraph_node::get(function->decl);
    ipa_ref* reference = nullptr;
    if (node)
        FOR_EACH_ALIAS(node, reference)
    if (reference->referring->ifunc_resolver)
        return true;
    return false;
}

// Which functions were inlined into this one.
void report_inlined(function* function, const std::string& into) {
    auto_vec<tree> blocks;
    blocks.safe_push(DECL_INITIAL(function->decl));
    hash_set<tree> reported;
    while (!blocks.is_empty())
        for (tree block = blocks.pop(); block; block = BLOCK_CHAIN(block)) {
            if (BLOCK_SUBBLOCKS(block))
                blocks.safe_push(BLOCK_SUBBLOCKS(block));
            const tree origin = block_ultimate_origin(block);
            if (inlined_function_outer_scope_p(block) && origin && TREE_CODE(origin) == FUNCTION_DECL &&
                !reported.add(origin))
                report.add_inlined(shown_name(origin), place_of(origin), into);
        }
}

const pass_data LatePass = {
    GIMPLE_PASS, "vftrace_late", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, TODO_update_ssa_only_virtuals};

class LateHooks : public gimple_opt_pass {
public:
    explicit LateHooks(::gcc::context* context) : gimple_opt_pass(LatePass, context) {}
    unsigned execute(function* function) override {
        const tree declaration = function->decl;
        const cgraph_node* node = cgraph_node::get(declaration);
        if (report.wanted())
            report_inlined(function, shown_name(declaration));
        // The outlined body of an OpenMP construct is recorded as the construct.
        if (!is_marked(declaration) || !node || node->thunk || node->parallelized_function)
            return 0;
        const Body body = body_of(function);
        const Decision decision = is_ifunc_resolver(function) ? OfResolver : decide_late(settings.rules, body);
        report_decision(declaration, decision, body);
        if (decision.hooks == Hooks::After)
            put_in_hooks(function);
        return 0;
    }
};

} // namespace

opt_pass* late_hooks(::gcc::context* context) { return new LateHooks(context); }

} // namespace vftr::instrument::gcc
