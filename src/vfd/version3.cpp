// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/version3.hpp"

#include "base/leb128.hpp"
#include "base/message.hpp"
#include "base/whole_io.hpp"
#include "vfd/header_fields.hpp"
#include "vfd/version3_bytes.hpp"
#include "vfd/version3_samples.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <map>
#include <tuple>

namespace vftr::vfd {

using namespace version3;

namespace {

constexpr const char* Suffix = " (vfd 3)"; // suffix of FileHeader::version_string
constexpr std::uint32_t Page = 4096;

using Bytes = std::vector<std::byte>;

// Does not use vector::insert, because gcc 12 with -O1 warns that it writes beyond the end.
void put_bytes(Bytes& out, const void* bytes, std::size_t size) {
    const std::size_t at = out.size();
    out.resize(at + size);
    if (size != 0)
        std::memcpy(&out[at], bytes, size);
}
template <class T>
void put(Bytes& out, const T& value) {
    put_bytes(out, &value, sizeof value);
}
void put_string(Bytes& out, std::string_view text) {
    put_bytes(out, text.data(), text.size());
    out.resize((out.size() + 7) / 8 * 8); // records begin at multiples of 8
}

// The segments from which an Image is made.
struct Memory {
    struct Part {
        SegmentHeader header;
        Bytes payload;
    };
    std::vector<std::unique_ptr<Part>> parts;

    void add(SegmentKind kind, Bytes payload, std::uint64_t arg0 = 0) {
        if (payload.empty())
            return;
        auto part = std::make_unique<Part>();
        part->header = {};
        part->header.magic = SegmentMagic;
        part->header.kind = kind;
        part->header.used = payload.size();
        part->header.capacity = (sizeof(SegmentHeader) + payload.size() + Page - 1) / Page * Page;
        part->header.payload_offset = sizeof(SegmentHeader);
        part->header.arg0 = arg0;
        part->payload = std::move(payload);
        parts.push_back(std::move(part));
    }
};

// Makes the names and nodes of the stacks.
std::vector<Node> nodes_of(const std::vector<Stack>& stacks, Memory& memory) {
    std::vector<Node> nodes(stacks.size());
    std::map<std::string, std::uint64_t> keys;
    Bytes names;
    nodes[0].parent = NoNode;
    nodes[0].kind = NodeKind::Root;
    nodes[0].calls = 1;
    for (std::size_t id = 1; id < nodes.size(); ++id) {
        const auto& [caller, name, precise] = stacks[id];
        Node& node = nodes[id];
        node.flags = precise ? NodePrecise : 0;
        node.parent = caller;
        node.ordinal = nodes[caller].children++;
        node.kind = name.starts_with("MPI_") ? NodeKind::Mpi : NodeKind::Region;
        const auto [known, is_new] = keys.try_emplace(name, NamedKey | (keys.size() + 1));
        node.key = known->second;
        if (is_new) {
            put(names, NameRecord{node.key, static_cast<std::uint32_t>(name.size()), 0, node.kind, 0});
            put_string(names, name);
        }
    }
    memory.add(SegmentKind::Names, std::move(names));
    return nodes;
}

// The time between two samples is charged to the path in which the program was.
void measure(std::vector<Node>& nodes, const std::vector<Sample>& samples, std::uint64_t end) {
    std::uint32_t path = 0;
    std::uint64_t since = Start;
    auto until = [&](std::uint64_t now) {
        nodes[path].exclusive += now > since ? now - since : 0;
        since = std::max(since, now);
    };
    for (const Sample& s : samples) {
        if (s.kind == Sample::Kind::Message)
            continue;
        until(s.time);
        const bool call = s.kind == Sample::Kind::Call;
        nodes[s.stack].calls += call && s.stack != 0;
        path = call || s.stack == 0 ? s.stack : nodes[s.stack].parent;
    }
    until(end);
    for (std::size_t id = nodes.size(); id-- > 0;) {
        nodes[id].inclusive += nodes[id].exclusive;
        if (id != 0)
            nodes[nodes[id].parent].inclusive += nodes[id].inclusive;
    }
}

class Version3Encoder {
public:
    Bytes bytes;

    void add(const Sample& s) {
        leb128((s.time - latest_) << KindBits | static_cast<unsigned>(EventKind::Extended));
        latest_ = s.time;
        switch (s.kind) {
        case Sample::Kind::Call:
        case Sample::Kind::Exit: {
            byte(s.kind == Sample::Kind::Call ? ExtendedKind::Enter : ExtendedKind::LeaveOf);
            zigzag(std::int64_t{s.stack} - std::int64_t{node_});
            node_ = s.stack;
            return;
        }
        case Sample::Kind::Message:
            byte(ExtendedKind::Message);
            byte(s.direction); // with Span::Rank
            leb128(s.time - s.begin);
            for (std::uint64_t field : {std::uint64_t{s.stack}, std::uint64_t{s.rank}, s.bytes, std::uint64_t{s.type}})
                leb128(field);
            zigzag(s.tag);
            return;
        }
    }

private:
    template <class T>
    void byte(T value) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    void zigzag(std::int64_t value) { leb128(base::zigzag(static_cast<std::uint64_t>(value))); }
    void leb128(std::uint64_t value) {
        std::uint8_t number[base::MostLeb128Bytes + 1];
        const std::uint8_t* const end = base::put_leb128(number, value);
        const auto* const first = reinterpret_cast<const std::byte*>(number);
        bytes.insert(bytes.end(), first, first + (end - number));
    }

