#!/bin/sh
# Plans the configuration in the current directory, for review.sh and apply.sh: it leaves
# plan.bin, plan.json and plan.log, and exits with 1 if the plan failed. This is the part
# that runs code of a pull request: providers, and programs of data sources. The files
# contain values: a job encrypts them with archive.sh.
#
#   TF  the CLI: terraform, or tofu for OpenTofu
#
# Other arguments go to plan, for example -var-file=production.tfvars.
set -eu

tf=${TF:-terraform}
rm -f plan.bin plan.json plan.gpg
: >plan.log

status=0
"$tf" init -input=false &&
  "$tf" plan -input=false -json -out=plan.bin "$@" >plan.log || status=$?
# A plan that failed has a file too, unless it failed early.
if [ -f plan.bin ] && "$tf" show -json plan.bin >plan.json; then
  "$tf" show -no-color plan.bin
  exit "$status"
fi
rm -f plan.bin plan.json
cat plan.log
exit 1
