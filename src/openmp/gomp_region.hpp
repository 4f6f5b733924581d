// SPDX-License-Identifier: BSD-3-Clause
// Parallel regions. The runtime gets the library's function take_part instead of the program's. It runs on each thread
// of the team, and a struct on the forking thread's stack gives it the call path that it works for. So the time that a
// worker idles in the runtime's pool is charged to no call path. The struct outlives the team: the runtime's function
// returns when all threads have arrived at the end.
#pragma once

#include "openmp/gomp_call.hpp"

namespace vftr::openmp {

using Body = void(void*);

struct Region {
    void* first_word; // copied from the program's data, where the runtime reads it
    Body* body;       // the program's function, and its argument
    void* data;
    record::CallInstance place; // the region in the forking thread's tree
    const record::ThreadState* forker;
    const void* code;               // the return address of the call that forks
    std::uint64_t cut_out;          // ticks cut out of the forking thread's time before the region
    std::uint64_t key, barrier_key; // keys of the region and of the wait at its end
    std::uint64_t share_key;        // key of the worksharing that each thread begins with, 0: none
    int (*team_size)();
    int threads;
    bool waits; // the forking thread has arrived at the end
};

// Returns false if nothing is recorded; then the region must not be changed.
bool begin_region(Region& region, const Call& call, Construct share, Body* body, void* data);
void end_region(Region& region);
// A Body whose argument is a Region; it runs on each thread of the team.
void take_part(void* region);

// The region lasts as long as the call. The runtime gets take_part and the Region instead of the program's function and
// data.
class Fork {
public:
    Fork(const Call& call, Construct share, Body*& body, void*& data)
        : records_(begin_region(region_, call, share, body, data)) {
        if (!records_)
            return;
        body = take_part;
        data = &region_;
    }
    void done() {
        if (records_)
            end_region(region_);
    }

protected:
    Region region_;
    bool records_;
};

// The first word of the data points to the description of task reductions, which the runtime reads; so the Region
// begins with a copy of that word.
class ReducingFork : public Fork {
public:
    ReducingFork(const Call& call, Construct share, Body*& body, void*& data)
        : ReducingFork(call, share, body, data, data) {}

private:
    ReducingFork(const Call& call, Construct share, Body*& body, void*& data, void* before)
        : Fork(call, share, body, data) {
        if (records_)
            region_.first_word = *static_cast<void**>(before);
    }
};

// Until gcc 4.8 a region consisted of two calls, and the forking thread did its part in the program between them. The
// Region then lies in one of a few static objects of the library; if more regions are open at once, they are not
// recorded.
struct OpenRegion;

class Open {
public:
    Open(const Call& call, Construct share, Body*& body, void*& data);
    void done() const;

private:
    OpenRegion* region_;
};

class Close {
public:
    explicit Close(const Call& call);
    void done() const;

private:
    OpenRegion* region_;
};

} // namespace vftr::openmp
