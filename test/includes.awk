# SPDX-License-Identifier: BSD-3-Clause
#
# Reads includes.table and then sources, of the folders that include each other by their paths below them: awk -f includes.awk -v root=FOLDER includes.table SOURCE…
# With -v blind=1 headers of the system are taken for not included. Prints a line for each name that a source uses although nothing that it includes, directly or by other sources, is a header that declares it.

FNR == 1 { in_comment = 0 }
NR == FNR && /^#/ { next }
NR == FNR {
    split($0, part, ":")
    kind = $1
    sub(/^[a-z]+ /, "", part[1])
    for (i = split(part[2], name, " "); i > 0; i--)
        if (sub(/[*]$/, "", name[i]))
            beginning[name[i]] = part[1]
        else {
            if (kind != "c")
                headers["std", name[i]] = headers["std", name[i]] " " part[1]
            if (kind != "std")
                headers["c", name[i]] = headers["c", name[i]] " " part[1]
        }
    next
}
FNR == 1 { files[++file_count] = file = FILENAME }
/^ *# *include/ {
    if (match($0, /["<][^">]*[">]/))
        included[file] = included[file] " " substr($0, RSTART, RLENGTH)
    next
}
{
    gsub(/\\./, "")
    gsub(/'.'/, "")
    gsub(/"[^"]*"/, "\"\"")
    if (in_comment && !sub(/.*\*\//, ""))
        next
    in_comment = 0
    gsub(/\/\*[^*]*\*\//, "")
    sub(/\/\/.*/, "")
    if (sub(/\/\*.*/, ""))
        in_comment = 1
    rest = $0
    before = ""
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
        name_here = substr(rest, RSTART, RLENGTH)
        before = before substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
        look(name_here)
        before = before name_here
    }
}

# Takes the name between `before` and `rest` down if it is one of a header.
function look(name) {
    if (before ~ /(^|[^A-Za-z0-9_])std::(ranges::)?$/) {
        if (name != "ranges")
            used[file, ++uses[file]] = "std " name
    } else if (before ~ /[A-Za-z0-9_>]::$|[.~]$|->$/)
        return
    else if (name ~ /^[A-Z_][A-Z0-9_]+$|_t$|^errno$|^environ$|^Dl_info$|^timespec$/ || (rest ~ /^ *\(/ && is_call()))
        used[file, ++uses[file]] = "c " name
}
# False for what is declared here: a word before it is a type.
function is_call() { return before !~ /[A-Za-z0-9_>*&]  *[*&]*(::)?$/ || before ~ /(^|[^A-Za-z0-9_])(return|else|case)  *(::)?$/ }

function c_headers(name, length_) {
    if (("c", name) in headers)
        return headers["c", name]
    for (length_ = length(name); length_ > 1; length_--)
        if (substr(name, 1, length_) in beginning)
            return beginning[substr(name, 1, length_)]
    return ""
}

function in_words(headers_, count, choice, i, text) {
    count = split(headers_, choice, " ")
    for (i = 1; i <= count; i++)
        text = text (i > 1 ? " or " : "") "<" choice[i] ">"
    return text
}

# The sources and headers that a source brings along, in `seen`.
function bring(source, list, count, i, name, found) {
    if (source in seen)
        return
    seen[source]
    count = split(included[source], list, " ")
    for (i = 1; i <= count; i++) {
        name = substr(list[i], 2, length(list[i]) - 2)
        if (list[i] ~ /^</) {
            if (!blind)
                seen["<" name]
        }
        else if ((found = source_of(name, source)) != "")
            bring(found)
    }
}
function source_of(name, from, place) {
    sub(/[^\/]*$/, "", from)
    if (from name in is_source) return from name
    for (place = 1; place <= places; place++)
        if (root "/" folder[place] name in is_source)
            return root "/" folder[place] name
    return ""
}

END {
    places = split("src/:include/::config_tools/", folder, ":")
    for (i = 1; i <= file_count; i++)
        is_source[files[i]]
    for (i = 1; i <= file_count; i++) {
        file = files[i]
        split("", seen)
        split("", told)
        bring(file)
        for (k = 1; k <= uses[file]; k++) {
            if (used[file, k] in told)
                continue
            told[used[file, k]]
            split(used[file, k], word, " ")
            wanted = word[1] == "c" ? c_headers(word[2]) : headers["std", word[2]]
            if (word[1] == "std" && wanted == "") {
                print file ": std::" word[2] " is not in includes.table"
                continue
            }
            good = wanted == ""
            for (n = split(wanted, choice, " "); n > 0 && !good; n--)
                good = ("<" choice[n]) in seen
            if (!good)
                print file ": " (word[1] == "std" ? "std::" : "") word[2] " without " in_words(wanted)
        }
    }
}
