// SPDX-License-Identifier: BSD-3-Clause
//
// The timeline as protocol buffers of Perfetto (ui.perfetto.dev, trace_processor): a begin and an end of a slice for
// each call, on the track of its thread. A call that has not ended has no end, and viewers show it as such. A message
// is an instant where the send begins and one where the receive ends, with an arrow (a flow) between them: viewers draw
// an arrow from the end of a slice to the begin of another one, which between the calls themselves would go back in
// time where the receiver had been waiting. Viewers sort by themselves, so that threads follow each other
// (sequence.hpp).
#pragma once

#include "export/format.hpp"
#include "export/perfetto/ids.hpp"
#include "export/perfetto/sequence.hpp"
#include "export/sink.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace vftr::exports::perfetto {

struct PathEvents;

// The subject, which has a timeline, must outlive it. Not thread-safe.
class TraceWriter {
public:
    explicit TraceWriter(const Subject& subject);
    ~TraceWriter();

    // Writes the threads from `first` to before `end` (indices into RunTimeline::threads()), with what a reader must
    // know of the data: a trace by itself, which may be opened together with those of the other threads. Each thread is
    // written once, in their order.
    void write(std::size_t first, std::size_t end, Sink& sink);

private:
    void notes(std::span<const analysis::RunThread> threads, Sink& sink) const;

    const Subject& subject_;
    const analysis::RunTimeline& run_;
    const Ids ids_;
    const Start start_;
    const std::unique_ptr<PathEvents> events_;
};

} // namespace vftr::exports::perfetto
