# SPDX-License-Identifier: BSD-3-Clause
#
# Which unit uses which: bash, sourced by layers.sh. A unit is a source with its header, written room/name.

# included_units SOURCE: `include FROM TO` for each line that includes a file of ours.
included_units() {
    (cd "$1" && grep -rnE '^ *# *include +"' src config_tools --include='*.[ch]pp' --include='*.[ch]') |
        awk '
            { split($0, part, "\""); from = $0; sub(/:.*/, "", from); sub(/^src\//, "", from); to = part[2] }
            from !~ /\// { next } # the precompiled header
            to !~ /\// { next } # made at build time
            { sub(/\.[a-z]*$/, "", from); sub(/\.[a-z]*$/, "", to); if (from != to) print "include", from, to }' |
        LC_ALL=C sort -u
}

# with_source SOURCE: those of the objects on standard input whose source is there: a build folder keeps the objects of files that were renamed.
with_source() {
    local object unit
    while read -r object; do
        unit=${object%.o}
        unit=${unit%/*}/${unit##*[/-]}
        [ -n "$1" ] && [ ! -e "$1/$unit.cpp" ] && [ ! -e "$1/$unit.c" ] || echo "$object"
    done
}

# linked_units BUILD [SOURCE]: `symbol FROM TO NAME` for each name that an object leaves undefined and an object of another unit defines.
# Public symbols are left out: libvftrace stands before the C library with many of them, so who calls dlopen uses no room of ours.
linked_units() {
    (
        cd "$1" || exit
        find src config_tools -name '*.o' ! -name 'unit_tests-*' | with_source "${2-}" | LC_ALL=C sort | xargs "${NM:-nm}" -A -g 2>/dev/null
    ) | awk -v public="$1/public_symbols.list" '
            BEGIN { while ((getline name <public) > 0) public_name[name] }
            {
                name = $NF; kind = $(NF - 1); unit = $0
                sub(/:.*/, "", unit); sub(/^src\//, "", unit); sub(/\.o$/, "", unit)
                file = unit; sub(/.*\//, "", file); sub(/.*-/, "", file); sub(/[^\/]*$/, file, unit)
            }
            name in public_name { next }
            kind ~ /^[Uw]$/ { used[unit " " name]; next }
            kind ~ /^[TDBRA]$/ { if (!(name in strong)) strong[name] = unit; own[unit " " name]; next }
            { if (!(name in weak)) weak[name] = unit; own[unit " " name] }
            END {
                for (use in used) {
                    if (use in own) continue
                    split(use, part, " "); name = part[2]
                    definer = name in strong ? strong[name] : weak[name]
                    if (definer != "" && definer != part[1]) print "symbol", part[1], definer, name
                }
            }' | LC_ALL=C sort -u
}
