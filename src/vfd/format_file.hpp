// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): the file header, the kinds of segments and their header.
#pragma once

#include "vfd/control.hpp"

#include <cstdint>
#include <type_traits>

namespace vftr::vfd {

inline constexpr char Magic[8] = {'V', 'F', 'T', 'R', 'V', 'F', 'D', '\n'};
inline constexpr std::uint32_t FormatVersion = 9;
inline constexpr std::uint32_t OldestVersion = 8;         // oldest version that can be read; it has no columns
inline constexpr std::uint32_t SegmentMagic = 0x4d474553; // "SEGM"

enum class FileKind : std::uint32_t {
    Process = 1, // one process: threads, trees, events
    Merged = 2,  // one Profile segment, which describes all ranks of a run together
};

enum class FileState : std::uint32_t {
    Open = 1, // being written, or its process died
    // Closed by its process, or by vftr recover (FlagRecovered): names and end time are complete.
    Sealed = 2,
    // The process replaced itself by another program (exec) at the time `end`. The file is complete except for names.
    Executed = 3,
    // The process ended by _exit or the like at the time `end`. The file is complete except for names.
    Exited = 4,
};

enum class ClockKind : std::uint32_t { Monotonic = 1, Tsc = 2, Cntvct = 3 };

// One moment, as read from the tick clock, from CLOCK_MONOTONIC and from CLOCK_REALTIME.
struct ClockPair {
    std::uint64_t ticks;
    std::uint64_t monotonic_ns;
    std::uint64_t realtime_ns;
};

enum FileFlags : std::uint32_t {
    FlagMpi = 1,    // the process called MPI_Init; rank and size refer to MPI_COMM_WORLD
    FlagForked = 2, // the recording began in a forked child; parent_pid is the process that forked
    // The file could not grow (disk, quota, limit); later data stayed in memory and is lost.
    FlagFileLost = 4,
    FlagEventsLost = 8,     // as FlagFileLost, and the event stream ends before the profile does
    FlagAllEvents = 16,     // every enter and leave is in the event stream
    FlagSampling = 32,      // the event stream is on
    FlagInFinalize = 64,    // the process has called MPI_Finalize
    FlagMessagesLost = 128, // there was not enough memory for some Traffic records
    FlagExitStatus = 256,   // exit_status is known
    // vftr recover closed the file: the process was killed or, with FileState::Executed, became another program without
    // marking that.
    FlagRecovered = 512,
    FlagFollowed = 1024,   // `parent` is known
    FlagRingBuffer = 2048, // the file holds only the latest part of each thread's event stream
    // Segments of the event stream are packed. With this flag or FlagRingBuffer, event segments of an open file are
    // reused.
    FlagPacked = 4096,
    // The file is a copy that vftrace_snapshot made while the process ran; the recording itself goes on.
    FlagSnapshot = 8192,
    // The process is a rank whose profile was collated in MPI_Finalize: the Profile segment has it as it was then.
    FlagCollated = 16384,
};

// Identifies a recording among all on its machine, by the process and the time at which the recording began
// (FileHeader::start.realtime_ns). The recordings before and after an exec have the same pid.
struct RecordingId {
    std::uint32_t pid; // 0: none
    std::uint32_t reserved;
    std::uint64_t start_realtime_ns;
};

// The offset between the clocks of rank 0 and of this rank, measured by messages between ranks. error_ns is 0 if it was
// not measured.
struct ClockOffset {
    std::uint64_t monotonic_ns; // time of the measurement on this rank's CLOCK_MONOTONIC
    // CLOCK_MONOTONIC of rank 0 minus this rank's clock at that time.
    std::int64_t offset_ns;
    // Bound of the error: half of the shortest round trips on the way to rank 0, added up.
    std::uint64_t error_ns;
};

// The cost of the hooks in this recording: ticks for a pair of enter and leave, events included, as measured in the
// process itself.
struct HookCosts {
    // `timed` is a timed call that takes next to no time itself. `inside` is the part of it that lies between the two
    // readings of the clock and is therefore in the call's own time.
    double timed;
    double inside;
    // The same two costs for a call that takes longer than a reading of the clock; the processor overlaps the two.
    double timed_long;
    double inside_long;
    // The same two costs for a timed call among count-only ones, whose branches the processor does not predict.
    double timed_rare;
    double inside_rare;
    double folded; // direct recursion that is not timed (Node::folded)
    // A count-only call without callees, when such calls follow each other directly.
    double count_only;
    // The same when more code lies between the calls and the processor cannot predict which function comes next.
    double count_only_apart;
    double nesting;  // what either costs in addition if it has callees
    double excluded; // a call of a function that is not recorded
};

// The times of which the efficiencies of a job are computed (analysis/profile/breakdown.hpp), in ns.
struct ParallelTimes {
    std::uint64_t outside_mpi, longest, team, worked;
};

// The first page of a file. Fields whose value is not known yet are zero.
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
    ClockPair start; // time of the first hook
    // Refreshed now and then while the file is open; `last_index` is the index of the pair that is completely written.
    ClockPair last[2];
    std::uint32_t last_index;
    std::uint32_t threads;  // number of Thread segments handed out
    ClockPair end;          // time of sealing
    double sample_interval; // seconds
    HookCosts costs;
    // Memory that is resident because of the recorder (record/used_memory.hpp), stored at sealing.
    std::uint64_t memory_bytes;
    std::uint64_t file_end;       // offset of the end of the segments handed out
    std::uint64_t mpi_calls;      // number of calls through MPI wrappers, stored at sealing
    std::uint64_t max_call_paths; // limit per thread that was in force
    // Measured after MPI_Init and in MPI_Finalize; only with FlagSampling.
    ClockOffset clock_offset[2];
    // Start time of the process as the kernel counts it (field 22 of /proc/<pid>/stat). It distinguishes processes that
    // had the same pid.
    std::uint64_t process_start;
    // Valid with FlagFollowed: the recording from which this one descends. It is that of the process which forked,
    // executed or spawned this one, perhaps through other processes that were not recorded. If the pid is this
    // process's own, it is the recording of the program before the exec.
    RecordingId parent;
    // Exit status as the parent process sees it, 0 to 255; valid with FlagExitStatus.
    std::int32_t exit_status;
    // Number of programs that were recorded in this process before (exec).
    std::uint32_t generation;
    char version_string[32]; // version of the writer, e.g. "2.0.0"
    char basename[256];      // outfile_basename in force, 0-terminated, truncated if too long
    char executable[1024];   // path, 0-terminated, truncated if too long
    char hostname[64];
    char config_file[1024]; // path of the configuration file that was read, "" for the defaults
    // Arguments of the command line, each 0-terminated, truncated if too long.
    char arguments[512];
    // Inode of the pid namespace in which `pid` is counted; 0: not known, or an older file.
    std::uint64_t pid_namespace;
    // Time from `end` until the process had made the tables of its log, or where it writes several or none, its
    // profile; it is time that vftrace used. 0: not known, or an older file.
    std::uint64_t ending_ns;
    // The part of ending_ns in which the process was ready to run but had no core.
    std::uint64_t ending_wait_ns;
    // Times up to MPI_Finalize, before the profiles of the ranks were merged; zeros: the process did not get there, or
    // an older file.
    ParallelTimes until_collation;
    Control control; // zeros in a file that was never controlled from outside, or an older one
    // CPU time in user mode for which a CpuSample stands; 0: no samples were wanted, or an older file.
    std::uint64_t sample_ns;
};
static_assert(sizeof(FileHeader) <= 4096);
static_assert(std::is_trivially_copyable_v<FileHeader>);

