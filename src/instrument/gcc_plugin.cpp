// SPDX-License-Identifier: BSD-3-Clause
//
// The plugin of gcc: vftrace-gcc.so, for gcc, g++ and gfortran.
//
// gcc's gimplifier puts the hooks of -finstrument-functions around the body of each function, long before anything is
// inlined. The plugin has two passes. The early one comes before all others: from functions that are not to have hooks
// yet it takes them out again, so that the function is as the compiler makes it without the option, and marks it. The
// late one comes after the inter-procedural passes, which inline and find pure functions, and before calls become tail
// calls: it puts hooks into marked functions that are long enough.
//
// The mark is an attribute of the declaration, since attributes are copied to clones and written with -flto; no program
// can write this one, as it has a blank. Functions to which the option does not apply (no_instrument_function, the
// exclude lists of gcc) have no hooks when the early pass comes, and so get none.
//
// A late hook has no cleanup for exceptions, as clang's has none: the recorder repairs its stack by the addresses of
// frames.
#include "instrument/decision_report.hpp"
#include "instrument/settings.hpp"

#include <unordered_map>

// These of gcc come in this order.
// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "function.h"
#include "basic-block.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "gimple-pretty-print.h"
#include "tree-cfg.h"
#include "tree-pass.h"
#include "tree-ssa-alias.h"
#include "internal-fn.h"
#include "gimple-expr.h"
#include "sreal.h"
#include "cfgloop.h"
#include "cgraph.h"
#include "ssa.h"
#include "attribs.h"
#include "stringpool.h"
#include "langhooks.h"
#include "context.h"
#include "diagnostic-core.h"
#include "options.h"
#include "target.h"
// clang-format on

extern "C" {
__attribute__((visibility("default"))) int plugin_is_GPL_compatible; // gcc looks for this name
}

namespace vftr::instrument {
namespace {

constexpr const char* Mark = "vftrace late";

Settings settings;
DecisionReport report;

bool is_marked(tree function) { return lookup_attribute(Mark, DECL_ATTRIBUTES(function)) != NULL_TREE; }

// ---- what a function is called, and where it stands

std::string linker_name(tree function) {
    const char* name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    return *name == '*' ? name + 1 : name;
}

// With link time optimisation the objects may be of several languages.
bool is_fortran(tree function) {
    tree unit = function;
    while (unit && TREE_CODE(unit) != TRANSLATION_UNIT_DECL)
        unit = get_containing_scope(unit);
    const char* language = unit && TRANSLATION_UNIT_LANGUAGE(unit) ? TRANSLATION_UNIT_LANGUAGE(unit) : lang_hooks.name;
    return std::string_view(language).find("Fortran") != std::string_view::npos;
}

std::string shown_name(tree function) { return name_in_tables(linker_name(function), is_fortran(function)); }

std::string place_of(tree function) {
    const expanded_location place = expand_location(DECL_SOURCE_LOCATION(function));
    return place.file ? std::string(place.file) + ":" + std::to_string(place.line) : "";
}

// Names are made only where somebody asks for them: to demangle those of a large program takes long.
Wish wish_of(tree function) {
    return settings.include.empty() && settings.exclude.empty()
               ? Wish::Nothing
               : settings.wish(linker_name(function), is_fortran(function));
}
void report_decision(tree function, const Decision& decision, const Body& body) {
    if (report.wanted())
        report.add(decision, shown_name(function), place_of(function), body);
}

// What says nothing about how long a function takes.
bool is_code(const gimple* statement) {
    return !is_gimple_debug(statement) && !gimple_clobber_p(statement) && gimple_code(statement) != GIMPLE_LABEL &&
           gimple_code(statement) != GIMPLE_NOP && gimple_code(statement) != GIMPLE_PREDICT;
}

// ---- the early pass

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
    explicit EarlyHooks(gcc::context* context) : gimple_opt_pass(EarlyPass, context) {}
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

// ---- the pass before functions are inlined into each other

// How many statements a call of a function executes, those of the functions that it calls included, by what gcc expects
// of branches and loops. Functions come here after those that they call.
std::unordered_map<unsigned, double> expected_of; // by the number of the declaration

double expected_statements(function* function) {
    constexpr double Unknown = 10; // of a function elsewhere
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
                                                                : Unknown;
        }
        const bool guessed = block->count.initialized_p() && entry.initialized_p() && entry.nonzero_p();
        expected += statements * (guessed ? block->count.to_sreal_scale(entry).to_double() : 1);
    }
    return expected;
}

