// SPDX-License-Identifier: BSD-3-Clause
//
// The plugin of gcc: vftrace.so, for gcc, g++ and gfortran.
//
// gcc's gimplifier puts the hooks of -finstrument-functions around the body of each function, long before anything is
// inlined. From functions that are not to have hooks yet the plugin takes them out again, so that the function is as
// the compiler makes it without the option, and marks it; those that are long enough get hooks when inlining is done.
#include "instrument/gcc/passes.hpp"

#include <string_view>

extern "C" {
__attribute__((visibility("default"))) int plugin_is_GPL_compatible; // gcc looks for this name
}

namespace vftr::instrument::gcc {

Settings settings;
DecisionReport report;

namespace {

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
    insert(early_hooks(g), "*warn_unused_result", PASS_POS_INSERT_BEFORE, plugin->base_name);
    insert(keep_functions(g), "release_ssa", PASS_POS_INSERT_AFTER, plugin->base_name);
    insert(late_hooks(g), "post_ipa_warn", PASS_POS_INSERT_AFTER, plugin->base_name);
    register_callback(plugin->base_name, PLUGIN_FINISH_UNIT, at_end_of_unit, nullptr);
    register_callback(plugin->base_name, PLUGIN_FINISH, at_end, nullptr);
    static plugin_info about{VFTR_VERSION, "vftrace: decides which functions get hooks, before or after inlining"};
    register_callback(plugin->base_name, PLUGIN_INFO, nullptr, &about);
    return 0;
}

} // namespace
} // namespace vftr::instrument::gcc

extern "C" __attribute__((visibility("default"))) int plugin_init(plugin_name_args* plugin,
                                                                  plugin_gcc_version* version) {
    return vftr::instrument::gcc::begin(plugin, version);
}
