// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/selected_calls.hpp"

#include <algorithm>

namespace vftr::analysis {

bool SelectedCalls::is_wanted(std::uint32_t path) {
    if (!selection_.function)
        return true;
    const std::uint32_t name = paths_.nodes[path].name;
    if (name >= wanted_.size())
        wanted_.resize(paths_.names.size(), -1);
    if (wanted_[name] < 0)
        wanted_[name] = selection_.function(paths_.names[name]) ? 1 : 0;
    return wanted_[name] != 0;
}

void SelectedCalls::end_all(std::uint64_t ns) {
    while (!calls_.empty()) {
        if (calls_.back().told)
            next_.leave(ns, calls_.back().path);
        calls_.pop_back();
    }
}

// Whether an event of that time is after the selected part.
bool SelectedCalls::is_over(std::uint64_t ns) {
    if (!over_ && ns > selection_.to) {
        over_ = true;
        tell(selection_.to, selection_.shortest);
        end_all(selection_.to);
    }
    return over_;
}

void SelectedCalls::tell_waiting(std::size_t depth) {
    for (; waiting_begin_ < waiting_.size() && waiting_[waiting_begin_].depth == depth; ++waiting_begin_)
        if (const auto* message = std::get_if<TimelineMessage>(&waiting_[waiting_begin_].what))
            next_.message(*message);
        else
            next_.collective(std::get<TimelineCollective>(waiting_[waiting_begin_].what));
    if (waiting_begin_ == waiting_.size()) {
        waiting_.clear();
        waiting_begin_ = 0;
    }
}

// Tells the calls that have been open for `shortest` at the time `ns`, with what waits for them.
void SelectedCalls::tell(std::uint64_t ns, std::uint64_t shortest) {
    if (ns < selection_.from)
        return;
    for (; first_untold_ < calls_.size(); ++first_untold_) {
        Call& call = calls_[first_untold_];
        if (!call.wanted)
            continue;
        if (ns - call.begin < shortest)
            return;
        next_.enter(call.begin, call.path);
        call.told = true;
        tell_waiting(first_untold_);
    }
}

void SelectedCalls::enter(std::uint64_t ns, std::uint32_t path) {
    if (is_over(ns))
        return;
    tell(ns, selection_.shortest);
    calls_.push_back({std::max(ns, selection_.from), path, is_wanted(path), false});
    if (selection_.shortest == 0)
        tell(ns, 0);
}

void SelectedCalls::leave(std::uint64_t ns, std::uint32_t) {
    if (is_over(ns) || calls_.empty())
        return;
    tell(ns, selection_.shortest);
    const Call call = calls_.back();
    calls_.pop_back();
    first_untold_ = std::min(first_untold_, calls_.size());
    while (waiting_.size() > waiting_begin_ && waiting_.back().depth >= calls_.size())
        waiting_.pop_back();
    if (call.told)
        next_.leave(ns, call.path);
}

template <class What>
void SelectedCalls::take(std::uint64_t ns, const What& what) {
    if (is_over(ns) || ns < selection_.from || calls_.empty() || !calls_.back().wanted)
        return;
    tell(ns, selection_.shortest);
    if (!calls_.back().told)
        waiting_.push_back({calls_.size() - 1, what});
    else if constexpr (std::is_same_v<What, TimelineMessage>)
        next_.message(what);
    else
        next_.collective(what);
}

// What has not ended may become long.
void SelectedCalls::still_open(std::uint64_t ns, std::span<const std::uint32_t>) {
    std::vector<std::uint32_t> open;
    if (!is_over(ns)) {
        tell(ns, 0);
        for (const Call& call : calls_)
            if (call.told)
                open.push_back(call.path);
        calls_.clear();
    }
    next_.still_open(std::min(ns, selection_.to), open);
}

} // namespace vftr::analysis
