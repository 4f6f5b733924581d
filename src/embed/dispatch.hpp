// SPDX-License-Identifier: BSD-3-Clause
//
// Passes the events of threads with a subscription to the callbacks. The recorder calls these functions by the table in
// record/observers.hpp, which says what each of them does.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::record {
struct ThreadState;
struct Transfer;
} // namespace vftr::record

namespace vftr::embed {

void dispatch_enter(record::ThreadState& state, std::uint64_t now);
void dispatch_leave(record::ThreadState& state, const vfd::Frame& frame, std::uint64_t now, bool vanished);
void dispatch_enter_and_end(record::ThreadState& state, std::uint64_t now);
void dispatch_leave_and_end(record::ThreadState& state, const vfd::Frame& frame, std::uint64_t now);
void follow_subscriptions(record::ThreadState& state, std::uint64_t now);
void dispatch_module(std::uint16_t id);
void dispatch_transfer(record::ThreadState& state, const record::Transfer& transfer);
void dispatch_thread_begin(record::ThreadState& state, std::uint64_t now);
void dispatch_thread_end(record::ThreadState& state, std::uint64_t now);

// To be called in a forked child, which reports its modules anew.
void forget_modules();

} // namespace vftr::embed
