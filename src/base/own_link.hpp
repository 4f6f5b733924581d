// SPDX-License-Identifier: BSD-3-Clause
//
// Opens what may be a symbolic link. In a folder that others can write to, somebody may have made one of this name, so
// that we work on files of the user's, or of root's, elsewhere. Therefore only links that belong to the user or to root
// are followed.
//
// No memory is allocated, and little of the stack is used: a child of vfork calls this too.
#pragma once

#include <sys/types.h>

namespace vftr::base {

// As open_file (descriptor.hpp), without O_NOFOLLOW in the flags; −ELOOP for a link of another user.
int open_through_own_links(const char* path, int flags, mode_t mode = 0);

} // namespace vftr::base
