// SPDX-License-Identifier: BSD-3-Clause
//
// The vfd file format, version 9. This header and share_src/man/vfd.5 describe the same thing.
//
// Why a recording is a mapped file of segments: it must survive kill -9, so its data must never wait in a private
// buffer. The pages of the file are the only copy, and every store of a hook goes to them. The call tree in which the
// hooks count *is* the tree in the file, not a copy that is made at the end. The file grows by segments, which are
// allocated and mapped one by one. They are never sparse, because a full disk must be an error code and not SIGBUS.
// Each segment states its kind, its owner and its used bytes, so that a reader can walk a file that was never closed. A
// segment has a single writer (the thread that owns it), so it needs no lock, and no two threads write to the same
// cache line.
//
// All numbers are little-endian and naturally aligned. Offsets and sizes are in bytes. Times are in clock ticks unless
// their name says ns. Segments start at multiples of FileHeader::page_size. A writer publishes data by storing `used`,
// `node_count` or `depth` last; a reader never looks beyond them.
//
// Read the headers in this order: format_file (the file header and the segments), format_tree (call paths),
// format_durations, format_constructs (OpenMP), format_samples, format_threads, format_names, format_messages (MPI),
// format_events (the timeline).
#pragma once

#include "vfd/format_constructs.hpp"
#include "vfd/format_durations.hpp"
#include "vfd/format_events.hpp"
#include "vfd/format_file.hpp"
#include "vfd/format_messages.hpp"
#include "vfd/format_names.hpp"
#include "vfd/format_samples.hpp"
#include "vfd/format_threads.hpp"
#include "vfd/format_tree.hpp"
