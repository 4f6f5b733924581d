# SPDX-License-Identifier: BSD-3-Clause
#
# functions.table → C++: awk -v part=PART -v offered=FILE -f generate.awk functions.table
#   c, fortran, fortran_2008     the wrappers for C, for mpif.h and `use mpi`, for `use mpi_f08`
#   fortran_control              what init_fortran.cpp has to define: VFTR_<function>(symbol, PMPI symbol)
#   fortran_sentinels            VFTR_SENTINEL(symbol) for each common block of the Fortran libraries
#   c_symbols, fortran_symbols   the names that vftrace exports, for src/public_symbols.txt
# `offered` names a file that lists what the MPI library at hand has: a line "declared NAME" for each name that mpi.h
# declares, and "exported NAME" for each that the libraries export. This is plain POSIX awk. wrapper.hpp and verbs.hpp
# say what a wrapper does; this script gives only its form. A bad row stops the build.

function fail(reason) {
    printf "%s:%d: %s: %s\n", table, line[row], name, reason > "/dev/stderr"
    failed = 1
    exit 1
}

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function member_of(list, set,    words, n, i) {
    n = split(list, words, / /)
    for (i = 1; i <= n; i++)
        set[words[i]] = 1
}

# The names of the fields, in the order of the verb's Args; those in brackets may be missing.
function verb(word, list) {
    fields[word] = list
}
function define_verbs() {
    verb("send", "count type peer tag comm [partitions] [request]")
    verb("recv", "count type peer tag comm [partitions] [status] [request]")
    verb("matched_recv", "count type message [status] [request]")
    verb("probe", "comm status")
    verb("matched_probe", "comm message status [flag]")
    verb("put", "count type peer win [op] [request]")
    verb("get", "count type peer win [request]")
    verb("barrier", "comm [request]")
    verb("bcast", "count type root comm [request]")
    verb("gather", "sendbuf sendcount sendtype recvbuf recvcount recvtype root comm [request]")
    verb("gatherv", "sendbuf sendcount sendtype recvbuf recvcounts recvtype root comm [request]")
    verb("scatter", "sendbuf sendcount sendtype recvbuf recvcount recvtype root comm [request]")
    verb("scatterv", "sendbuf sendcounts sendtype recvbuf recvcount recvtype root comm [request]")
    verb("allgather", "sendbuf sendcount sendtype recvbuf recvcount recvtype comm [request]")
    verb("allgatherv", "sendbuf sendcount sendtype recvbuf recvcounts recvtype comm [request]")
    verb("alltoall", "sendbuf sendcount sendtype recvbuf recvcount recvtype comm [request]")
    verb("alltoallv", "sendbuf sendcounts sendtype recvbuf recvcounts recvtype comm [request]")
    verb("alltoallw", "sendbuf sendcounts sendtypes recvbuf recvcounts recvtypes comm [request]")
    verb("reduce", "sendbuf recvbuf count type root comm [request]")
    verb("allreduce", "sendbuf count type comm [request]")
    verb("reduce_scatter", "sendbuf recvcounts type comm [request]")
    verb("reduce_scatter_block", "sendbuf recvcount type comm [request]")
    verb("scan", "count type comm [request]")
    verb("neighbor_allgather", "sendcount sendtype recvcount recvtype comm [request]")
    verb("neighbor_allgatherv", "sendcount sendtype recvcounts recvtype comm [request]")
    verb("neighbor_alltoall", "sendcount sendtype recvcount recvtype comm [request]")
    verb("neighbor_alltoallv", "sendcounts sendtype recvcounts recvtype comm [request]")
    verb("neighbor_alltoallw", "sendcounts sendtypes recvcounts recvtypes comm [request]")
    verb("wait", "request status [flag]")
    verb("wait_any", "count requests index status [flag]")
    verb("wait_all", "count requests statuses [flag]")
    verb("wait_some", "count requests outcount indices statuses")
    verb("peek", "request flag status")
    verb("start", "request")
    verb("start_all", "count requests")
    verb("free_request", "request")
    verb("cancel", "request")
    verb("forget_comm", "comm")
    verb("forget_win", "win")
    verb("forget_type", "type")
    verb("foreign_comm", "comm [parent]")
    verb("child_comm", "parent comm")
    verb("copied_comm", "parent comm")
    verb("members_comm", "comm [parent] [tag]")
}

