// SPDX-License-Identifier: BSD-3-Clause
//
// Parallel regions. The runtime is given a function of ours in the place of the program's (take_part), which runs on
// each thread of the team and knows from a struct on the forking thread's stack whose call path it works for. So the
// time that a worker idles in the runtime's pool belongs to nobody. The struct outlives the team: the runtime's
// function returns when all have arrived at the end.
#pragma once

#include "openmp/gomp_call.hpp"

namespace vftr::openmp {

using Body = void(void*);

struct Region {
    void* first_word; // of the program's data, where the runtime reads it
    Body* body;       // of the program, and its argument
    void* data;
    record::CallInstance place; // of the region in the forking thread's tree
    const record::ThreadState* forker;
    const void* code;               // what called for it
    std::uint64_t cut_out;          // of the forking thread's life before
    std::uint64_t key, barrier_key; // of the region and of the wait at its end
    std::uint64_t share_key;        // of the worksharing that each thread begins with, 0: none
    int (*team_size)();
    int threads;
    bool waits; // the forking thread has come to the end
};

// False, and nothing is recorded: the region is not to be changed.
bool begin_region(Region& region, const Call& call, Construct share, Body* body, void* data);
void end_region(Region& region);
// A Body whose argument is a Region. On each thread of the team.
void take_part(void* region);

// The call is the region. The runtime is given our function and our data.
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

// The runtime finds in the data where the reductions of tasks are described.
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

// Until gcc 4.8 a region was two calls, with the forking thread's part between them in the program. What is known of
// the region then lies in one of a few places of the library; where more are open at once, they are not recorded.
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
