// SPDX-License-Identifier: BSD-3-Clause
#include "record/observers.hpp"

#include "embed/dispatch.hpp"
#include "embed/guarded_call.hpp"
#include "embed/shutdown.hpp"
#include "embed/sink.hpp"
#include "session/control.hpp"
#include "session/session.hpp"

namespace vftr {

constinit const record::Observers record::observers{
    .begin_if_due = session::begin_if_due,
    .obey_control = session::obey_control,
    .choose_sink = embed::choose_sink,
    .end_delivery = embed::end_delivery,
    .dispatch_enter = embed::dispatch_enter,
    .dispatch_leave = embed::dispatch_leave,
    .dispatch_enter_and_end = embed::dispatch_enter_and_end,
    .dispatch_leave_and_end = embed::dispatch_leave_and_end,
    .follow_subscriptions = embed::follow_subscriptions,
    .dispatch_module = embed::dispatch_module,
    .dispatch_transfer = embed::dispatch_transfer,
    .dispatch_thread_begin = embed::dispatch_thread_begin,
    .dispatch_thread_end = embed::dispatch_thread_end,
    .callback_is_there = embed::callback_is_there,
    .abandon_callback = embed::abandon_callback,
};

} // namespace vftr
