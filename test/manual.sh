# SPDX-License-Identifier: BSD-3-Clause
# The links of all Markdown files lead to something: a file that is there, a heading that is there. Each page of the manual is in its table of contents, and is installed.
. "${srcdir:-.}/test/system/lib.sh"

. "$srcdir/test/support/links.sh"

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
