// SPDX-License-Identifier: BSD-3-Clause
//
// The names and defaults that users of version 2 rely on, and of the options that came later those that change what
// a run records.
#include "config/config.hpp"

#include <catch2/catch.hpp>
#include <cjson/cJSON.h>
#include <memory>

using namespace vftr::config;

namespace {

const std::pair<const char*, const char*> Expected[] = {
    {"off", "false"},
    {"output_directory", "\".\""},
    {"outfile_basename", "null"},
    {"logfile_for_ranks", "\"none\""},
    {"print_config", "true"},
    {"strip_module_names", "false"},
    {"demangle_cxx", "true"},
    {"max_name_width", "60"},
    {"include_cxx_prelude", "false"},
    {"timing", "\"adaptive\""},
    {"timing_error", "0.01"},
    {"timing_samples", "\"auto\""},
    {"profile_table.show_table", "true"},
    {"profile_table.show_calltime_imbalances", "false"},
    {"profile_table.imbalances_of", "\"exclusive\""},
    {"profile_table.show_callpath", "false"},
    {"profile_table.show_overhead", "false"},
    {"profile_table.show_distribution", "false"},
    {"profile_table.show_minmax_summary", "false"},
    {"profile_table.separate", "false"},
    {"profile_table.sort_table.column", "\"time_excl\""},
    {"profile_table.sort_table.ascending", "false"},
    {"stacklist.show_stacklist", "true"},
    {"stacklist.max_width", "160"},
    {"name_grouped_profile_table.show_table", "true"},
    {"name_grouped_profile_table.min_percent", "0.1"},
    {"name_grouped_profile_table.max_stack_ids", "8"},
    {"name_grouped_profile_table.sort_table.column", "\"time_excl\""},
    {"name_grouped_profile_table.sort_table.ascending", "false"},
    {"sampling.active", "false"},
    {"sampling.sample_interval", "0.005"},
    {"sampling.outbuffer_size", "8"},
    {"sampling.precise_functions", "null"},
    {"sampling.compress", "false"},
    {"sampling.keep_last", "null"},
    {"mpi.show_table", "true"},
    {"mpi.log_messages", "true"},
    {"mpi.only_for_ranks", "\"all\""},
    {"mpi.show_sync_time", "false"},
    {"mpi.show_callpath", "false"},
    {"mpi.show_matrix", "true"},
    {"mpi.matrix_max_ranks", "16"},
    {"mpi.matrix_per_callpath", "false"},
    {"mpi.pcontrol", "\"all\""},
    {"mpi.sort_table.column", "\"none\""},
    {"mpi.sort_table.ascending", "false"},
    {"processes.follow", "true"},
    {"processes.propagate_env", "true"},
    {"processes.checkpoint", "true"},
    {"processes.trace_path", "null"},
    {"processes.logs", "\"auto\""},
    {"cuda.show_table", "true"},
    {"cuda.sort_table.column", "\"time\""},
    {"cuda.sort_table.ascending", "false"},
    {"openacc.active", "true"},
    {"openacc.show_table", "true"},
    {"openacc.show_event_details", "false"},
    {"openacc.sort_table.column", "\"time\""},
    {"openacc.sort_table.ascending", "false"},
    {"hwprof.active", "false"},
    {"hwprof.type", "\"dummy\""},
    {"hwprof.show_observables", "true"},
    {"hwprof.show_counters", "false"},
    {"hwprof.show_summary", "false"},
    {"hwprof.sort_by_column", "0"},
    {"hwprof.default_scenario", "\"\""},
    {"hwprof.counters", "[]"},
    {"hwprof.observables", "[]"},
};

std::string value_at(const cJSON* node, std::string path) {
    while (node && !path.empty()) {
        std::size_t dot = std::min(path.find('.'), path.size());
        node = cJSON_GetObjectItemCaseSensitive(node, path.substr(0, dot).c_str());
        path.erase(0, dot + 1);
    }
    if (!node)
        return "absent";
    std::unique_ptr<char, decltype(&std::free)> text(cJSON_PrintUnformatted(node), &std::free);
    return text.get();
}

using Tree = std::unique_ptr<cJSON, decltype(&cJSON_Delete)>;
Tree tree(const std::string& text) { return {cJSON_Parse(text.c_str()), &cJSON_Delete}; }

} // namespace

TEST_CASE("Every option of version 2 is there with its default") {
    Tree json = tree(print_json(Config()));
    REQUIRE(json);
    for (auto [path, value] : Expected) {
        INFO(path);
        CHECK(value_at(json.get(), path) == value);
    }
}

TEST_CASE("Every option and section is explained") {
    for (auto [path, value] : Expected) {
        INFO(path);
        std::string text = explain(path);
        CHECK(text.starts_with(std::string(path) + "\n"));
        CHECK(text.find("Default: " + std::string(value) + "\n") != std::string::npos);
        CHECK(text.find("Allowed: ") != std::string::npos);
        CHECK(explain("").find(text) != std::string::npos);
        CHECK(manual_page("vftrace").find(std::string("\n.B ") + path + "\n") != std::string::npos);
    }
    CHECK(explain("mpi.sort_table").find("mpi.sort_table.ascending\n") != std::string::npos);
    CHECK(explain("mpi.sort_table").find("cuda") == std::string::npos);
}

TEST_CASE("An explanation gives allowed values, and says what comes later") {
    CHECK(explain("sampling.sample_interval") == "sampling.sample_interval\n"
                                                 "    Time between two samples, in seconds. 0 records every event.\n"
                                                 "    Default: 0.005\n"
                                                 "    Allowed: a number of seconds from 0 to 1000000000\n");
    CHECK(explain("openacc.sort_table.column").find("Allowed: one of \"time\", \"memcpy\", \"calls\", \"none\"\n") !=
          std::string::npos);
    CHECK(explain("hwprof.type").find("Accepted, takes effect in a later version.") != std::string::npos);
    CHECK(explain("off").find("later version") == std::string::npos);
}

TEST_CASE("What is no option has no explanation") {
    CHECK(explain("samplin").empty());
    CHECK(explain("sampling.").empty());
    CHECK(explain("off.x").empty());
}

TEST_CASE("The schema is JSON and describes every option") {
    Tree schema = tree(json_schema());
    REQUIRE(schema);
    CHECK(value_at(schema.get(), "additionalProperties") == "false");
    for (auto [path, value] : Expected) {
        std::string inner = std::string("properties.") + path;
        for (std::size_t dot = inner.find('.', 11); dot != std::string::npos; dot = inner.find('.', dot + 12))
            inner.insert(dot, ".properties");
        INFO(inner);
        CHECK(value_at(schema.get(), inner + ".default") == value);
        CHECK(value_at(schema.get(), inner + ".type") != "absent");
    }
    CHECK(value_at(schema.get(), "properties.mpi.properties.collate_timeout.exclusiveMinimum") == "0");
    CHECK(value_at(schema.get(), "properties.hwprof.properties.type.enum") ==
          "[\"dummy\",\"papi\",\"perf\",\"likwid\",\"ve\"]");
    CHECK(value_at(schema.get(), "properties.hwprof.properties.counters.items.required") ==
          "[\"hwc_name\",\"symbol\"]");
}
