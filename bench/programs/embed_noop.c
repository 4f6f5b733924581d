/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded: the program embeds, with callbacks that return at once. */
#include <string.h>
#include <vftrace.h>

static void nothing(void *user, const struct vftrace_call_event *event) { (void)user, (void)event; }

__attribute__((constructor)) static void embed(void)
{
    struct vftrace_callbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.version = VFTRACE_CALLBACKS_VERSION;
    callbacks.function_enter = callbacks.function_leave = nothing;
    vftrace_set_callbacks(&callbacks);
}
