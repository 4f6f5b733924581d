// SPDX-License-Identifier: BSD-3-Clause
//
// What each member means is told by its schema, share_src/vftrace-diff.schema.json, which a test holds against real
// comparisons. Names of members are kept when a later version adds some; a change of what one means raises the version.
#include "compare/comparison_text.hpp"

#include "export/json_writer.hpp"

#include "config.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vftr::compare {
namespace {

using exports::JsonWriter;

constexpr std::uint64_t SchemaVersion = 1;

void write_interval(JsonWriter& json, const std::optional<RatioInterval>& interval) {
    if (!interval)
        return;
    json.member("ratio", interval->ratio);
    json.member("low", interval->low);
    json.member("high", interval->high);
    json.member("p", interval->p);
}

void write_calls(JsonWriter& json, std::string_view name, const CallsOfRuns& calls) {
    json.key(name);
    json.array([&] {
        json.value(calls.least);
        json.value(calls.most);
    });
}

void write_percentiles(JsonWriter& json, const RowPercentiles& percentiles) {
    for (std::size_t side = 0; side < percentiles.of.size(); ++side) {
        const CallPercentiles& its = percentiles.of[side];
        if (its.calls == 0)
            continue;
        json.member(TimedCallsNames[side], its.calls);
        for (std::size_t i = 0; i < Percentiles.size(); ++i)
            json.member(Percentiles[i].names[side], its.ns[i]);
    }
    if (percentiles.are_in_both())
        for (std::size_t i = 0; i < Percentiles.size(); ++i)
            json.member(Percentiles[i].difference_name, percentiles.difference(i));
}

void write_row(JsonWriter& json, const Row& row, const RowPercentiles* percentiles, const RowNames& names, bool paths) {
    json.object([&] {
        json.member("function", names.function_of(row));
        if (paths) {
            json.key("path");
            json.array([&] {
                for (const std::string& function : names.path(row.id))
                    json.value(function);
            });
        }
        json.member("base", row.time[Base]);
        json.member("new", row.time[New]);
        json.member("difference", row.difference());
        write_interval(json, row.interval);
        write_calls(json, "base_calls", row.calls[Base]);
        write_calls(json, "new_calls", row.calls[New]);
        json.member("calls_estimated", row.calls[Base].estimated || row.calls[New].estimated);
        json.member("calls_changed", row.calls_changed);
        json.member("verdict", verdict_name(row.verdict));
        if (const std::string from = names.renamed_from(row); !from.empty())
            json.member("renamed_from", from);
        if (const std::string from = names.moved_from(row); !from.empty())
            json.member("moved_from", from);
        if (const std::string callee = names.perhaps_inlined(row); !callee.empty())
            json.member("perhaps_inlined", callee);
        if (percentiles)
            write_percentiles(json, *percentiles);
    });
}

} // namespace

void write_json(const Comparison& comparison, const CombinedTree& tree, exports::Sink& sink) {
    const RowNames names(tree, comparison.measure.paths);
    JsonWriter json(sink);
    json.object([&] {
        json.member("schema", "vftrace-diff");
        json.member("schema_version", SchemaVersion);
        json.member("vftrace_version", PACKAGE_VERSION);
        for (std::size_t side = 0; side < comparison.runs.size(); ++side) {
            json.key(SideNames[side]);
            json.object([&] {
                json.member("runs", std::uint64_t{comparison.runs[side]});
                json.member("ranks", std::uint64_t{comparison.ranks[side]});
                json.member("application", comparison.application[side]);
            });
        }
        json.member("paired", comparison.paired);
        json.key("total");
        json.object([&] {
            write_interval(json, comparison.total);
            json.member("verdict", verdict_name(comparison.total_verdict));
        });
        json.member("unit", comparison.unit);
        if (!comparison.incomplete.empty()) {
            json.key("incomplete");
            json.array([&] {
                for (const std::string& sentence : comparison.incomplete)
                    json.value(sentence);
            });
        }
        json.key("rows");
        json.array([&] {
            for (const Row& row : comparison.rows)
                write_row(json, row, comparison.percentiles_of(row), names, comparison.measure.paths);
        });
    });
    sink.character('\n');
}

} // namespace vftr::compare
