# SPDX-License-Identifier: BSD-3-Clause
# Recipes for other people's package managers, which are not here to run them: what they ask configure for is there.
. "${srcdir:-.}/test/system/lib.sh"

# options_of FILE: the options of configure that a recipe names, as --with-x, --without-x, --enable-x or --disable-x.
options_of() {
    grep -oE -- '--(with|without|enable|disable)-[a-z0-9-]+' "$1"
    sed -n 's/.*with_or_without("\([a-z0-9-]*\)").*/--with-\1/p' "$1"
}

# Help has one of the two spellings.
expect_known_options() { # FILE LEAST
    local option name
    options_of "$1" | sort -u >asked
    expect_at_least "$(wc -l <asked)" "$2" "options in $1"
    while read -r option; do
        name=${option#--*-}
        grep -qE -- "^  --(with|without|enable|disable)-$name([^a-z0-9-]|\$)" help || fail "configure does not know $option"
    done <asked
}

test_the_recipe_of_spack_names_options_and_variants_that_there_are() {
    local recipe=$srcdir/share_src/spack/package.py variant
    "$srcdir/configure" --help >help || fail "configure has no help"
    expect_known_options "$recipe" 7
    for variant in mpi fortran html tui compare otf2 python; do
        grep -q "variant(\"$variant\", " "$recipe" || fail "there is no variant $variant"
    done
    expect_same "$(sed -n 's/^ *version("\(.*\)".*/\1/p' "$recipe")" "$(sed -n 's/^AC_INIT(\[vftrace\], \[\(.*\)\], .*, .*/\1/p' "$srcdir/configure.ac")" "the version"
    python_with ast
    "$python" -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe" || fail "it is not Python"
}

test_an_option_that_there_is_not_is_found() {
    "$srcdir/configure" --help >help
    echo 'args = ["--with-teapot", "--without-tui"]' >package.py
    (expect_known_options package.py 2) >out && fail "--with-teapot is taken for an option"
    grep -q -e '--with-teapot' out || fail "what is said: $(cat out)"
}

run_tests