    std::uint64_t latest_ = Start;
    std::uint32_t node_ = 0;
};

void add_messages(const std::vector<Sample>& samples, const Types& types, Memory& memory) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, Direction>, Traffic> sums;
    for (const Sample& s : samples)
        if (s.kind == Sample::Kind::Message) {
            Traffic& sum = sums[{s.stack, s.rank, s.direction}];
            sum.node = s.stack;
            sum.target = s.rank;
            sum.direction = s.direction;
            ++sum.transfers;
            sum.bytes += s.bytes;
            sum.ticks += s.time - s.begin;
        }
    Bytes traffic, records;
    for (const auto& [key, sum] : sums)
        put(traffic, sum);
    memory.add(SegmentKind::Traffic, std::move(traffic));
    for (const auto& [type, id] : types.all()) {
        const std::string name = type_name(type.first);
        put(records, TypeRecord{id, static_cast<std::uint32_t>(name.size()), static_cast<std::uint64_t>(type.second)});
        put_string(records, name);
    }
    memory.add(SegmentKind::Types, std::move(records));
}

// Converts a date as ctime writes it, in this machine's time zone. Returns 0 if it is not a date.
std::uint64_t realtime_of(const std::string& date) {
    std::tm parts{};
    parts.tm_isdst = -1;
    if (!::strptime(date.c_str(), "%a %b %d %H:%M:%S %Y", &parts))
        return 0;
    const std::time_t seconds = std::mktime(&parts);
    return seconds < 0 ? 0 : static_cast<std::uint64_t>(seconds) * 1'000'000'000;
}

template <std::size_t N>
void set(char (&field)[N], const std::string& text) {
    std::memcpy(field, text.data(), std::min(text.size(), N - 1));
}

FileHeader header_of(const Head& head, const std::string& path, bool mpi, std::uint64_t end) {
    FileHeader h{};
    std::memcpy(h.magic, Magic, sizeof Magic);
    h.version = FormatVersion;
    h.header_size = h.page_size = Page;
    h.kind = FileKind::Process;
    h.state = FileState::Sealed;
    h.flags = FlagSampling | (mpi ? FlagMpi : 0u);
    // The file does not contain the pid; this one distinguishes the recordings of one run.
    h.pid = static_cast<std::uint32_t>(head.rank) + 1;
    h.rank = head.rank;
    h.size = head.size;
    h.clock = ClockKind::Monotonic;
    h.pointer_bits = 64;
    h.start = {Start, Start, realtime_of(head.start)};
    h.end = {end, end, realtime_of(head.end)};
    h.threads = 1;
    h.sample_interval = static_cast<double>(head.interval) * 1e-9;
    const std::string writer = head.writer.starts_with("Vftrace ") ? head.writer.substr(8) : head.writer;
    set(h.version_string, writer.substr(0, 16) + Suffix);
    std::string name = path.substr(path.rfind('/') + 1);
    name = name.substr(0, name.rfind('_'));
    set(h.basename, name);
    set(h.executable, name);
    return h;
}

} // namespace

bool is_version3(const std::string& path) {
    struct {
        std::int32_t version, length;
        char name[8];
    } head{};
    const File file(path);
    return file.good() && base::read_at(file.number(), &head, sizeof head, 0) == static_cast<ssize_t>(sizeof head) &&
           head.version == Version && head.length > 0 && head.length < 4096 &&
           std::memcmp(head.name, "Vftrace", 7) == 0;
}

Version3File read_version3(const std::string& path) {
    const File file(path);
    if (file.hole())
        throw Error(path, 0, "damaged: nearly all of it is a hole");
    std::vector<char> bytes(file.good() ? file.size() : 0);
    if (const ssize_t n = base::read_at(file.number(), bytes.data(), bytes.size(), 0);
        n != static_cast<ssize_t>(bytes.size()) || bytes.empty())
        throw Error(path, 0,
                    n < 0 ? std::string("cannot read: ") + std::string(base::error_text(errno))
                          : "the file is cut off");
    const Head head = head_of(Cursor(bytes, path));
    auto memory = std::make_shared<Memory>();
    std::vector<Node> nodes = nodes_of(stacks_of(Cursor(bytes, path, head.stacks_at), head), *memory);
    Types types;
    const std::vector<Sample> samples = samples_of(Cursor(bytes, path, head.samples_at), head, types);
    std::uint64_t end = Start + static_cast<std::uint64_t>(std::llround(head.runtime * 1e9));
    if (!samples.empty())
        end = std::max(end, samples.back().time);
    measure(nodes, samples, end);

    ThreadRecord thread{};
    thread.begin = Start;
    thread.end = thread.last = end;
    thread.node_count = head.stacks;
    thread.reused = static_cast<std::uint32_t>(head.threads - 1);
    thread.origin.thread = NoThread;
    Bytes record, tree;
    put(record, thread);
    memory->add(SegmentKind::Thread, std::move(record));
    for (const Node& node : nodes)
        put(tree, node);
    memory->add(SegmentKind::Nodes, std::move(tree));
    Version3Encoder events;
    for (const Sample& sample : samples)
        events.add(sample);
    memory->add(SegmentKind::Events, std::move(events.bytes), Start);
    add_messages(samples, types, *memory);

    Version3File result;
    result.header = header_of(head, path, head.messages != 0 || head.size > 1, end);
    for (const auto& part : memory->parts)
        result.segments.push_back({&part->header, part->payload});
    result.memory = std::move(memory);
    return result;
}

bool is_converted_version3(const FileHeader& header) { return string_of(header.version_string).ends_with(Suffix); }

} // namespace vftr::vfd
