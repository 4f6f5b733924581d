// SPDX-License-Identifier: BSD-3-Clause
//
// The events of one thread for OTF2, where a location's events stand in the order of time.
//
// A timeline tells a message where it begins. What OTF2 has at its end (the receive, or that a send is complete) waits
// in a heap. It tells a collective call where it ends, and OTF2 has a record at its begin, too: of a function that may
// be one, all that happens until it is left waits, which is next to nothing: a message of it may come behind its end,
// where both have the same time. Where more than MostHeld events come in one such call, it is left out.
//
// There is one window for all one-sided transfers (communicators.hpp). On each location it is created where the first
// of the windows that are open at one time is made, or at the latest before a transfer, and destroyed where the last of
// them is freed.
//
// Calls that do not block have records with the number of a request, which is this thread's own count.
#pragma once

#include "export/otf2/communicators.hpp"
#include "export/otf2/regions.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace vftr::exports {

class Otf2Archive;

// What was not written, over all threads.
struct Otf2Omissions {
    std::uint64_t foreign = 0;     // messages with ranks of other jobs
    std::uint64_t collectives = 0; // collective calls of which the operation or the members are not known
};

class Otf2Events final : public analysis::TimelineVisitor {
public:
    // `own` is the rank of the thread's process. All must outlive it.
    Otf2Events(const Otf2Archive& archive, OTF2_EvtWriter* writer, const Otf2Regions& regions,
               const Otf2Communicators& communicators, std::uint32_t own, Otf2Omissions& omissions)
        : archive_(archive), writer_(writer), regions_(regions), communicators_(communicators), own_(own),
          omissions_(omissions) {}

    void enter(std::uint64_t ns, std::uint32_t path) override;
    void leave(std::uint64_t ns, std::uint32_t path) override;
    void message(const analysis::TimelineMessage& message) override;
    void collective(const analysis::TimelineCollective& collective) override;
    void still_open(std::uint64_t ns, std::span<const std::uint32_t> open) override;

    // Of the events that were written.
    bool any() const { return any_; }
    std::uint64_t first() const { return first_; }
    std::uint64_t last() const { return last_; }

private:
    static constexpr std::size_t MostHeld = 1 << 20, MostStarted = 1 << 16;

    enum class Kind : std::uint8_t {
        Nothing, // a CollectiveBegin that turned out to be none
        Enter,
        Leave,
        Send,
        StartedSend,
        SendComplete,
        ReceiveRequest,
        Receive,
        StartedReceive,
        CollectiveBegin,
        CollectiveEnd,
        CollectiveRequest,
        CollectiveComplete,
        Put,
        Get,
        OneSidedComplete,
        OneSidedRequestComplete,
        WindowCreate,
        WindowDestroy,
    };
    struct Record {
        std::uint64_t ns;
        Kind kind;
        OTF2_CollectiveOp operation = 0;
        std::uint32_t rank = 0; // of a partner or the root; of Enter and Leave the region
        std::uint32_t communicator = 0;
        std::uint32_t tag = 0;
        std::uint64_t sent = 0, received = 0; // bytes
        std::uint64_t request = 0;
    };
    struct Later {
        Record record;
        std::uint64_t order; // of those at one time
    };
    // A collective call that is under way.
    struct Started {
        std::uint64_t begin, request;
        std::uint32_t path;
        std::uint64_t sent = 0, received = 0;
        std::uint32_t place_if_root = OTF2_COLLECTIVE_ROOT_NONE;
    };
    static bool comes_after(const Later& a, const Later& b) {
        return a.record.ns != b.record.ns ? a.record.ns > b.record.ns : a.order > b.order;
    }

    void put(const Record& record);
    void put_later(const Record& record);
    void put_due(std::uint64_t ns);
    void pass_on(const Record& record);
    void write(const Record& record);
    void release();
    void point_to_point(const analysis::TimelineMessage& message);
    void one_sided(const analysis::TimelineMessage& message);
    void open_window(std::uint64_t ns);
    void close_window(std::uint64_t ns);
    void count_windows(std::uint64_t ns, std::uint32_t path);
    void add_to_collective(const analysis::TimelineMessage& message);
    Started* started(std::uint32_t path, std::uint64_t ns);
    static void add_messages(const Started& call, Record& end);

    const Otf2Archive& archive_;
    OTF2_EvtWriter* writer_;
    const Otf2Regions& regions_;
    const Otf2Communicators& communicators_;
    std::uint32_t own_;
    Otf2Omissions& omissions_;
    std::vector<Later> later_; // a heap, the earliest first
    std::uint64_t order_ = 0, requests_ = 0;
    std::size_t depth_ = 0;       // calls that are open
    std::size_t held_depth_ = 0;  // of the collective call whose events wait; 0: there is none
    std::vector<Record> held_;    // the first is its CollectiveBegin
    Started blocking_{};          // that call
    std::deque<Started> started_; // that do not block, in the order of their begins
    std::size_t windows_ = 0;     // that are open
    bool window_open_ = false;    // the one that stands for all
    bool any_ = false;
    std::uint64_t first_ = 0, last_ = 0;
};

} // namespace vftr::exports
