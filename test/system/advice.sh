# SPDX-License-Identifier: BSD-3-Clause
# What recording costs and what to do about it: vftr flags.
. "${srcdir:-.}/test/system/lib.sh"

write_template_program() {
    cat >words.cpp <<'END'
#include <map>
#include <numeric>
#include <string>
#include <vector>
struct Text {
    std::vector<std::string> words;
    void add(int i) { words.push_back(std::to_string(i % 7)); }
    std::map<char, int> count() const;
};
std::map<char, int> Text::count() const {
    std::map<char, int> counts;
    for (const std::string& word : words)
        ++counts[word[0]];
    return counts;
}
int main() {
    Text text;
    for (int i = 0; i < 100; ++i)
        text.add(i);
    const auto counts = text.count();
    return std::accumulate(counts.begin(), counts.end(), 0, [](int sum, const auto& word) { return sum + word.second; }) - 100;
}
END
}

# Issue: "`vftr flags [COMPILER]` prints the recommended flags to start with"; "header functions that gcc instruments before inlining can be
# 25 × all other calls together"
test_flags_of_gcc_leave_the_calls_of_headers_out_and_none_of_the_programs() {
    local all own
    write_template_program
    # shellcheck disable=SC2046
    g++ $("$vftr" flags g++) -O0 words.cpp -o words $(link_flags) 2>build.err || fail "g++ does not take $("$vftr" flags g++): $(cat build.err)"
    config
    run_well ./words
    for f in main 'Text::add(int)' 'Text::count() const'; do
        [ "$(calls_of words_all.log "$f")" -gt 0 ] || fail "$f is not recorded"
    done
    expect_calls words_all.log 'Text::add(int)' 100
    ! grouped_counts words_all.log | grep -E '	(.* )?(std|__gnu_cxx)::' || fail "functions of the library are recorded"
    own=$(grouped_counts words_all.log | awk '{ n += $1 } END { print n }')
    g++ -g -finstrument-functions -O0 words.cpp -o words $(link_flags)
    run_well ./words
    all=$(grouped_counts words_all.log | awk '{ n += $1 } END { print n }')
    expect_at_least "$all" $((25 * own)) "calls with the hooks in headers, of $own without"
}

each_flag_works() {
    local flags
    flags=$("$vftr" flags "$cc") || fail "vftr flags $cc"
    [ "$(printf '%s\n' "$flags" | wc -l)" = 1 ] || fail "not one line: $flags"
    echo 'int half(int x) { return x / 2; } int main(void) { return half(0); }' >half.c
    # shellcheck disable=SC2086,SC2046
    $cc $flags -Werror half.c -o half $(link_flags) 2>build.err || fail "$cc does not take $flags: $(cat build.err)"
    config
    run_well ./half
    expect_calls half_all.log half 1
    expect_same "$("$vftr" flags --explain "$cc" | grep -c '^-')" "$(wc -w <<<"$flags")" "flags that are explained"
}
test_flags_are_taken_by_their_compiler_and_record() { with_each_compiler each_flag_works; }

test_flags_are_those_of_the_compiler_behind_a_wrapper_and_of_CC() {
    printf '#!/bin/sh\nexec gcc "$@"\n' >wrapped
    chmod +x wrapped
    expect_same "$("$vftr" flags ./wrapped)" "$("$vftr" flags gcc)" "flags of a wrapper of gcc"
    expect_same "$(CC="./wrapped -pipe" "$vftr" flags)" "$("$vftr" flags gcc)" "flags of CC with a flag in it"
}

test_flags_leave_out_what_a_compiler_does_not_take() {
    printf '#!/bin/sh\ncase $* in *exclude-file-list*) exit 1 ;; esac\nexec gcc "$@"\n' >old
    chmod +x old
    expect_same "$("$vftr" flags ./old)" "-g -finstrument-functions" "flags of a gcc without lists"
    printf '#!/bin/sh\ncase $* in *instrument-functions*) exit 1 ;; esac\nexec gcc "$@"\n' >older
    chmod +x older
    run "$vftr" flags ./older
    expect_status 1
    expect_said_once "cannot instrument functions"
}

test_flags_of_what_is_no_compiler_are_an_error() {
    run "$vftr" flags /bin/true
    expect_status 2
    expect_said_once "no compiler of the families gcc and clang"
    run "$vftr" flags ./not-there
    expect_status 2
    expect_said_once "there is no such compiler: ./not-there"
    [ ! -s out ] || fail "something is printed: $(cat out)"
}

run_tests
