// SPDX-License-Identifier: BSD-3-Clause
//
// The vfd file format, version 5. This header and share_src/man/vfd.5 describe the same thing.
//
// Why a mapped file of segments. A recording must survive kill -9, so it may never sit in a private
// buffer: the file's pages are the only copy, and every store of a hook lands in them. The call tree
// that the hooks count in *is* the tree in the file, not a copy made at the end. A file grows by
// segments that are allocated (never sparse: a full disk must be an error code, not SIGBUS) and mapped one
// by one. Each segment names its kind, owner and used bytes, so a reader can walk a file
// that nobody closed. A segment has one writer (its thread), hence no lock and no shared cache line.
//
// All numbers are little-endian and naturally aligned; offsets and sizes are bytes; times are clock ticks
// unless they are called ns. Segments start at multiples of FileHeader::page_size.
// A writer publishes by storing `used`, `node_count` or `depth` last; a reader never looks beyond them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vftr::vfd {

inline constexpr char Magic[8] = {'V', 'F', 'T', 'R', 'V', 'F', 'D', '\n'};
inline constexpr std::uint32_t FormatVersion = 5;
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
    FlagMpi = 1,          // the process called MPI_Init: rank and size are those of MPI_COMM_WORLD
    FlagForked = 2,       // begun in a forked child; parent_pid is the process that forked
    FlagFileLost = 4,     // the file could not grow (disk, quota, limit): later data stayed in memory and is lost
    FlagEventsLost = 8,   // ... and the event stream ends before the profile does
    FlagAllEvents = 16,   // every enter and leave is in the event stream
    FlagSampling = 32,    // the event stream is on
    FlagInFinalize = 64,  // the process has called MPI_Finalize
    FlagMessagesLost = 128, // there was no memory for some Traffic records
    FlagExitStatus = 256,   // exit_status is known
    FlagRecovered = 512,    // the process was killed; vftr recover sealed the file
    FlagFollowed = 1024,    // `parent` is known
    FlagKeepsLatest = 2048, // the event stream of each thread is only its latest part
    FlagPacked = 4096,      // segments of the event stream are packed. With either, while the file is open, segments of events are used again
};

// A recording among all on its machine: the process, and when the recording began (FileHeader::start.realtime_ns). The images of a
// process before and after an exec are two recordings of one pid.
struct RecordingId {
    std::uint32_t pid; // 0: none
    std::uint32_t reserved;
    std::uint64_t start_realtime_ns;
};

// How far another clock is ahead, measured by messages between ranks. error_ns 0: not measured.
struct ClockOffset {
    std::uint64_t monotonic_ns; // when, on the own CLOCK_MONOTONIC
    std::int64_t offset_ns;     // CLOCK_MONOTONIC of rank 0 less the own one at that moment
    std::uint64_t error_ns;     // half of the shortest round trips on the way to rank 0, added up: the bound of the error
};

// What the hooks cost where the recording was made: ticks of a pair of enter and leave, events included, as measured in the process itself.
struct HookCosts {
    double timed;    // a call that is timed
    double inside;   // of that, what lies between the two readings of the clock and so is in the call's own time
    double rare;     // the same of a timed call among untimed ones, which the processor does not foresee
    double folded;   // direct recursion that is not timed (Node::folded)
    double untimed;  // a call that is counted only and calls nobody
    double nesting;  // what it costs more if it does call somebody
    double excluded; // a call of a function that is not recorded
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
    ClockPair start;            // at the first hook
    ClockPair last[2];          // refreshed now and then while open; `last_index` says which one is whole
    std::uint32_t last_index;
    std::uint32_t threads;      // number of THREAD segments handed out
    ClockPair end;              // when sealed
    double sample_interval;     // seconds
    HookCosts costs;
    std::uint64_t memory_bytes; // memory used by the recorder, when sealed
    std::uint64_t file_end;     // bytes of segments handed out, from offset 0
    std::uint64_t mpi_calls;    // number of calls through MPI wrappers, when sealed
    std::uint64_t max_call_paths; // per thread, the limit in force
    ClockOffset clock_offset[2];  // after MPI_Init, in MPI_Finalize; only with FlagSampling
    std::uint64_t process_start;  // of the process as the kernel counts it (field 22 of /proc/<pid>/stat): tells a pid used again apart
    RecordingId parent;           // with FlagFollowed, the recording that this one descends from: of the process that forked, executed or spawned
                                  // it, perhaps by way of others that were not recorded; with the own pid: the program before the exec
    std::int32_t exit_status;     // as the parent sees it, 0 to 255; with FlagExitStatus
    std::uint32_t generation;     // programs that were recorded in this process before (exec)
    char version_string[32];    // of the writer, e.g. "2.0.0"
    char basename[256];         // outfile_basename in force, 0-terminated, cut where too long
    char executable[1024];      // path, 0-terminated, cut where too long
    char hostname[64];
    char config_file[1024];     // path of the configuration that was read, "" for the defaults
    char arguments[512];        // of the command line, each 0-terminated, cut where too long
};
static_assert(sizeof(FileHeader) <= 4096);
static_assert(std::is_trivially_copyable_v<FileHeader>);

