#!/bin/sh
# Compares the configuration in the current folder with Kuscia, and changes
# nothing. It leaves the plan as text in drift.txt, and exits with
#
#   0  no drift
#   2  drift: somebody has changed Kuscia, or the configuration is not applied
#   1  the plan failed
#
#   TF  the CLI: terraform, or tofu for OpenTofu
set -u

status=0
"${TF:-terraform}" plan -input=false -no-color -lock=false -detailed-exitcode >drift.txt 2>&1 || status=$?
grep -E '^  # |^Error:|^Plan:|^No changes' drift.txt || :
exit "$status"
