# SPDX-License-Identifier: BSD-3-Clause
# Objects that come and go: dlopen and dlclose over time.
. "${srcdir:-.}/test/system/lib.sh"

plugin() { # NAME: a plugin whose functions are called NAME and NAME_leaf; all plugins have the same shape
    linkage=none build "$1.c" -shared -fPIC -Wl,--build-id <<END
static int $1_leaf(int n) { return n; }
int $1(int n) { return $1_leaf(n) + 1; }
int entry(int n) { return $1(n); }
END
}

# Loads each plugin that is named, calls it and closes it, ROUNDS times. Prints how many lay where another one had been.
host() {
    build host.c -ldl "$@" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    void *places[16] = {0};
    int shared = 0;
    for (int round = 0; round < atoi(argv[1]); round++)
        for (int i = 2; i < argc; i++) {
            void *plugin = dlopen(argv[i], RTLD_NOW);
            int (*entry)(int) = plugin ? (int (*)(int))dlsym(plugin, "entry") : 0;
            if (!entry || entry(1) != 2)
                return 1;
            for (int other = 2; round == 0 && other < i; other++)
                shared += places[other] == (void *)entry;
            places[i] = (void *)entry;
            if (dlclose(plugin) != 0)
                return 1;
        }
    printf("%d\n", shared);
    return 0;
}
END
}

# Acceptance: dlopen'ed plugin, dlclose'd and another one loaded at the same address: right names for both times.
test_plugins_at_one_address_have_their_own_names() {
    check() {
        for name in one two six; do plugin $name; done
        for linkage in shared archive; do
            for options in '' '"sampling": {"active": true}' '"sampling": {"active": true, "sample_interval": 0}'; do
                config "$options"
                host -rdynamic
                run_well ./host 3 ./one ./two ./six
                [ "$(cat out)" != 0 ] || skip "the kernel has put the plugins to different places"
                for name in one two six; do
                    expect_calls host_all.log $name 3
                    expect_calls host_all.log ${name}_leaf 3
                    expect_stack host_all.log "${name}_leaf<$name<entry ($name)<main<init"
                done
                for name in one two six; do expect_calls host_all.log "entry ($name)" 3; done
                [ -z "$options" ] || { report host_0.vfd && expect_calls report six_leaf 3; }
                rm -rf -- *.vfd *.log vftrace_symbols
            done
        done
    }
    with_each_compiler check
}

test_a_plugin_that_is_loaded_a_thousand_times_is_one_module() {
    config '"sampling": {"active": true}'
    plugin one
    host
    run_well ./host 1000 ./one
    expect_calls host_all.log one_leaf 1000
    expect_same "$(grep -ao "$PWD/one" host_0.vfd | wc -l)" 1 "records of the plugin"
    expect_same "$("$vftr" dump host_0.vfd | grep -c '^ *[0-9]*: one_leaf<')" 1 "paths of the plugin"
}

# Issue: a plugin rebuilt at the same path during the run loses the first build's names.
test_a_plugin_that_is_built_again_keeps_the_names_of_its_first_build() {
    plugin first
    plugin second
    build host.c -ldl <<'END'
#include <dlfcn.h>
#include <stdio.h>
static int use(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    int (*entry)(int) = plugin ? (int (*)(int))dlsym(plugin, "entry") : 0;
    return !entry || entry(1) != 2 || dlclose(plugin) != 0;
}
int main(void)
{
    return use() || rename("second", "plugin.so") != 0 || use() || remove("plugin.so") != 0;
}
END
    # They have one file name, so the build-id stands behind it.
    expect_builds() {
        local name
        for name in first second; do
            stacks_of "$1" | grep -qE "^${name}_leaf<$name<entry \(plugin\.so\{[0-9a-f]{8}\}\)<use<main<init\$" || fail "$1 has no call of $name: $(stacks_of "$1")"
        done
    }
    for options in '' '"sampling": {"active": true}'; do
        config "$options"
        for name in first second; do [ -e $name ] || plugin $name; done
        mv first plugin.so
        run_well ./host
        expect_builds host_all.log
        if [ -n "$options" ]; then
            report host_0.vfd
            expect_builds report
        fi
    done
}

# Likewise in a child, whose recording is made small when it ends.
test_a_child_keeps_the_names_of_a_plugin_that_it_has_closed() {
    config
    plugin first
    plugin second
    build parent.c -ldl <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int use(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW);
    int (*entry)(int) = plugin ? (int (*)(int))dlsym(plugin, "entry") : 0;
    return !entry || entry(1) != 2 || dlclose(plugin) != 0;
}
int main(void)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        return use("./first") || remove("first") != 0 || use("./second") || remove("second") != 0;
    waitpid(child, &status, 0);
    return status != 0;
}
END
    run_well ./parent
    report parent_*[0-9].vfd
    for name in first second; do expect_stack report "${name}_leaf<$name<entry ($name)<use<main<init"; done
}