# MPI 4: arguments that have another type in the large-count form. A count that is an MPI_Aint in MPI_Win_create is an
# MPI_Aint in the large-count form, too.
function define_large() {
    member_of("count incount outcount origin_count target_count result_count sendcount recvcount sendcounts recvcounts" \
        " insize outsize size position blocklength array_of_blocklengths array_of_displacements array_of_gsizes array_of_sizes" \
        " array_of_subsizes array_of_starts stride lb extent true_lb true_extent", becomes_count)
    member_of("displs sdispls rdispls disp_unit", becomes_address)
}
function large_form(declaration,    word, is_int) {
    word = argument_name(declaration)
    is_int = declaration ~ /^(const )?int /
    if (word in becomes_count && (is_int || word != "size"))
        sub(is_int ? "int" : "MPI_Aint", "MPI_Count", declaration)
    else if (word in becomes_address && is_int)
        sub("int", "MPI_Aint", declaration)
    return declaration
}

# "const int recvcounts[]" → "recvcounts"
function argument_name(declaration) {
    sub(/(\[3?\])+$/, "", declaration)
    sub(/^.*[ \t*]/, "", declaration)
    return declaration
}

# "const int recvcounts[]" → "MPI_Fint*": handles, logicals and indices are INTEGER; a choice buffer or procedure is any address.
function fortran_type(declaration) {
    if (declaration ~ /(^|[^A-Za-z_])char /)
        return "char*"
    if (declaration ~ /(^|[^A-Za-z_])void / || declaration ~ /_(function|fn)(_c)? /)
        return "void*"
    if (match(declaration, /MPI_(Aint|Count|Offset) /))
        return substr(declaration, RSTART, RLENGTH - 1) "*"
    return "MPI_Fint*"
}

# Splits the prototype of the row into declared[1…count] and argument[1…count].
function read_arguments(large,    i) {
    split("", known)
    count = split(prototype, declared, /,/)
    for (i = 1; i <= count; i++) {
        declared[i] = trim(declared[i])
        if (large)
            declared[i] = large_form(declared[i])
        argument[i] = argument_name(declared[i])
        if (argument[i] !~ /^[a-z_0-9]+$/ || argument[i] == declared[i] || argument[i] !~ /[a-z]$|[a-z_][0-9]$/)
            fail("no argument name in \"" declared[i] "\"")
        known[argument[i]] = i
    }
}

# Parses the actions of the row: action[1…actions] are verbs, and given[action, key] is the argument of a key.
function read_actions(text,    words, pair, n, i, j) {
    split("", given)
    actions = text == "" ? 0 : split(text, action, /;/)
    for (i = 1; i <= actions; i++) {
        n = split(trim(action[i]), words, /[ \t]+/)
        action[i] = words[1]
        if (!(action[i] in fields))
            fail("unknown verb \"" action[i] "\"")
        for (j = 2; j <= n; j++) {
            if (split(words[j], pair, /=/) == 1)
                pair[2] = pair[1]
            if (!index(" " fields[action[i]] " ", " " pair[1] " ") && !index(fields[action[i]], "[" pair[1] "]"))
                fail("unknown key \"" pair[1] "\" of " action[i])
            if (!(pair[2] in known) && pair[2] !~ /^[0-9]+$/)
                fail("no argument \"" pair[2] "\"")
            given[i, pair[1]] = pair[2]
        }
        n = split(fields[action[i]], words, / /)
        for (j = 1; j <= n; j++)
            if (words[j] !~ /\[/ && !((i, words[j]) in given))
                fail(action[i] " needs \"" words[j] "\"")
    }
}

# The first argument that is a communicator.
function communicator(    i) {
    for (i = 1; i <= count; i++)
        if (declared[i] ~ /^MPI_Comm [a-z_]+$/)
            return argument[i]
    fail("collective, but over no communicator")
}

# "matched_recv" → "MatchedRecv"
function camel_case(word,    parts, n, i, text) {
    n = split(word, parts, /_/)
    for (i = 1; i <= n; i++)
        text = text toupper(substr(parts[i], 1, 1)) substr(parts[i], 2)
    return text
}

function joined(n, words,    text, i) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") words[i]
    return text
}

