// SPDX-License-Identifier: BSD-3-Clause
//
// The longest of any number of marks of a timeline, in bounded memory. A mark has the member `ns`. Of equally long ones
// those stay that came first, so the same files give the same marks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vftr::exports {

template <class Mark>
class Longest {
public:
    explicit Longest(std::size_t most) : most_(most) {}

    void add(const Mark& mark) {
        marks_.push_back({mark, added_++});
        if (marks_.size() <= most_)
            return;
        if (marks_.size() == most_ + 1)
            std::make_heap(marks_.begin(), marks_.end(), is_longer);
        else
            std::push_heap(marks_.begin(), marks_.end(), is_longer);
        std::pop_heap(marks_.begin(), marks_.end(), is_longer);
        marks_.pop_back();
    }

    // In no certain order. Nothing is left.
    std::vector<Mark> take() {
        std::vector<Mark> marks;
        marks.reserve(marks_.size());
        for (const Numbered& one : std::exchange(marks_, {}))
            marks.push_back(one.mark);
        added_ = 0;
        return marks;
    }

private:
    struct Numbered {
        Mark mark;
        std::uint64_t number;
    };
    static bool is_longer(const Numbered& a, const Numbered& b) {
        return a.mark.ns != b.mark.ns ? a.mark.ns > b.mark.ns : a.number < b.number;
    }

    std::size_t most_;
    std::vector<Numbered> marks_; // a heap once there are more than `most`, the shortest is first
    std::uint64_t added_ = 0;
};

} // namespace vftr::exports
