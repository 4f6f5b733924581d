# SPDX-License-Identifier: BSD-3-Clause
# The scripts of the page (share_src/viewer/) have the types that their comments say: TypeScript finds nothing.
. "${srcdir:-.}/test/system/lib.sh"

# Contract: plain ES modules with JSDoc types, checked by tsc --checkJs
# One mistake is put in, and is all that is found: the check takes seven seconds, and one that finds nothing may have read nothing.
test_types_are_those_of_the_comments() {
    have tsc || skip "no tsc (node-typescript)"
    cp "$srcdir"/share_src/viewer/*.{js,ts} .
    sed -i 's/duration(head.total_runtime_ns)/duration(String(head.total_runtime_ns))/' overview.js
    tsc --checkJs --noEmit --allowJs --strict --target es2022 --moduleResolution node --lib dom,dom.iterable,es2022 globals.d.ts main.js >out 2>&1
    grep -q '^overview[.]js.*not assignable' out || fail "a string in place of a number is not found: $(head -20 out)"
    expect_same "$(grep -v '^overview[.]js.*not assignable' out | head -20)" "" "what else is found"
}

run_tests
