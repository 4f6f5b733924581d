# SPDX-License-Identifier: BSD-3-Clause
#
# gomp.table → C++: awk -v part=PART -f generate.awk gomp.table
#   wrappers    the wrappers, for gomp_wrappers.cpp
#   symbols     the names that the shared library exports, for src/public_symbols.txt
# This is plain POSIX awk. gomp_call.hpp, gomp_region.hpp and gomp_task.hpp say what a verb does; this script gives only
# the form of a wrapper. A bad row stops the build.

function fail(reason) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, name, reason > "/dev/stderr"
    failed = 1
    exit 1
}

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# "void **depend" → "depend"
function argument_name(declaration) {
    sub(/^.*[ \t*]/, "", declaration)
    return declaration
}

function read_arguments(text,    declared, n, i) {
    split("", known)
    passed = ""
    n = trim(text) == "" ? 0 : split(text, declared, /,/)
    for (i = 1; i <= n; i++) {
        word = argument_name(trim(declared[i]))
        if (word !~ /^[a-z_]+$/ || word == trim(declared[i]))
            fail("no argument name in \"" declared[i] "\"")
        known[word] = 1
        passed = passed (i > 1 ? ", " : "") word
    }
}

# The arguments that the constructor of a verb's class takes after the call and the construct.
function taken(verb) {
    if (verb ~ /^(fork|reduce|open)$/)
        return "fn, data"
    if (verb == "task" || verb == "taskloop")
        return "fn, data, cpyfn, arg_size, arg_align, flags"
    return ""
}
function require(list,    words, n, i) {
    n = split(list, words, /, /)
    for (i = 1; i <= n; i++)
        if (!(words[i] in known))
            fail("no argument \"" words[i] "\"")
}

function write_action(i, verb, what,    more) {
    if (!(verb in class))
        fail("unknown verb \"" verb "\"")
    if (verb ~ /^(wait|begin|end|finish|taskloop)$/ ? what == "" : verb !~ /^(fork|open)$/ && what != "")
        fail("\"" verb "\": a construct is missing or too many")
    require(more = taken(verb))
    if (verb == "taskloop")
        class[verb] = "TaskLoop<" what ">"
    else if (what != "")
        more = "Construct::" what (more == "" ? "" : ", " more)
    else if (more == "fn, data")
        more = "Construct{}, " more
    if (name == "GOMP_task")
        more = more ", if_clause"
    printf "    %s action%d(call%s);\n", class[verb], i, more == "" ? "" : ", " more
}

function write_wrapper(result, arguments, actions,    action, words, n, i) {
    printf "extern \"C\" VFTR_PUBLIC %s %s(%s) {\n", result, name, arguments
    print "    static constinit Entry entry;"
    printf "    const Call call(entry, \"%s\", ", name
    print "__builtin_return_address(0), __builtin_dwarf_cfa());"
    n = split(actions, action, /;/)
    if (n == 0)
        fail("no action")
    for (i = 1; i <= n; i++) {
        split(trim(action[i]), words, /[ \t]+/)
        write_action(i, words[1], words[2])
    }
    printf "    %scall.real<decltype(%s)>()(%s);\n", result == "void" ? "" : "const auto result = ", name, passed
    for (i = n; i >= 1; i--)
        printf "    action%d.done();\n", i
    print "    call.done();"
    printf "%s}\n\n", result == "void" ? "" : "    return result;\n"
}

BEGIN {
    FS = "|"
    class["wait"] = "Wait"
    class["begin"] = "Begin"
    class["end"] = "End"
    class["finish"] = "Finish"
    class["fork"] = "Fork"
    class["reduce"] = "ReducingFork"
    class["open"] = "Open"
    class["close"] = "Close"
    class["task"] = "Task"
    class["taskloop"] = "TaskLoop"
    if (part != "wrappers" && part != "symbols") {
        print "generate.awk: -v part=wrappers or symbols" > "/dev/stderr"
        failed = 1
        exit 1
    }
    print (part == "symbols" ? "#" : "//") " Made from gomp.table by generate.awk."
}

/^[ \t]*(#|$)/ { next }

{
    result = trim($1)
    name = argument_name(result)
    result = trim(substr(result, 1, length(result) - length(name)))
    if (NF != 3 || name !~ /^(GOMP|omp)_[a-z_0-9]+$/ || result == "")
        fail("not \"result and name | arguments | actions\"")
    if (name in seen)
        fail("a second row")
    seen[name] = 1
    if (part == "symbols") {
        print name
        next
    }
    read_arguments($2)
    write_wrapper(result, trim($2), trim($3))
}