// What is written in headers: templates, member functions within their class, and what is declared inline.
bool is_meant_inline(tree function) { return DECL_DECLARED_INLINE_P(function) || DECL_COMDAT(function); }

const pass_data KeepPass = {GIMPLE_PASS, "vftrace_keep", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

// A function that takes long is not inlined into the one that calls it, so that it is seen by name.
class KeepFunctions : public gimple_opt_pass {
public:
    explicit KeepFunctions(gcc::context* context) : gimple_opt_pass(KeepPass, context) {}
    bool gate(function*) override { return optimize >= 1; }
    unsigned execute(function* function) override {
        const double expected = expected_statements(function);
        expected_of[DECL_UID(function->decl)] = expected;
        if (is_marked(function->decl) && !is_meant_inline(function->decl) && keeps_function(settings.rules, expected))
            DECL_UNINLINABLE(function->decl) = 1;
        return 0;
    }
};

// ---- the late pass

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
    explicit LateHooks(gcc::context* context) : gimple_opt_pass(LatePass, context) {}
    unsigned execute(function* function) override {
        const tree declaration = function->decl;
        const cgraph_node* node = cgraph_node::get(declaration);
        if (report.wanted())
            report_inlined(function, shown_name(declaration));
        // The outlined body of an OpenMP construct is recorded as the construct.
        if (!is_marked(declaration) || !node || node->thunk || node->parallelized_function)
            return 0;
        const Body body = body_of(function);
        const Decision decision = is_ifunc_resolver(function) ? Decision{Hooks::None, "it runs before the program does"}
                                                              : decide_late(settings.rules, body);
        report_decision(declaration, decision, body);
        if (decision.hooks == Hooks::After)
            put_in_hooks(function);
        return 0;
    }
};

// ---- the plugin

void insert(opt_pass* pass, const char* beside, pass_positioning_ops position, const char* plugin) {
    register_pass_info info{};
    info.pass = pass;
    info.reference_pass_name = beside;
    info.ref_pass_instance_number = 1;
    info.pos_op = position;
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

// Objects say in .comment who has put the hooks in, for vftr doctor.
void at_end_of_unit(void*, void*) {
    if (flag_instrument_function_entry_exit && !flag_no_ident)
        targetm.asm_out.output_ident("vftrace " VFTR_VERSION ": hooks after inlining");
}

void at_end(void*, void*) {
    if (const std::string problem = report.write(); !problem.empty())
        warning(0, "vftrace: %s", problem.c_str());
}

int begin(plugin_name_args* plugin, plugin_gcc_version* version) {
    if (!plugin_default_version_check(version, &gcc_version)) {
        // gcc runs on without what is not registered.
        warning(
            0,
            "vftrace: the plugin was built for gcc %s %s and this is gcc %s %s: functions get hooks before they are "
            "inlined",
            gcc_version.basever, gcc_version.datestamp, version->basever, version->datestamp);
        return 0;
    }
    for (int i = 0; i < plugin->argc; ++i) {
        const plugin_argument& option = plugin->argv[i];
        // gcc's name of the plugin ends at the first dash: of -fplugin-arg-vftrace-gcc-hooks it is vftrace.
        std::string_view name = option.key;
        if (name.starts_with("gcc-"))
            name.remove_prefix(4);
        const std::string problem = set_option(settings, name, option.value ? option.value : "");
        if (!problem.empty())
            error("vftrace: %s", problem.c_str());
    }
    report.open(settings.report);
    insert(new EarlyHooks(g), "*warn_unused_result", PASS_POS_INSERT_BEFORE, plugin->base_name);
    insert(new KeepFunctions(g), "release_ssa", PASS_POS_INSERT_AFTER, plugin->base_name);
    insert(new LateHooks(g), "post_ipa_warn", PASS_POS_INSERT_AFTER, plugin->base_name);
    register_callback(plugin->base_name, PLUGIN_FINISH_UNIT, at_end_of_unit, nullptr);
    register_callback(plugin->base_name, PLUGIN_FINISH, at_end, nullptr);
    static plugin_info about{VFTR_VERSION, "vftrace: decides which functions get hooks, before or after inlining"};
    register_callback(plugin->base_name, PLUGIN_INFO, nullptr, &about);
    return 0;
}

} // namespace
} // namespace vftr::instrument

extern "C" __attribute__((visibility("default"))) int plugin_init(plugin_name_args* plugin,
                                                                  plugin_gcc_version* version) {
    return vftr::instrument::begin(plugin, version);
}
