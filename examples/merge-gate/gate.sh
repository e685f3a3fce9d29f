#!/bin/sh
# Plans the configuration in the current directory, reviews the plan and checks
# it, with the exit codes of terraform plan -detailed-exitcode:
#
#   0  nothing to change
#   2  changes that the gate allows
#   1  the plan fails, or the gate refuses it
#
# It leaves review.md for a comment, also if the plan fails, and with 0 and 2
# plan.bin, which terraform apply carries out, and domains.json with the domains
# that are asked: those that the plan touches, and where it does not say whom it
# concerns, also those of DOMAINS, or "everyone" without any. plan.bin contains
# values: a job must not keep it unencrypted.
#
#   TF          the CLI: terraform, or tofu for OpenTofu
#   FAIL_ON     what the gate refuses; kuscia-review -help lists it. Empty: no gate
#   ALLOW       addresses that are not refused this once, separated by spaces
#   NAME        what is planned, such as production
#   REVIEW_LANG en or zh
#   CODEOWNERS  a file that says who is asked for each domain
#   DOMAINS     those of all organizations, separated by spaces
#   COMMIT      what is planned, and RUN_URL the run that plans it, for the review
#
# Other arguments go to plan, for example -var-file=production.tfvars.
set -eu

tf=${TF:-terraform}
rm -f plan.bin plan.log review.md domains.json

status=0
"$tf" init -input=false &&
  "$tf" plan -input=false -json -detailed-exitcode -out=plan.bin "$@" >plan.log || status=$?

set -f -- -name "${NAME-}" -lang "${REVIEW_LANG:-en}" -commit "${COMMIT-}" -log plan.log
if [ -n "${CODEOWNERS-}" ]; then
  set -- "$@" -codeowners "$CODEOWNERS"
fi
set -- "$@" -fail-on "${FAIL_ON-grant,code,interrupted,check,incomplete,reference}"
for address in ${ALLOW-}; do
  set -- "$@" -allow "$address"
done
# A plan that failed has a file too, unless it failed early.
if [ -f plan.bin ]; then
  "$tf" show -no-color plan.bin
  if "$tf" show -json plan.bin | kuscia-review "$@" >review.md; then
    "$tf" show -json plan.bin | kuscia-review -format json | jq -c --arg all "${DOMAINS-}" \
      'if .everyone then .domains + ($all | split(" ") - [""] | if . == [] then ["everyone"] else . end) | unique else .domains end' >domains.json
  else
    status=1
  fi
else
  [ ! -f plan.log ] || cat plan.log
  status=1
fi

# The comment must not stay that of another plan.
if [ ! -s review.md ]; then
  echo '{"format_version": "1.2"}' | kuscia-review -name "${NAME-}" | head -n 1 >review.md
  echo "**Kuscia:** The plan or its review failed, so nothing can be applied. The log of the job has the reason." >>review.md
fi
# What is approved is this plan, and no other with the same commit.
if [ -f plan.bin ]; then
  printf '\nPlan file: SHA-256 `%s`.\n' "$(sha256sum <plan.bin | cut -d ' ' -f 1)" >>review.md
fi
if [ -n "${RUN_URL-}" ]; then
  printf '\n[This run](%s) made the plan.\n' "$RUN_URL" >>review.md
fi
rm -f plan.log
case $status in
0 | 2) exit "$status" ;;
esac
rm -f plan.bin domains.json
exit 1
