# SPDX-License-Identifier: BSD-3-Clause
# The links of all Markdown files lead to something: a file that is there, a heading that is there. Each page of the manual is in its table of contents, and is installed.
. "${srcdir:-.}/test/system/lib.sh"

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

test_links_lead_to_files_and_headings() {
    local broken
    expect_at_least "$(pages "$srcdir" | wc -l)" 20 "pages"
    broken=$(broken_links "$srcdir")
    [ -z "$broken" ] || fail "$broken"
}

test_a_broken_link_is_found() {
    mkdir -p tree/folder
    cat >tree/a.md <<'END'
# One thing, `and` another: it's
[right](folder/b.md#two), [right](#one-thing-and-another-its), [right](folder/b.md#two-1), `[no](link)`, [elsewhere](https://nowhere.example)

    [no](link)

```text
[no](link)
```
[wrong](c.md), ![wrong](folder/d.png)
[wrong](folder/b.md#three) and [wrong](#two)
END
    printf '# Two\n## Two\n[right](../a.md)\n[wrong](a.md)\n' >tree/folder/b.md
    expect_same "$(broken_links tree | LC_ALL=C sort)" "a.md:10: no heading three in folder/b.md
a.md:10: no heading two in a.md
a.md:9: no file c.md
a.md:9: no file folder/d.png
folder/b.md:4: no file folder/a.md" "what is found"
}

test_each_page_of_the_manual_is_in_its_contents_and_is_installed() {
    local page file
    for page in "$srcdir"/share_src/doc/*.md; do
        file=${page##*/}
        [ "$file" = index.md ] || grep -qF "]($file)" "$srcdir/share_src/doc/index.md" || fail "$file is not in index.md"
    done
    for file in $(cd "$srcdir/share_src" && find doc -type f); do
        grep -qF "%D%/$file" "$srcdir/share_src/room.am" || fail "share_src/$file is not in share_src/room.am"
    done
}

run_tests
