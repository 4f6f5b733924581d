// SPDX-License-Identifier: BSD-3-Clause
//
// Damaged files: whatever their bytes say, a reader gets a vfd::Error or a view in which every
// access is sound.
#include "../trials.hpp"
#include "compact_bytes.hpp"
#include "image_builder.hpp"
#include "random_tree.hpp"

#include "analysis/recording/thread_times.hpp"
#include "analysis/timeline/timeline.hpp"
#include "vfd/last_event.hpp"
#include "vfd/node_columns.hpp"
#include "vfd/packed.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace vftr;
using namespace vftr::test;

namespace {

enum class Segments { Plain, RingBuffer, Packed, PackedColumns };

// The event streams of a thread: as they are written; of a flight recorder, where each segment begins with what is
// entered; and packed, where one segment is also there as it was.
void add_events(ImageBuilder& b, const EventEncoder& first, const EventEncoder& second, Segments kind) {
    if (kind != Segments::Packed) {
        b.events(0, first, kind == Segments::RingBuffer ? 7 : 0)
            .events(0, second, kind == Segments::RingBuffer ? 8 : 1);
        return;
    }
    std::uint32_t sequence = 0;
    for (const EventEncoder* events : {&first, &second}) {
        Bytes packed(vfd::Packer::room_for(events->bytes().size()));
        packed.resize(vfd::Packer().pack(events->bytes(), packed));
        b.segment(vfd::SegmentKind::Packed, 0, sequence++, packed, events->origin());
    }
    b.events(0, second, 1);
}

Bytes packed_columns(const std::vector<vfd::Node>& nodes) {
    const Bytes columns = vfd::node_columns(view_of(nodes));
    Bytes packed(vfd::Packer::room_for(columns.size()));
    packed.resize(vfd::Packer().pack(columns, packed));
    return packed;
}

Bytes sample_image(bool sealed, Segments kind = Segments::Plain) {
    std::vector<vfd::Node> nodes{ImageBuilder::root()};
    for (std::uint32_t id = 1; id < 12; ++id)
        nodes.push_back(ImageBuilder::function(id / 2, 0x401000 + id));
    nodes[4].kind = vfd::NodeKind::OpenMp;
    nodes[4].key |= static_cast<std::uint64_t>(vfd::Construct::Parallel) << vfd::ConstructShift;
    for (std::uint32_t id : {5, 9, 10}) {
        nodes[id].kind = vfd::NodeKind::AttributedWork;
        nodes[id].key = vfd::AttributedWorkKey | std::uint64_t{id % 2} << 32 | (id - 1);
    }
    EventEncoder first(1000), second(5000);
    if (kind == Segments::RingBuffer) {
        first.entered({1, 2});
        second.entered({1, 2, 11});
    }
    first.enter(1001, 1).enter(1002, 2).leave_of(1500, 2).thread(1600, 77).enter(1700, 11);
    first.message(1800, {1750, 2, 1, 99, 1, 7})
        .message(1900, {1750, 3, 1, 8, 2, -1, vfd::Direction::Receive, vfd::Span::Others, 1});
    first.collective(1800, 1950, 3, 1, 0);
    second.enter(5001, 3).callee(5002, 1).leave(6000);
    std::vector<vfd::Frame> frames(4);
    for (std::uint32_t i = 0; i < 4; ++i)
        frames[i].node = i;
    ImageBuilder b;
    if (!sealed)
        b.unsealed();
    b.header.flags = vfd::FlagAllEvents | vfd::FlagSampling;
    if (kind == Segments::RingBuffer)
        b.header.flags |= vfd::FlagRingBuffer;
    if (kind == Segments::PackedColumns)
        b.record(0, static_cast<std::uint32_t>(nodes.size()), 3)
            .segment(vfd::SegmentKind::NodeColumns, 0, 0, packed_columns(nodes), nodes.size(), 64, vfd::ColumnsPacked);
    else
        b.thread(0, nodes, 5, 3);
    b.stack(0, frames);
    add_events(b, first, second, kind);
    b.thread(1, nodes, 0, 1);
    b.module(1, 0x400000, 0x500000, "/usr/bin/app", "0123456789").module(2, 1, 2, "[vdso]");
    b.name(0x401001, "main").name(vfd::NamedKey, "MPI_Init", vfd::NodeKind::Mpi).config("{}");
    b.group(1, {{0, 1, 5}, {vfd::ForeignRank | 9, -2, 3}, {100, 0, 1}})
        .group(2, {})
        .type(1, 8, "MPI_DOUBLE")
        .type(2, 24, "");
    b.traffic(0, {{0, 2, 1, vfd::Direction::Send, vfd::Span::Rank, 0, 3, 4, 5},
                  {1, 3, 1, vfd::Direction::Get, vfd::Span::Group, 0, 3, 4, 5}});
    b.lives(1, {{7, 0, 1001, 1002, {0, 1, 0x401000, 1000}}, {8, 1, 1003, 1004, {vfd::NoThread, vfd::NoNode, 0, 0}}});
    std::vector<vfd::Estimate> estimates(3);
    for (std::uint32_t i = 0; i < 3; ++i)
        estimates[i] = {9 - 2 * i, 10, 40 + i, 30, 3, 12.5, 2.25, {}};
    b.estimates(0, estimates);
    return b.bytes();
}

// Touches everything a view offers.
std::uint64_t walk(const vfd::Image& image) {
    std::uint64_t sum = image.clock().to_ns(image.end_ticks()) + image.clock().to_realtime_ns(0);
    for (const vfd::ThreadView& thread : image.threads()) {
        for (std::uint32_t id = 0; id < thread.node_count; ++id) {
            const vfd::Node& node = thread.node(id);
            sum += node.calls + (id == 0 ? 0 : thread.node(node.parent).key);
        }
        for (const vfd::Frame& frame : thread.stack)
            sum += thread.node(frame.node).key;
        sum += thread.first_begin() + thread.record->count_only_node + vfd::last_event_ticks(thread);
        for (const vfd::Estimate& estimate : thread.estimates)
            sum += thread.node(estimate.node).key;
        sum += analysis::thread_times(thread, image.header().costs, image.end_ticks()).of.size();
        for (const vfd::ThreadLife& life : thread.lives)
            sum += life.begin + life.origin.node;
        thread.for_each_event(image.header().flags, [&](const vfd::Event& event) {
            bool other = event.kind > vfd::Event::Kind::Thread && event.thread != thread.record->index;
            sum += event.ticks + (event.node == vfd::NoNode || other ? 0 : thread.node(event.node).key);
        });
    }
    for (const vfd::ModuleView& module : image.modules())
        sum += module.path.size() + (module.build_id.empty() ? 0 : module.build_id.back());
    for (const vfd::NameView& name : image.names())
        sum += name.name.empty() ? 0 : static_cast<unsigned char>(name.name.back());
    analysis::Timeline timeline(image);
    for (const vfd::GroupView& group : image.groups())
        sum += group.size + group.has(3) + (image.group(group.id) == &group);
    for (const vfd::TypeView& type : image.types())
        sum += type.size + (type.name.empty() ? 0 : static_cast<unsigned char>(type.name.back()));
    for (std::span<const vfd::Traffic> part : image.traffic())
        for (const vfd::Traffic& record : part)
            sum += record.transfers + static_cast<std::uint64_t>(record.direction);
    timeline.for_each_sample(
        [&](const analysis::Sample& sample) { sum += timeline.stacks().nodes.at(sample.stack).calls; },
        [&](const analysis::Message& message) {
            sum += timeline.stacks().nodes.at(message.stack).calls;
            timeline.for_each_peer(message, [&](std::uint32_t rank) { sum += rank; });
        });
    sum += timeline.message_count();
    return sum + image.config_text().size() + std::strlen(image.header().executable);
}

class Mutator {
public:
    explicit Mutator(const Bytes& sound) {
        // Only bytes near something that is not zero can matter: changes elsewhere would be wasted.
        for (std::size_t i = 0; i < sound.size(); ++i)
            if (sound[i] != std::byte{0})
                for (std::size_t j = i & ~std::size_t{7}; j < (i | 7) + 1 && j < sound.size(); ++j)
                    if (places_.empty() || places_.back() < j)
                        places_.push_back(j);
    }
    void change(Bytes& bytes, std::mt19937& random) const {
        for (unsigned n = random() % 3 + 1; n > 0; --n) {
            std::size_t at = places_[random() % places_.size()];
            switch (random() % 5) {
            case 0:
                bytes[at] ^= static_cast<std::byte>(1u << random() % 8);
                break;
            case 1:
                bytes[at] = static_cast<std::byte>(random());
                break;
            case 2:
                fill(bytes, at, 0xff, random() % 8 + 1);
                break;
            case 3:
                fill(bytes, at, 0, random() % 8 + 1);
                break;
            case 4:
                std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(places_[random() % places_.size()] & ~7u), 8,
                            bytes.begin() + static_cast<std::ptrdiff_t>(at & ~std::size_t{7}));
                break;
            }
        }
    }

private:
    static void fill(Bytes& bytes, std::size_t at, int value, std::size_t count) {
        std::memset(bytes.data() + at, value, std::min(count, bytes.size() - at));
    }
    std::vector<std::size_t> places_;
};

} // namespace

TEST_CASE("a damaged file is an error or a sound view", "[damaged]") {
    std::mt19937 random(20261121);
    unsigned errors = 0, views = 0;
    std::uint64_t sum = 0;
    std::vector<Bytes> images{sample_image(true), sample_image(false),
                              compact_bytes(MemoryFile(sample_image(true)).open()),
                              sample_image(true, Segments::RingBuffer), sample_image(false, Segments::RingBuffer)};
    if (vfd::Packer().works()) {
        images.push_back(sample_image(true, Segments::Packed));
        images.push_back(sample_image(false, Segments::Packed));
        images.push_back(sample_image(true, Segments::PackedColumns));
    }
    for (const Bytes& sound : images) {
        Mutator mutator(sound);
        for (int round = 0; round < trials(1000); ++round) {
            Bytes bytes = sound;
            mutator.change(bytes, random);
            if (random() % 8 == 0)
                bytes.resize(random() % bytes.size());
            MemoryFile file(bytes);
            try {
                vfd::Image image = file.open();
                sum += walk(image);
                ++views;
            } catch (const vfd::Error& error) {
                REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
                ++errors;
            }
        }
    }
    CHECK(sum != 0);
    CHECK(errors > 1000);
    CHECK(views > 1000);
}
