// SPDX-License-Identifier: BSD-3-Clause
//
// Comma-separated values by RFC 4180, a row for each call path, depth first. Times are whole nanoseconds; "parent" is
// the id of the caller's row, and empty for the root. Calls and times are sums over threads and, in the row of all
// ranks, over ranks. File and
// line are empty where they are not known.
#include "export/csv_field.hpp"
#include "export/depth_first.hpp"
#include "export/format.hpp"
#include "report/shown_names.hpp"

namespace vftr::exports {

void write_csv(const Subject& subject, const Options&, Sink& sink) {
    sink.text("part,id,parent,depth,function,calls,exclusive_ns,inclusive_ns,overhead_ns,ranks,threads,file,line\r\n");
    for (const Part& part : subject.parts) {
        const analysis::Profile& profile = part.profile;
        const report::ShownNames names(profile);
        for (const Visit visit : depth_first(profile)) {
            const analysis::PathNode& node = profile.nodes[visit.node];
            sink.text(csv_field(part.title));
            sink.character(',');
            sink.number(profile.stid(visit.node));
            sink.character(',');
            if (visit.depth != 0)
                sink.number(profile.stid(node.parent));
            sink.character(',');
            sink.number(visit.depth);
            sink.character(',');
            sink.text(csv_field(names.of(visit.node)));
            for (const std::uint64_t value : {node.calls, node.exclusive, node.inclusive, node.overhead,
                                              std::uint64_t{node.ranks}, std::uint64_t{node.threads}}) {
                sink.character(',');
                sink.number(value);
            }
            const SourcePlace* place = subject.place_of(profile, visit.node);
            sink.text(place ? ',' + csv_field(place->file) + ',' + std::to_string(place->line) + "\r\n"
                            : std::string(",,\r\n"));
        }
    }
}

} // namespace vftr::exports
