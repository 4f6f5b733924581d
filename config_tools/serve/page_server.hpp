// SPDX-License-Identifier: BSD-3-Clause
//
// vftr html --serve: the page of a run from a server on this machine, whose timeline has no limit of size, as each zoom
// is answered from the files, and which follows a program that runs.
//
// Other users of the machine can connect to its ports, and so can each page that a browser shows. So the address has a
// token of 128 random bits, without which nothing is answered; a page of another site that has its own name lead to
// 127.0.0.1 is told by its Host. Below the token there are
//   /            the page, whose script asks for the rest
//   /data        what a page from disk has in it (export/html/page_data.hpp), with a timeline for the whole screen
//   /timeline?from=NS&to=NS&shortest=NS&state=N
//                the calls of that part that are at least so long; 404 where the data are not those of this state any
//                more
//   /state       {"state": number of the data, "running": whether more is to come}
#pragma once

#include "config_tools/report/export_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::cli {

// Prints the address, and answers until the process is ended. Throws std::runtime_error.
int serve_page(const ExportOptions& wanted, const std::vector<std::string>& inputs, std::uint16_t port);

} // namespace vftr::cli