# The arguments that are passed on; a status is replaced by that of the action that reads it.
function passed(with_actions,    words, i, j) {
    for (i = 1; i <= count; i++)
        words[i] = argument[i]
    for (j = 1; with_actions && j <= actions; j++) {
        if ((j, "status") in given)
            words[known[given[j, "status"]]] = "action" j ".status()"
        if ((j, "statuses") in given)
            words[known[given[j, "statuses"]]] = "action" j ".statuses()"
    }
    return joined(count, words)
}

# "Send<C, Kind::Start> action1(call, {.count = count, …});"
function write_actions(language,    i, j, n, words, word, text, value) {
    for (i = 1; i <= actions; i++) {
        n = split(fields[action[i]], words, / /)
        text = ""
        for (j = 1; j <= n; j++) {
            word = words[j]
            gsub(/[][]/, "", word)
            if (!((i, word) in given))
                continue
            value = given[i, word]
            if (language != "C" && value ~ /^[0-9]/)
                value = "&literal<" value ">"
            text = text (text == "" ? "" : ", ") "." word " = " value
        }
        word = kind == "start" || kind == "init" ? camel_case(kind) : "Plain"
        printf "    %s<%s, Kind::%s> action%d(call, {%s});\n", camel_case(action[i]), language, word, i, text
    }
}
function write_done(    i) {
    for (i = 1; i <= actions; i++)
        printf "    action%d.done();\n", i
}
function write_sync(language) {
    if (kind == "collective")
        printf "    const Sync<%s> sync(call, function, %s, __builtin_dwarf_cfa());\n", language, communicator()
}

# If the C function were declared by its own name, mpi.h could interfere with it, perhaps by a macro; so the name is
# given to the assembler only.
function write_c(symbol,    parameters) {
    parameters = count ? joined(count, declared) : ""
    printf "extern \"C\" __attribute__((weak)) %s vftr_P%s(%s) __asm__(\"P%s\");\n", returned, symbol, parameters, symbol
    printf "extern \"C\" VFTR_PUBLIC %s vftr_%s(%s) __asm__(\"%s\");\n", returned, symbol, parameters, symbol
    if (("P" symbol) in is_declared)
        printf "static_assert(same_but_for_const<decltype(vftr_%s), decltype(::P%s)>);\n", symbol, symbol
    printf "%s vftr_%s(%s) {\n", returned, symbol, parameters
    printf "    static constinit Function function(\"%s\");\n", symbol
    if (!actions && kind != "collective") {
        print "    const Call call(function, __builtin_dwarf_cfa());"
        printf "    return function.next(vftr_P%s, \"P%s\")(%s);\n}\n\n", symbol, symbol, passed(0)
        return
    }
    print "    Call call(function, __builtin_dwarf_cfa());"
    write_sync("C")
    write_actions("C")
    printf "    const int error = function.next(vftr_P%s, \"P%s\")(%s);\n", symbol, symbol, passed(1)
    print "    call.ended(error);"
    write_done()
    print "    return error;\n}\n"
}

