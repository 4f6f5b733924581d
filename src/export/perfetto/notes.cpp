// SPDX-License-Identifier: BSD-3-Clause
#include "export/perfetto/notes.hpp"

#include "config.h"

#include <cstddef>

namespace vftr::exports::perfetto {

void write_notes(const NotesTrack& place, const std::string& application, const std::vector<std::string>& notes,
                 const Start& start, Sink& sink) {
    Sequence sequence(sink, start, place.sequence, place.uuid, [](auto&) {});
    sequence.track([](auto& root) {
        root.add_uint64(TrackDescriptor::Uuid, 0);
        root.add_enum(TrackDescriptor::ProcessOrdering, OrderedByRank);
        root.add_enum(TrackDescriptor::ThreadOrdering, OrderedByRank);
    });
    sequence.track([&](auto& track) {
        std::string description = application + ", recorded and exported by vftrace (exporter: " PACKAGE_VERSION ").";
        for (const std::string& note : notes)
            description += ' ' + note + '.';
        track.add_uint64(TrackDescriptor::Uuid, place.uuid);
        track.add_string(TrackDescriptor::Name, "vftrace: notes");
        track.add_string(TrackDescriptor::Description, description);
    });
    for (const std::string& note : notes)
        sequence.event(0, SliceBegin, [&](auto& event) {
            event.add_string(TrackEvent::Categories, "note");
            event.add_string(TrackEvent::Name, note);
        });
    for (std::size_t i = 0; i < notes.size(); ++i)
        sequence.event(place.end, SliceEnd, [](auto&) {});
}

} // namespace vftr::exports::perfetto
