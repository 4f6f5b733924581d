// SPDX-License-Identifier: BSD-3-Clause
//
// The reader's view of a recording: of a file, sealed or not, or of the recorder's own memory while it runs. (The text
// log of a run is made from exactly the data that `vftr report` would read from its file.)
//
// Everything in a file is untrusted: no offset, size, count, id or name is used before it is checked. Damage that
// affects more than its own segment throws Error; segments of unknown kinds are skipped. While the writer runs, the
// published counts only grow, so that a view is consistent up to the moment at which it was made.
#pragma once

#include "vfd/error.hpp"
#include "vfd/format.hpp"
#include "vfd/tick_clock.hpp"
#include "vfd/views.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::vfd {

class Image {
public:
    // Maps the file `path` read-only. Throws Error.
    static Image open(const std::string& path);
    // Makes an image of live memory, which must outlive the Image. `label` replaces the file name in messages.
    static Image of_memory(const FileHeader& header, std::vector<Segment> segments, std::string label);

    Image(Image&&) noexcept;
    Image& operator=(Image&&) noexcept;
    ~Image();

    const FileHeader& header() const; // a copy, checked
    const std::string& label() const;
    bool closed() const; // sealed, executed or exited: nothing will be added
    const std::vector<Segment>& segments() const;
    std::uint64_t segments_end() const; // for a file: the offset of the end of its last segment
    // For a file: the offset of its first segment of that kind; 0: it has none.
    std::uint64_t first_offset(SegmentKind kind) const;
    const std::vector<ThreadView>& threads() const;      // in order of ThreadRecord::index; some may be missing
    const ThreadView* thread(std::uint32_t index) const; // nullptr: the thread is missing
    const std::vector<ModuleView>& modules() const;
    const std::vector<NameView>& names() const;
    // In order of ids. A group may have up to 2^24 ranks (see MostRanks).
    const std::vector<GroupView>& groups() const;
    const std::vector<TypeView>& types() const;     // in order of ids
    const GroupView* group(std::uint32_t id) const; // nullptr: there is none with that id
    const TypeView* type(std::uint32_t id) const;
    // The Traffic records, one span for each segment. Only their direction and span are checked.
    const std::vector<std::span<const Traffic>>& traffic() const;
    // The Team records, one span for each segment. They are not checked.
    const std::vector<std::span<const Team>>& teams() const;
    std::string_view config_text() const;             // empty: none
    std::span<const std::byte> profile_bytes() const; // FileKind::Merged or FlagCollated; empty: none

    const TickClock& clock() const; // by the clock pairs of the header
    // The ticks of the end pair or, for an open file, of the latest moment known.
    std::uint64_t end_ticks() const;

private:
    struct Impl;
    explicit Image(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace vftr::vfd
