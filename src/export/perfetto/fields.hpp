// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of those fields of Perfetto's protocol buffers that we write. Their definitions are the .proto files
// below protos/perfetto/ in github.com/google/perfetto: trace/trace.proto, trace_packet.proto, clock_snapshot.proto,
// interned_data/interned_data.proto, track_event/*.proto, profiling/stack_sample.proto and profile_common.proto.
// test/support/perfetto_trace.proto has the same numbers, for protoc. An older viewer skips what it does not know.
#pragma once

#include <protozero/pbf_builder.hpp>
#include <protozero/types.hpp>

#include <cstdint>
#include <string>

namespace vftr::exports::perfetto {

enum class Trace : protozero::pbf_tag_type { Packet = 1 };

enum class TracePacket : protozero::pbf_tag_type {
    ClockSnapshot = 6,
    Timestamp = 8,
    SequenceId = 10, // trusted_packet_sequence_id
    TrackEvent = 11,
    InternedData = 12,
    SequenceFlags = 13,
    TimestampClockId = 58,
    Defaults = 59, // trace_packet_defaults
    TrackDescriptor = 60,
    FirstPacketOnSequence = 87,
    StackSample = 135,
};

// SequenceFlags
inline constexpr std::uint32_t StateCleared = 1; // what was interned before is not referred to any more
inline constexpr std::uint32_t NeedsState = 2;   // what was interned, or the defaults

enum class ClockSnapshot : protozero::pbf_tag_type { Clock = 1 };
enum class Clock : protozero::pbf_tag_type { Id = 1, Timestamp = 2, IsIncremental = 3 };

enum ClockId : std::uint32_t {
    Realtime = 1,
    Monotonic = 3,
    Boottime = 6, // the clock of the whole trace
    // From 64 to 127 they belong to a sequence. The SDK uses this one in the same way.
    Incremental = 64,
};

enum class PacketDefaults : protozero::pbf_tag_type { TrackEvent = 11, TimestampClockId = 58, StackSample = 100 };
enum class TrackEventDefaults : protozero::pbf_tag_type { TrackUuid = 11 };

enum class TrackDescriptor : protozero::pbf_tag_type {
    Uuid = 1,
    Name = 2,
    Process = 3,
    Thread = 4,
    ParentUuid = 5,
    SiblingOrderRank = 12,
    Description = 14,
    ProcessOrdering = 19, // of uuid 0, of 2026
    ThreadOrdering = 20,  // likewise
};
inline constexpr std::int32_t OrderedByRank = 1; // PROCESS_ORDERING_EXPLICIT and THREAD_ORDERING_EXPLICIT

enum class Process : protozero::pbf_tag_type { Pid = 1, CommandLine = 2, SortIndex = 3, Name = 6, Labels = 8 };
enum class Thread : protozero::pbf_tag_type { Pid = 1, Tid = 2, SortIndex = 3, Name = 5 };

enum class TrackEvent : protozero::pbf_tag_type {
    CategoryIids = 3,
    DebugAnnotations = 4,
    Type = 9,
    NameIid = 10,
    Categories = 22,
    Name = 23,
    SourceLocationIid = 34,
    FlowIds = 47,
    TerminatingFlowIds = 48,
};
enum EventType : std::int32_t { SliceBegin = 1, SliceEnd = 2, Instant = 3 };

enum class DebugAnnotation : protozero::pbf_tag_type {
    NameIid = 1,
    UintValue = 3,
    IntValue = 4,
    StringValue = 6,
    Name = 10,
};

enum class InternedData : protozero::pbf_tag_type {
    EventCategories = 1,
    EventNames = 2,
    DebugAnnotationNames = 3,
    SourceLocations = 4,
    FunctionNames = 5,
    Frames = 6,
    Callstacks = 7,
    SourcePaths = 18,
};
// EventCategory, EventName and DebugAnnotationName
enum class InternedName : protozero::pbf_tag_type { Iid = 1, Name = 2 };
enum class SourceLocation : protozero::pbf_tag_type { Iid = 1, FileName = 2, FunctionName = 3, LineNumber = 4 };

// InternedString
enum class InternedText : protozero::pbf_tag_type { Iid = 1, Text = 2 };
enum class Frame : protozero::pbf_tag_type { Iid = 1, FunctionNameIid = 2, SourcePathIid = 5, LineNumber = 6 };
enum class Callstack : protozero::pbf_tag_type { Iid = 1, FrameIids = 2 }; // outermost first

enum class StackSampleDefaults : protozero::pbf_tag_type { Source = 1, Weight = 2, Followers = 3 };
enum class StackSample : protozero::pbf_tag_type {
    Task = 1,
    CallstackIid = 6,
    Weight = 11,
    FollowerWeights = 14,
};
enum class SampledTask : protozero::pbf_tag_type { Pid = 2, Tid = 3 };
// CounterDescriptor of a StackSample
enum class Weight : protozero::pbf_tag_type { Name = 2, Unit = 3 };
enum WeightUnit : std::int32_t { Nanoseconds = 1, Count = 9 };

template <class Fields>
using Builder = protozero::pbf_builder<Fields>;

// A message inside of another one: `fill` gets its builder.
template <class Inner, class Outer, class Fill>
void message(Builder<Outer>& outer, Outer field, Fill fill) {
    Builder<Inner> inner(outer, field);
    fill(inner);
}

} // namespace vftr::exports::perfetto
