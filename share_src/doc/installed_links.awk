# SPDX-License-Identifier: BSD-3-Clause
#
# Links of a page as they lead from where it is installed: awk -f installed_links.awk -v from=share_src/doc/tutorial.md tutorial.md. In the sources pages lead to each
# other and to what lies in other folders; an installation has the pages, README.md and examples/ together in one folder (share_src/room.am). A link to something that is not
# installed becomes its text. What stands in backquotes, and blocks of code, stay as they are.

# Where a file of the sources is installed; "": nowhere.
function installed(file) {
    if (sub(/^share_src\/doc\//, "", file)) return file
    return file == "README.md" || file == "python/README.md" || file ~ /^examples\/./ ? file : ""
}
# "a/b/../c" is "a/c".
function resolved(file) {
    while (sub(/^\.\//, "", file) || sub(/\/\.\//, "/", file)) ;
    while (sub(/[^\/]+\/\.\.\//, "", file)) ;
    return file
}
function folder_of(file) { return sub(/[^\/]*$/, "", file) ? file : "" }
# The way up from an installed page to the folder of all.
function up(page,   way) {
    for (way = ""; sub(/^[^\/]*\//, "", page);) way = way "../"
    return way
}
# The link "[text](target)", which begins with the bracket before the text.
function changed(link,   at, target, anchor, file) {
    at = index(link, "](")
    target = substr(link, at + 2, length(link) - at - 2)
    if (target ~ /^([a-z]+:|#)/) return link
    anchor = ""
    if (match(target, /#.*/)) {
        anchor = substr(target, RSTART)
        target = substr(target, 1, RSTART - 1)
    }
    file = installed(resolved(folder_of(from) target))
    return file == "" ? substr(link, 2, at - 2) : substr(link, 1, at + 1) up(installed(from)) file anchor ")"
}
/^ *```/ { fenced = !fenced }
fenced || /^    / { print; next }
{
    line = ""
    rest = $0
    # The next piece of code or link, whichever begins first. Code may be the text of a link.
    while (match(rest, /\[(`[^`]*`|[^]`[])*\]\([^)]*\)|`[^`]*`/)) {
        piece = substr(rest, RSTART, RLENGTH)
        line = line substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH) # before changed(), which searches as well
        line = line (piece ~ /^\[/ ? changed(piece) : piece)
    }
    print line rest
}
