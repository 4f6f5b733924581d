// SPDX-License-Identifier: BSD-3-Clause
//
// What call paths send and receive.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_messages{
    .name = "messages",
    .title = "Messages",
    .help = "call paths with messages; Enter leads to the call path",
    .columns = "sent_messages sent_bytes received_messages received_bytes in_calls_ns path function",
    .sort = "in_calls_ns",
    .bar = "",
    .name_column = "function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToPath,
    .there = [](const Scene& scene) { return !scene.profile().messages.empty(); },
    .grid = [](const Scene& scene) { return scene.grid(exports::messages_table); },
};

} // namespace vftr::tui