// Segments of events are the only ones that a writer reuses, and it does so with FlagRingBuffer or FlagPacked only. It
// first sets the kind to Free, and sets it to Events last.
enum class SegmentKind : std::uint16_t {
    Thread = 1, // one ThreadRecord
    Nodes = 2,  // Node[]; arg0 = id of the first
    Stack = 3,  // Frame[]: the shadow stack of a thread, outermost first
    // Delta-coded events. arg0 is the time in ticks from which the first difference counts. flags is the number of low
    // bits of a tick count that the time unit drops.
    Events = 4,
    Modules = 5, // ModuleRecord…
    Names = 6,   // NameRecord…
    Config = 7,  // the configuration that was used, as JSON
    Profile = 8, // a serialised Profile (src/analysis/merge/serialize.hpp): of a Merged file, or with FlagCollated
    Free = 9,    // no longer used
    // Traffic[]: sums over messages, owned by the thread that saw them begin (sends) or end.
    Traffic = 10,
    Groups = 11, // GroupRecord…
    Types = 12,  // TypeRecord…
    // ThreadLife[]: the threads that used the owner's record before its present thread, oldest first.
    Lives = 13,
    Teams = 14, // Team[], owned by the thread that forked them
    // Estimate[]: call paths of the owner of which only some calls are timed.
    Estimates = 15,
    // One zstd frame. It replaces the Events segment with the same owner, sequence, arg0 and flags as soon as its
    // `used` is not 0.
    Packed = 16,
    // All arg0 nodes of the owner as columns (node_columns.hpp); flags are ColumnFlags. A closed file has this kind in
    // place of Nodes.
    NodeColumns = 17,
    // All arg0 estimates of the owner as columns (estimate_columns.hpp), in place of Estimates.
    EstimateColumns = 18,
    // UnseenCalls[]: call paths of the owner of which some calls were not counted.
    Unseen = 19,
    // CpuSample[]: where the CPU time of the owner went.
    Samples = 20,
    // CallDurations[]: how long the single calls of call paths of the owner took.
    Durations = 21,
};

enum ColumnFlags : std::uint16_t {
    ColumnsPacked = 1, // the columns are one zstd frame
};

// The header of every segment. The payload begins at payload_offset: directly behind the header, or on the next page if
// the writer needs its payloads (the nodes of a thread) to be contiguous in memory.
struct SegmentHeader {
    std::uint32_t magic; // SegmentMagic; readers skip a page that lacks it
    SegmentKind kind;
    std::uint16_t flags;
    std::uint32_t thread;   // index of the thread that owns it, 0 if it belongs to the process
    std::uint32_t sequence; // counts up per owner and kind
    std::uint64_t capacity; // bytes of the whole segment, this header included
    std::uint64_t used;     // bytes of payload that are valid
    std::uint64_t arg0;
    std::uint64_t payload_offset; // from the start of the segment, at least 64; 0 counts as 64
    std::uint64_t writer_private[2];
};
static_assert(sizeof(SegmentHeader) == 64);

} // namespace vftr::vfd
