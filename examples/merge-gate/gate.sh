#!/bin/sh
# Plans the configuration in the current directory and checks it against the
# policy, with the exit codes of terraform plan -detailed-exitcode:
#
#   0  nothing to change
#   2  changes that the policy allows
#   1  the plan fails, or the policy rejects it
#
# TF names the CLI (terraform, or tofu for OpenTofu). Other arguments go to
# plan, for example -var-file=production.tfvars.
set -eu

tf=${TF:-terraform}
policy=$(dirname "$0")/policy.jq

# The plan contains values that must not stay on a CI machine.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
"$tf" plan -input=false -detailed-exitcode -out="$work/plan" "$@" || status=$?
case $status in
0 | 2) ;;
*) exit 1 ;;
esac

# Their exit codes have other meanings than those above.
"$tf" show -json "$work/plan" >"$work/plan.json" || exit 1
jq --raw-output --from-file "$policy" "$work/plan.json" >"$work/refused" || exit 1
if [ -s "$work/refused" ]; then
  echo "The policy refuses this plan:" >&2
  sed 's/^/  /' "$work/refused" >&2
  exit 1
fi
exit "$status"
