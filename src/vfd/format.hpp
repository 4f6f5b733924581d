// SPDX-License-Identifier: BSD-3-Clause
//
// The vfd file format, version 9. This header and share_src/man/vfd.5 describe the same thing.
//
// Why a mapped file of segments. A recording must survive kill -9, so it may never sit in a private
// buffer: the file's pages are the only copy, and every store of a hook lands in them. The call tree
// that the hooks count in *is* the tree in the file, not a copy made at the end. A file grows by
// segments that are allocated (never sparse: a full disk must be an error code, not SIGBUS) and mapped one
// by one. Each segment names its kind, owner and used bytes, so a reader can walk a file
// that nobody closed. A segment has one writer (its thread), hence no lock and no shared cache line.
//
// All numbers are little-endian and naturally aligned; offsets and sizes are bytes; times are clock ticks
// unless they are called ns. Segments start at multiples of FileHeader::page_size.
// A writer publishes by storing `used`, `node_count` or `depth` last; a reader never looks beyond them.
//
// In the order in which to read: format_file (the header and segments), format_tree (call paths), format_constructs
// (OpenMP), format_threads, format_names, format_messages (MPI), format_events (the timeline).
#pragma once

#include "vfd/format_constructs.hpp"
#include "vfd/format_events.hpp"
#include "vfd/format_file.hpp"
#include "vfd/format_messages.hpp"
#include "vfd/format_names.hpp"
#include "vfd/format_threads.hpp"
#include "vfd/format_tree.hpp"
