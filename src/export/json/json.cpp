// SPDX-License-Identifier: BSD-3-Clause
//
// The log as JSON, for scripts: one document with a profile for each part, and the tables (tables/table.hpp) in it.
// What each member means is told by its schema, share_src/vftrace-export.schema.json, which a test holds against real
// exports. Numbers are those that the tables of the log are made from, in whole nanoseconds, and nothing is left out
// because it is small. Members that only some profiles have, such as minima over ranks, are absent in others.
//
// Names of members are kept when a later version adds some; a change of what one means raises the version.
#include "export/format.hpp"
#include "export/json/document.hpp"
#include "export/json/json_rows.hpp"
#include "export/json_writer.hpp"
#include "export/tables/tables.hpp"

#include "config.h"

namespace vftr::exports {

namespace {

constexpr std::uint64_t JsonSchemaVersion = 1;

class JsonTables {
public:
    JsonTables(const TablePart& part, JsonWriter& json) : part_(part), json_(json) {}

    void write(CallPaths call_paths) {
        json_.key("metadata");
        json_.object([&] {
            rows(metadata_table, JsonRows::As::Members);
            if (part_.profile.applications.size() > 1)
                array("applications", applications_table);
        });
        json_.key("head");
        json_.object([&] { rows(head_table, JsonRows::As::Members); });
        if (part_.profile.breakdown.sum() != 0)
            write_breakdown();
        array("findings", findings_table);
        array("functions", functions_table);
        if (call_paths == CallPaths::Inside)
            array("call_paths", paths_table);
        if (part_.profile.summary.mpi)
            write_messages();
        json_.key("threads");
        json_.object([&] {
            rows(thread_totals_table, JsonRows::As::ByKey);
            array("longest", threads_table);
        });
        if (!part_.profile.regions.empty())
            array("openmp_regions", openmp_regions_table);
    }

private:
    void rows(const Table& table, JsonRows::As as) {
        JsonRows sink(json_, as);
        table.put_rows(part_, sink);
    }
    void array(std::string_view name, const Table& table) {
        json_.key(name);
        json_.array([&] { rows(table, JsonRows::As::Elements); });
    }
    void write_breakdown() {
        json_.key("breakdown");
        json_.object([&] {
            json_.key("time_ns");
            json_.object([&] { rows(breakdown_table, JsonRows::As::ByKey); });
            rows(efficiencies_table, JsonRows::As::Members);
        });
    }
    void write_messages() {
        array("messages", messages_table);
        json_.key("messages_by_rank");
        json_.object([&] { rows(messages_by_rank_table, JsonRows::As::ByKey); });
        if (part_.profile.matrix.empty())
            return;
        json_.key("message_matrix");
        json_.object([&] {
            array("cells", message_matrix_table);
            json_.key("lighter_pairs");
            json_.object([&] { rows(lighter_pairs_table, JsonRows::As::Members); });
        });
    }

    const TablePart& part_;
    JsonWriter& json_;
};

} // namespace

void write_document(const Subject& subject, CallPaths call_paths, JsonWriter& json) {
    json.object([&] {
        json.member("schema", "vftrace-export");
        json.member("schema_version", JsonSchemaVersion);
        json.member("vftrace_version", PACKAGE_VERSION);
        json.member("application", subject.application);
        json.key("remarks");
        json.array([&] {
            for (const std::string& remark : subject.remarks)
                json.value(remark);
        });
        json.key("profiles");
        json.array([&] {
            for (const Part& part : subject.parts)
                json.object([&] {
                    json.member("title", part.title);
                    if (part.thread)
                        json.member("thread", std::uint64_t{*part.thread});
                    JsonTables({subject, part}, json).write(call_paths);
                });
        });
    });
}

void write_json(const Subject& subject, const Options&, Sink& sink) {
    JsonWriter json(sink);
    write_document(subject, CallPaths::Inside, json);
    sink.character('\n');
}

} // namespace vftr::exports