enum class SegmentKind : std::uint16_t {
    Thread = 1,  // one ThreadRecord
    Nodes = 2,   // Node[]; arg0 = id of the first
    Stack = 3,   // Frame[]: the shadow stack of a thread, outermost first
    Events = 4,  // delta-coded events; arg0 = ticks that the first delta counts from, flags = bits of a tick that the unit of their time lacks
    Modules = 5, // ModuleRecord…
    Names = 6,   // NameRecord…
    Config = 7,  // the used configuration, JSON text
    Profile = 8, // a serialised Profile (src/analysis/serialize.hpp)
    Free = 9,    // no longer used
    Traffic = 10, // Traffic[]: messages added up, owned by the thread that saw them end
    Groups = 11,  // GroupRecord…
    Types = 12,   // TypeRecord…
    Lives = 13,   // ThreadLife[]: threads that used the owner's record before its present one, oldest first
    Teams = 14,   // Team[], owned by the thread that forked them
    Estimates = 15, // Estimate[]: paths of the owner of which only some calls are timed
    Packed = 16,    // an Events segment of the same owner, sequence, arg0 and flags, which it replaces as soon as it has `used` bytes: one zstd frame
};

// Segments of events are the only ones that a writer uses again, with FlagKeepsLatest or FlagPacked: it makes them Free first, and Events last.
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

inline constexpr std::uint32_t NoNode = 0xffffffff;
inline constexpr std::uint32_t NoThread = 0xffffffff;

enum class NodeKind : std::uint8_t {
    Root = 0,     // "init", id 0 of every thread
    Function = 1, // key = address of the function
    Region = 2,   // key = NamedKey | index of a NameRecord
    Mpi = 3,      // likewise
    Pause = 4,    // likewise
    Overflow = 5, // the parent of all paths beyond max_call_paths
    OpenMp = 6,   // key = address | Construct << ConstructShift; the address is where the construct returns to in the program
    Attached = 7, // key = AttachedKey | index of a ThreadRecord << 32 | id of a node of that thread, see below
};

// No user address has these bits.
inline constexpr std::uint64_t NamedKey = std::uint64_t{1} << 63;
inline constexpr std::uint64_t AttachedKey = std::uint64_t{1} << 62;
inline constexpr unsigned ConstructShift = 56; // six bits
inline constexpr std::uint64_t AddressMask = (std::uint64_t{1} << ConstructShift) - 1;

// Work that one thread does for another. What a thread does in a parallel region that another one forked, or in a task that another one
// made, belongs below the call path of that other. It is recorded under a node that says which path is meant; readers put what stands below
// it there (analysis/profile_of.cpp), and its exclusive time is that of the path meant. Its calls are how often the thread took part: they are
// calls of the path meant only where that is a task, which nobody else counts.

// What the program wrote. A node of the kind OpenMp shows the time that a thread spent in the construct: waiting in a barrier, at the
// entry of a critical section or lock; else working.
enum class Construct : std::uint8_t {
    Parallel = 1,
    Loop = 2,
    Sections = 3,
    Single = 4,
    Barrier = 5,         // explicit
    ImplicitBarrier = 6, // at the end of a parallel region or worksharing construct
    Critical = 7,        // waiting for it
    Lock = 8,            // likewise
    Ordered = 9,         // likewise
    Atomic = 10,         // likewise
    Task = 11,           // its execution
    Taskwait = 12,
    Taskgroup = 13,
    Taskloop = 14,
    Target = 15,
    TargetData = 16,
    Teams = 17,
    Distribute = 18,
    Masked = 19,
    Workshare = 20,
    Reduction = 21,
    Scope = 22,
};

// Of the key of a node of the kind OpenMp; a damaged file may have other values.
constexpr Construct construct_of(std::uint64_t key) {
    return static_cast<Construct>(key >> ConstructShift & 0x3f);
}

