# SPDX-License-Identifier: BSD-3-Clause
# Names of C++ functions in tables: short, and each function reads differently.
. "${srcdir:-.}/test/system/lib.sh"

# Issue: C++ names must keep the name: with the middle cut out, 2660 of 3011 rows of one code read like another row
test_functions_that_differ_read_differently_in_tables_and_have_full_names_elsewhere() {
    build fields.cpp <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
namespace application::detail {
template <class T, int D>
struct Field {
    std::vector<T> values = std::vector<T>(10);
    std::map<std::string, std::vector<T>> parts;
    template <class F>
    void apply(F f) { for (T& value : values) value = f(value); }
    void run()
    {
        apply([](T x) { return x + 1; });
        apply([](T x) { return x + 2; });
        parts["first"].push_back(1);
        std::sort(values.begin(), values.end());
    }
};
} // namespace application::detail
int main()
{
    application::detail::Field<double, 2>().run();
    application::detail::Field<float, 2>().run();
    application::detail::Field<float, 3>().run();
    return 0;
}
END
    config '"max_name_width": 60, "sampling": {"active": true, "sample_interval": 0}'
    run_well ./fields
    awk -F'|' '/Grouped by function name/ { on = 1 } on && /^$/ { exit } on && /^\|/ { gsub(/^ +| +$/, "", $6); print $6 }' fields_all.log | sed 1d >names
    [ "$(wc -l <names)" -gt 200 ] || fail "only so many functions: $(wc -l <names)"
    [ "$(sort -u names | wc -l)" = "$(wc -l <names)" ] || fail "these read alike: $(sort names | uniq -d | head)"
    grep -qxF 'std::vector<double>::push_back(double&&)' names || fail "no push_back among $(head -20 names)"
    grep -qxF 'application::detail::Field<float, 3>::run()' names || fail "no run"
    ! grep -F '__cxx11' names || fail "names that people do not write"
    ! grep -F '...' names || fail "names without their middle"
    run "$vftr" dump fields_*[0-9].vfd
    grep -q 'std::vector<double, std::allocator<double> >::push_back(double&&)<' out || fail "the dump has no full names"
    report fields_all.vfd
    expect_same "$(sed -n '/^Runtime profile$/,/^Global/p' report)" "$(sed -n '/^Runtime profile$/,/^Global/p' fields_all.log)" "the tables of vftr report"
}

# Issue: the members of local classes of one name, each in a block of its own, were one function.
test_members_of_local_classes_of_one_name_are_functions_of_their_own() {
    check() {
        build blocks.cpp <<'END'
template <class T> void user(T) {}
int main()
{
    {
        struct Local { static void run() {} };
        Local::run();
        user(Local());
    }
    {
        struct Local { static void run() {} };
        Local::run();
        Local::run();
        user(Local());
    }
    return 0;
}
END
        config
        run_well ./blocks
        expect_calls blocks_all.log 'main::Local::run()' 1
        expect_calls blocks_all.log 'main::Local#2::run()' 2
        expect_calls blocks_all.log 'void user<main::Local#2>(main::Local#2)' 1
        # A filter for the name without the number is one for both, as ever.
        config '"filter": {"exclude": {"functions": "^main::Local::run"}}'
        run_well ./blocks
        expect_calls blocks_all.log 'main::Local::run()' 0
        expect_calls blocks_all.log 'main::Local#2::run()' 0
        config '"filter": {"exclude": {"functions": "^main::Local#2::run"}}'
        run_well ./blocks
        expect_calls blocks_all.log 'main::Local::run()' 1
        expect_calls blocks_all.log 'main::Local#2::run()' 0
    }
    with_each_compiler check
}

# Issue: the option demangle_cxx is ignored by vftr report --config.
# A recording is named anew; a merged profile has no names of the linker, which is said. Likewise for modules of Fortran.
test_a_report_names_functions_as_its_configuration_says() {
    build spoken.cpp <<'END'
namespace space { int spoken(int x) { return x + 1; } }
int main() { return space::spoken(-1); }
END
    local asked='"demangle_cxx": false' file
    config '"sampling": {"active": true}'
    run_well ./spoken
    expect_calls spoken_all.log 'space::spoken(int)' 1
    config "$asked"
    report spoken_0.vfd
    expect_calls report _ZN5space6spokenEi 1
    expect_same "$(cat report.err)" "" "what is said of a recording"
    report spoken_all.vfd
    expect_calls report 'space::spoken(int)' 1
    expect_same "$(cat report.err)" \
        'vftr report: spoken_all.vfd: functions keep the names that the run gave them ("demangle_cxx": true), since a merged profile has no others' "what is said of a merged profile"
    mkdir merged
    mv spoken_all.vfd merged/
    "$vftr" report --config config.json merged >out 2>err || fail "vftr report of a folder"
    expect_same "$(grep -c 'keep the names that the run gave them' err)" 1 "lines about a merged profile in a folder"
    # What is wanted as the run had it, or not at all, is nothing to speak of.
    config
    report merged/spoken_all.vfd
    expect_same "$(cat report.err)" "" "what is said where nothing differs"
    # And the other way round.
    config "\"sampling\": {\"active\": true}, $asked"
    run_well ./spoken
    expect_calls spoken_all.log _ZN5space6spokenEi 1
    config
    report spoken_0.vfd
    expect_calls report 'space::spoken(int)' 1
    report spoken_all.vfd
    expect_calls report _ZN5space6spokenEi 1
    grep -q '("demangle_cxx": false)' report.err || fail "nothing is said: $(cat report.err)"
}

run_tests
