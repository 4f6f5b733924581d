/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference: what the calls of hooks cost by themselves. */
void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

void __cyg_profile_func_enter(void *function, void *call_site)
{
    (void)function;
    (void)call_site;
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
    (void)function;
    (void)call_site;
}