enum NodeFlags : std::uint8_t {
    NodePrecise = 1,
    NodeWatched = 2, // the durations of its timed calls are looked at, see Estimate
    NodeTrigger = 4, // its calls may start or stop the recording
    NodeEstimated = 8, // it has an Estimate
    // No call path: it stands for all calls of its function that are not recorded in the thread, whoever makes them, so that they take no more
    // than one node. Below the root, never called; readers pass it over.
    NodeUnrecorded = 16,
};

// Calls that are counted and not timed. A short call is counted by one store: Node::skip counts down the calls that come before the next timed
// one, and Node::calls has them all already. Excluded: the function is not recorded at present, below this path; it may have calls from before.
inline constexpr std::int32_t SkipExcluded = -1;

// One call path of one thread: the function `key`, called from the path `parent`.
// One cache line; a hook touches one node per event.
struct Node {
    std::uint64_t key;
    std::uint64_t calls;     // and `skip` that were not made yet: calls_of
    std::uint64_t inclusive; // ticks, of completed outermost activations that were timed
    std::uint64_t exclusive; // ticks, of timed activations, without what they called that was timed
    std::uint32_t parent;    // id in the same thread, always smaller than the own id; NoNode for the root
    std::uint32_t open;      // activations on the shadow stack now
    std::int32_t skip;       // calls before the next that is timed; SkipExcluded
    std::uint16_t module;    // id of a ModuleRecord, 0 = none
    NodeKind kind;
    std::uint8_t flags; // NodeFlags
    std::uint64_t folded; // of the calls, those that were direct recursion and not timed
    std::uint32_t ordinal;  // among the children of the parent, by id, from 0
    std::uint32_t children; // number of them
};
static_assert(sizeof(Node) == 64);

// Calls that were made. Of a recording that goes on it may be one off.
constexpr std::uint64_t calls_of(const Node& node) {
    const std::uint64_t ahead = node.skip > 0 ? static_cast<std::uint64_t>(node.skip) : 0;
    return node.calls > ahead ? node.calls - ahead : 0;
}

// A call path of which some calls are timed and the others estimated from these. An untimed call's time, without that of the timed calls below it, is
// in the exclusive time of the innermost timed call around it. A timed call that stands for n untimed ones with an own time of t (its
// duration less the timed calls below it) says that n·t of that time belongs to this path and not to its parent's: so
//     exclusive time of a path = Node::exclusive + moved(path) − Σ moved(children),
//     moved = own × (granted − max(skip, 0)) / stood_for.
// All exclusive times then still add up to the thread's time; the inclusive time of a path with an Estimate is the sum of the exclusive ones of its
// subtree. (The untimed calls before each timed one are as many
// as a random number says, so that no pattern of the program meets that of the timing; this is the ratio estimator of Cochran, Sampling
// Techniques, 6.)
struct Estimate {
    std::uint32_t node;
    std::uint32_t gap;       // calls that one timed call stands for at present, itself included; 1: all are timed
    std::uint64_t granted;   // untimed calls so far, and Node::skip that were not made yet
    std::uint64_t stood_for; // untimed calls that timed ones stood for, so far
    std::uint64_t timed;     // calls that stood for others
    double own;              // ticks, Σ n·t
    double variance;         // ticks², of `own`
    std::uint64_t writer_private[6];
};
static_assert(sizeof(Estimate) == 96);

// Whether it is named by an address in the program, and that address.
constexpr bool has_address(NodeKind kind) { return kind == NodeKind::Function || kind == NodeKind::OpenMp; }
constexpr std::uint64_t address_of(std::uint64_t key, NodeKind kind) { return kind == NodeKind::OpenMp ? key & AddressMask : key; }
constexpr std::uint64_t address_of(const Node& node) { return address_of(node.key, node.kind); }

// One function that has been entered and not left. The bottom frame belongs to the root.
struct Frame {
    std::uint64_t stack_pointer; // of the function, where it called the hook
    std::uint64_t enter;         // ticks
    std::uint64_t child;         // ticks spent in callees that have returned
    std::uint32_t node;
    std::uint32_t flags;         // FrameFlags
    std::uint32_t call_site;     // low 32 bits of the function's return address
    std::uint32_t hook_site;     // low 32 bits of the hook's return address
};
static_assert(sizeof(Frame) == 40);

enum FrameFlags : std::uint32_t {
    FrameFolded = 1,  // direct recursion: its time is that of the frame below, `enter` is not set
    FrameLogged = 2,  // its enter is in the event stream
    FrameInherited = 4, // entered by the parent before it forked: not among Node::calls; `enter` is the moment of the fork
    FrameTold = 8,      // its enter was delivered to a callback of the process
    FrameUntimed = 16,  // counted only: `enter` is not set, its time is that of the frame below
    FrameNotTimed = FrameFolded | FrameUntimed,
};

