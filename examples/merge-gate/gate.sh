#!/bin/sh
# Plans the configuration in the current directory, reviews the plan and checks
# it, with the exit codes of terraform plan -detailed-exitcode:
#
#   0  nothing to change
#   2  changes that the gate allows
#   1  the plan fails, or the gate refuses it
#
# It leaves review.md for a comment, also if the plan fails, and with 0 and 2
# plan.bin, which terraform apply carries out. plan.bin contains values: a job
# must not keep it unencrypted.
#
#   TF       the CLI: terraform, or tofu for OpenTofu
#   FAIL_ON  what the gate refuses; kuscia-review -help lists it. Empty: no gate
#   ALLOW    addresses that are not refused this once, separated by spaces
#   NAME     what is planned, such as production
#
# Other arguments go to plan, for example -var-file=production.tfvars.
set -eu

tf=${TF:-terraform}
rm -f plan.bin review.md

status=0
"$tf" init -input=false &&
  "$tf" plan -input=false -detailed-exitcode -out=plan.bin "$@" || status=$?

set -f -- -name "${NAME-}" -fail-on "${FAIL_ON-interrupted,check}"
for address in ${ALLOW-}; do
  set -- "$@" -allow "$address"
done
# A plan that failed has a file too, unless it failed early.
if [ ! -f plan.bin ] || ! "$tf" show -json plan.bin | kuscia-review "$@" >review.md; then
  status=1
fi

# The comment must not stay that of another plan.
if [ ! -s review.md ]; then
  echo '{"format_version": "1.2"}' | kuscia-review -name "${NAME-}" | head -n 1 >review.md
  echo "**Kuscia:** The plan or its review failed, so nothing can be applied. The log of the job has the reason." >>review.md
fi
case $status in
0 | 2) exit "$status" ;;
esac
rm -f plan.bin
exit 1
