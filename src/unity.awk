# SPDX-License-Identifier: BSD-3-Clause
#
# Writes the sources of a unity build (unity.am): awk -v srcdir=DIR -f unity.awk unity/NAME.cpp… SOURCE… makes each unity/NAME.cpp include its share
# of the SOURCEs that are C++, neighbours of the list together.
#
# Sources of a room differ in the names of what is local to each. Unit tests do not, as each has an F, a recording() and the like, so each stands in
# a namespace of its own. Its headers must not, and are included before: when the test itself asks for them, their guards leave nothing.
BEGIN {
    for (i = 1; i < ARGC; i++)
        if (ARGV[i] ~ /^unity\//)
            unit[units++] = ARGV[i]
        else if (ARGV[i] ~ /\.cpp$/)
            source[sources++] = ARGV[i]
    for (u = 0; u < units; u++) {
        print "// Made by unity.awk." >unit[u]
        # gcc takes what is included for a header, in which nothing should have a type that is local to one source.
        print "#ifndef __clang__\n#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n#endif" >unit[u]
        for (i = int(u * sources / units); i < int((u + 1) * sources / units); i++)
            if (source[i] ~ /_test\.cpp$/)
                add_test(source[i], unit[u])
            else
                printf "#include \"%s\"\n", source[i] >unit[u]
        close(unit[u])
    }
}
function add_test(file, out,    line, folder) {
    folder = file
    sub(/[^\/]*$/, "", folder)
    while ((getline line <(srcdir "/" file)) > 0)
        if (line ~ /^#include "/ && there_is(srcdir "/" folder name_in(line)))
            printf "#include \"%s\"\n", folder name_in(line) >out
        else if (line ~ /^#(include|if|ifdef|ifndef|elif|else|endif)/)
            print line >out
    close(srcdir "/" file)
    printf "namespace of_test_%d {\n#include \"%s\"\n}\n", ++tests, file >out
}
function name_in(line) {
    gsub(/^#include "|".*/, "", line)
    return line
}
function there_is(file,    line, there) {
    there = (getline line <file) >= 0
    close(file)
    return there
}