// Where a thread comes from.
struct ThreadOrigin {
    std::uint32_t thread;   // index of the ThreadRecord of its creator; NoThread: not known
    std::uint32_t node;     // the call path that created it, in that thread
    std::uint64_t function; // address of what it was started with, 0: not known
    std::uint64_t created;  // ticks when its creator asked for it, 0: not known
};
static_assert(sizeof(ThreadOrigin) == 24);

enum ThreadFlags : std::uint32_t {
    ThreadOpenMp = 1, // a worker of an OpenMP runtime: idle where it is not in a parallel region
};

// A thread that used a record before another took it over.
struct ThreadLife {
    std::uint32_t tid;
    std::uint32_t flags; // ThreadFlags
    std::uint64_t begin, end; // ticks, as in ThreadRecord
    ThreadOrigin origin;
};
static_assert(sizeof(ThreadLife) == 48);

struct ThreadRecord {
    std::uint32_t index;         // 0 = the first thread that was seen
    std::uint32_t tid;           // kernel's thread id
    std::uint64_t begin;         // ticks of its first event
    std::uint64_t end;           // ticks of its end, 0 while it lives
    std::uint64_t last;          // ticks of the latest timed event
    std::uint32_t depth;         // frames on the shadow stack, the root's included
    std::uint32_t node_count;    // call paths so far
    std::uint32_t stack_sequence; // sequence of the Stack segment in force
    std::uint32_t reused;        // threads that used this record before, one after the other
    std::uint64_t dropped;       // events inside a hook that a signal interrupted
    std::uint64_t vanished;      // frames that never left (longjmp, exception, thread exit)
    std::uint64_t unmatched;     // leaves without an enter
    ThreadOrigin origin;         // of the latest thread
    std::uint32_t flags;         // ThreadFlags, likewise
    std::uint32_t passing;       // the path of an untimed call that stands above the shadow stack and has called nobody yet; 0: none
};
static_assert(sizeof(ThreadRecord) <= 4096 - sizeof(SegmentHeader));

// One loaded object. Followed by build_id_size bytes and path_size bytes (not terminated); the next
// record starts at the next multiple of 8.
struct ModuleRecord {
    std::uint32_t id; // from 1
    std::uint16_t build_id_size;
    std::uint16_t path_size;
    std::uint64_t start; // mapped address range
    std::uint64_t end;
    std::uint64_t bias; // load bias: runtime address − bias = address in the file's symbol table
    std::uint64_t unloaded; // ticks when it was seen to be gone (dlclose), 0: not
    // Of the file that is mapped, where that could be found out, else 0. They are part of a module's key where it has no build-id.
    std::uint64_t device;
    std::uint64_t inode;
    std::uint64_t file_size;
    std::uint64_t mtime_ns; // CLOCK_REALTIME
};
static_assert(sizeof(ModuleRecord) == 72);

// A name: of regions, MPI functions, the pause, by index. Functions have none here as a rule: their names are in the symbol store of
// the folder (symbols/store.hpp), by module and offset; a name that stands here wins. Followed by `size` bytes; the next record starts at the
// next multiple of 8.
struct NameRecord {
    std::uint64_t key;    // as Node::key
    std::uint32_t size;   // bytes of the name
    std::uint16_t module; // as Node::module
    NodeKind kind;
    std::uint8_t flags; // NodeFlags
};
static_assert(sizeof(NameRecord) == 16);

// --- Messages. A transfer is data that one MPI call moves between this rank and a target: another rank, or each rank of a
// group. A collective over P ranks is one or two transfers to a group, not P; readers take it apart where they want single messages.

enum class Direction : std::uint8_t {
    Send = 0,
    Receive = 1,
    Get = 2, // a receive from a rank that does not call anything for it (one-sided)
};

enum class Span : std::uint8_t {
    Rank = 0,   // target is a rank
    Group = 1,  // target is a GroupRecord's id: to or from each of its members, the own rank included where it is one
    Others = 2, // likewise without the own rank
};

// Ranks are those of MPI_COMM_WORLD. With this bit: of the MPI_COMM_WORLD of another job (spawned, spawning, connected), as far as
// that is known, else of the remote group.
inline constexpr std::uint32_t ForeignRank = 0x80000000;

