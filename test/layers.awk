# SPDX-License-Identifier: BSD-3-Clause
#
# awk -f layers.awk layers.table EDGES: compares edges between units (layers_edges.sh) with the order of rooms. Prints a line per
# difference; with -v all=1 all edges against the order, also those that the table permits.
function room_of(unit) { sub(/\/.*/, "", unit); return unit }
function problem(text) { print text; failed = 1 }
# permitted(FROM, TO): the exception that permits this edge, the one that says most; or nothing.
function permitted(from, to,   a, b) {
    a = room_of(from); b = room_of(to)
    if ((from " " to) in exception) return from " " to
    if ((from " " b) in exception) return from " " b
    if ((a " " to) in exception) return a " " to
    if ((a " " b) in exception) return a " " b
    return ""
}
function library_permits(user, used) { return used == "both" || used == user || (user == "vftr" && used == "analysis") }
function reach(unit, room,   line, count, i, next_unit) { # marks all that `unit` reaches within its room
    count = split(neighbours[unit], line, " ")
    for (i = 1; i <= count; i++) {
        next_unit = line[i]
        if (room_of(next_unit) == room && !(next_unit in reached)) { reached[next_unit]; reach(next_unit, room) }
    }
}
# largest_knot(ROOM): how many of its units include each other in a circle; they are in `members`.
function largest_knot(room,   unit, other, size, best, text) {
    best = 1; members = ""
    for (unit in units) if (room_of(unit) == room) {
        split("", reached); reach(unit, room)
        for (other in reached) reaches[unit " " other]
    }
    for (unit in units) if (room_of(unit) == room) {
        size = 0; text = ""
        for (other in units)
            if (room_of(other) == room && (other == unit || ((unit " " other) in reaches && (other " " unit) in reaches))) { size++; text = text " " other }
        if (size > best) { best = size; members = text }
    }
    return best
}

FNR == NR && $1 == "layer" { library = $2; next }
FNR == NR && $1 == "room" { order[$2] = ++rooms; name[rooms] = $2; library_of[$2] = library; next }
FNR == NR && $1 == "use" {
    exception[$2 " " $3] = 1
    if (NF < 4) problem("layers.table: `" $0 "` has no reason")
    next
}
FNR == NR && $1 == "upward" {
    if (upward != "") problem("layers.table: there is a second table of calls upward: " $2)
    if (NF < 4) problem("layers.table: `" $0 "` has no reason")
    upward = $3
    next
}
FNR == NR && $1 == "knot" {
    knot[$2] = $3
    if (NF < 4) problem("layers.table: `" $0 "` has no reason")
    next
}
FNR == NR { next }
{
    from = $2; to = $3; a = room_of(from); b = room_of(to)
    if ($1 == "include") {
        units[from]; units[to]
        if (!((from " " to) in known)) { known[from " " to]; neighbours[from] = neighbours[from] " " to }
    }
    if ($1 == "symbol" && to == upward) { upward_is_used = 1; next }
    if (!(a in order)) { if (!(a in strange)) problem("no room of layers.table: " a); strange[a]; next }
    if (!(b in order)) { if (!(b in strange)) problem("no room of layers.table: " b " (of " from ")"); strange[b]; next }
    if (a == b) next
    if (!((a " " b) in room_edge)) { room_edge[a " " b]; room_neighbours[a] = room_neighbours[a] " " b }
    if (order[b] < order[a] && library_permits(library_of[a], library_of[b])) next
    which = permitted(from, to)
    if (which != "") { needed[which]; if (!all) next }
    why = order[b] > order[a] ? b " is above " a : a " is of library " library_of[a] ", " b " of " library_of[b]
    text = from ($1 == "include" ? " includes " : " needs ") to ($1 == "symbol" ? " (" $4 ")" : "") ": " why
    if (all) print text; else problem(text)
}
END {
    if (all) exit
    for (which in exception) if (!(which in needed)) problem("layers.table: `use " which "` is no longer needed")
    for (i = 1; i <= rooms; i++) {
        size = largest_knot(name[i])
        limit = (name[i] in knot) ? knot[name[i]] : 3
        if (size > limit) problem(name[i] ": " size " units include each other in a circle, where " limit " may:" members)
        if (size < limit && name[i] in knot) problem("layers.table: `knot " name[i] " " limit "`: there are only " size)
    }
    if (upward != "" && !upward_is_used) problem("layers.table: nothing uses " upward)
    # Rooms among each other, as the units of one room.
    split("", units); split("", neighbours); split("", reaches)
    for (edge in room_edge) { split(edge, part, " "); units["rooms/" part[1]]; units["rooms/" part[2]]; neighbours["rooms/" part[1]] = neighbours["rooms/" part[1]] " rooms/" part[2] }
    size = largest_knot("rooms")
    limit = ("rooms" in knot) ? knot["rooms"] : 1
    if (size > limit) problem(size " rooms use each other in a circle, where " limit " may:" members)
    if (size < limit && "rooms" in knot) problem("layers.table: `knot rooms " limit "`: there are only " size)
    exit failed
}
