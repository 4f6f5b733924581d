# SPDX-License-Identifier: BSD-3-Clause
#
# Links of Markdown files that lead nowhere, on top of test/system/lib.sh.

# pages FOLDER: its Markdown files, without those of builds.
pages() { (cd "$1" && find . -name '*.md' ! -path './build*' ! -path './.git/*' | sed 's,^\./,,' | LC_ALL=C sort); }

# Lines "file<TAB>line<TAB>target" of the links and pictures, and "file<TAB>heading<TAB>anchor" of the headings. An anchor is what GitHub makes of a heading: lower case,
# without punctuation, with hyphens for blanks, and a number where it is not the first one of that name. What is code is no link.
# shellcheck disable=SC2016
links_and_anchors='
    FNR == 1 { fenced = 0; blank = 1; split("", seen) }
    /^ *```/ { fenced = !fenced; next }
    fenced { next }
    /^    / && blank { next } # a block of code; its next line may be empty
    { blank = /^ *$/ }
    /^#+ / {
        anchor = $0
        sub(/^#+ +/, "", anchor)
        gsub(/\]\([^)]*\)/, "", anchor)
        anchor = tolower(anchor)
        gsub(/[]!-,.\/:-@[\\^`{|}~]/, "", anchor) # all of ASCII but letters, digits, blank, - and _
        gsub(/ /, "-", anchor)
        printf "%s\theading\t%s\n", FILENAME, anchor (seen[anchor]++ ? "-" seen[anchor] - 1 : "")
    }
    {
        text = $0
        gsub(/`[^`]*`/, "", text)
        while (match(text, /\]\([^)]*\)/)) {
            printf "%s\t%d\t%s\n", FILENAME, FNR, substr(text, RSTART + 2, RLENGTH - 3)
            text = substr(text, RSTART + RLENGTH)
        }
    }'

# broken_links FOLDER: a line for each.
broken_links() {
    local linked=$PWD/linked
    (
        cd "$1" || exit 1
        # shellcheck disable=SC2046
        awk "$links_and_anchors" $(pages .) | awk -F'\t' -v linked="$linked" '
            $2 == "heading" { anchors[$1 "#" $3]; next }
            $3 ~ /^[a-z]+:/ { next } # elsewhere
            { links[++n] = $0 }
            END {
                for (i = 1; i <= n; i++) {
                    split(links[i], link, "\t")
                    path = link[3]
                    anchor = ""
                    if (at = index(path, "#")) {
                        anchor = substr(path, at + 1)
                        path = substr(path, 1, at - 1)
                    }
                    folder = link[1] ~ /\// ? link[1] : "./x"
                    sub(/[^\/]*$/, "", folder)
                    file = path == "" ? link[1] : folder path
                    while (sub(/(^|\/)\.\//, "/", file)) sub(/^\//, "", file)
                    while (sub(/[^\/]+\/\.\.\//, "", file)) ;
                    if (anchor != "" && !((file "#" anchor) in anchors))
                        print link[1] ":" link[2] ": no heading " anchor " in " file
                    print file "\t" link[1] ":" link[2] >linked
                }
            }'
        while IFS=$'\t' read -r file place; do
            [ -e "$file" ] || echo "$place: no file $file"
        done <"$linked"
    )
}
