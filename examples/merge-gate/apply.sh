#!/bin/sh
# Applies the plan in plan.gpg, if it is the one that the organizations have approved and the
# comment shows, and the request has the reviews that its target branch requires: not if
# there is a newer commit, and not if a later run has written the comment. Terraform refuses
# a plan that was made of another state.
#
#   PLANNED   the commit that was planned
#   PLAN_KEY  of plan.gpg
#   TF        the CLI: terraform, or tofu for OpenTofu
#
# server.sh says which other variables it needs.
set -eu

refuse() {
  [ -n "${CI_API_V4_URL-}" ] || printf '::error::'
  echo "$1"
  rm -f plan.bin plan.json
  exit 1
}

tf=${TF:-terraform}
if [ "${GITEA_ACTIONS-}" = true ]; then
  refuse "Gitea has no environments, so nobody has approved this."
fi
. "$(dirname "$0")/server.sh"
newest=$(newest_commit)
[ "$newest" = "$PLANNED" ] || refuse "The plan is that of the commit $PLANNED, and the newest one is $newest."
has_reviews || refuse "The request does not have the reviews that its target branch requires. One that requires none is refused too."

"$(dirname "$0")/archive.sh" decrypt plan.bin
"$tf" init -input=false
# The JSON is made anew: a program that ran beside the plan may have written the other.
"$tf" show -json plan.bin >plan.json || refuse "The plan cannot be read."
sums=$("$(dirname "$0")/sums.sh")
[ "$(approved_sums)" = "$sums" ] || refuse "The organizations have approved another plan. Let them approve this one."
comment=$(comment_of "<!-- kuscia-review" "$sums")
[ -n "$comment" ] || refuse "The comment shows another plan than that of this run."
rm plan.json
"$tf" apply -input=false -lock-timeout=10m plan.bin