# Fills typed[] and appends to argument[] what a Fortran binding has in addition: ierror, and the lengths of CHARACTER
# arguments, which gfortran passes at the end. Returns the number of arguments.
function fortran_arguments(    i, n, lengths) {
    n = 0
    for (i = 1; i <= count; i++) {
        if (argument[i] == "argc" && argument[i + 1] == "argv") {
            i++
            continue
        }
        typed[++n] = fortran_type(declared[i]) " " argument[i]
        argument[n] = argument[i]
        known[argument[n]] = n
        if (fortran_type(declared[i]) == "char*")
            lengths++
    }
    if (returned == "int") {
        argument[++n] = "ierror"
        typed[n] = "MPI_Fint* ierror"
    }
    for (i = 1; i <= lengths; i++) {
        argument[++n] = "length" i
        typed[n] = "std::size_t length" i
    }
    return n
}

# The PMPI name that belongs to a Fortran name.
function profiling_name(symbol,    lower) {
    lower = "p" symbol
    if (symbol ~ /^MPI/)
        return "P" symbol
    if (!(lower in is_exported) && ("pmpir" substr(symbol, 4)) in is_exported)
        return "pmpir" substr(symbol, 4)
    return lower
}

function write_fortran(symbol, language) {
    printf "extern \"C\" __attribute__((weak)) %s %s(%s);\n", result, profiling_name(symbol), joined(count, typed)
    printf "extern \"C\" VFTR_PUBLIC %s %s(%s) {\n", result, symbol, joined(count, typed)
    printf "    static constinit Function function(\"%s\");\n", label
    if (!actions && kind != "collective") {
        print "    const Call call(function, __builtin_dwarf_cfa());"
        printf "    return function.next(%s, \"%s\")(%s);\n}\n", profiling_name(symbol), profiling_name(symbol), passed(0)
        return
    }
    print "    Call call(function, __builtin_dwarf_cfa());"
    write_sync(language)
    write_actions(language)
    if (symbol ~ /_f08/) {
        print "    MPI_Fint own_error = MPI_SUCCESS; // ierror is optional"
        print "    ierror = ierror ? ierror : &own_error;"
    }
    printf "    function.next(%s, \"%s\")(%s);\n", profiling_name(symbol), profiling_name(symbol), passed(1)
    print "    call.ended(*ierror);"
    write_done()
    print "}"
}

# For the parts without wrappers: prints the line of a name. Returns 0 for the other parts.
function is_listed(symbol) {
    if (part == "fortran_symbols")
        print symbol
    else if (part == "fortran_control")
        printf "VFTR_%s(%s, %s)\n", name, symbol, profiling_name(symbol)
    else
        return 0
    return 1
}

# mpif.h and `use mpi`: one binding under the different spellings that compilers give a name.
function write_fortran_family(stem, write,    spelled, n, i, first) {
    n = split(stem "_ " stem " " stem "__ " toupper(stem), spelled, / /)
    for (i = 1; i <= n; i++) {
        if (!offers_fortran(spelled[i]) || is_listed(spelled[i]))
            continue
        if (first == "")
            write_fortran(first = spelled[i], "Fortran")
        else
            printf "extern \"C\" VFTR_PUBLIC __attribute__((alias(\"%s\"))) %s %s(%s);\n", first, result, spelled[i], joined(count, typed)
    }
    if (first != "")
        print ""
}

# `use mpi_f08`: with addresses or, in MPICH's family, with descriptors as choice buffers.
function write_fortran_2008(large,    spelled, n, i) {
    n = large ? split("_f08_large_ _f08ts_large_", spelled, / /) : split("_f08_ _f08ts_", spelled, / /)
    for (i = 1; i <= n; i++) {
        spelled[i] = stem spelled[i]
        if (!offers_fortran(spelled[i]) || is_listed(spelled[i]))
            continue
        write_fortran(spelled[i], spelled[i] ~ /_f08ts_/ ? "FortranDescriptor" : "Fortran2008")
        print ""
    }
}

# If nothing is known of the libraries, the names that mpi.h declares and the usual Fortran names are taken.
function offers_fortran(symbol) {
    return any_fortran ? symbol in is_exported : symbol !~ /_f08ts_|_large_|_cptr/
}
function offers_c(symbol) {
    return any_c ? ("P" symbol) in is_exported : ("P" symbol) in is_declared
}

