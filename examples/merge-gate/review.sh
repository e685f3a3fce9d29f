#!/bin/sh
# Reviews what plan.sh has left in the current directory, or the archive plan.gpg of
# another job, and checks it. It runs nothing of the configuration, and exits with
#
#   0  nothing to change
#   2  changes that the gate allows
#   1  the plan failed, or the gate refuses it
#
# It leaves review.md for a comment, always, also without kuscia-review. With 0 and 2 it
# leaves sums.txt, which says what plan is approved, and domains.json with the domains that
# are asked: those that the plan touches, and where it does not say whom it concerns, also
# those of DOMAINS, or "everyone" without any.
#
#   FAIL_ON     what the gate refuses; kuscia-review -help lists it. Empty: no gate
#   ALLOW       addresses that are not refused this once, separated by spaces
#   NAME        what is planned, such as production
#   REVIEW_LANG en or zh
#   CODEOWNERS  a file that says who is asked for each domain: that of the base branch
#   DOMAINS     those of all organizations, separated by spaces
#   COMMIT      what is planned, and RUN_URL the run that plans it, for the review
#   PLAN_KEY    of plan.gpg
set -eu

rm -f review.md domains.json sums.txt
if [ -f plan.gpg ]; then
  rm -f plan.bin plan.json plan.log
  "$(dirname "$0")/archive.sh" decrypt plan.bin plan.json plan.log || :
fi

set -f -- -name "${NAME-}" -lang "${REVIEW_LANG:-en}" -commit "${COMMIT-}" -log plan.log
if [ -n "${CODEOWNERS-}" ]; then
  set -- "$@" -codeowners "$CODEOWNERS"
fi
set -- "$@" -fail-on "${FAIL_ON-grant,code,interrupted,check,incomplete,reference}"
for address in ${ALLOW-}; do
  set -- "$@" -allow "$address"
done
status=1
if [ -f plan.bin ] && [ -f plan.json ] && kuscia-review "$@" <plan.json >review.md; then
  kuscia-review -format json <plan.json >review.json
  jq -c --arg all "${DOMAINS-}" \
    'if .everyone then .domains + ($all | split(" ") - [""] | if . == [] then ["everyone"] else . end) | unique else .domains end' review.json >domains.json
  status=$(jq 'if .changes then 2 else 0 end' review.json)
  rm review.json
fi

# The comment must not stay that of another plan.
did='made the plan'
if [ ! -s review.md ]; then
  did=failed
  # The line by which comment.sh finds the comment, also if the program could not be installed.
  echo '{"format_version": "1.2"}' | kuscia-review -name "${NAME-}" | head -n 1 >review.md
  [ -s review.md ] || jq -nr --arg name "${NAME-}" '"<!-- kuscia-review \($name | gsub("[^A-Za-z0-9._/]"; "_") | if . == "" then . else . + " " end)-->"' >review.md
  echo "**Kuscia:** The plan or its review failed, so nothing can be applied. The log of the job has the reason." >>review.md
fi
# What is approved is this plan, and no other with the same commit; apply.sh looks for the
# line, which a plan that is refused does not have.
if [ "$status" != 1 ]; then
  echo >>review.md
  "$(dirname "$0")/sums.sh" >sums.txt
  cat sums.txt >>review.md
fi
if [ -n "${RUN_URL-}" ]; then
  printf '\n[This run](%s) %s.\n' "$RUN_URL" "$did" >>review.md
fi
rm -f plan.json plan.log
if [ "$status" = 1 ] || [ -f plan.gpg ]; then
  rm -f plan.bin
fi
exit "$status"
