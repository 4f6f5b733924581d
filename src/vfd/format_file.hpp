// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): what a file begins with, and what each of its segments does.
#pragma once

#include <cstdint>
#include <type_traits>

namespace vftr::vfd {

inline constexpr char Magic[8] = {'V', 'F', 'T', 'R', 'V', 'F', 'D', '\n'};
inline constexpr std::uint32_t FormatVersion = 9;
inline constexpr std::uint32_t OldestVersion = 8;         // that is read: it has no columns
inline constexpr std::uint32_t SegmentMagic = 0x4d474553; // "SEGM"

enum class FileKind : std::uint32_t {
    Process = 1, // one process: threads, trees, events
    Merged = 2,  // one Profile segment: what all ranks of a run have in common
};

enum class FileState : std::uint32_t {
    Open = 1,     // being written, or its process died
    Sealed = 2,   // closed by its process, or by vftr recover (FlagRecovered): names and end time are complete
    Executed = 3, // the process went on as another program (exec); complete but for names, `end` is when
    Exited = 4,   // ended by _exit or the like; complete but for names, `end` is when
};

enum class ClockKind : std::uint32_t { Monotonic = 1, Tsc = 2, Cntvct = 3 };

// One moment on the tick clock, on CLOCK_MONOTONIC and on CLOCK_REALTIME.
struct ClockPair {
    std::uint64_t ticks;
    std::uint64_t monotonic_ns;
    std::uint64_t realtime_ns;
};

enum FileFlags : std::uint32_t {
    FlagMpi = 1,            // the process called MPI_Init: rank and size are those of MPI_COMM_WORLD
    FlagForked = 2,         // begun in a forked child; parent_pid is the process that forked
    FlagFileLost = 4,       // the file could not grow (disk, quota, limit): later data stayed in memory and is lost
    FlagEventsLost = 8,     // ... and the event stream ends before the profile does
    FlagAllEvents = 16,     // every enter and leave is in the event stream
    FlagSampling = 32,      // the event stream is on
    FlagInFinalize = 64,    // the process has called MPI_Finalize
    FlagMessagesLost = 128, // there was no memory for some Traffic records
    FlagExitStatus = 256,   // exit_status is known
    FlagRecovered = 512,    // the process was killed, or with FileState::Executed became another program unmarked; vftr
                            // recover closed the file
    FlagFollowed = 1024,    // `parent` is known
    FlagRingBuffer = 2048,  // the event stream of each thread is only its latest part
    FlagPacked = 4096,      // segments of the event stream are packed. With either, while the file is open, segments of
                            // events are used again
    FlagSnapshot = 8192,    // a copy that vftrace_snapshot made while the process ran; the recording itself goes on
};

// A recording among all on its machine: the process, and when the recording began (FileHeader::start.realtime_ns). The
// images of a process before and after an exec are two recordings of one pid.
struct RecordingId {
    std::uint32_t pid; // 0: none
    std::uint32_t reserved;
    std::uint64_t start_realtime_ns;
};

// How far another clock is ahead, measured by messages between ranks. error_ns 0: not measured.
struct ClockOffset {
    std::uint64_t monotonic_ns; // when, on the own CLOCK_MONOTONIC
    std::int64_t offset_ns;     // CLOCK_MONOTONIC of rank 0 less the own one at that moment
    std::uint64_t error_ns; // half of the shortest round trips on the way to rank 0, added up: the bound of the error
};

// What the hooks cost where the recording was made: ticks of a pair of enter and leave, events included, as measured in
// the process itself.
struct HookCosts {
    double timed;      // a call that is timed and takes next to no time
    double inside;     // of that, what lies between the two readings of the clock and so is in the call's own time
    double timed_long; // the same two of a call that takes longer than reading the clock does, which the processor then
                       // does meanwhile
    double inside_long;
    double timed_rare; // and of a timed call among count-only ones, which the processor does not foresee
    double inside_rare;
    double folded;           // direct recursion that is not timed (Node::folded)
    double count_only;       // a call that is counted only and calls nobody, where one comes after the other
    double count_only_apart; // the same where more lies between the calls, and nothing tells which function comes next
    double nesting;          // what either costs more if it does call somebody
    double excluded;         // a call of a function that is not recorded
};

// What the efficiencies of a job are made of (analysis/breakdown.hpp), ns.
struct ParallelTimes {
    std::uint64_t outside_mpi, longest, team, worked;
};

// The first page of a file. Zero where not yet known.
struct FileHeader {
    char magic[8];
    std::uint32_t version;
    std::uint32_t header_size; // offset of the first segment
    FileKind kind;
    FileState state;
    std::uint32_t flags; // FileFlags
    std::uint32_t page_size;
    std::int32_t rank; // -1 until known
    std::int32_t size; // number of ranks, 0 until known
    std::uint32_t pid;
    std::uint32_t parent_pid;
    ClockKind clock;
    std::uint32_t pointer_bits;
    ClockPair start;   // at the first hook
    ClockPair last[2]; // refreshed now and then while open; `last_index` says which one is whole
    std::uint32_t last_index;
    std::uint32_t threads;  // number of THREAD segments handed out
    ClockPair end;          // when sealed
    double sample_interval; // seconds
    HookCosts costs;
    std::uint64_t memory_bytes;   // resident because of the recorder (record/used_memory.hpp), when sealed
    std::uint64_t file_end;       // bytes of segments handed out, from offset 0
    std::uint64_t mpi_calls;      // number of calls through MPI wrappers, when sealed
    std::uint64_t max_call_paths; // per thread, the limit in force
    ClockOffset clock_offset[2];  // after MPI_Init, in MPI_Finalize; only with FlagSampling
    std::uint64_t process_start;  // of the process as the kernel counts it (field 22 of /proc/<pid>/stat): tells a pid
                                  // used again apart
    RecordingId parent; // with FlagFollowed, the recording that this one descends from: of the process that forked,
                        // executed or spawned it, perhaps by way of others that were not recorded; with the own pid:
                        // the program before the exec
    std::int32_t exit_status; // as the parent sees it, 0 to 255; with FlagExitStatus
    std::uint32_t generation; // programs that were recorded in this process before (exec)
    char version_string[32];  // of the writer, e.g. "2.0.0"
    char basename[256];       // outfile_basename in force, 0-terminated, cut where too long
    char executable[1024];    // path, 0-terminated, cut where too long
    char hostname[64];
    char config_file[1024]; // path of the configuration that was read, "" for the defaults
    char arguments[512];    // of the command line, each 0-terminated, cut where too long
    std::uint64_t
        pid_namespace;       // inode of the pid namespace in which `pid` is counted; 0: not known, as in older files
    std::uint64_t ending_ns; // what came after `end` until the process wrote its results: we have used it; 0: not
                             // known, as in older files
    std::uint64_t ending_wait_ns;  // of ending_ns: it had no core although it could have run
    ParallelTimes until_collation; // in MPI_Finalize, before the ranks' profiles were merged; zeros: it has not come to
                                   // that, or as in older files
};
static_assert(sizeof(FileHeader) <= 4096);
static_assert(std::is_trivially_copyable_v<FileHeader>);

// Segments of events are the only ones that a writer uses again, with FlagRingBuffer or FlagPacked: it makes them Free
// first, and Events last.
enum class SegmentKind : std::uint16_t {
    Thread = 1,   // one ThreadRecord
    Nodes = 2,    // Node[]; arg0 = id of the first
    Stack = 3,    // Frame[]: the shadow stack of a thread, outermost first
    Events = 4,   // delta-coded events; arg0 = ticks that the first delta counts from, flags = bits of a tick that the
                  // unit of their time lacks
    Modules = 5,  // ModuleRecord…
    Names = 6,    // NameRecord…
    Config = 7,   // the used configuration, JSON text
    Profile = 8,  // a serialised Profile (src/analysis/serialize.hpp)
    Free = 9,     // no longer used
    Traffic = 10, // Traffic[]: messages added up, owned by the thread that saw them begin (sends) or end
    Groups = 11,  // GroupRecord…
    Types = 12,   // TypeRecord…
    Lives = 13,   // ThreadLife[]: threads that used the owner's record before its present one, oldest first
    Teams = 14,   // Team[], owned by the thread that forked them
    Estimates = 15, // Estimate[]: paths of the owner of which only some calls are timed
    Packed = 16, // an Events segment of the same owner, sequence, arg0 and flags, which it replaces as soon as it has
                 // `used` bytes: one zstd frame
    NodeColumns = 17, // all nodes of the owner (node_columns.hpp), arg0 of them; flags: ColumnFlags. Instead of Nodes,
                      // in a closed file
    EstimateColumns = 18, // likewise all its estimates (estimate_columns.hpp)
};

enum ColumnFlags : std::uint16_t {
    ColumnsPacked = 1, // the columns are one zstd frame
};

// Begins every segment. The payload follows at payload_offset: at once, or on the next page where the writer
// wants its payloads (the nodes of a thread) to be contiguous in memory.
struct SegmentHeader {
    std::uint32_t magic; // SegmentMagic; a page that lacks it is skipped
    SegmentKind kind;
    std::uint16_t flags;
    std::uint32_t thread;   // index of the owner, 0 where it belongs to the process
    std::uint32_t sequence; // counts up per owner and kind
    std::uint64_t capacity; // bytes of the whole segment, this header included
    std::uint64_t used;     // bytes of payload that are valid
    std::uint64_t arg0;
    std::uint64_t payload_offset; // from the start of the segment, at least 64; 0 counts as 64
    std::uint64_t writer_private[2];
};
static_assert(sizeof(SegmentHeader) == 64);

} // namespace vftr::vfd
