// SPDX-License-Identifier: BSD-3-Clause
#include "openmp/gomp_region.hpp"

#include "base/clock.hpp"
#include "openmp/program_text.hpp"

#include <algorithm>

namespace vftr::openmp {

namespace {

constinit Entry get_num_threads, get_level;

int level(const void* code) { return reinterpret_cast<int (*)()>(get_level.target("omp_get_level", code))(); }

// The begin and end of the forking thread's part.
void begin_part(Region& region) {
    region.threads = region.team_size();
    if (region.share_key)
        record::enter_construct(region.share_key);
}
void end_part(Region& region) { region.waits = record::enter_construct(region.barrier_key); }

} // namespace

bool begin_region(Region& region, const Call& call, Construct share, Body* body, void* data) {
    const Call text = call.with_text(reinterpret_cast<const void*>(body));
    const std::uint64_t key = text.enter(Construct::Parallel);
    if (!key)
        return false;
    region.body = body;
    region.data = data;
    region.place = record::innermost_call();
    region.forker = record::current;
    region.cut_out = record::cut_out_here();
    region.code = call.code();
    region.key = key;
    region.barrier_key = text.key(Construct::ImplicitBarrier);
    region.share_key = share == Construct{} ? 0 : text.key(share);
    region.team_size = reinterpret_cast<int (*)()>(get_num_threads.target("omp_get_num_threads", call.code()));
    region.threads = 1;
    region.waits = false;
    return true;
}

void end_region(Region& region) {
    const std::uint64_t now = base::read_ticks();
    if (region.waits)
        record::leave_construct(region.barrier_key, now);
    record::leave_construct(region.key, now);
    const auto threads = static_cast<std::uint32_t>(region.threads);
    const std::uint64_t passed = now - region.place.enter, cut_out = record::cut_out_here() - region.cut_out;
    record::count_team(region.place, threads, (passed - std::min(passed, cut_out)) * threads);
}

void take_part(void* argument) {
    Region& region = *static_cast<Region*>(argument);
    if (record::current == region.forker) {
        begin_part(region);
        run_text(region.body, region.data);
        return end_part(region);
    }
    record::mark_worker();
    const bool attributed = record::begin_attributed_work(region.place);
    if (attributed && region.share_key)
        record::enter_construct(region.share_key);
    run_text(region.body, region.data);
    if (attributed)
        record::end_attributed_work(region.place);
}

struct OpenRegion : Region {
    std::atomic<bool> used{false};
    OpenRegion* outer = nullptr;
    int level = 0; // of the region
};

namespace {

constinit OpenRegion open_regions[16] = {};
__thread OpenRegion* innermost __attribute__((tls_model("initial-exec"))) = nullptr;

OpenRegion* free_region() {
    for (OpenRegion& region : open_regions)
        if (!region.used.load(std::memory_order_relaxed) && !region.used.exchange(true, std::memory_order_acquire))
            return &region;
    return nullptr;
}

} // namespace

Open::Open(const Call& call, Construct share, Body*& body, void*& data) : region_(free_region()) {
    if (region_ && !begin_region(*region_, call, share, body, data)) {
        region_->used.store(false, std::memory_order_release);
        region_ = nullptr;
    }
    if (!region_)
        return;
    body = take_part;
    data = static_cast<Region*>(region_);
}

void Open::done() const {
    if (!region_)
        return;
    region_->outer = innermost;
    region_->level = level(region_->code);
    innermost = region_;
    begin_part(*region_);
}

// A region that is not recorded may have been opened since; then the nesting level differs.
Close::Close(const Call& call) : region_(innermost) {
    if (region_ && region_->level != level(call.code()))
        region_ = nullptr;
    if (region_)
        end_part(*region_);
}

void Close::done() const {
    if (!region_)
        return;
    innermost = region_->outer;
    end_region(*region_);
    region_->used.store(false, std::memory_order_release);
}

} // namespace vftr::openmp
