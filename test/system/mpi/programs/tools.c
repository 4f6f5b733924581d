// SPDX-License-Identifier: BSD-3-Clause
// The tool interface MPI_T. What it says of the library's variables is not printed, as it may differ from run to run.
#include "calls.h"

static void control_variables(void)
{
    int number = -1, index = -1, verbosity, bind, scope, length, description, count = -1;
    char name[200], text[2000], value[4096];
    MPI_Datatype type;
    MPI_T_enum enumeration;
    MPI_T_cvar_handle handle;
    CALL(MPI_T_cvar_get_num, &number);
    printf("%d control variables\n", number > 0);
    int wanted = -1, enumerated = 0;
    for (int i = 0; i < number && (wanted < 0 || !enumerated); ++i) {
        length = sizeof name, description = sizeof text;
        if (VALUE(MPI_T_cvar_get_info, i, name, &length, &verbosity, &type, &enumeration, text, &description, &bind, &scope))
            continue;
        if (wanted < 0 && type == MPI_INT && bind == MPI_T_BIND_NO_OBJECT)
            wanted = i;
        if (!enumerated && enumeration != MPI_T_ENUM_NULL) {
            int items = -1, item = -1;
            char of_it[200];
            length = sizeof of_it;
            CALL(MPI_T_enum_get_info, enumeration, &items, of_it, &length);
            length = sizeof of_it;
            CALL(MPI_T_enum_get_item, enumeration, 0, &item, of_it, &length);
            enumerated = items > 0;
        }
    }
    printf("found %d\n", wanted >= 0);
    length = sizeof name, description = sizeof text;
    CALL(MPI_T_cvar_get_info, wanted, name, &length, &verbosity, &type, &enumeration, text, &description, &bind, &scope);
    CALL(MPI_T_cvar_get_index, name, &index);
    printf("%s: same %d\n", name, index == wanted);
    CALL(MPI_T_cvar_handle_alloc, wanted, NULL, &handle, &count);
    CALL(MPI_T_cvar_read, handle, value);
    printf("%d value: %d\n", count, *(int *)value);
    TRIED(MPI_T_cvar_write, handle, value);
    CALL(MPI_T_cvar_handle_free, &handle);
}

static void performance_variables(void)
{
    int number = -1, verbosity, class, bind, readonly, continuous, atomic, length, description, count = -1, tried = 0;
    char name[200], text[2000];
    unsigned long long value[512];
    MPI_Datatype type;
    MPI_T_enum enumeration;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    CALL(MPI_T_pvar_get_num, &number);
    CALL(MPI_T_pvar_session_create, &session);
    for (int i = 0; i < number && !tried; ++i) {
        int index = -1;
        length = sizeof name, description = sizeof text;
        if (VALUE(MPI_T_pvar_get_info, i, name, &length, &verbosity, &class, &type, &enumeration, text, &description, &bind,
                  &readonly, &continuous, &atomic))
            continue;
        CALL(MPI_T_pvar_get_index, name, class, &index);
        if (bind != MPI_T_BIND_NO_OBJECT || VALUE(MPI_T_pvar_handle_alloc, session, i, NULL, &handle, &count) || count > 500)
            continue;
        // Most may not be written or stopped: what they answer is of no interest.
        printf("%s\n", name);
        VALUE(MPI_T_pvar_start, session, handle);
        VALUE(MPI_T_pvar_read, session, handle, value);
        VALUE(MPI_T_pvar_reset, session, handle);
        VALUE(MPI_T_pvar_readreset, session, handle, value);
        VALUE(MPI_T_pvar_write, session, handle, value);
        VALUE(MPI_T_pvar_stop, session, handle);
        CALL(MPI_T_pvar_handle_free, session, &handle);
        tried = 1;
    }
    if (!tried) {
        // Where there are none (MPICH as Debian builds it) no handle can be had.
        TRIED(MPI_T_pvar_get_index, "no such variable", MPI_T_PVAR_CLASS_COUNTER, &count);
        TRIED(MPI_T_pvar_get_info, 1 << 30, name, &length, &verbosity, &class, &type, &enumeration, text, &description, &bind,
              &readonly, &continuous, &atomic);
    }
    CALL(MPI_T_pvar_session_free, &session);
}

static void categories(void)
{
    int number = -1, index = -1, variables = -1, others = -1, subcategories = -1, stamp = -1, length, description;
    int list[1000];
    char name[200], text[2000];
    CALL(MPI_T_category_get_num, &number);
    CALL(MPI_T_category_changed, &stamp);
    length = sizeof name, description = sizeof text;
    CALL(MPI_T_category_get_info, 0, name, &length, text, &description, &variables, &others, &subcategories);
    CALL(MPI_T_category_get_index, name, &index);
    printf("%d categories, the first %s, %d\n", number > 0, name, index);
    CALL(MPI_T_category_get_cvars, 0, 1000, list);
    CALL(MPI_T_category_get_pvars, 0, 1000, list);
    CALL(MPI_T_category_get_categories, 0, 1000, list);
#if MPI_VERSION >= 4
    CALL(MPI_T_category_get_num_events, 0, &number);
    CALL(MPI_T_category_get_events, 0, 1000, list);
#endif
}

#if MPI_VERSION >= 4
// MPICH 4.0 has sources and events in its interface, but none behind it.
static void events(void)
{
    int number = -1;
    CALL(MPI_T_source_get_num, &number);
    printf("%d sources\n", number);
    CALL(MPI_T_event_get_num, &number);
    printf("%d events\n", number);
}
#endif

int main(int argc, char **argv)
{
    int provided = -1;
    CALL(MPI_T_init_thread, MPI_THREAD_SINGLE, &provided);
    begin(&argc, &argv);
    control_variables();
    performance_variables();
    categories();
#if MPI_VERSION >= 4
    events();
#endif
    CALL(MPI_T_finalize);
    return end(argc, argv);
}
