// SPDX-License-Identifier: BSD-3-Clause
#include "export/html/timeline_blocks.hpp"

#include "export/html/little_endian.hpp"
#include "export/html/timeline_marks.hpp"

#include <algorithm>
#include <cstddef>

namespace vftr::exports {
namespace {

constexpr std::size_t MostEvents = 1 << 16; // of a block

class Blocks final : public analysis::TimelineVisitor {
public:
    Blocks(std::uint32_t thread, std::span<const std::uint32_t> row_of, TimelineMarks& marks,
           const std::function<void(std::string_view)>& put)
        : thread_(thread), row_of_(row_of), marks_(marks), put_(put) {}

    void enter(std::uint64_t ns, std::uint32_t path) override { add(ns, row_of_[path]); }
    void leave(std::uint64_t ns, std::uint32_t) override { add(ns, EventLeave); }
    void message(const analysis::TimelineMessage& message) override { marks_.add(thread_, message); }
    void collective(const analysis::TimelineCollective& collective) override { marks_.add(thread_, collective); }
    void still_open(std::uint64_t ns, std::span<const std::uint32_t> open) override {
        if (!open.empty())
            add(ns, EventNothing); // the latest moment that is known of them
    }

    void end_block() {
        if (events_ == 0)
            return;
        std::string head;
        append_little_endian(head, thread_);
        append_little_endian(head, static_cast<std::uint32_t>(events_));
        put_(head);
        put_(times_);
        put_(what_);
        times_.clear();
        what_.clear();
        events_ = 0;
    }

private:
    void add(std::uint64_t ns, std::uint32_t what) {
        constexpr std::uint64_t Longest = 0xffffffff;
        for (std::uint64_t passed = ns - before_; passed >= Longest; passed -= Longest)
            put_event(Longest, EventNothing);
        put_event((ns - before_) % Longest, what);
        before_ = ns;
    }
    void put_event(std::uint64_t passed, std::uint32_t what) {
        append_little_endian(times_, static_cast<std::uint32_t>(passed));
        append_little_endian(what_, what);
        if (++events_ == MostEvents)
            end_block();
    }

    const std::uint32_t thread_;
    const std::span<const std::uint32_t> row_of_;
    TimelineMarks& marks_;
    const std::function<void(std::string_view)>& put_;
    std::uint64_t before_ = 0;
    std::size_t events_ = 0;
    std::string times_, what_;
};

} // namespace

void put_timeline(const analysis::RunTimeline& run, std::span<const analysis::Wait> waits,
                  std::span<const std::uint32_t> row_of, const std::function<void(std::string_view)>& put) {
    TimelineMarks marks;
    for (std::uint32_t i = 0; i < run.threads().size(); ++i) {
        Blocks blocks(i, row_of, marks, put);
        run.visit(run.threads()[i], blocks);
        blocks.end_block();
    }
    marks.put(run, waits, put);
}

} // namespace vftr::exports
