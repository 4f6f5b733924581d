# SPDX-License-Identifier: BSD-3-Clause
#
# functions.table → C++: awk -v part=PART -f generate.awk functions.table
#   c, fortran                   the wrappers
#   c_symbols, fortran_symbols   the names that the library shows, for src/public_symbols.txt
# Plain POSIX awk. What a wrapper does stands in wrapper.hpp; here is only its shape. A bad row stops the build.

function fail(reason) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, name, reason > "/dev/stderr"
    failed = 1
    exit 1
}

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# "const int recvcounts[]" → "recvcounts"
function argument_name(declaration) {
    sub(/(\[[^]]*\])+[ \t]*$/, "", declaration)
    sub(/^.*[ \t*]/, "", declaration)
    return declaration
}

# Splits the prototype into argument[1…count] and known[].
function read_arguments(text,    declarations, i) {
    split("", known)
    count = split(text, declarations, /,/)
    for (i = 1; i <= count; i++) {
        argument[i] = argument_name(trim(declarations[i]))
        if (argument[i] !~ /^[a-z_]+$/)
            fail("no argument name in \"" trim(declarations[i]) "\"")
        known[argument[i]] = 1
    }
}

# Every key=argument of the messages column names an argument that exists.
function check_messages(text,    moves, words, pair, m, n, i, j) {
    if (text == "")
        return
    m = split(text, moves, /;/)
    for (i = 1; i <= m; i++) {
        n = split(trim(moves[i]), words, /[ \t]+/)
        if (!(words[1] in patterns))
            fail("unknown pattern \"" words[1] "\"")
        for (j = 2; j <= n; j++) {
            if (split(words[j], pair, /=/) != 2 || !(pair[1] in keys))
                fail("not key=argument: \"" words[j] "\"")
            if (!(pair[2] in known))
                fail("no argument \"" pair[2] "\"")
        }
    }
}

function member_of(list, set,    words, n, i) {
    n = split(list, words, / /)
    for (i = 1; i <= n; i++)
        set[words[i]] = 1
}

# "a, b, c" with `before` in front of each name.
function arguments(before, n, names,    text, i) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") before names[i]
    return text
}

function write_c() {
    printf "#pragma weak P%s\n", name
    printf "extern \"C\" VFTR_PUBLIC int %s(%s)\n{\n", name, prototype
    printf "    static constinit Function function(\"%s\");\n", name
    printf "    const Call call(function, __builtin_dwarf_cfa());\n"
    printf "    return VFTR_NEXT(function, P%s)(%s);\n}\n\n", name, arguments("", count, argument)
}

# Every argument of a Fortran binding is an address, so void* stands for all.
function write_fortran(    lower, parameters, values) {
    lower = tolower(name)
    argument[count + 1] = "ierror"
    parameters = arguments("void* ", count + 1, argument)
    values = arguments("", count + 1, argument)
    printf "VFTR_FORTRAN(%s, %s, %s, (%s), (%s))\n", name, lower, toupper(name), parameters, values
    printf "VFTR_FORTRAN_2008(%s, %s, (%s), (%s))\n\n", name, lower, parameters, values
}

# mpif.h and `use mpi` under the spellings of different compilers, then mpi_f08: as in fortran.hpp.
function write_fortran_symbols(    lower) {
    lower = tolower(name)
    printf "%s\n%s_\n%s__\n%s\n%s_f08_\n", lower, lower, lower, toupper(name), lower
}

BEGIN {
    FS = "|"
    member_of("control p2p nonblocking persistent start completion probe request buffer collective icollective", classes)
    member_of("send recv one_to_all all_to_one all_to_all reduce_scatter chain neighbours", patterns)
    member_of("count type peer tag comm root status request scount stype rcount rtype message", keys)
    member_of("c fortran c_symbols fortran_symbols", parts)
    if (!(part in parts)) {
        print "generate.awk: -v part=c, fortran, c_symbols or fortran_symbols" > "/dev/stderr"
        failed = 1
        exit 1
    }
    print (part ~ /symbols/ ? "#" : "//") " Made from functions.table by generate.awk."
}

/^[ \t]*(#|$)/ { next }

{
    name = trim($1)
    prototype = trim($3)
    if (NF != 4)
        fail("a row has four columns, this has " NF)
    if (name !~ /^MPI_[A-Z][a-z_]+$/)
        fail("not the name of an MPI function")
    if (name in seen)
        fail("second row of that name")
    seen[name] = 1
    class = trim($2)
    if (!(class in classes))
        fail("unknown class \"" class "\"")
    read_arguments(prototype)
    check_messages(trim($4))
    if (part == "c_symbols")
        print name
    else if (part == "fortran_symbols")
        write_fortran_symbols()
    else if (class == "control")
        next
    else if (part == "c")
        write_c()
    else
        write_fortran()
}

END { exit failed }
