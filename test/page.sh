# SPDX-License-Identifier: BSD-3-Clause
# The scripts of the page (share_src/viewer/) have the types that their comments say: TypeScript finds nothing.
. "${srcdir:-.}/test/system/lib.sh"

types_of() { tsc --checkJs --noEmit --allowJs --strict --target es2022 --moduleResolution node --lib dom,dom.iterable,es2022 "$1/globals.d.ts" "$1/main.js" >out 2>&1; }

# Contract: plain ES modules with JSDoc types, checked by tsc --checkJs
test_types_are_those_of_the_comments() {
    have tsc || skip "no tsc (node-typescript)"
    types_of "$srcdir/share_src/viewer" || fail "$(head -20 out)"
}

test_a_mistake_is_found() {
    have tsc || skip "no tsc (node-typescript)"
    cp "$srcdir"/share_src/viewer/*.{js,ts} .
    sed -i 's/duration(head.total_runtime_ns)/duration(String(head.total_runtime_ns))/' overview.js
    ! types_of . || fail "a string in place of a number is not found"
    grep -q '^overview[.]js.*not assignable' out || fail "what is found: $(cat out)"
}

run_tests
