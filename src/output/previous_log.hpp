// SPDX-License-Identifier: BSD-3-Clause
//
// The log of the run before, while this run has none.
//
// A run writes its log at its end and replaces that of the run before. One that is killed writes none: the log that
// lies there then would be taken for its own. So a run moves it aside when it begins, to the same name with ".previous"
// behind it, and removes it there when it has written its own. A killed run leaves its recording and, under that name,
// the log of the run before.
//
// The tables that profile_table.separate puts into files of their own go with the log, and vftr run does the same with
// its log of all processes.
//
// Of several runs at once in a folder, one may end just when another begins. What it writes is not of a run before; so
// a log stays where its run is writing results, or ended after this one had begun, or where it was written since.
//
// Only a log of ours is moved, replaced or removed: a regular file of this user with one name, that begins as logs do.
// In a folder of others a name may be anything else. Children of recorded processes replace no log, and so move none;
// with VFTR_OFF, and where an embedder is told of events, nothing is touched.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace vftr::output {

// stem: the path, without ".log", of the log that this run is going to replace. A file that was written after `since`
// (ns of real time) stays. Whether there is a log that would be moved costs one attempt to open it; so it is asked
// before anything else is looked for.
bool is_there_a_previous_log(const std::string& stem, std::uint64_t since);
void set_previous_log_aside(const std::string& stem, std::uint64_t since);
// This run's log is there.
void remove_previous_log(const std::string& stem);

// The same with one file, of which the function tells by its first bytes whether it is ours. True: it was there.
using BeginsAsOurs = std::function<bool(std::string_view)>;
bool set_previous_file_aside(const std::string& path, std::uint64_t since, const BeginsAsOurs& begins_as_ours);
bool remove_previous_file(const std::string& path, const BeginsAsOurs& begins_as_ours);

} // namespace vftr::output
