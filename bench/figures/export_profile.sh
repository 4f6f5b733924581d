# SPDX-License-Identifier: BSD-3-Clause
# Profiles in the formats of other tools.

# The formats that a profile without a timeline can have.
profile_formats() {
    local format
    for format in $("$builddir/vftr" export --help | sed -n '/--format NAME/,/-o, --output/s/^                    \([a-z0-9]*\) .*/\1/p'); do
        "$builddir/vftr" export --format="$format" -o tried small_all.vfd 2>refused && echo "$format" && rm -r tried ||
            grep -q 'has no timeline' refused || echo "$format"
    done
}

# A million call paths in each format; in each repetition all formats and the log are made in turn.
million_paths() {
    local format i
    compile paths
    ./paths.vftrace 2 '2 0 0' >printed
    mv paths.vftrace_all.vfd small_all.vfd
    echo '{"max_call_paths": 2000000}' >config.json
    VFTR_CONFIG=config.json ./paths.vftrace 2 '100 0 0' >printed
    profile_formats >formats
    for ((i = 0; i < repeat; i++)); do
        echo "log $(cpu_seconds "$builddir/vftr" report paths.vftrace_all.vfd)"
        while read -r format; do
            echo "$format $(cpu_seconds "$builddir/vftr" export --format="$format" -o exported paths.vftrace_all.vfd)"
            rm -r exported
        done <formats
    done >samples
    note 'log of a million call paths' "$(awk '$1 == "log" { print $2 }' samples | median)" 's'
    while read -r format; do
        figure "$format of a million call paths" "$(awk -v f="$format" '$1 == f { print $2 }' samples | median)" '<=2' 's'
        note '  against the log' "$(awk -v f="$format" '$1 == "log" { log_ = $2 } $1 == f { print $2 / log_ }' samples | median)" 'x'
    done <formats
    rm ./*.vfd
}

million_paths