# Another thread calls into the object that has taken the place, and its very first call is counted for the right one.
test_other_threads_see_the_object_that_is_there() {
    check() {
        plugin one
        plugin two
        build host.c -ldl <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static int (*entry)(int);
static sem_t go, done;
static void *worker(void *unused)
{
    for (int i = 0; i < 20; i++) {
        sem_wait(&go);
        entry(1);
        sem_post(&done);
    }
    return unused;
}
int main(void)
{
    pthread_t thread;
    void *last = 0;
    int shared = 0;
    sem_init(&go, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    for (int i = 0; i < 20; i++) {
        void *plugin = dlopen(i % 2 ? "./one" : "./two", RTLD_NOW);
        if (!plugin)
            return 1;
        entry = (int (*)(int))dlsym(plugin, "entry");
        shared += last == (void *)entry;
        last = (void *)entry;
        sem_post(&go);
        sem_wait(&done);
        dlclose(plugin);
    }
    pthread_join(thread, 0);
    printf("%d\n", shared);
    return 0;
}
END
        for options in '' '"sampling": {"active": true, "sample_interval": 0}'; do
            config "$options"
            run_well ./host
            [ "$(cat out)" != 0 ] || skip "the kernel has put the plugins to different places"
            expect_calls host_all.log one_leaf 10
            expect_calls host_all.log two_leaf 10
            expect_stack host_all.log 'two_leaf<two<entry (two)<worker<init'
        done
    }
    with_each_compiler check
}

# The path that the dynamic linker knows is relative to a directory that the program has left.
test_a_plugin_loaded_by_a_relative_path_is_named_after_a_change_of_directory() {
    config '"sampling": {"active": true}'
    for id in sha1 none; do
        linkage=none build one.c -shared -fPIC -Wl,--build-id=$id <<'END'
static int one_leaf(int n) { return n; }
int entry(int n) { return one_leaf(n) + 1; }
int other(int n) { return entry(n); }
END
        ln -sf one link
        build leaves.c -ldl <<'END'
#include <dlfcn.h>
#include <unistd.h>
int main(void)
{
    void *plugin = dlopen("./link", RTLD_NOW);
    int (*entry)(int) = (int (*)(int))dlsym(plugin, "entry"), (*other)(int) = (int (*)(int))dlsym(plugin, "other");
    return chdir("/") != 0 || entry(1) != 2 || other(1) != 2;
}
END
        run_well ./leaves
        expect_stack leaves_all.log 'one_leaf<entry<other<main<init'
        rm -r vftrace_symbols
        report leaves_0.vfd
        expect_stack report 'one_leaf<entry<other<main<init'
        expect_same "$(grep -ao "$PWD/one" leaves_0.vfd | wc -l)" 1 "records of the plugin"
        rm -rf -- *.vfd *.log vftrace_symbols
    done
}

test_dlclose_does_what_it_does_without_us() {
    config
    plugin one
    for linkage in none shared archive; do
        build closes.c -ldl <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
int main(void)
{
    errno = 5;
    void *plugin = dlopen("./one", RTLD_NOW), *again = dlopen("./one", RTLD_NOW);
    printf("%d", plugin == again);
    printf(" %d", dlclose(plugin));
    printf(" %d", dlopen("./one", RTLD_NOW | RTLD_NOLOAD) == plugin && dlclose(plugin) == 0); /* still loaded */
    printf(" %d", dlclose(again));
    printf(" %d", dlopen("./one", RTLD_NOW | RTLD_NOLOAD) == 0); /* gone */
    void *none = dlopen("./none", RTLD_NOW);
    printf(" %d %s", none == 0, dlerror());
    printf(" %d\n", dlerror() == 0);
    return 0;
}
END
        run ./closes
        expect_status 0
        [ $linkage = none ] && mv out expected && continue
        diff expected out || fail "another result than without vftrace"
    done
}

# A child of fork closes what its parent had recorded, before it records anything itself.
test_a_forked_child_may_close_objects() {
    config
    plugin one
    instrument= build forks.c -ldl <<'END'
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int status = 1;
    void *plugin = dlopen("./one", RTLD_NOW);
    int (*entry)(int) = (int (*)(int))dlsym(plugin, "entry");
    entry(1);
    pid_t child = fork();
    if (child == 0)
        _exit(dlclose(plugin));
    waitpid(child, &status, 0);
    return status != 0 || entry(1) != 2;
}
END
    run_well ./forks
    expect_calls forks_all.log one 2
}

run_tests
