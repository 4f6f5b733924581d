# SPDX-License-Identifier: BSD-3-Clause
# VFTR_DEPENDENCY_FILES: the empty files of dependencies that the Makefile includes are made at once. automake's own command, which comes later
# and finds them, starts two programs for each of some 800, by far the longest part of config.status. To be called before AC_PROG_CC.
AC_DEFUN([VFTR_DEPENDENCY_FILES], [
AC_CONFIG_COMMANDS([dependency-files], [
vftr_files=`sed -n '/^am__depfiles_remade = /,/[[^\\]]$/{s/^am__depfiles_remade = //;s/\\\\$//;s/\$(DEPDIR)/.deps/g;p;}' Makefile`
printf '%s\n' $vftr_files | sed 's,/[[^/]]*$,,' | sort -u | xargs mkdir -p
for vftr_file in $vftr_files; do
  test -e $vftr_file || echo '# dummy' >$vftr_file
done
])])
