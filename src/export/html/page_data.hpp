// SPDX-License-Identifier: BSD-3-Clause
//
// What the page shows, packed by gzip: html.cpp describes it. A page from disk has it in itself; a server gives it to a
// page that asks for it, and parts of the timeline in more detail.
#pragma once

#include "export/format.hpp"
#include "export/sink.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::exports {

void write_page_data(const Subject& subject, Sink& sink);
// The format of the data alone, without the page around them.
inline Format data_format(Format page) {
    page.write = [](const Subject& subject, const Options&, Sink& sink) { write_page_data(subject, sink); };
    return page;
}

// By node of the timeline's paths: the row that they have in the page's data.
std::vector<std::uint32_t> rows_of_timeline(const Subject& subject);
// The blocks of the timeline alone, of what is selected.
void write_timeline_part(const Subject& subject, std::span<const std::uint32_t> rows, Sink& sink);

// The page that asks for its data, and the policy that allows it to ask whoever has served it.
std::string served_page();
inline constexpr std::string_view ServedPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-ancestors "
    "'none'; base-uri 'none'; form-action 'none'";

} // namespace vftr::exports