function write_row(    large) {
    name = names[row]
    kind = kinds[row]
    returned = returns[row]
    prototype = prototypes[row]
    for (large = 0; large <= 1; large++) {
        if (large && (name ~ /_c$/ || (name "_c") in row_of))
            break
        read_arguments(large)
        read_actions(row_actions[row])
        if (kind == "collective")
            communicator()
        write_forms(large)
    }
}
function write_forms(large,    symbol) {
    symbol = large ? name "_c" : name
    if (part ~ /^c/) {
        if (!offers_c(symbol) || flags[row] ~ /fortran-only/)
            return
        if (part == "c_symbols")
            print symbol
        else if (kind != "control")
            write_c(symbol)
        return
    }
    if (part == "fortran_sentinels" || flags[row] ~ /c-only/ || (kind == "control") != (part == "fortran_control") && part != "fortran_symbols")
        return
    label = name
    if (sub(/_c$/, "", label))
        large = 1
    stem = tolower(label)
    count = fortran_arguments()
    result = returned == "int" ? "void" : returned
    if (!large && part != "fortran_2008") {
        write_fortran_family(stem)
        write_fortran_family(stem "_cptr")
    }
    if (part != "fortran")
        write_fortran_2008(large)
}

BEGIN {
    FS = "|"
    member_of("control plain collective start init", kind_names)
    member_of("c-only fortran-only", flag_names)
    member_of("c fortran fortran_2008 fortran_control fortran_sentinels c_symbols fortran_symbols", part_names)
    if (!(part in part_names) || offered == "") {
        print "generate.awk: -v part=c, fortran, fortran_2008, fortran_control, fortran_sentinels, c_symbols or fortran_symbols; -v offered=FILE" > "/dev/stderr"
        failed = 1
        exit 1
    }
    while ((got = (getline entry < offered)) > 0) {
        split(entry, word, / /)
        if (word[1] == "declared")
            is_declared[word[2]] = 1
        else
            is_exported[word[2]] = 1
        any_fortran = any_fortran || word[2] ~ /^(mpi_send_?_?|MPI_SEND)$/
        if (part == "fortran_sentinels" && word[2] ~ /^(mpi_fortran_[a-z_]*|MPI_FORTRAN_[A-Z_]*|mpifcmb[0-9]_*|MPIFCMB[0-9]|mpipriv[0-9c]_*|MPIPRIV[0-9C])$/)
            sentinels = sentinels "VFTR_SENTINEL(" word[2] ")\n"
        any_c = any_c || word[1] == "exported" && word[2] == "PMPI_Send"
    }
    if (got < 0) {
        print "generate.awk: cannot read " offered > "/dev/stderr"
        failed = 1
        exit 1
    }
    define_verbs()
    define_large()
    print (part ~ /symbols/ ? "#" : "//") " Made from functions.table by generate.awk."
}

/^[ \t]*(#|$)/ { next }

{
    table = FILENAME
    row = ++rows
    line[row] = FNR
    name = trim($1)
    if (NF != 4)
        fail("a row has four columns, this has " NF)
    returns[row] = "int"
    if (split(name, word, / /) == 2) {
        returns[row] = word[1]
        name = word[2]
    }
    if (name !~ /^MPI_[A-Z][A-Za-z0-9_]*[a-z0-9]$/)
        fail("not the name of an MPI function")
    if (name in row_of)
        fail("second row of that name")
    row_of[name] = row
    names[row] = name
    n = split(trim($2), word, / +/)
    kinds[row] = word[1]
    if (!(word[1] in kind_names))
        fail("unknown kind \"" word[1] "\"")
    for (i = 2; i <= n; i++) {
        if (!(word[i] in flag_names))
            fail("unknown flag \"" word[i] "\"")
        flags[row] = flags[row] " " word[i]
    }
    prototypes[row] = kinds[row] == "control" ? "" : trim($3)
    row_actions[row] = trim($4)
}

END {
    printf "%s", sentinels
    for (row = 1; row <= rows && !failed; row++)
        write_row()
    exit failed
}
