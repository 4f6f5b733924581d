// SPDX-License-Identifier: BSD-3-Clause
//
// Recordings with timelines, for tests of what reads them.
#pragma once

#include "../vfd/image_builder.hpp"
#include "analysis/timeline/run_timeline.hpp"

#include <utility>
#include <vector>

namespace vftr::test {

// Ticks of the builder's clock, which starts at 1000, for microseconds.
inline std::uint64_t us(std::uint64_t value) { return 1000 + value * 2000; }

enum Node : std::uint32_t { Root, Main, Zeta, Alpha, Deep };

// main calls zeta and alpha, alpha calls deep.
inline ImageBuilder program(const EventEncoder& events, std::uint32_t flags = vfd::FlagSampling | vfd::FlagAllEvents,
                            std::int32_t rank = 0) {
    ImageBuilder b;
    b.header.flags = flags;
    b.header.rank = rank;
    b.header.size = 2;
    b.header.state = vfd::FileState::Sealed;
    b.name(10, "main").name(20, "zeta").name(30, "alpha").name(40, "deep");
    b.thread(0, {ImageBuilder::root(), ImageBuilder::function(Root, 10), ImageBuilder::function(Main, 20),
                 ImageBuilder::function(Main, 30), ImageBuilder::function(Alpha, 40)})
        .events(0, events);
    return b;
}

inline EventEncoder nested_calls() {
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(2), Zeta).leave(us(3)).enter(us(4), Alpha).enter(us(5), Deep);
    e.leave(us(8)).leave(us(9)).leave(us(20));
    return e;
}

// The timeline of a run whose processes have these recordings.
struct RecordedProgram {
    explicit RecordedProgram(std::vector<ImageBuilder> builders, analysis::Selection selection = {})
        : images(opened(builders)), all(profile_of(images)), run(images, all, std::move(selection)) {}

    std::vector<vfd::Image> images;
    analysis::Profile all;
    analysis::RunTimeline run;

private:
    static std::vector<vfd::Image> opened(std::vector<ImageBuilder>& builders) {
        std::vector<vfd::Image> images;
        for (ImageBuilder& builder : builders)
            images.push_back(builder.open());
        return images;
    }
    static analysis::Profile profile_of(std::span<const vfd::Image> images) {
        analysis::Profile all;
        for (const vfd::Image& image : images)
            merge(all, analysis::profile_of(image));
        canonicalise(all);
        return all;
    }
};

} // namespace vftr::test