// All transfers of one kind that were begun on one call path.
struct Traffic {
    std::uint32_t thread; // ThreadRecord::index and
    std::uint32_t node;   // node id of the call path that began them; the segment may be another thread's
    std::uint32_t target;
    Direction direction;
    Span span;
    std::uint16_t reserved;
    std::uint64_t transfers; // each is one message to or from each rank of the target
    std::uint64_t bytes;     // to or from each rank of the target, added up over the transfers
    std::uint64_t ticks;     // from begin to end, added up
};
static_assert(sizeof(Traffic) == 40);

// The teams of all parallel regions that were forked on one call path, added up.
struct Team {
    std::uint32_t thread;  // ThreadRecord::index and
    std::uint32_t node;    // node id of the region
    std::uint32_t largest; // threads of the largest team
    std::uint32_t reserved;
    std::uint64_t regions; // that have ended
    std::uint64_t threads; // of their teams, added up
    std::uint64_t ticks;   // duration × threads of the team, added up: the time that was there to be used
};
static_assert(sizeof(Team) == 40);

// Members of a communicator or window that take part in messages (with mpi.only_for_ranks: those that it names), in their order
// there. Followed by run_count GroupRun. Ids count from 1; equal groups have one record.
struct GroupRecord {
    std::uint32_t id;
    std::uint32_t run_count;
    std::uint64_t size; // ranks
};
// count ranks: first, first + stride, …
struct GroupRun {
    std::uint32_t first;
    std::int32_t stride;
    std::uint32_t count;
};
static_assert(sizeof(GroupRecord) == 16 && sizeof(GroupRun) == 12); // the next record starts at the next multiple of 8

// An MPI datatype that messages of the event stream have. Followed by name_size bytes; the next record starts at the next multiple of 8.
struct TypeRecord {
    std::uint32_t id; // from 1
    std::uint32_t name_size; // 0: a derived type without a name
    std::uint64_t size; // bytes
};
static_assert(sizeof(TypeRecord) == 16);

// Events. Time is counted in units of 2^SegmentHeader::flags ticks: floor(ticks / unit). Each event begins with a LEB128 number, its head: which
// kind, and how many units after the event before it in the segment (the first: after arg0 / unit) it happened. So an enter and its leave take two or
// three bytes nearly always. Node ids are LEB128 of the zigzag-coded difference to the id of the latest event that carried one in this segment
// (first: difference to 0).
enum class EventKind : std::uint8_t {
    Leave = 0,      // head = units << 2: the innermost enter of the stream ends (only with FlagAllEvents)
    // head = units << 4 | kind for all others, whose kinds are those numbers below 16 that are no multiples of 4:
    Foretold = 1,   // enters the node that is expected (foretelling.hpp; only with FlagAllEvents)
    NearCallee = 2, // up to 13, the n-th of them, n up to NearCallees: enters the n-th child (from 1, by id) of the innermost enter of the stream, of the
                    // root where nothing is entered (only with FlagAllEvents)
    AnyCallee = 14, // + LEB128 n: likewise; 0: that path once more
    Extended = 15,  // + one byte ExtendedKind + payload
};
inline constexpr unsigned NearCallees = 9;
constexpr unsigned kind_of_near_callee(unsigned n) { return n + n / 3 + 1; }
constexpr unsigned near_callee_of_kind(unsigned kind) { return kind - kind / 4 - 1; }
inline constexpr unsigned LeaveBits = 2, KindBits = 4; // of a head
inline constexpr unsigned MostUnitBits = 16;            // of SegmentHeader::flags

enum class ExtendedKind : std::uint8_t {
    Thread = 1,  // + LEB128 tid: another thread uses this record from here on; nothing is entered
    LeaveOf = 2, // + node id: the innermost enter of this node ends
    // A transfer ends. + one byte Direction | Span << 2 | 16 if it was begun by another thread, and LEB128 each: ticks that it took,
    // [index of that thread,] node id of the call path that began it (as it is, no difference), target, bytes to or from each,
    // id of the TypeRecord (0: not known), zigzag-coded tag (-1: has none)
    Message = 3,
    // A collective call ends. + LEB128 each: ticks that it took, node id of its call path, id of the GroupRecord of its communicator
    // (of the remote group for an intercommunicator), place of its root in the group + 1 (0: has none)
    Collective = 4,
    Enter = 5, // + node id
    // The first of a segment, with FlagKeepsLatest. + LEB128 n and n node ids (as they are, no differences): what is entered when the segment
    // begins, outermost first. A reader that has read the segment before knows that.
    Entered = 6,
};
inline constexpr std::size_t MaxEventBytes = 24;
inline constexpr std::size_t MaxMessageBytes = 72; // of an Extended Message or Collective

} // namespace vftr::vfd
